"""Controllers: scripts, key frames, regulators, tracking and stepping behind one protocol."""

__all__ = [
    "controller",
    "controller_file",
    "keyframes",
    "kinds",
    "no_requests",
    "parameters",
    "regulator",
    "script",
    "stepping",
    "tracking",
]
