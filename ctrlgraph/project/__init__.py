"""Projects: a directory with a graph file, and the controllers of the graph's nodes and edges."""

from ctrlgraph.project.project import GRAPH_FILE, RUNS_DIRECTORY, Project

__all__ = ["GRAPH_FILE", "RUNS_DIRECTORY", "Project"]
