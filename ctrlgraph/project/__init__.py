"""A project directory, and the controllers of its nodes and edges."""
