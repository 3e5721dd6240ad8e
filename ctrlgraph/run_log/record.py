"""Records of the run log: runs (what one command has logged) and attempts (nodes tried in a run)."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ctrlgraph.errors import RunLogError
from ctrlgraph.simulation.environment import Environment

START = "start"
"""Value of `AttemptRecord.edge_kind` for an attempt in the start pose: the first of a walk, or after a reset."""

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # without 0/o, 1/l/i


@dataclass(frozen=True, slots=True)
class RunRecord:
    """Logged run: command, settings and result of one command that has written to the run log."""

    id: str
    """Identifier such as `1121-k7wq3`."""
    command: str
    """Command line."""
    started: float
    """Time at which the run began, s since 1970."""
    seed: int
    """Seed of the command."""
    graph_hash: str
    """Hash of the graph."""
    versions: Mapping[str, str]
    """Versions of ctrlgraph, engine, numpy and Python, by name."""
    settings: Mapping[str, Any]
    """Settings of the simulations, as data for JSON. "world" is the environment (terrain, engine and disturbances)."""
    finished: float | None = None
    """Time at which the run ended, s since 1970. None: the run has not ended."""
    summary: Mapping[str, Any] | None = None
    """Result of the command, as data for JSON. None: the run has not ended."""

    @property
    def environment(self) -> Environment | None:
        """Environment of the run. None: this version of ctrlgraph cannot read the stored environment."""
        try:
            return Environment.from_dict(self.settings["world"])
        except (RunLogError, KeyError):
            return None

    @property
    def engine(self) -> str | None:
        """Name of the run's engine. None: this version of ctrlgraph cannot read the stored environment."""
        world = self.environment
        return None if world is None else world.engine


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """Attempt: one node tried in a walk, with its outcome."""

    run: str
    """Id of the logged run."""
    walk: int
    """Index of the walk in the run, from 0."""
    position: int
    """Index of the attempt in the walk, from 0."""
    node: str
    """Name of the node that was tried."""
    source: str | None
    """Name of the node that ran before. None: the attempt is at the beginning of a walk or after a reset."""
    edge_kind: str
    """Kind of the edge by which the node was entered: naive, learned or corrective; or `START`."""
    condition: str | None
    """Kind of failure after which a corrective edge is taken, such as "fallen". None: the edge is not corrective."""
    planned: bool
    """True: the planner of the walk chose the transition. False for the start node, and on the way to a static pose
    after a failure."""
    args: tuple[float, ...]
    """Arguments of the controller."""
    cycles: int
    """Number of cycles that the node was to run."""
    status: str
    """Status of the outcome: completed, failed, timeout or diverged."""
    reason: str
    """Reason of a failure, empty otherwise."""
    phase: int | None
    """Number of the phase in which the controller ended. None: unknown."""
    script: str | None
    """File of the script in which the controller ended. None: unknown."""
    line: int | None
    """Line of this file at which the controller ended, from 1. None: unknown."""
    started_s: float
    """Simulated time from the beginning of the walk to the beginning of the attempt, s."""
    simulated_s: float
    """Simulated duration of the attempt, s."""
    wall_s: float
    """Wall time of the attempt, s."""
    energy_j: float
    """Energy spent by the joints, J."""
    entry_digest: str
    """Digest of the state at the beginning of the attempt."""
    exit_digest: str
    """Digest of the state at the end of the attempt."""
    history_digest: str
    """Digest of all states since the last reset."""
    seed: int
    """Seed of the simulation."""
    program_hash: str
    """Hash of the controller."""
    graph_hash: str
    """Hash of the graph."""
    edge_hash: str
    """Hash of everything that affects the result: the controllers and conditions of both nodes, the edge, the character
    and the environment. An attempt is comparable with the current project if the edge still has this hash.
    """
    engine_messages: int
    """Number of messages that the engine printed."""
    measures: Mapping[str, float] = field(default_factory=dict)
    """Values of the motion's measures, by name."""

    @property
    def succeeded(self) -> bool:
        """True if the node ran to its end and met its conditions."""
        return self.status == "completed"


def new_run_id(now: float | None = None) -> str:
    """Return an id for a run, such as `1121-k7wq3`: month, day and one of 28 million random endings.

    The ending comes from the random numbers of the operating system, not from a seed. Two processes that start the same
    command at the same time therefore get different ids.

    Args:
        now: Time of which month and day are used, s since 1970. None: the current time.
    """
    day = time.strftime("%m%d", time.localtime(now))
    return f"{day}-{''.join(secrets.choice(_ALPHABET) for _ in range(5))}"
