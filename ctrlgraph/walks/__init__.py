"""Walkthroughs: sequences of nodes in a simulation, logged and replayed."""
