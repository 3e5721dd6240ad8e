"""Gates: the success that a file requires of nodes, edges and scenarios."""

__all__ = ["gate", "gate_file"]
