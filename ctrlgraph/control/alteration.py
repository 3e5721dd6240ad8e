"""Alterations of a controller's joint targets, which make impostors of a motion: another posture, or other arms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ctrlgraph.character.model import Character

ALTERATIONS = (
    "arms_up",
    "arms_forward",
    "arms_back",
    "arms_folded",
    "arms_limp",
    "arms_exchanged",
    "head_back",
    "head_down",
    "trunk_bent",
    "knees_bent",
    "limping",
)
"""Names of the alterations."""

_RAISED, _BENT, _CROUCHED, _STIFF = 0.9, 0.5, 0.2, 0.1
"""Angles of alterations, as fractions of the larger range of a joint."""


@dataclass(frozen=True)
class Alteration:
    """A change of the targets of some joints, by index, in the whole motion."""

    angles: Mapping[int, float] = field(default_factory=dict)
    """Angles that joints keep, rad."""
    offsets: Mapping[int, float] = field(default_factory=dict)
    """Angles added to the targets of joints, rad: to constants, and to the first term of sums."""
    limp: frozenset[int] = frozenset()
    """Joints without torque, except for some damping."""
    exchanged: frozenset[int] = frozenset()
    """Joints of pairs whose right and left targets are exchanged."""


def alterations(character: Character) -> dict[str, Alteration]:
    """Return the alterations of a character by name.

    Args:
        character: Character; alterations of arms, head and legs need the roles of hands, head, shins and feet.
    """
    joints, roles = character.joints, character.roles
    shoulders, elbows, knees = character.shoulders, character.elbows, character.knees
    flexed = [max(joint.upper, -joint.lower) * joint.flexion_sign for joint in joints]
    extended = [min(joint.upper, -joint.lower) * -joint.flexion_sign for joint in joints]
    found: dict[str, Alteration] = {}
    if shoulders:
        arms, straight = frozenset((*shoulders, *elbows)), dict.fromkeys(elbows, 0.0)
        folded = dict.fromkeys(shoulders, 0.0) | {j: _RAISED * flexed[j] for j in elbows}
        found |= {
            "arms_up": Alteration({j: _RAISED * flexed[j] for j in shoulders} | straight),
            "arms_forward": Alteration({j: _BENT * flexed[j] for j in shoulders} | straight),
            "arms_back": Alteration({j: _RAISED * extended[j] for j in shoulders} | straight),
            "arms_folded": Alteration(folded),
            "arms_limp": Alteration(limp=arms),
            "arms_exchanged": Alteration(exchanged=arms),
        }
    if roles.head is not None:
        neck = character.joints_between(character.trunk, roles.head)
        found["head_back"] = Alteration({j: _RAISED * joints[j].lower for j in neck})
        found["head_down"] = Alteration({j: _RAISED * joints[j].upper for j in neck})
    if spine := character.joints_between(character.trunk, character.root):
        found["trunk_bent"] = Alteration(offsets={j: _BENT * flexed[j] for j in spine})
    if knees:
        crouch = {j: _CROUCHED * flexed[j] for j in knees}
        other = (*character.hips, *character.joints_above(roles.feet))
        half = -sum(crouch.values()) / len(crouch) / 2  # the trunk stays upright over the feet
        found["knees_bent"] = Alteration(offsets=crouch | dict.fromkeys(other, half))
        found["limping"] = Alteration({knees[0]: _STIFF * flexed[knees[0]]})
    return found
