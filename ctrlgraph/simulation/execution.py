"""Executions: rollouts in progress, and marks (stored moments) from which a rollout can be resumed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ctrlgraph.control.controller import ControllerKind
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.recording.recorder import RecordedSoFar
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Execution:
    """A rollout in progress: inputs of the simulation loop, and counters at the beginning of the rollout."""

    rollout: Rollout
    kind: ControllerKind[Any, Any, Any]
    """Kind of the rollout's controller, with the functions that execute it."""
    data: Any
    """Constants of the controller as a named tuple of arrays, completed for the terrain and the contact shapes."""
    limits: Any
    """Timeout and ranges of measures whose violation ends the rollout early."""
    step: int
    """Number of time steps from the simulation's start to the rollout's beginning."""
    energy: float
    """Energy that the joints had spent before the rollout, J."""
    entry_digest: str
    """Hash of the state of all bodies at the beginning of the rollout."""
    engine_messages: int
    """Number of messages that the engine had reported before the rollout."""
    started: float
    """Wall-clock time at which the rollout began, s (`time.perf_counter`)."""
    compilation_s: float
    """Wall-clock time that had been spent compiling before the rollout, s."""


@dataclass(frozen=True)
class ExecutionMark:
    """A stored moment of a rollout, from which the rollout can be resumed.

    A resumed rollout is bit-identical to an uninterrupted one.
    """

    snapshot: Snapshot
    """State of the simulation."""
    execution: Execution
    """The rollout in progress."""
    effort: Floats
    """(2,) since the beginning of the rollout: integral of the squared torques of all joints over time, (N m)^2 s, and
    time for which joints were at a torque limit, summed over the joints, s.
    """
    contacts: Any
    """Contacts between links and ground in the last time step, with their forces."""
    recorded: RecordedSoFar
    """Samples of the rollout up to this moment."""
