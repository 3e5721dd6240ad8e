"""Alterations: changes of a controller's joint targets, such as raised arms or a bent trunk.

An altered motion is an impostor: the success conditions of its node must reject it.
"""

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
"""Names of all alterations. A character has those for which it has the joints, see `alterations`."""

_RAISED, _BENT, _CROUCHED, _STIFF = 0.9, 0.5, 0.2, 0.1
"""Angles of alterations, as fractions of a joint's range to one side of 0."""


@dataclass(frozen=True)
class Alteration:
    """Changes of joint targets that apply during the whole motion. Joints are given by index."""

    angles: Mapping[int, float] = field(default_factory=dict)
    """Constant angle of each joint that keeps one, rad. It replaces all targets of the joint."""
    offsets: Mapping[int, float] = field(default_factory=dict)
    """Angle added to the targets of each joint, rad.

    A target that depends on the state is changed only if it is a sum whose first term is a constant.
    """
    limp: frozenset[int] = frozenset()
    """Joints that have only a small damping torque."""
    exchanged: frozenset[int] = frozenset()
    """Joints that exchange their targets with the same joint on the other side."""


def alterations(character: Character) -> dict[str, Alteration]:
    """Return the alterations of a character by name. Those for which the character lacks the joints are omitted.

    Args:
        character: Character whose joints are changed. Arms, head and knees are found by the roles of the links:
            hands, head and shins.
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
