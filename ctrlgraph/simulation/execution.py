"""An execution: one rollout that is under way in a simulation, and a mark in it to go on from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ctrlgraph.control.controller import ControllerKind
from ctrlgraph.engine.loop import Limits
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.collision import Contacts
from ctrlgraph.simulation.recording import RecordedSoFar
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Execution:
    """A rollout under way: what the compiled loop reads of it, and what the simulation's counters said at its begin.

    data: the controller's arrays, told of its surroundings; step, energy (J), engine_messages, started and compiling_s
    (both wall time, s): the counters; entry_digest: of the state that it began in.
    """

    rollout: Rollout
    kind: ControllerKind
    data: Any
    limits: Limits
    step: int
    energy: float
    entry_digest: str
    engine_messages: int
    started: float
    compiling_s: float


@dataclass(frozen=True)
class ExecutionMark:
    """A moment of a rollout that is under way, from which it can be gone on with as if it had never been left.

    snapshot: of the simulation; execution: what was under way; effort: (2,) see `engine.engine.Clock`; contacts: of the
    last step; recorded: of the rollout so far.
    """

    snapshot: Snapshot
    execution: Execution
    effort: Floats
    contacts: Contacts
    recorded: RecordedSoFar
