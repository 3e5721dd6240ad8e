"""MuJoCo as a physics engine: the extra `mujoco` brings its library."""
