"""The graph of controllers: reading, checking and editing of graph files, planners of walks, and export."""
