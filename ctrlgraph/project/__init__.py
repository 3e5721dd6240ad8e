"""A project directory, and the controllers of its nodes and edges."""

from ctrlgraph.project.project import GRAPH_FILE, RUNS_DIRECTORY, Project

__all__ = ["GRAPH_FILE", "RUNS_DIRECTORY", "Project"]
