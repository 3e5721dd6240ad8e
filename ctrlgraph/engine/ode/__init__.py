"""The ODE engine: the only door to its library."""
