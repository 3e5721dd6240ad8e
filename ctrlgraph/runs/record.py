"""What the log keeps of a run and of each of its attempts."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ctrlgraph.errors import RunLogError
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.outcome import Outcome

START = "start"
"""The edge kind of an attempt that begins anew from the start pose: it comes from no node."""

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without 0/o, 1/l/i


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One command's run.

    started and finished: seconds since 1970; settings: what the simulations were made with (JSON
    data); summary: what the command printed, once it has ended.
    """

    id: str
    command: str
    started: float
    seed: int
    graph_hash: str
    versions: Mapping[str, str]
    settings: Mapping[str, Any]
    finished: float | None = None
    summary: Mapping[str, Any] | None = None

    @property
    def environment(self) -> Environment | None:
        """Return the world of its simulations; None where this version does not know it."""
        try:
            return Environment.from_dict(self.settings["world"])
        except (RunLogError, KeyError):
            return None

    @property
    def engine(self) -> str | None:
        """Return the name of the engine that it was simulated on; None where its world is not known."""
        world = self.environment
        return None if world is None else world.engine


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One controller run once, as it ended.

    walk: index of the walkthrough in its run; position: counted from 0 within the walk; source:
    the node it came from, None after a reset; edge_kind: naive, learned, corrective or start;
    planned: whether it is a transition that the plan asked for (not part of a recovery); phase:
    number of the phase, script and line: where the controller was at its end; started_s: simulated
    s since the walk began; seed: of the simulation; edge_hash: of everything that decides the
    attempt's chances (both controllers and their conditions, character, world), so that statistics
    count what is comparable; history_digest: over every state since the last reset.
    """

    run: str
    walk: int
    position: int
    node: str
    source: str | None
    edge_kind: str
    condition: str | None
    planned: bool
    args: tuple[float, ...]
    cycles: int
    status: str
    reason: str
    phase: int | None
    script: str | None
    line: int | None
    started_s: float
    simulated_s: float
    wall_s: float
    energy_j: float
    entry_digest: str
    exit_digest: str
    history_digest: str
    seed: int
    program_hash: str
    graph_hash: str
    edge_hash: str
    engine_messages: int
    measures: Mapping[str, float] = field(default_factory=dict)

    @property
    def succeeded(self) -> bool:
        return self.status == "completed"


def outcome_fields(outcome: Outcome, path_of: Callable[[str], str] = str) -> dict[str, Any]:
    """Return the fields of an attempt that its outcome gives; `path_of` makes a script's path fit for the log."""
    place = outcome.place
    return {
        "status": outcome.status.value,
        "reason": outcome.reason,
        "phase": outcome.phase,
        "script": None if place is None else path_of(place.path),
        "line": None if place is None else place.line,
        "simulated_s": outcome.simulated_s,
        "wall_s": outcome.wall_s,
        "energy_j": outcome.energy_j,
        "entry_digest": outcome.entry_digest,
        "engine_messages": outcome.engine_messages,
        "measures": dict(outcome.measures),
    }


def new_run_id(now: float | None = None) -> str:
    """Return a short readable id such as `1121-k7wq3`: month and day, and 28 million random endings a day.

    The random part comes from the operating system, never from a seed: two processes that start
    the same command at the same moment need different ids. The store refuses one that is taken.
    """
    day = time.strftime("%m%d", time.localtime(now))
    return f"{day}-{''.join(secrets.choice(_ALPHABET) for _ in range(5))}"
