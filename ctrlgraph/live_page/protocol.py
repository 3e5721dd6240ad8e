"""Messages from a page to the server. Each message is validated before it is used.

The field `type` names the message. Times are in s since the beginning of the motion.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ctrlgraph.bounds import MAX_CONSTANT, MAX_CYCLES, MAX_NAME_BYTES, MAX_PATH_LENGTH, MAX_SEED
from ctrlgraph.control.script.bounds import MAX_BYTES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page.motion.world import MAX_SLOPE
from ctrlgraph.simulation.environment import MAX_FRICTION

MAX_MESSAGE = 4 * MAX_BYTES
"""Maximum size of a message, bytes. The largest messages contain a script."""

MAX_VALUES = 5_000
"""Maximum number of constants in a message."""
MAX_NODES = 100
"""Maximum number of nodes in a `Plan`."""
MAX_FILES = 100
"""Maximum number of files in a message."""
MAX_PUSH, MAX_PUSH_S = 5_000.0, 5.0
"""Maximum force of a push with the mouse in each direction, N, and maximum duration, s."""

Path = Annotated[
    str, Field(min_length=1, max_length=MAX_PATH_LENGTH), AfterValidator(lambda path: PurePosixPath(path).as_posix())
]
"""Path of a script, relative to the project, in normal form: `./a/b.t` and `a/b.t/` become `a/b.t`."""

Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_BYTES)]
Id = Annotated[str, Field(min_length=1, max_length=500)]
Digest = Annotated[str, Field(max_length=64)]
Number = Annotated[float, Field(ge=-MAX_CONSTANT, le=MAX_CONSTANT, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0.0, le=1e4, allow_inf_nan=False)]
Force = Annotated[float, Field(ge=-MAX_PUSH, le=MAX_PUSH, allow_inf_nan=False)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Hello(_Message):
    """First message of a page: the token in its address, which gives access."""

    type: Literal["hello"]
    token: Annotated[str, Field(max_length=200)]


class Open(_Message):
    """Request the text and the constants of a script."""

    type: Literal["open"]
    path: Path


class Edit(_Message):
    """Replace the text of a script in the session. The file stays unchanged."""

    type: Literal["edit"]
    path: Path
    text: str
    base: int
    """Revision of the text that the page has changed."""


class Save(_Message):
    """Write the text of a script to its file."""

    type: Literal["save"]
    path: Path
    digest: Digest
    """Digest of the file as the page knows it."""


class Reread(_Message):
    """Discard unsaved changes of a script and load its file."""

    type: Literal["reread"]
    path: Path


class SetValues(_Message):
    """Set values of constants by parameter id. null restores the value in the script."""

    type: Literal["set"]
    values: Annotated[dict[Id, Number | None], Field(max_length=MAX_VALUES)]
    final: bool = True
    """False while a slider is dragged."""


class FileValues(_Message):
    """Values of constants by parameter id, to write to the file of a script."""

    values: Annotated[dict[Id, Number], Field(min_length=1, max_length=MAX_VALUES)]
    digest: Digest
    """Digest of the file as the page knows it."""


class Write(_Message):
    """Write values of constants to the files of scripts: to all of them or to none."""

    type: Literal["write"]
    files: Annotated[dict[Path, FileValues], Field(min_length=1, max_length=MAX_FILES)]


class Undo(_Message):
    """Undo or redo the last change of constants, world, texts or files."""

    type: Literal["undo", "redo"]


class PushLink(_Message):
    """Push a link at a time of the motion."""

    type: Literal["push"]
    time: Seconds
    link: Name
    x: Force
    """Force forward, N."""
    y: Force
    """Force upward, N."""
    duration: Annotated[float, Field(gt=0.0, le=MAX_PUSH_S)] = 0.1
    """Duration, s."""


class ChangeWorld(_Message):
    """Change slope (degrees), friction or engine from a time of the motion on. null keeps the value."""

    type: Literal["world"]
    time: Seconds
    slope: Annotated[float, Field(ge=-MAX_SLOPE, le=MAX_SLOPE)] | None = None
    friction: Annotated[float, Field(ge=0.0, le=MAX_FRICTION)] | None = None
    engine: Name | None = None


class ClearEvents(_Message):
    """Remove all pushes and changes of the world."""

    type: Literal["calm"]


class Plan(_Message):
    """Restart the motion from the start pose with nodes in order, and then a script if one is given."""

    type: Literal["plan"]
    nodes: Annotated[list[Name], Field(max_length=MAX_NODES)] = []
    script: Path | None = None
    cycles: Annotated[int, Field(ge=1, le=MAX_CYCLES)] | None = None
    """Number of cycles of the last node or of the script."""


class Walk(_Message):
    """Walk to the node `goal`, or at random if it is null, after the node that runs at `time`."""

    type: Literal["walk"]
    time: Seconds
    goal: Name | None = None
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] = 0


class Stay(_Message):
    """End the motion after the node that runs at `time`."""

    type: Literal["stay"]
    time: Seconds


class Playhead(_Message):
    """Report the position in the motion that the page shows. A walk is simulated only a little further."""

    type: Literal["playhead"]
    time: Seconds


class Keep(_Message):
    """Keep the current motion as a variant."""

    type: Literal["keep"]


class VariantCommand(_Message):
    """Restore or drop the variant of a number."""

    type: Literal["restore", "drop"]
    variant: int


Message = Annotated[
    Hello | Open | Edit | Save | Reread | SetValues | Write | Undo | PushLink | ChangeWorld | ClearEvents | Plan | Walk
    | Stay | Playhead | Keep | VariantCommand,
    Field(discriminator="type"),
]  # fmt: skip

_ADAPTER: TypeAdapter[Message] = TypeAdapter(Message)


def parse(text: str) -> Message:
    """Return the message that a JSON text contains.

    Raises:
        CtrlGraphError: If the text is too long, or not a valid message.
    """
    if len(text) > MAX_MESSAGE:
        raise CtrlGraphError(
            f"a message may have at most {MAX_MESSAGE:,} characters, a script at most {MAX_BYTES:,} bytes"
        )
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        raise CtrlGraphError(f"invalid message from the page: {where + ': ' if where else ''}{first['msg']}") from None
