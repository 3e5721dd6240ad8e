"""Controllers of five kinds: scripts, key frames, regulators, tracking and stepping. All have the same interface."""

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
