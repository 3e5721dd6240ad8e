"""Controllers of six kinds: scripts, key frames, gaits, regulators, tracking and stepping, with one interface."""

__all__ = [
    "common_kernels",
    "controller",
    "controller_file",
    "falls",
    "gait",
    "keyframes",
    "kinds",
    "parameters",
    "regulator",
    "script",
    "stepping",
    "tracking",
]
