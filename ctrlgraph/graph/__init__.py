"""The controller graph: graph files with their checks and edits, planners of walks, and export to other formats."""
