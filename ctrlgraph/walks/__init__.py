"""Walks: nodes of the graph one after another in a simulation, with a log of all attempts, and replays of the log."""
