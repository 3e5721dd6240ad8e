"""Better constants for controllers and edges: searches over what a program leaves open."""
