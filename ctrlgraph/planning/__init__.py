"""Which node comes next: random walks and the most reliable way to a goal."""
