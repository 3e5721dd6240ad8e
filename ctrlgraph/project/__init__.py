"""Projects (directories with a graph file), and the controllers that run for the nodes and edges of their graphs."""

from ctrlgraph.project.project import GRAPH_FILE, RUNS_DIRECTORY, Project

__all__ = ["GRAPH_FILE", "RUNS_DIRECTORY", "Project"]
