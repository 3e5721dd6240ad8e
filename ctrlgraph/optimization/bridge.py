"""Bridging scripts that are proposed from the two ends of a transition: from the pose that the source drives to at
its end to the one that the target is usually entered with.

What the joints are driven to, and with which gains, is taken, and not where they are: a body that is held sags below
its targets by the torque that holds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.experiments.initial_state import Failed
from ctrlgraph.experiments.perturbation import Perturbations

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.experiments.evaluation_plan import EvaluationPlan
    from ctrlgraph.experiments.evaluator import Evaluator
    from ctrlgraph.simulation.simulation import Snapshot

FloatArray = NDArray[np.float64]

PHASE_S = 0.4
"""How long a phase of a proposed bridge lasts before anything is learned."""

_STILL = 0.3  # m/s: an entry slower than this is one to be balanced


@dataclass(frozen=True)
class Hold:
    """What the joints are driven to: angle rad, kp N m/rad, kd N m s/rad, (J,) each; rests: whether the body is at
    rest."""

    angle: FloatArray
    kp: FloatArray
    kd: FloatArray
    rests: bool


def entry_hold(evaluator: Evaluator, evaluation_plan: EvaluationPlan, engine: str) -> Hold:
    """Return what the joints are driven to where a plan's test is entered on level ground, on an engine.

    Raises:
        CtrlGraphError: the setup fails.
    """
    entry = evaluator.entry(evaluation_plan, Perturbations(engine=engine).environment)
    if isinstance(entry, Failed):
        raise CtrlGraphError(f"{evaluation_plan.target} cannot be entered: {entry.node} {entry.outcome.reason}")
    return hold_of(entry.state, evaluator.project.character)


def hold_of(state: Snapshot, character: Character) -> Hold:
    """Return the targets of a state's joints; where a joint has none, or follows another, the angle that it has."""
    com, held = state.kinematics.com, state.held
    angle = np.where(np.isnan(held.angle), state.kinematics.joint[:, 0], held.angle)
    kp = np.where(np.isnan(held.kp), [joint.kp for joint in character.joints], held.kp)
    kd = np.where(np.isnan(held.kd), [joint.kd for joint in character.joints], held.kd)
    return Hold(angle, kp, kd, bool(np.hypot(com[2], com[3]) < _STILL))


def propose_bridge(name: str, character: Character, start: Hold, goal: Hold, *, phases: int = 1) -> str:
    """Return a script of so many phases that takes every joint from one pose to the other, in equal parts and with the
    goal's gains; where the goal is at rest, a virtual force on the trunk keeps the centre of mass over the feet."""
    lines = [
        f"# From the end of one motion to the beginning of another, proposed from the two poses ({name}).",
        f"BEGINSCRIPT {name}(void)",
    ]
    for number in range(phases):
        pose = start.angle + (goal.angle - start.angle) * (number + 1) / phases
        following = number + 1 if number + 1 < phases else -1
        lines += [f"  PHASE {number}", "    ACTIONS"]
        for joint, angle, kp, kd in zip(character.joints, pose, goal.kp, goal.kd, strict=True):
            angle = min(max(float(angle), joint.lower), joint.upper)
            values = f"{angle:.4g}, {kp:.4g}, {kd:.4g}"
            lines.append(f"      LIPOSE {joint.name}({values}).time({PHASE_S});")
        if goal.rests:
            trunk = character.links[character.trunk].name
            lines += [f"      VFFB {trunk}(2000, 250).by({ankle}).over(cop);" for ankle in _ankles(character)]
        lines += ["    ENDACTIONS", f"    TRANSITION to({following}).after(time {PHASE_S});", "  ENDPHASE"]
    return "\n".join([*lines, "ENDSCRIPT", ""])


def _ankles(character: Character) -> list[str]:
    """The joints that the feet hang from, in the order of the feet."""
    above = {joint.child: joint.name for joint in character.joints}
    return [above[foot] for foot in character.roles.feet if foot in above]
