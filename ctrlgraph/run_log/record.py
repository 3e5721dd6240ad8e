"""Records of the log: runs and attempts."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ctrlgraph.errors import RunLogError
from ctrlgraph.simulation.environment import Environment

START = "start"
"""Edge kind of an attempt from the start pose, after a reset."""

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without 0/o, 1/l/i


@dataclass(frozen=True, slots=True)
class RunRecord:
    """Run of one command."""

    id: str
    command: str
    """Command line."""
    started: float
    """Beginning, s since 1970."""
    seed: int
    graph_hash: str
    versions: Mapping[str, str]
    """Versions of ctrlgraph, engine, numpy and Python."""
    settings: Mapping[str, Any]
    """Settings of the simulations, as JSON data."""
    finished: float | None = None
    """End, s since 1970; None before the end."""
    summary: Mapping[str, Any] | None = None
    """Result of the command, as JSON data; None before the end."""

    @property
    def environment(self) -> Environment | None:
        """Return the environment of the run; None if this version cannot read it."""
        try:
            return Environment.from_dict(self.settings["world"])
        except (RunLogError, KeyError):
            return None

    @property
    def engine(self) -> str | None:
        """Return the name of the run's engine; None if its environment is unknown."""
        world = self.environment
        return None if world is None else world.engine


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One run of a controller in a walk."""

    run: str
    walk: int
    """Index of the walk in its run."""
    position: int
    """Number of the attempt in its walk, from 0."""
    node: str
    source: str | None
    """Node before the attempt; None after a reset."""
    edge_kind: str
    """Naive, learned, corrective or start."""
    condition: str | None
    """Condition of a corrective edge."""
    planned: bool
    """Whether it is a planned transition and not part of a recovery."""
    args: tuple[float, ...]
    """Arguments of the controller."""
    cycles: int
    status: str
    reason: str
    phase: int | None
    """Phase of the controller at the end."""
    script: str | None
    """File of the controller at the end."""
    line: int | None
    """Line of the controller at the end."""
    started_s: float
    """Simulated time since the beginning of the walk, s."""
    simulated_s: float
    """Simulated duration, s."""
    wall_s: float
    """Wall time, s."""
    energy_j: float
    """Energy spent by the joints, J."""
    entry_digest: str
    """Digest of the state at the beginning."""
    exit_digest: str
    """Digest of the state at the end."""
    history_digest: str
    """Digest of all states since the last reset."""
    seed: int
    """Seed of the simulation."""
    program_hash: str
    """Hash of the controller."""
    graph_hash: str
    edge_hash: str
    """Hash of everything that affects the result (both controllers and their conditions, character, world); statistics
    only combine attempts with the same hash."""
    engine_messages: int
    """Number of messages of the engine."""
    measures: Mapping[str, float] = field(default_factory=dict)

    @property
    def succeeded(self) -> bool:
        """Return whether the attempt succeeded."""
        return self.status == "completed"


def new_run_id(now: float | None = None) -> str:
    """Return a short readable id such as `1121-k7wq3`: month, day and one of 28 million random endings.

    The ending comes from the random numbers of the operating system, not from a seed, because two processes that start
    the same command at the same time need different ids. The log refuses an id that is taken.
    """
    day = time.strftime("%m%d", time.localtime(now))
    return f"{day}-{''.join(secrets.choice(_ALPHABET) for _ in range(5))}"
