"""Controllers: scripts, key frames, regulators, tracking and stepping behind one protocol."""
