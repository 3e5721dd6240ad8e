"""The commands of `ctrlgraph`, each in a module. The commands of a group are in a package with the group's name."""

__all__ = [
    "check", "doctor", "edit", "experiment", "export", "fmt", "gate", "goto",
    "graph", "init", "integrate", "learn", "learned", "log", "measures", "play", "record",
    "replay", "report", "robustness", "run", "trace", "tune", "walk",
]  # fmt: skip
