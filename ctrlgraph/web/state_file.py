"""What a server remembers of a project when it is started again: its address, and work that is in no file yet.

It stands in the user's own directory and not in the project, which may come from a stranger: a token that somebody else
has written is none.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ctrlgraph.bounds import MAX_CYCLES, MAX_SEED
from ctrlgraph.control.script.bounds import MAX_BYTES
from ctrlgraph.errors import CtrlGraphError, quoted
from ctrlgraph.files import read_bytes, replacing
from ctrlgraph.simulation.environment import MAX_FRICTION
from ctrlgraph.web import protocol
from ctrlgraph.web.world import MAX_EVENTS, MAX_SLOPE

_LARGEST = 64 * 2**20
_OF_MANY = ("drafts", "values", "events", "variants")
"""Of these, what can be used of it is."""


Text = Annotated[str, Field(max_length=MAX_BYTES)]
Cycles = Annotated[int, Field(ge=1, le=MAX_CYCLES)]
Values = Annotated[dict[protocol.Id, protocol.Number], Field(max_length=protocol.MAX_VALUES)]


class KeptPush(BaseModel):
    """A push on a link, N, for so many seconds."""

    model_config = ConfigDict(extra="forbid")
    push: protocol.Name
    time: protocol.Seconds
    duration: Annotated[float, Field(gt=0.0, le=protocol.MAX_PUSH_S)]
    x: protocol.Force
    y: protocol.Force


class KeptChange(BaseModel):
    """Another slope (degrees), friction or engine from a moment on; what is None stays."""

    model_config = ConfigDict(extra="forbid")
    time: protocol.Seconds
    slope: Annotated[float, Field(ge=-MAX_SLOPE, le=MAX_SLOPE, allow_inf_nan=False)] | None = None
    friction: Annotated[float, Field(ge=0.0, le=MAX_FRICTION, allow_inf_nan=False)] | None = None
    engine: protocol.Name | None = None


Events = Annotated[list[KeptPush | KeptChange], Field(max_length=MAX_EVENTS)]


class UnsavedText(BaseModel):
    """A script's text that is not in its file; digest: of the file when it was begun."""

    model_config = ConfigDict(extra="forbid")
    text: Text
    digest: protocol.Digest


class KeptVariant(BaseModel):
    """A motion that was kept: what makes it again."""

    model_config = ConfigDict(extra="forbid")
    number: Annotated[int, Field(ge=1, le=MAX_SEED)]
    label: Annotated[str, Field(max_length=100)]
    drafts: dict[protocol.Path, Text]
    values: Values
    events: Events
    names: list[protocol.Name] = []
    script: protocol.Path | None = None
    cycles: Cycles | None = None


class Remembered(BaseModel):
    """All of it: token and port; what the motion is made of; drafts by path, values by id, events, variants."""

    model_config = ConfigDict(extra="forbid")
    token: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{0,200}$")] = ""
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    names: list[protocol.Name] = []
    script: protocol.Path | None = None
    cycles: Cycles | None = None
    drafts: dict[protocol.Path, UnsavedText] = {}
    values: Values = {}
    events: Events = []
    variants: list[KeptVariant] = []


def state_path(directory: Path) -> Path:
    """Return the file in which the server of a project remembers: one of the user's own for each project."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    name = hashlib.sha256(str(directory.resolve()).encode()).hexdigest()[:24]
    return Path(home) / "ctrlgraph" / "live" / f"{name}.json"


def opening_path(directory: Path) -> Path:
    """Return the file that leads a browser on to the page of a project."""
    return state_path(directory).with_suffix(".html")


def recall(path: Path, warn: Callable[[str], None] = lambda sentence: None) -> Remembered:
    """Return what was remembered; nothing where there is no such file, or one that others could have written.

    Args:
        warn: told what of it cannot be used, in a sentence.
    """
    try:
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077 or status.st_uid != os.getuid():
            return Remembered()
        data = json.loads(read_bytes(path, _LARGEST))
    except FileNotFoundError:
        return Remembered()
    except (OSError, ValueError, RecursionError):
        warn("what was remembered of the last time cannot be read; it is begun anew")
        return Remembered()
    remembered, dropped = _usable(data)
    if dropped:
        warn(f"of what was remembered of the last time, this cannot be used: {', '.join(dropped)}")
    return remembered


def _usable(data: Any) -> tuple[Remembered, list[str]]:
    """What of some data can be remembered, and what cannot, in words."""
    try:
        return Remembered.model_validate(data), []
    except ValidationError as error:
        places = [each["loc"][:2] for each in error.errors(include_url=False, include_input=False)]
    if not isinstance(data, dict):
        return Remembered(), ["all of it"]
    kept: dict[str, Any] = {}
    for name, value in data.items():
        bad = {place[1] if len(place) > 1 else None for place in places if place[0] == name}
        if not bad:
            kept[name] = value
        elif None not in bad and name in _OF_MANY and isinstance(value, dict):
            kept[name] = {key: each for key, each in value.items() if key not in bad}
        elif None not in bad and name in _OF_MANY and isinstance(value, list):
            kept[name] = [each for i, each in enumerate(value) if i not in bad]
    dropped = sorted({quoted(place[0]) for place in places})
    try:
        return Remembered.model_validate(kept), dropped
    except ValidationError:
        return Remembered(), ["all of it"]


def remember(path: Path, state: Remembered) -> None:
    """Write it, readable by the user alone; where that cannot be, nothing is remembered.

    Raises:
        CtrlGraphError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not path.exists():
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600))
        with replacing(path) as temporary:
            temporary.write_text(json.dumps(state.model_dump(), ensure_ascii=False), encoding="utf-8")
    except OSError as error:
        raise CtrlGraphError(
            f"what is not saved cannot be remembered: {(error.strerror or str(error)).lower()}"
        ) from None
