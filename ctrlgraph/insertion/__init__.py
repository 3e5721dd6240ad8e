"""Taking a new controller into the graph."""
