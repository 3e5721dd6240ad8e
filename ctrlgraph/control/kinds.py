"""The kinds of controllers that there are, by name: ours, and those of installed packages.

A package brings a kind of its own with an entry point of the group `ctrlgraph.controllers` that names a
`ControllerKind`. From then on a node may say `NAME: FILE` in place of `script: FILE`.
"""

from __future__ import annotations

from ctrlgraph.control.controller import ControllerKind
from ctrlgraph.registry import Registry

SCRIPT = "script"
"""The kind that most nodes are of, and the only one whose files call each other."""

CONTROLLER_KINDS: Registry[ControllerKind] = Registry(
    "kind of controller",
    "ctrlgraph.controllers",
    ControllerKind,
    {
        SCRIPT: "ctrlgraph.control.script.kind:KIND",
        "keyframes": "ctrlgraph.control.keyframes.kind:KIND",
    },
)
