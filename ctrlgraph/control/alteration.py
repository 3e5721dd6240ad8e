"""Alterations: changes of a controller's joint targets, such as raised arms or a bent trunk.

Alterations test the success conditions of a node, which are ranges of measures. The conditions must reject an altered
motion.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ctrlgraph.character.model import Character

ALTERATIONS = (
    "arms_up",
    "arms_raised",
    "arm_raised",
    "arms_forward",
    "arms_back",
    "arms_folded",
    "elbow_bent",
    "arms_limp",
    "arms_exchanged",
    "head_back",
    "head_down",
    "trunk_bent",
    "knees_bent",
    "limping",
)
"""Names of all alterations. `alterations` returns those for which a character has the joints."""

_RAISED, _BENT, _CROUCHED, _STIFF = 0.9, 0.5, 0.2, 0.1
"""Angles of raised arms, a bent trunk, bent knees and a stiff knee, as fractions of the joint's limit on that side."""


@dataclass(frozen=True)
class Alteration:
    """Changes of a controller's joint targets during the whole motion. Joints are given by index in the character."""

    angles: Mapping[int, float] = field(default_factory=dict)
    """Constant target angle, rad, by index of the joint. It replaces all targets that the controller sets."""
    offsets: Mapping[int, float] = field(default_factory=dict)
    """Angle that is added to each target of a joint, rad, by index of the joint.

    A target that depends on the state is changed only if it is a sum whose first term is a constant.
    """
    limp: frozenset[int] = frozenset()
    """Indices of the joints that have only a small damping torque instead of targets."""
    exchanged: frozenset[int] = frozenset()
    """Indices of the joints that exchange their targets with the same joints on the other side of the body."""


def alterations(character: Character) -> dict[str, Alteration]:
    """Return the alterations that are possible for a character, by their name from `ALTERATIONS`.

    An alteration is omitted if the character lacks the joints for it.

    Args:
        character: Character whose joint targets are changed. The roles of its links (hands, head, shins) tell which
            joints belong to the arms, the neck and the knees.
    """
    joints, roles = character.joints, character.roles
    shoulders, elbows, knees = character.shoulders, character.elbows, character.knees
    flexed = [max(joint.upper, -joint.lower) * joint.flexion_sign for joint in joints]
    extended = [min(joint.upper, -joint.lower) * -joint.flexion_sign for joint in joints]
    found: dict[str, Alteration] = {}
    if shoulders:
        arms, straight = frozenset((*shoulders, *elbows)), dict.fromkeys(elbows, 0.0)
        folded = dict.fromkeys(shoulders, 0.0) | {j: _RAISED * flexed[j] for j in elbows}
        raised = {j: _RAISED * flexed[j] for j in shoulders}
        found |= {
            "arms_up": Alteration(raised | straight),
            "arms_raised": Alteration(raised),
            "arm_raised": Alteration({shoulders[0]: raised[shoulders[0]]}),
            "arms_forward": Alteration({j: _BENT * flexed[j] for j in shoulders} | straight),
            "arms_back": Alteration({j: _RAISED * extended[j] for j in shoulders} | straight),
            "arms_folded": Alteration(folded),
            "elbow_bent": Alteration({j: _RAISED * flexed[j] for j in elbows[:1]}),
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
