"""Structure of a fitted tracking file: the names of a biped's legs and of the quantities ("rows") tracked in a step.

The file describes the step in which the first foot of the character stands. Right and left swap at the end of the step.
"""

from __future__ import annotations

from dataclasses import dataclass

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.control.tracking.reduced_model import joint_chain
from ctrlgraph.control.tracking.schema import TrackingEntry
from ctrlgraph.errors import CtrlGraphError, quoted

STAGE = "single"
"""Name of the only stage of a fitted file."""


@dataclass(frozen=True)
class Leg:
    """Names of a leg's foot and joints."""

    foot: str
    """Name of the link at the end of the leg."""
    ankle: str | None
    """Name of the ankle joint; None if the leg ends in a point."""
    hip: str
    """Name of the hip joint."""


@dataclass(frozen=True)
class GaitPlan:
    """Names in a tracking file for one step of a biped: its legs and the tracked quantities ("rows")."""

    standing: Leg
    """The leg that stands in the step."""
    swinging: Leg
    """The other leg."""
    rows: tuple[str, ...]
    """Names of the R joints and links whose angles are tracked."""

    @property
    def has_soles(self) -> bool:
        """Return whether the legs end in feet with soles and ankles, instead of in points."""
        return self.standing.ankle is not None

    @property
    def contact(self) -> str:
        """Return the kind of the standing foot's contact in the tracking file: "flat" or "point"."""
        return "flat" if self.has_soles else "point"

    def entry(self) -> TrackingEntry:
        """Return the contents of a tracking file with placeholders for numbers, such as spline coefficients."""
        plain = {
            "phase": {"angle": {"from": self.standing.ankle or self.standing.foot, "to": self.standing.hip}},
            "swaps": True,
            "stages": [
                {
                    "name": STAGE,
                    "theta": [0.0, 1.0],
                    "contacts": {self.standing.foot: self.contact},
                    "track": {row: [0.0] for row in self.rows},
                    "ends": {"contact": self.swinging.foot},
                }
            ],
            "policy": {"constant": {"at": 0.0}} if self.has_soles else None,
        }
        return TrackingEntry.model_validate(plain)


def gait_plan(character: PlanarCharacter) -> GaitPlan:
    """Return the names of a biped's legs and of the quantities that a fitted tracking file tracks.

    All joint angles are tracked except those of the ankles. The torque of the standing ankle determines the point of
    the ground force. The angle of the swinging foot to the ground is tracked, so that the foot lands flat.

    Raises:
        CtrlGraphError: the character does not have exactly two feet, the feet are not a pair of right and left, or a
            leg has too few joints.
    """
    feet = character.roles.feet
    if len(feet) != 2:
        raise CtrlGraphError(f"the character {character.name} must have two feet for a fit, not {len(feet)}")
    if character.opposite_links[feet[0]] != feet[1]:
        raise CtrlGraphError(
            f"the feet of {character.name} are not a pair of right and left: add the pair to the character file"
        )
    standing, swinging = (_leg(character, foot) for foot in feet)
    rows = [joint.name for joint in character.joints if joint.name not in (standing.ankle, swinging.ankle)]
    return GaitPlan(standing, swinging, (*rows, swinging.foot) if swinging.ankle else tuple(rows))


def _leg(character: PlanarCharacter, foot: int) -> Leg:
    chain = [character.joints[j].name for j in joint_chain(character, foot)]
    name = character.links[foot].name
    has_sole = len({circle.x for circle in character.links[foot].contacts}) > 1
    if len(chain) < 2 + has_sole:
        joints = "hip, knee and ankle" if has_sole else "hip and knee"
        raise CtrlGraphError(f"for a fit, the foot {quoted(name)} must be connected to the root by {joints}")
    return Leg(foot=name, ankle=chain[-1] if has_sole else None, hip=chain[0])
