"""Insertion of a new controller into the graph."""

__all__ = [
    "candidate_edges", "candidate_node", "candidate_transitions", "clustering", "draft", "insertion",
    "insertion_report", "probe", "proposal", "proposed_fields", "scratch_project", "transition_optimizer",
]  # fmt: skip
