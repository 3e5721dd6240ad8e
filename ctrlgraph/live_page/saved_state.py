"""The saved state of a session of the live page: its address, and all changes that are not in the project's files.

The state is saved in the user's own state directory and not in the project. A project from another person must not
contain a valid token (secret text in the address that gives access).
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
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.controller import Command
from ctrlgraph.control.script.bounds import MAX_BYTES
from ctrlgraph.engine.engine import ENGINES
from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.engine.spatial_pushes import SpatialPush
from ctrlgraph.errors import CtrlGraphError, quoted
from ctrlgraph.files import read_bytes, replacing
from ctrlgraph.live_page import protocol
from ctrlgraph.live_page.motion.world import MAX_EVENTS, MAX_SLOPE, Event, Steering, WorldChange
from ctrlgraph.simulation.environment import MAX_FRICTION

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character

_MAX_FILE_BYTES = 64 * 2**20


class _Saved(BaseModel):
    model_config = ConfigDict(extra="ignore")  # fields of other versions


class SavedPush(_Saved):
    """A saved push of a link."""

    push: protocol.Name
    """Name of the link."""
    time: protocol.Seconds
    duration: Annotated[float, Field(gt=0.0, le=protocol.MAX_PUSH_S)]
    """Duration, s."""
    x: protocol.Force
    """Force forward, N."""
    y: protocol.Force
    """Force upward in the plane, to the left in space, N."""
    z: protocol.Force = 0.0
    """Force upward in space, N."""
    point: protocol.Point = (0.0, 0.0, 0.0)
    """Point in space at which the force acts, in the frame of the link, m."""


class SavedChange(_Saved):
    """A saved change of slope, friction or engine."""

    time: protocol.Seconds
    slope: Annotated[float, Field(ge=-MAX_SLOPE, le=MAX_SLOPE, allow_inf_nan=False)] | None = None
    """Slope of the ground ahead, degrees. None: the slope does not change."""
    friction: Annotated[float, Field(ge=0.0, le=MAX_FRICTION, allow_inf_nan=False)] | None = None
    """Friction coefficient of the ground. None: the friction does not change."""
    engine: protocol.Name | None = None
    """Name of the engine. None: the engine does not change."""


class SavedSteering(_Saved):
    """A saved desired velocity."""

    time: protocol.Seconds
    forward: protocol.ForwardSpeed
    sideways: protocol.SidewaysSpeed
    turn: protocol.TurnRate


class SavedDraft(_Saved):
    """A script that was changed on the page and not written to its file."""

    text: Annotated[str, Field(max_length=MAX_BYTES)]
    """Text of the script on the page."""
    digest: protocol.Digest
    """Digest of the contents of the file."""


class SavedState(_Saved):
    """Saved state of a session: address of the page, what the motion runs, chosen settings, unsaved scripts."""

    token: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{0,200}$")] = ""
    """Token (secret text) in the address of the page."""
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    """Port of the server. 0: none was saved."""
    names: list[protocol.Name] = []
    """Names of the nodes that the motion runs, in order."""
    script: protocol.Path | None = None
    """Script that the motion runs after the nodes `names`. None: no script."""
    cycles: Annotated[int, Field(ge=1, le=MAX_CYCLES)] | None = None
    """Number of cycles of the script or, without a script, of the last node. None: the minimum number."""
    values: Annotated[dict[protocol.Id, protocol.Number], Field(max_length=protocol.MAX_VALUES)] = {}
    """Value of each constant that differs from the script, by parameter id."""
    events: Annotated[list[SavedPush | SavedSteering | SavedChange], Field(max_length=MAX_EVENTS)] = []
    """Pushes, desired velocities, and changes of slope, friction or engine."""
    drafts: dict[protocol.Path, SavedDraft] = {}
    """Scripts that were changed and not written to their files, by path of the script."""


def saved_state_path(directory: Path) -> Path:
    """Return the path of the file with the saved state of the project in `directory`.

    The file is in the user's state directory, `~/.local/state` by default.
    """
    home = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    name = hashlib.sha256(str(directory.resolve()).encode()).hexdigest()[:24]
    return Path(home) / "ctrlgraph" / "live" / f"{name}.json"


def redirect_path(directory: Path) -> Path:
    """Return the path of the file that redirects the browser to the live page of the project in `directory`."""
    return saved_state_path(directory).with_suffix(".html")


def read_saved_state(path: Path, warn: Callable[[str], None] = lambda sentence: None) -> SavedState:
    """Read the saved state of the last session.

    Args:
        path: Path of the file.
        warn: Function that shows a warning. It is called if the file, or a field in it, cannot be used.

    Returns:
        The saved state. It is empty if there is no file, or if other users can read or write the file.
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
    """Return a saved state with the valid fields of some data, and the names of the invalid fields."""
    try:
        return SavedState.model_validate(data), []
    except ValidationError as error:
        invalid = {str(each["loc"][0]) for each in error.errors(include_url=False, include_input=False) if each["loc"]}
    if not invalid:  # not a mapping
        return SavedState(), ["all fields"]
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
        reason = (error.strerror or str(error)).lower()
        raise CtrlGraphError(f"unsaved changes cannot be stored in {path} for the next session: {reason}") from None


def restored_events(kept: Sequence[SavedPush | SavedSteering | SavedChange], character: Character) -> tuple[Event, ...]:
    """Convert saved pushes, desired velocities and changes of the world to events of a motion.

    Pushes of links that the character does not have, and changes to engines that cannot be loaded, are omitted.

    Args:
        kept: Saved pushes, desired velocities, and changes of slope, friction or engine.
        character: Character of the motion.
    """
    found: list[Event] = []
    for each in kept:
        if isinstance(each, SavedPush):
            if character.link_index(each.push) is not None:
                found.append(_push(each, character))
        elif isinstance(each, SavedSteering):
            found.append(Steering(each.time, Command(each.forward, each.sideways, each.turn)))
        elif each.engine is None or _is_available(each.engine):
            found.append(WorldChange(each.time, each.slope, each.friction, each.engine))
    return tuple(found)


def _push(saved: SavedPush, character: Character) -> Push | SpatialPush:
    if isinstance(character, SpatialCharacter):
        force = saved.x, saved.y, saved.z
        return SpatialPush(saved.time, saved.duration, saved.push, force, saved.point)
    return Push(saved.time, saved.duration, saved.push, saved.x, saved.y)


def _is_available(engine: str) -> bool:
    try:
        ENGINES[engine].load()
    except CtrlGraphError:
        return False
    return True
