"""What a motion is of: the body's shapes and joints, and the ground, as plain data for a browser."""

from __future__ import annotations

from typing import Any

from ctrlgraph.character.model import Character
from ctrlgraph.terrain.profile import Terrain
from ctrlgraph.view.figure import Figure

_DIGITS = 4  # of what is drawn, in m: a tenth of a millimetre


def body_of(character: Character) -> dict[str, Any]:
    """Return a character as a browser draws it.

    links: name, mass (kg), `at` (centre of mass in the reference pose, m) and `outline` (corners in the link's own
    frame, m) of each; limbs: groups of links in drawing order, far side first, with `side` (-1 far, 0 trunk, 1 near);
    joints: name, parent and child (indices of links) and `at` (in the reference pose, m); root: a link's index; feet:
    indices of links.
    """
    figure = Figure.of(character)
    return {
        "name": character.name,
        "root": character.root,
        "feet": list(character.roles.feet),
        "links": [
            {
                "name": link.name,
                "mass": link.mass,
                "at": [link.x, link.y],
                "outline": outline.round(_DIGITS).tolist(),
            }
            for link, outline in zip(character.links, figure.outlines, strict=True)
        ],
        "limbs": [{"links": list(limb), "side": side} for limb, side in zip(figure.limbs, figure.sides, strict=True)],
        "joints": [
            {"name": joint.name, "parent": joint.parent, "child": joint.child, "at": [joint.x, joint.y]}
            for joint in character.joints
        ],
    }


def ground_of(terrain: Terrain | None) -> dict[str, Any] | None:
    """Return the ground: `x` and `y` of its surface (m; both ends go on in their own slope), friction and obstacles
    (kind, start, end and size, m); None for level ground."""
    if terrain is None:
        return None
    return {
        "x": terrain.x.tolist(),
        "y": terrain.y.tolist(),
        "friction": terrain.friction,
        "obstacles": [
            {"kind": str(each.kind), "start": each.start, "end": each.end, "size": each.size}
            for each in terrain.obstacles
        ],
    }
