"""What a player has done to a motion: pushes, desired velocities, and motions that ended early. It is part of the log.

Without it, a played motion could not be replayed: the log of a walk has only nodes and their cycles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ctrlgraph.bounds import MAX_NAME_BYTES
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.controller import Command
from ctrlgraph.engine import loop
from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.engine.spatial_pushes import SpatialPush
from ctrlgraph.errors import RunLogError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctrlgraph.run_log.record import RunRecord
    from ctrlgraph.simulation.outcome import Outcome
    from ctrlgraph.simulation.rollout import Rollout
    from ctrlgraph.simulation.simulation import Simulation

STEERING_INTERVAL_S = 0.01
"""Interval of the times at which a desired velocity can change and a motion can end early, simulated s."""

MAX_PLAYED = 10_000
"""Maximum number of entries of each kind that are read from a log."""

_TOLERANCE_S = 1e-9

_Number = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
_Time = Annotated[float, Field(ge=0.0, le=1e6, allow_inf_nan=False)]


class _Logged(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LoggedPush(_Logged):
    """A push of a link."""

    link: Annotated[str, Field(max_length=MAX_NAME_BYTES)]
    start: _Time
    """Time since the beginning of the motion, s."""
    duration: _Time
    force: Annotated[tuple[_Number, ...], Field(min_length=2, max_length=3)]
    """Force along each axis, N: (x, y) in the plane, (x, y, z) in space."""
    point: tuple[_Number, _Number, _Number] = (0.0, 0.0, 0.0)
    """Point in space at which the force acts, in the frame of the link, m."""


class LoggedCommand(_Logged):
    """A desired velocity of a gait."""

    position: Annotated[int, Field(ge=0)]
    """Index of the attempt in the walk."""
    time: _Time
    """Time since the beginning of the motion, s."""
    forward: _Number
    sideways: _Number
    turn: _Number


class LoggedPlay(_Logged):
    """What a player has done to a motion, as it is logged."""

    pushes: Annotated[tuple[LoggedPush, ...], Field(max_length=MAX_PLAYED)] = ()
    commands: Annotated[tuple[LoggedCommand, ...], Field(max_length=MAX_PLAYED)] = ()
    """Desired velocities in the order of time."""
    ends: Annotated[dict[int, _Time], Field(max_length=MAX_PLAYED)] = {}
    """Time at which an attempt ended early, s since the beginning of the motion, by index of the attempt."""


@dataclass(frozen=True)
class Played:
    """What a player has done to a motion. `begin` prepares a simulation for it, and `run` runs each attempt."""

    logged: LoggedPlay

    @classmethod
    def of(cls, run: RunRecord) -> Played | None:
        """Return what the player of a logged run has done; None if the run was not played.

        Raises:
            RunLogError: the log is damaged.
        """
        if "played" not in run.settings:
            return None
        try:
            return cls(LoggedPlay.model_validate(run.settings["played"]))
        except ValidationError:
            message = f"run '{run.id}' has commands of a player that cannot be read"
            raise RunLogError(f"the run log is damaged, so restore or delete it: {message}") from None

    def begin(self, simulation: Simulation) -> None:
        """Set the pushes of a simulation at the beginning of the motion.

        Raises:
            RunLogError: a push has more or fewer dimensions than the character.
        """
        dimensions = 3 if isinstance(simulation.character, SpatialCharacter) else 2
        if any(len(each.force) != dimensions for each in self.logged.pushes):
            raise RunLogError("the run log is damaged, so restore or delete it: a push is not one of this character")
        simulation.disturb([_push_of(each) for each in self.logged.pushes])
        simulation.watch(lambda moment: None, STEERING_INTERVAL_S)

    def run(self, simulation: Simulation, rollout: Rollout, position: int) -> Outcome:
        """Run an attempt with the commands of the player, and return its outcome.

        Args:
            simulation: simulation in the state at the beginning of the attempt.
            rollout: rollout of the attempt.
            position: index of the attempt in the walk.
        """
        commands = [each for each in self.logged.commands if each.position == position]
        in_time = sorted(range(len(commands)), key=lambda k: commands[k].time)
        last, passed = -1, 0  # of the commands whose time has come, the last one in the log holds
        ends = self.logged.ends.get(position)
        execution = simulation.begin(rollout)
        status, is_first = loop.STILL_RUNNING, True
        while status in loop.GOES_ON:
            while passed < len(commands) and commands[in_time[passed]].time <= simulation.time + _TOLERANCE_S:
                last, passed = max(last, in_time[passed]), passed + 1
            if last >= 0:
                wanted = commands[last]
                simulation.command(forward=wanted.forward, sideways=wanted.sideways, turn=wanted.turn)
            status, is_first = simulation.advance_watched(execution, first=is_first), False
            if status in loop.GOES_ON and ends is not None and simulation.time >= ends - _TOLERANCE_S:
                status = loop.ENDED
        return simulation.end(execution, status)


def logged_push(push: Push | SpatialPush) -> LoggedPush:
    """Return a push as it is logged."""
    if isinstance(push, Push):
        return LoggedPush(link=push.link, start=push.start, duration=push.duration, force=(push.x, push.y))
    return LoggedPush(
        link=push.link, start=push.start, duration=push.duration, force=_vector(push.force), point=_vector(push.point)
    )


def _push_of(logged: LoggedPush) -> Push | SpatialPush:
    if len(logged.force) == 2:
        return Push(logged.start, logged.duration, logged.link, *logged.force)
    return SpatialPush(logged.start, logged.duration, logged.link, _vector(logged.force), logged.point)


def _vector(values: Sequence[float]) -> tuple[float, float, float]:
    x, y, z = values
    return float(x), float(y), float(z)


def played_settings(
    pushes: Sequence[Push | SpatialPush], commands: Sequence[tuple[int, float, Command]], ends: dict[int, float]
) -> dict[str, Any]:
    """Return what a player has done as data for the settings of a run.

    Args:
        pushes: pushes of the motion.
        commands: index of the attempt, time (s) and desired velocity of each command, in the order of time.
        ends: time at which an attempt ended early, s, by index of the attempt.
    """
    logged = LoggedPlay(
        pushes=tuple(map(logged_push, pushes)),
        commands=tuple(
            LoggedCommand(position=position, time=time, **command._asdict()) for position, time, command in commands
        ),
        ends=ends,
    )
    return logged.model_dump(mode="json")
