"""ODE as a physics engine; the only package that uses its library."""
