"""Executions: rollouts in progress, and marks from which they can be resumed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ctrlgraph.control.controller import ControllerKind
from ctrlgraph.engine.planar_loop import Limits
from ctrlgraph.kernels.planar.arrays import Floats
from ctrlgraph.kernels.planar.collision import Contacts
from ctrlgraph.simulation.planar_recording import RecordedSoFar
from ctrlgraph.simulation.planar_snapshot import Snapshot
from ctrlgraph.simulation.rollout import Rollout


@dataclass(frozen=True, slots=True)
class Execution:
    """A rollout in progress: inputs of the compiled loop, and counters of the simulation at its beginning."""

    rollout: Rollout
    kind: ControllerKind[Any, Any, Any]
    data: Any
    """Arrays of the controller, bound to its environment."""
    limits: Limits
    step: int
    """Time step at the beginning."""
    energy: float
    """Energy spent by the joints before the beginning, J."""
    entry_digest: str
    """Digest of the state at the beginning."""
    engine_messages: int
    """Messages of the engine before the beginning."""
    started: float
    """Wall time at the beginning, s."""
    compilation_s: float
    """Wall time spent compiling before the beginning, s."""


@dataclass(frozen=True)
class ExecutionMark:
    """A moment of a rollout from which it can be resumed; resuming is bit-identical to an uninterrupted rollout."""

    snapshot: Snapshot
    execution: Execution
    effort: Floats
    """(2,) see `engine.engine.Clock`."""
    contacts: Contacts
    """Contacts of the last step."""
    recorded: RecordedSoFar
    """Samples of the rollout up to this moment."""
