"""Gates: the success that a file requires of nodes, edges and scenarios.

Import from the modules; this package imports none of them.
"""

__all__ = ["gate", "gate_file"]
