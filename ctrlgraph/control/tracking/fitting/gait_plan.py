"""Structure of a fitted tracking file: the legs of a biped, and the rows of the step.

The file describes the step in which the first foot of the character stands. Right and left swap at the end of the step.
"""

from __future__ import annotations

from dataclasses import dataclass

from ctrlgraph.character.model import Character
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
    """The structure of a step in a tracking file, without numbers."""

    standing: Leg
    """The standing leg."""
    swinging: Leg
    """The other leg."""
    rows: tuple[str, ...]
    """Names of the R tracked rows."""

    @property
    def has_soles(self) -> bool:
        """Return whether the feet have soles, so that the legs have ankles."""
        return self.standing.ankle is not None

    @property
    def contact(self) -> str:
        """Return the kind of the standing foot's contact in the file: "flat" or "point"."""
        return "flat" if self.has_soles else "point"

    def entry(self) -> TrackingEntry:
        """Return the contents of a tracking file with placeholder numbers."""
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


def gait_plan(character: Character) -> GaitPlan:
    """Return the structure of a biped's step.

    All joints are tracked except the ankles. The policy controls the standing ankle. The angle of the swinging foot to
    the ground is tracked instead of its ankle, so that the foot lands flat.

    Raises:
        CtrlGraphError: the character does not have exactly two feet, the feet are not a pair of right and left, or a
            leg has too few joints.
    """
    feet = character.roles.feet
    if len(feet) != 2:
        raise CtrlGraphError(f"{character.name} has {len(feet)} feet, and a fit needs two")
    if character.opposite_links[feet[0]] != feet[1]:
        raise CtrlGraphError(f"the feet of {character.name} are not a pair of right and left: add the pair to its file")
    standing, swinging = (_leg(character, foot) for foot in feet)
    rows = [joint.name for joint in character.joints if joint.name not in (standing.ankle, swinging.ankle)]
    return GaitPlan(standing, swinging, (*rows, swinging.foot) if swinging.ankle else tuple(rows))


def _leg(character: Character, foot: int) -> Leg:
    chain = [character.joints[j].name for j in joint_chain(character, foot)]
    name = character.links[foot].name
    has_sole = len({circle.x for circle in character.links[foot].contacts}) > 1
    if len(chain) < 2 + has_sole:
        raise CtrlGraphError(f"{quoted(name)} is not connected by hip and knee{' and ankle' if has_sole else ''}")
    return Leg(foot=name, ankle=chain[-1] if has_sole else None, hip=chain[0])
