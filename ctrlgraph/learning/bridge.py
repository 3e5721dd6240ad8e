"""Proposed bridging scripts: from the pose at the end of the source to the pose in which the target is usually entered.

The poses consist of the joints' targets and gains, not of their angles: under load, a body sags below its targets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.robustness.initial_state import Failed
from ctrlgraph.robustness.perturbation import Perturbations

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.graph.model import Node
    from ctrlgraph.robustness.evaluation_plan import EvaluationPlan
    from ctrlgraph.robustness.evaluator import Evaluator
    from ctrlgraph.simulation.simulation import Snapshot

FloatArray = NDArray[np.float64]

PHASE_S = 0.4
"""Initial duration of a phase, s."""

_STILL = 0.3  # speed below which an entry is balanced, m/s


@dataclass(frozen=True)
class BridgePose:
    """Targets of the joints."""

    angle: FloatArray
    """Target angles, (J,), rad."""
    kp: FloatArray
    """Proportional gains, (J,), N m/rad."""
    kd: FloatArray
    """Derivative gains, (J,), N m s/rad."""
    rests: bool
    """True if the body is at rest."""


def entry_targets(evaluator: Evaluator, evaluation_plan: EvaluationPlan, engine: str) -> BridgePose:
    """Return the targets of the joints at the entry of a plan's test on level ground.

    Args:
        evaluator: Evaluator of the project.
        evaluation_plan: Plan to enter.
        engine: Name of the engine.

    Raises:
        CtrlGraphError: The setup fails.
    """
    entry = evaluator.entry(evaluation_plan, Perturbations(engine=engine).environment)
    if isinstance(entry, Failed):
        raise CtrlGraphError(f"{evaluation_plan.target} cannot be reached: {entry.node} {entry.outcome.reason}")
    return targets_of(entry.state, evaluator.project.character)


def targets_of(state: Snapshot, character: Character) -> BridgePose:
    """Return the targets of a state's joints. A joint without a target, or one that follows another joint, gets its
    angle.

    Args:
        state: State of the character.
        character: Character of the state.
    """
    com, held = state.kinematics.com, state.held
    angle = np.where(np.isnan(held.angle), state.kinematics.joint[:, 0], held.angle)
    kp = np.where(np.isnan(held.kp), [joint.kp for joint in character.joints], held.kp)
    kd = np.where(np.isnan(held.kd), [joint.kd for joint in character.joints], held.kd)
    return BridgePose(angle, kp, kd, bool(np.hypot(com[2], com[3]) < _STILL))


def propose_bridge(name: str, character: Character, start: BridgePose, goal: BridgePose, *, phases: int = 1) -> str:
    """Return a script that moves every joint from one pose to another in equal steps, with the gains of the second
    pose.

    If the second pose is at rest, a virtual force on the trunk keeps the centre of mass over the feet.

    Args:
        name: Name of the script.
        character: Character of the poses.
        start: First pose.
        goal: Second pose.
        phases: Number of phases.
    """
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


def propose_path(name: str, nodes: Sequence[Node]) -> str:
    """Return a script that runs the controllers of nodes one after another, each for its minimum number of cycles.

    Args:
        name: Name of the script.
        nodes: Nodes that run scripts.
    """
    lines = [
        f"# From one motion to another by way of {', '.join(node.name for node in nodes)}.",
        f"BEGINSCRIPT {name}(void)",
    ]
    for number, node in enumerate(nodes):
        following = number + 1 if number + 1 < len(nodes) else -1
        call = f"{Path(node.file).name}({', '.join(f'{value:g}' for value in node.args)})"
        lines += [f"  PHASE {number}", f"    > {call}{'.mirrored' if node.mirrored else ''};"]
        lines += [f"    TRANSITION to({following}).after(iterations {node.cycles[0]});", "  ENDPHASE"]
    return "\n".join([*lines, "ENDSCRIPT", ""])


def _ankles(character: Character) -> list[str]:
    """Return the joints of the feet, in the order of the feet."""
    above = {joint.child: joint.name for joint in character.joints}
    return [above[foot] for foot in character.roles.feet if foot in above]
