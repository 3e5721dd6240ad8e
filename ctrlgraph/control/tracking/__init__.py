"""Phase-indexed tracking: constraints on joint angles as functions of a phase variable (Abe and Popovic 2011)."""
