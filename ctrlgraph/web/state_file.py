"""What a server remembers of a project when it is started again: its address, and work that is in no file yet.

It stands in the user's own directory and not in the project, which may come from a stranger: a token that somebody else
has written is none.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ctrlgraph.control.script.bounds import MAX_BYTES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import read_bytes, replacing

_LARGEST = 64 * 2**20


class UnsavedText(BaseModel):
    """A script's text that is not in its file; digest: of the file when it was begun."""

    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(max_length=MAX_BYTES)]
    digest: str


class KeptVariant(BaseModel):
    """A motion that was kept: what makes it again."""

    model_config = ConfigDict(extra="forbid")
    number: int
    label: str
    drafts: dict[str, str]
    values: dict[str, float]
    events: list[dict[str, Any]]
    names: list[str] = []
    script: str | None = None
    cycles: int | None = None


class Remembered(BaseModel):
    """All of it: token and port; what the motion is made of; drafts by path, values by id, events, variants."""

    model_config = ConfigDict(extra="forbid")
    token: str = ""
    port: int = 0
    names: list[str] = []
    script: str | None = None
    cycles: int | None = None
    drafts: dict[str, UnsavedText] = {}
    values: dict[str, float] = {}
    events: list[dict[str, Any]] = []
    variants: list[KeptVariant] = []


def state_path(directory: Path) -> Path:
    """Return the file in which the server of a project remembers: one of the user's own for each project."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    name = hashlib.sha256(str(directory.resolve()).encode()).hexdigest()[:24]
    return Path(home) / "ctrlgraph" / "live" / f"{name}.json"


def recall(path: Path) -> Remembered:
    """Return what was remembered; nothing where there is no such file, or one that others could have written."""
    try:
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077 or status.st_uid != os.getuid():
            return Remembered()
        return Remembered.model_validate_json(read_bytes(path, _LARGEST))
    except (OSError, ValueError, ValidationError):
        return Remembered()


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
