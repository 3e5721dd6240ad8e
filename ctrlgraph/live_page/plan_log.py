"""Logs of steered plans: files with everything that a plan depends on, and digests of its states to compare a replay.

A file has one JSON object per line: robot, settings and versions; then the messages that steer the robot, each with the
number of ticks before it; and after each second a digest of all states so far. Lines are only added, so that the file
of a killed process has everything up to its last second.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from ctrlgraph.bounds import MAX_NAME_BYTES
from ctrlgraph.engine.engine import versions
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError, Span, printable, quoted
from ctrlgraph.files import read_bytes
from ctrlgraph.footsteps.model import PlanSettings
from ctrlgraph.footsteps.paths import Command
from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.live_page.plan_protocol import PlanInput, RobotName
from ctrlgraph.live_page.protocol import PageMessage
from ctrlgraph.live_page.steered_plan import SteeredPlan
from ctrlgraph.paths import display_path
from ctrlgraph.run_log.record import new_run_id

CHECK_TICKS = 50
"""Number of ticks between two digests: a second."""
MAX_TICKS = 180_000
"""Maximum number of ticks of a log: an hour."""
MAX_LOG_BYTES = 16 * 2**20
"""Maximum size of a log, bytes."""
MAX_INPUTS = 2_000
"""Maximum number of messages of a log at one tick."""
FORM = "ctrlgraph steered plan 1"
"""Name and version of the format."""

T = TypeVar("T")
Ticks = Annotated[int, Field(ge=0, le=MAX_TICKS)]
_Text = Annotated[str, Field(max_length=MAX_NAME_BYTES)]


class LogHead(PageMessage):
    """First line of a log."""

    form: Literal["ctrlgraph steered plan 1"]
    robot: RobotName
    settings: Annotated[dict[_Text, float], Field(max_length=100)]
    """Settings of the planner."""
    versions: Annotated[dict[_Text, _Text], Field(max_length=20)]


class LogInput(PageMessage):
    """A message that steers the robot."""

    type: Literal["input"] = "input"
    tick: Ticks
    """Number of ticks before the message."""
    input: Annotated[PlanInput, Field(discriminator="type")]


class LogCheck(PageMessage):
    """Digest of all states."""

    type: Literal["check"] = "check"
    tick: Ticks
    """Number of ticks before the digest."""
    digest: Annotated[str, Field(pattern="^[0-9a-f]{32}$")]


_HEAD: TypeAdapter[LogHead] = TypeAdapter(LogHead)
_LINE: TypeAdapter[LogInput | LogCheck] = TypeAdapter(Annotated[LogInput | LogCheck, Field(discriminator="type")])


class StateDigest:
    """Digest of the states of a planner after each tick so far."""

    def __init__(self) -> None:
        self.ticks = 0
        self._hash = hashlib.blake2b(digest_size=16)

    def add(self, planner: FootstepPlanner) -> None:
        """Add the state after a tick."""
        self.ticks += 1
        for array in planner.state:
            self._hash.update(array.tobytes())

    def text(self) -> str:
        """Return the digest so far."""
        return self._hash.hexdigest()


class PlanLog:
    """Log of one motion. The file is created at its first message, so that a motion that nobody steers has none.

    Args:
        directory: Directory of the file, which is created if it does not exist. None: nothing is logged.
        robot: Name of the robot.
        plan: The motion at its start.

    Attributes:
        robot: Name of the robot.
        path: Path of the file; None before its first line.
    """

    def __init__(self, directory: Path | None, robot: str, plan: SteeredPlan) -> None:
        self.path: Path | None = None
        self.robot, self._directory, self._plan = robot, directory, plan
        self._digest, self._bytes, self._checked = StateDigest(), 0, -1
        self._at_once, self._is_ended = 0, directory is None

    @property
    def seconds(self) -> float:
        """Return the duration that can be replayed, s."""
        return max(self._checked, 0) * self._plan.planner.settings.tick_s

    def add(self, message: PlanInput) -> None:
        """Add a message after it has been executed.

        Raises:
            CtrlGraphError: The file cannot be written, or is full. After an error nothing more is logged.
        """
        if self._is_ended:
            return
        if self.path is None:
            assert self._directory is not None
            self.path = self._directory / f"{new_run_id()}.jsonl"
            head = {"form": FORM, "robot": self.robot, "settings": _settings(), "versions": versions()}
            self._write(LogHead.model_validate(head))
        self._at_once += 1
        if self._at_once > MAX_INPUTS:
            self._is_ended = True
            raise self._full()
        self._write(LogInput(tick=self._digest.ticks, input=message))

    def tick(self) -> None:
        """Add the state after a tick.

        Raises:
            CtrlGraphError: The file cannot be written, or is full. After an error nothing more is logged.
        """
        if self._is_ended:
            return
        self._digest.add(self._plan.planner)
        self._at_once = 0
        if self._digest.ticks % CHECK_TICKS == 0:
            self._check()
        if self._digest.ticks >= MAX_TICKS:
            self._is_ended = True
            if self.path is not None:
                raise self._full()

    def close(self) -> None:
        """Write a last digest.

        Raises:
            CtrlGraphError: The file cannot be written.
        """
        if not self._is_ended and self._checked < self._digest.ticks:
            self._check()
        self._is_ended = True

    def _check(self) -> None:
        if self.path is not None:
            self._write(LogCheck(tick=self._digest.ticks, digest=self._digest.text()))
            self._checked = self._digest.ticks

    def _write(self, line: LogHead | LogInput | LogCheck) -> None:
        """Add a line to the file. The file is open only during this call."""
        assert self.path is not None
        text = line.model_dump_json() + "\n"
        try:
            if self._bytes == 0:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            if self._bytes + len(text) > MAX_LOG_BYTES:
                raise self._full()
            with self.path.open("x" if self._bytes == 0 else "a", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except OSError as error:
            self._is_ended = True
            raise self._not_written(error) from None
        except CtrlGraphError:
            self._is_ended = True
            raise
        self._bytes += len(text)

    def _full(self) -> CtrlGraphError:
        return CtrlGraphError("the log of this motion is full: press R to begin a new one")

    def _not_written(self, error: OSError) -> CtrlGraphError:
        assert self.path is not None
        reason = (error.strerror or str(error)).lower()
        return CtrlGraphError(f"the motion is not logged, since {display_path(self.path)} cannot be written: {reason}")


@dataclass(frozen=True, slots=True)
class LoggedPlan:
    """Contents of a log."""

    path: Path
    head: LogHead
    ticks: int
    """Number of ticks up to the last digest."""
    inputs: tuple[tuple[int, LogInput], ...]
    """Messages with the numbers of their lines, in order."""
    digests: dict[int, str]
    """Digests by their number of ticks."""


def read_plan_log(path: Path) -> LoggedPlan:
    """Read and validate the log of a steered plan. A last line without an end is of a killed process, and is ignored.

    Raises:
        CtrlGraphError: The file cannot be read.
        SourceError: The file is not a log of a steered plan.
    """
    try:
        data = read_bytes(path, MAX_LOG_BYTES)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CtrlGraphError(f"cannot read {display_path(path)}: {reason[:1].lower()}{reason[1:]}") from None
    lines = data.split(b"\n")[:-1]
    if not lines:
        raise _fault(path, 1, "the file is not the log of a steered plan: it has no complete line")
    head = _parsed(_HEAD, path, 1, lines[0])
    differing = {name: value for name, value in _settings().items() if head.settings.get(name) != value}
    for name in [*differing, *(head.settings.keys() - _settings().keys())]:
        raise _fault(path, 1, f"the setting '{printable(name)}' differs from that of this version of ctrlgraph")
    inputs: list[tuple[int, LogInput]] = []
    digests: dict[int, str] = {}
    last = at_once = 0
    for number, text in enumerate(lines[1:], 2):
        line = _parsed(_LINE, path, number, text)
        if line.tick < last:
            raise _fault(path, number, f"tick {line.tick} comes after tick {last}")
        if isinstance(line, LogInput):
            at_once = at_once + 1 if line.tick == last else 1
            if at_once > MAX_INPUTS:
                raise _fault(path, number, f"there are more than {MAX_INPUTS:,} messages at tick {line.tick}")
            inputs.append((number, line))
        elif line.tick in digests:
            raise _fault(path, number, f"there are two digests of tick {line.tick}")
        else:
            digests[line.tick] = line.digest
        last = line.tick
    ticks = max(digests, default=0)
    if ticks == 0:
        raise _fault(path, len(lines), "the log has no digest after its first tick, so that there is nothing to replay")
    for tick in range(CHECK_TICKS, ticks, CHECK_TICKS):
        if tick not in digests:
            raise _fault(path, len(lines), f"the digest of tick {tick} is missing: lines of the log have been removed")
    return LoggedPlan(path, head, ticks, tuple(each for each in inputs if each[1].tick < ticks), digests)


class PlanReplay:
    """Replay of a logged plan.

    Args:
        logged: The log.

    Attributes:
        plan: The plan; at its start before `commands` is called.
        compared: Number of digests that have been compared.
        differs_s: First and last time between which the states differ for the first time, s; None if they do not.
    """

    def __init__(self, logged: LoggedPlan) -> None:
        self.plan = SteeredPlan(logged.head.robot)
        self.compared = 0
        self.differs_s: tuple[float, float] | None = None
        self._logged = logged

    @property
    def ticks(self) -> int:
        """Return the number of ticks of the motion."""
        return self._logged.ticks

    def as_dict(self) -> dict[str, Any]:
        """Return the result for JSON."""
        return {"replay": str(self._logged.path), "compared": self.compared, "differs_s": self.differs_s}

    def sentence(self) -> str:
        """Return the result of the comparison, and the versions that differ if the states do."""
        if self.differs_s is None:
            seconds = self.ticks * self.plan.planner.settings.tick_s
            return f"every state is identical up to {seconds:g} s ({self.compared} digests compared)"
        first, last = self.differs_s
        then, now = self._logged.head.versions, versions()
        different = [f"{name} {old} (now {now[name]})" for name, old in then.items() if now.get(name, old) != old]
        why = f"; it was logged with {', '.join(different)}" if different else ""
        return f"the states differ for the first time between {first:g} s and {last:g} s{why}"

    def commands(self) -> Iterator[Command]:
        """Yield the command of each tick, after which the caller updates the planner; compare its states.

        Raises:
            SourceError: The planner refuses a message, or the robot falls before the end of the log.
        """
        logged, planner, digest, at = self._logged, self.plan.planner, StateDigest(), 0
        tick_s, agreed = planner.settings.tick_s, 0
        while digest.ticks < logged.ticks:
            while at < len(logged.inputs) and logged.inputs[at][1].tick <= digest.ticks:
                number, line = logged.inputs[at]
                try:
                    self.plan.act(line.input)
                except CtrlGraphError as error:
                    raise _fault(logged.path, number, str(error)) from None
                at += 1
            yield self.plan.next_command()
            digest.add(planner)
            if (expected := logged.digests.get(digest.ticks)) is not None:
                self.compared += 1
                if digest.text() == expected:
                    agreed = digest.ticks
                elif self.differs_s is None:
                    self.differs_s = (agreed * tick_s, digest.ticks * tick_s)
            if self.plan.has_fallen and digest.ticks < logged.ticks:
                number = logged.inputs[max(at - 1, 0)][0] if logged.inputs else 1
                raise _fault(logged.path, number, f"the robot has fallen after {digest.ticks * tick_s:g} s")


def _settings() -> dict[str, float]:
    """Return the settings of the planner."""
    return {name: float(value) for name, value in asdict(PlanSettings()).items()}


def _parsed(adapter: TypeAdapter[T], path: Path, number: int, text: bytes) -> T:
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        what = quoted(f"{quoted(where)[1:-1]}: {first['msg']}" if where else first["msg"], 400)[1:-1]  # one short line
        raise _fault(path, number, f"not a line of the log of a steered plan: {what}") from None


def _fault(path: Path, line: int, message: str) -> SourceError:
    return SourceError([Finding("error", "plan-log", printable(message), display_path(path), Span(line, 1, line, 1))])
