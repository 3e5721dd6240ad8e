"""What a page may say to the server: each message checked before anything is done with it."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ctrlgraph.bounds import MAX_CONSTANT, MAX_CYCLES, MAX_NAME_BYTES, MAX_PATH_LENGTH, MAX_SEED
from ctrlgraph.control.script.bounds import MAX_BYTES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.simulation.environment import MAX_FRICTION
from ctrlgraph.web.world import MAX_SLOPE

MAX_MESSAGE = 4 * MAX_BYTES
"""Bytes of a message: a script as JSON may write it."""

MAX_VALUES = 5_000
MAX_NODES = 100
MAX_FILES = 100
MAX_PUSH, MAX_PUSH_S = 5_000.0, 5.0
"""N and s: of a push with the mouse."""

Path = Annotated[
    str, Field(min_length=1, max_length=MAX_PATH_LENGTH), AfterValidator(lambda path: PurePosixPath(path).as_posix())
]
"""In the one form by which a file is known: `./a/b.t` and `a/b.t/` are `a/b.t`."""

Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_BYTES)]
Id = Annotated[str, Field(min_length=1, max_length=500)]
Digest = Annotated[str, Field(max_length=64)]
Number = Annotated[float, Field(ge=-MAX_CONSTANT, le=MAX_CONSTANT, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0.0, le=1e4, allow_inf_nan=False)]
Force = Annotated[float, Field(ge=-MAX_PUSH, le=MAX_PUSH, allow_inf_nan=False)]


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Hello(_Message):
    """The first message of a page: the token that its address had."""

    type: Literal["hello"]
    token: Annotated[str, Field(max_length=200)]


class Open(_Message):
    """Show a script."""

    type: Literal["open"]
    path: Path


class Edit(_Message):
    """A script's text as it now is in the page; base: the revision that it was made from."""

    type: Literal["edit"]
    path: Path
    text: str
    base: int


class Save(_Message):
    """Write a script's text into its file; digest: of the file as the page knows it."""

    type: Literal["save"]
    path: Path
    digest: Digest


class Reread(_Message):
    """Take what a script's file holds, and forget the text of the page."""

    type: Literal["reread"]
    path: Path


class SetValues(_Message):
    """Let constants have other values, by id; null: what their script says. final: the slider has been let go."""

    type: Literal["set"]
    values: Annotated[dict[Id, Number | None], Field(max_length=MAX_VALUES)]
    final: bool = True


class Written(_Message):
    """Values of constants for a script's file; digest: of the file as the page knows it."""

    values: Annotated[dict[Id, Number], Field(min_length=1, max_length=MAX_VALUES)]
    digest: Digest


class Write(_Message):
    """Write values of constants into scripts' files, by path: into all of them, or where that cannot be, into none."""

    type: Literal["write"]
    files: Annotated[dict[Path, Written], Field(min_length=1, max_length=MAX_FILES)]


class Undo(_Message):
    """Take the last change (of constants, of the world, of texts, of what was written back) back, or make it again."""

    type: Literal["undo", "redo"]


class PushLink(_Message):
    """Push a link at a moment of the motion."""

    type: Literal["push"]
    time: Seconds
    link: Name
    x: Force
    y: Force
    duration: Annotated[float, Field(gt=0.0, le=MAX_PUSH_S)] = 0.1


class Change(_Message):
    """Change the world from a moment of the motion on."""

    type: Literal["world"]
    time: Seconds
    slope: Annotated[float, Field(ge=-MAX_SLOPE, le=MAX_SLOPE)] | None = None
    friction: Annotated[float, Field(ge=0.0, le=MAX_FRICTION)] | None = None
    engine: Name | None = None


class Calm(_Message):
    """Forget all pushes and changes of the world."""

    type: Literal["calm"]


class Plan(_Message):
    """Run these nodes one after another, from the start pose; or a script after some nodes."""

    type: Literal["plan"]
    nodes: Annotated[list[Name], Field(max_length=MAX_NODES)] = []
    script: Path | None = None
    cycles: Annotated[int, Field(ge=1, le=MAX_CYCLES)] | None = None


class Walk(_Message):
    """From where the motion is at a time go to a node, or on at random where none is named."""

    type: Literal["walk"]
    time: Seconds
    goal: Name | None = None
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] = 0


class Stay(_Message):
    """End the motion with the node that runs at a time."""

    type: Literal["stay"]
    time: Seconds


class Playhead(_Message):
    """Where the page is in the motion: a walk goes on before it, not further."""

    type: Literal["playhead"]
    time: Seconds


class Keep(_Message):
    """Keep the motion as it now is, beside what comes."""

    type: Literal["keep"]
    label: Annotated[str, Field(max_length=60)] = ""


class OfVariant(_Message):
    """Go back to a motion that was kept, or forget it."""

    type: Literal["restore", "drop"]
    variant: int


class Watch(_Message):
    """Watch a search by its checkpoint; without one, none."""

    type: Literal["search"]
    path: Path | None = None


Message = Annotated[
    Hello | Open | Edit | Save | Reread | SetValues | Write | Undo | PushLink | Change | Calm | Plan | Walk | Stay
    | Playhead | Keep | OfVariant | Watch,
    Field(discriminator="type"),
]  # fmt: skip

_ADAPTER: TypeAdapter[Message] = TypeAdapter(Message)


def read(text: str) -> Message:
    """Return a page's message.

    Raises:
        CtrlGraphError: it is none.
    """
    if len(text) > MAX_MESSAGE:
        raise CtrlGraphError(f"a message may have {MAX_MESSAGE:,} characters; a script, {MAX_BYTES:,} bytes")
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        raise CtrlGraphError(f"the page said what it may not: {where + ': ' if where else ''}{first['msg']}") from None
