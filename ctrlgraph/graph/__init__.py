"""The controller graph: its file, its rules, its planners, and its form for other tools."""
