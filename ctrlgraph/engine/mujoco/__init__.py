"""MuJoCo as a physics engine; the extra `mujoco` installs its library."""
