"""Physics engines behind one protocol."""
