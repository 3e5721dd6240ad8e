"""Proposed bridging scripts. A bridging script runs between the source and the target of a learned edge.

It moves the joints from the pose at the end of the source to the pose in which the target usually starts. A pose here
consists of the target angles and gains of the joints, not of the measured angles: under load, a body sags below its
targets.
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
"""Duration of each phase of a proposed script, s. A search may change it."""

_STILL = 0.3  # speed of the centre of mass below which a pose counts as at rest, m/s


@dataclass(frozen=True)
class BridgePose:
    """Target angles and gains of the J joints that a controller has set in one state, as start or end of a bridge."""

    angle: FloatArray
    """Target angles, (J,), rad."""
    kp: FloatArray
    """Proportional gains, (J,), N m/rad."""
    kd: FloatArray
    """Derivative gains, (J,), N m s/rad."""
    rests: bool
    """True if the centre of mass is (almost) at rest."""


def entry_targets(evaluator: Evaluator, evaluation_plan: EvaluationPlan, engine: str) -> BridgePose:
    """Return the joints' target angles and gains in the state in which a test begins, on level ground.

    Args:
        evaluator: Evaluator of the project, which simulates the nodes before the test.
        evaluation_plan: Plan of the test. Its setup leads to the state.
        engine: Name of the engine.

    Raises:
        CtrlGraphError: A node before the test fails.
    """
    entry = evaluator.entry(evaluation_plan, Perturbations(engine=engine).environment)
    if isinstance(entry, Failed):
        raise CtrlGraphError(
            f"{evaluation_plan.target} cannot be tested, because a node before it fails: {entry.reason}"
        )
    return targets_of(entry.state, evaluator.project.character)


def targets_of(state: Snapshot, character: Character) -> BridgePose:
    """Return the joints' target angles and gains that the active controller had set in a state.

    A joint for which no target was set gets its current angle and the gains of the character file.

    Args:
        state: State of the character.
        character: Character with the joints.
    """
    com, targets = state.kinematics.com, state.hold_targets
    angle = np.where(np.isnan(targets.angle), state.kinematics.joint[:, 0], targets.angle)
    kp = np.where(np.isnan(targets.kp), [joint.kp for joint in character.joints], targets.kp)
    kd = np.where(np.isnan(targets.kd), [joint.kd for joint in character.joints], targets.kd)
    return BridgePose(angle, kp, kd, bool(np.linalg.norm(com[com.size // 2 :]) < _STILL))


def propose_bridge(name: str, character: Character, start: BridgePose, goal: BridgePose, *, phases: int = 1) -> str:
    """Return the text of a script that moves every joint from one pose to another.

    Each phase moves the joints by an equal part of the way, with the gains of the second pose. If the body is at rest
    in the second pose, a virtual force on the trunk keeps the centre of mass over the feet.

    Args:
        name: Name of the script.
        character: Character with the joints.
        start: Pose at the start of the script.
        goal: Pose at the end of the script.
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
    """Return the text of a script that calls the scripts of nodes one after another.

    Each called script runs for the minimum number of cycles of its node.

    Args:
        name: Name of the script.
        nodes: Nodes in their order. Each must run a script.
    """
    lines = [
        f"# From one motion to another by way of {', '.join(node.name for node in nodes)}.",
        f"BEGINSCRIPT {name}(void)",
    ]
    for number, node in enumerate(nodes):
        following = number + 1 if number + 1 < len(nodes) else -1
        call = f"{Path(node.file).name}({', '.join(repr(value) for value in node.args)})"
        lines += [f"  PHASE {number}", f"    > {call}{'.mirrored' if node.mirrored else ''};"]
        lines += [f"    TRANSITION to({following}).after(iterations {node.cycles[0]});", "  ENDPHASE"]
    return "\n".join([*lines, "ENDSCRIPT", ""])


def _ankles(character: Character) -> list[str]:
    """Return the names of the joints between shin and foot, in the order of the character's feet."""
    above = {joint.child: joint.name for joint in character.joints}
    return [above[foot] for foot in character.roles.feet if foot in above]
