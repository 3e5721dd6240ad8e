"""The saved state of a session: its address, and changes that were not written to the files of the project.

The state is saved in the user's own state directory and not in the project, because a project from another person must
not contain a valid token.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ctrlgraph.bounds import MAX_CYCLES
from ctrlgraph.control.script.bounds import MAX_BYTES
from ctrlgraph.engine.engine import ENGINES
from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.errors import CtrlGraphError, quoted
from ctrlgraph.files import read_bytes, replacing
from ctrlgraph.live_page import protocol
from ctrlgraph.live_page.motion.world import MAX_EVENTS, MAX_SLOPE, Event, WorldChange
from ctrlgraph.simulation.environment import MAX_FRICTION

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character

_MAX_FILE_BYTES = 64 * 2**20


class _Saved(BaseModel):
    model_config = ConfigDict(extra="ignore")  # fields of other versions


class SavedPush(_Saved):
    """A push of the link named `push`: force `x` forward and `y` upward in N, time and duration in s."""

    push: protocol.Name
    time: protocol.Seconds
    duration: Annotated[float, Field(gt=0.0, le=protocol.MAX_PUSH_S)]
    x: protocol.Force
    y: protocol.Force


class SavedChange(_Saved):
    """A change of slope (degrees), friction or engine at a time (s). None keeps the value."""

    time: protocol.Seconds
    slope: Annotated[float, Field(ge=-MAX_SLOPE, le=MAX_SLOPE, allow_inf_nan=False)] | None = None
    friction: Annotated[float, Field(ge=0.0, le=MAX_FRICTION, allow_inf_nan=False)] | None = None
    engine: protocol.Name | None = None


class SavedDraft(_Saved):
    """Text of a script that was not written to its file."""

    text: Annotated[str, Field(max_length=MAX_BYTES)]
    digest: protocol.Digest
    """Digest of the content of the file."""


class SavedState(_Saved):
    """Saved state of a session."""

    token: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{0,200}$")] = ""
    """Token in the address of the page."""
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    names: list[protocol.Name] = []
    """Names of the nodes of the motion, in order."""
    script: protocol.Path | None = None
    """Script that runs after these nodes."""
    cycles: Annotated[int, Field(ge=1, le=MAX_CYCLES)] | None = None
    values: Annotated[dict[protocol.Id, protocol.Number], Field(max_length=protocol.MAX_VALUES)] = {}
    """Values of constants by parameter id."""
    events: Annotated[list[SavedPush | SavedChange], Field(max_length=MAX_EVENTS)] = []
    drafts: dict[protocol.Path, SavedDraft] = {}
    """Texts that were not written to their files, by path of the script."""


def saved_state_path(directory: Path) -> Path:
    """Return the path of the saved state of the project in `directory`, in the user's state directory."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    name = hashlib.sha256(str(directory.resolve()).encode()).hexdigest()[:24]
    return Path(home) / "ctrlgraph" / "live" / f"{name}.json"


def redirect_path(directory: Path) -> Path:
    """Return the path of the file that redirects the browser to the live page of the project in `directory`."""
    return saved_state_path(directory).with_suffix(".html")


def read_saved_state(path: Path, warn: Callable[[str], None] = lambda sentence: None) -> SavedState:
    """Return the saved state; an empty one if there is no file, or other users could have written or read it.

    Args:
        path: Path of the file.
        warn: Called with a message if the file, or some of its fields, cannot be used.
    """
    try:
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077 or status.st_uid != os.getuid():
            return SavedState()
        data = json.loads(read_bytes(path, _MAX_FILE_BYTES))
    except FileNotFoundError:
        return SavedState()
    except (OSError, ValueError, RecursionError):
        warn("the saved state of the last session cannot be read and is ignored")
        return SavedState()
    state, dropped = _validated(data)
    if dropped:
        warn(f"the saved state of the last session contains invalid fields, which are ignored: {', '.join(dropped)}")
    return state


def _validated(data: Any) -> tuple[SavedState, list[str]]:
    """Return the state that the valid fields describe, and the names of the invalid fields."""
    try:
        return SavedState.model_validate(data), []
    except ValidationError as error:
        invalid = {str(each["loc"][0]) for each in error.errors(include_url=False, include_input=False) if each["loc"]}
    if not invalid:  # not a mapping
        return SavedState(), ["all entries"]
    valid = {name: value for name, value in data.items() if name not in invalid}
    return SavedState.model_validate(valid), sorted(map(quoted, invalid))


def write_saved_state(path: Path, state: SavedState) -> None:
    """Write the state to a file that only the user can read.

    Args:
        path: Path of the file.
        state: State to save.

    Raises:
        CtrlGraphError: If the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600))
        with replacing(path) as temporary:
            temporary.write_text(json.dumps(state.model_dump(), ensure_ascii=False), encoding="utf-8")
    except OSError as error:
        raise CtrlGraphError(
            f"unsaved work cannot be kept for the next session: {(error.strerror or str(error)).lower()}"
        ) from None


def restored_events(kept: Sequence[SavedPush | SavedChange], character: Character) -> tuple[Event, ...]:
    """Return saved events without those whose link or engine no longer exists.

    Args:
        kept: Saved events.
        character: Character with the links.
    """
    found: list[Event] = []
    for each in kept:
        if isinstance(each, SavedPush):
            if character.link_index(each.push) is not None:
                found.append(Push(each.time, each.duration, each.push, each.x, each.y))
        elif each.engine is None or _is_available(each.engine):
            found.append(WorldChange(each.time, each.slope, each.friction, each.engine))
    return tuple(found)


def _is_available(engine: str) -> bool:
    try:
        ENGINES[engine].load()
    except CtrlGraphError:
        return False
    return True
