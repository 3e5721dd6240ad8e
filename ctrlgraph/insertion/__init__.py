"""Insertion of a new controller into the graph."""
