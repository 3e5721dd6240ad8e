"""Plan of a fit: the legs of a biped, and the rows of its step, as the entry of a tracking file.

A file describes the step in which the first foot of the character stands; right and left swap at its end.
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
    """A leg by names."""

    foot: str
    """Link at the end of the leg."""
    ankle: str | None
    """Ankle; None if the leg ends in a point."""
    hip: str
    """Hip."""


@dataclass(frozen=True)
class GaitPlan:
    """A step, as in `TrackingEntry`, without numbers."""

    standing: Leg
    """The standing leg."""
    swinging: Leg
    """The other leg."""
    rows: tuple[str, ...]
    """Names of the R tracked rows."""

    @property
    def has_soles(self) -> bool:
        """Return whether the feet have soles."""
        return self.standing.ankle is not None

    @property
    def contact(self) -> str:
        """Return the kind of the standing foot's contact."""
        return "flat" if self.has_soles else "point"

    def entry(self) -> TrackingEntry:
        """Return the entry of a file with placeholder numbers."""
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
    """Return the plan for a biped's steps.

    All joints are tracked except the standing ankle, which the policy controls. A swinging foot is tracked by its angle
    to the ground, so that it lands flat.

    Raises:
        CtrlGraphError: the character has no two feet that swap.
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
