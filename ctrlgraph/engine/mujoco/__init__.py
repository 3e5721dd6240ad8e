"""MuJoCo as a physics engine."""
