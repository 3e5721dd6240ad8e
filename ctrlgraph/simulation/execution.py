"""An execution: one rollout that is under way in a simulation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ctrlgraph.control.controller import ControllerKind
from ctrlgraph.engine.loop import Limits
from ctrlgraph.simulation.rollout import Rollout


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
