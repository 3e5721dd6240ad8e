"""Simulation: the object people hold. A stub whose signatures are settled; the engine fills it in."""
