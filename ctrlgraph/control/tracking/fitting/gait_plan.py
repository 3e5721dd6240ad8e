"""Plan of a fit: stages of a gait, their contacts and rows, as the entry of a tracking file.

A file describes the step in which the first foot of the character stands; right and left swap at its end.
"""

from __future__ import annotations

from dataclasses import dataclass

from ctrlgraph.character.model import Character
from ctrlgraph.control.tracking.reduced_model import joint_chain
from ctrlgraph.control.tracking.schema import TrackingEntry
from ctrlgraph.errors import CtrlGraphError, quoted

STAGES = ("single", "double,single")
"""Allowed divisions of a step into stages."""


@dataclass(frozen=True)
class Leg:
    """A leg by names."""

    foot: str
    """Link at the end of the leg."""
    ankle: str | None
    """Ankle; None if the leg ends in a point."""
    hip: str
    """Hip."""
    knees: tuple[str, ...]
    """Joints between."""


@dataclass(frozen=True)
class GaitPlan:
    """The stages of a step, as in `TrackingEntry`, without numbers."""

    stages: tuple[str, ...]
    """Names of the stages."""
    standing: Leg
    """The standing leg."""
    swinging: Leg
    """The other leg."""
    rows: tuple[tuple[str, ...], ...]
    """Tracked rows of each stage."""

    @property
    def has_soles(self) -> bool:
        """Return whether the feet have soles."""
        return self.standing.ankle is not None

    def entry(self) -> TrackingEntry:
        """Return the entry of a file with placeholder numbers."""
        begin = self.standing.ankle or self.standing.foot
        plain = {
            "phase": {"angle": {"from": begin, "to": self.standing.hip}},
            "swaps": True,
            "stages": [
                {
                    "name": name,
                    "theta": [0.0, 1.0],
                    "contacts": self.contacts(name),
                    "track": {row: [0.0] for row in rows},
                    "ends": {"theta": 1.0} if name == "double" else {"contact": self.swinging.foot},
                }
                for name, rows in zip(self.stages, self.rows, strict=True)
            ],
            "policy": {"constant": {"at": 0.0}} if self.has_soles else None,
        }
        return TrackingEntry.model_validate(plain)

    def contacts(self, stage: str) -> dict[str, str]:
        """Return the contacts of a stage: the kind of each standing link."""
        if not self.has_soles:
            return {self.standing.foot: "point"}
        return {self.standing.foot: "flat", **({self.swinging.foot: "toe"} if stage == "double" else {})}


def gait_plan(character: Character, stages: tuple[str, ...]) -> GaitPlan:
    """Return the plan for a biped's steps.

    All joints are tracked except the standing ankle, which the policy controls. A swinging foot is tracked by its angle
    to the ground, so that it lands flat. While the toe of the rear foot is on the ground, its knee and ankle are not
    tracked (Abe and Popovic 2011, eq. 14).

    Args:
        character: the biped.
        stages: one of `STAGES`, split.

    Raises:
        CtrlGraphError: the character has no two feet that swap, or the stages are not those of a step.
    """
    if ",".join(stages) not in STAGES:
        known = " or ".join(quoted(each) for each in STAGES)
        raise CtrlGraphError(f"a step is divided into {known}, not into {quoted(','.join(stages))}")
    feet = character.roles.feet
    if len(feet) != 2:
        raise CtrlGraphError(f"{character.name} has {len(feet)} feet, and a fit needs two")
    if character.opposite_links[feet[0]] != feet[1]:
        raise CtrlGraphError(f"the feet of {character.name} are not a pair of right and left: add the pair to its file")
    standing, swinging = (_leg(character, foot) for foot in feet)
    if "double" in stages and standing.ankle is None:
        raise CtrlGraphError(f"{character.name} stands on points, which have no toe to push off with: give single")
    joints = [joint.name for joint in character.joints]
    single = [name for name in joints if name not in (standing.ankle, swinging.ankle)]
    single += [swinging.foot] if swinging.ankle else []
    double = [name for name in single if name not in (*swinging.knees, swinging.foot)]
    rows = tuple(tuple(double if name == "double" else single) for name in stages)
    return GaitPlan(stages, standing, swinging, rows)


def _leg(character: Character, foot: int) -> Leg:
    chain = [character.joints[j].name for j in joint_chain(character, foot)]
    has_sole = len({circle.x for circle in character.links[foot].contacts}) > 1
    if len(chain) < 2 + has_sole:
        name = character.links[foot].name
        raise CtrlGraphError(f"{quoted(name)} is not connected by hip and knee{' and ankle' if has_sole else ''}")
    return Leg(
        foot=character.links[foot].name,
        ankle=chain[-1] if has_sole else None,
        hip=chain[0],
        knees=tuple(chain[1 : len(chain) - has_sole]),
    )
