"""Controllers: scripts, key frames, regulators, tracking and stepping behind one protocol."""

__all__ = [
    "common_kernels",
    "controller",
    "controller_file",
    "falls",
    "keyframes",
    "kinds",
    "parameters",
    "regulator",
    "script",
    "stepping",
    "tracking",
]
