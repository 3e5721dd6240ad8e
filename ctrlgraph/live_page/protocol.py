"""Messages from a page to the server: one class for each type of message, and their validation.

The field `type` identifies the class. Times are in s since the beginning of the motion.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ctrlgraph.bounds import MAX_CONSTANT, MAX_CYCLES, MAX_NAME_BYTES, MAX_PATH_LENGTH, MAX_SEED
from ctrlgraph.control.gait.gait_values import RANGES
from ctrlgraph.control.script.bounds import MAX_BYTES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page.motion.world import MAX_SLOPE
from ctrlgraph.simulation.environment import MAX_FRICTION

MAX_MESSAGE = 4 * MAX_BYTES
"""Maximum size of a message, bytes. The largest messages contain a script."""

MAX_VALUES = 5_000
"""Maximum number of constants whose values a message can have."""
MAX_NODES = 100
"""Maximum number of nodes that a motion can run in order (`Plan`)."""
MAX_FILES = 100
"""Maximum number of files that a message can write."""
MAX_PUSH, MAX_PUSH_S = 5_000.0, 5.0
"""Maximum force of a push with the mouse in each direction, N, and maximum duration, s."""
MAX_OFFSET = 50.0
"""Maximum distance of a pushed point from the centre of mass of its link, along each axis, m."""

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
Offset = Annotated[float, Field(ge=-MAX_OFFSET, le=MAX_OFFSET, allow_inf_nan=False)]
Point = tuple[Offset, Offset, Offset]


def _of_gait(name: str) -> Any:
    low, high = RANGES[name]
    return Field(ge=low, le=high, allow_inf_nan=False)


ForwardSpeed = Annotated[float, _of_gait("forward")]
"""Desired speed in the direction of the heading, m/s."""
SidewaysSpeed = Annotated[float, _of_gait("sideways")]
"""Desired speed to the left, m/s."""
TurnRate = Annotated[float, _of_gait("turn")]
"""Desired rate of the heading, rad/s, positive to the left."""


class PageMessage(BaseModel):
    """A message from a page: fields of exact types, and no other fields."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Hello(PageMessage):
    """First message of a page: request access with the token (secret text) in the address of the page."""

    type: Literal["hello"]
    token: Annotated[str, Field(max_length=200)]
    """Token in the address of the page."""


class Open(PageMessage):
    """Request the text and the constants of a script."""

    type: Literal["open"]
    path: Path


class Edit(PageMessage):
    """Replace the text of a script in the session. The file stays unchanged."""

    type: Literal["edit"]
    path: Path
    text: str
    """New text."""
    base: int
    """Revision number of the text from which the user has made the new text."""


class Save(PageMessage):
    """Write the text of a script to its file."""

    type: Literal["save"]
    path: Path
    digest: Digest
    """Digest of the contents of the file that the page has. If the file has changed since, nothing is written."""


class Reread(PageMessage):
    """Discard the unsaved changes of a script, and load the script from its file."""

    type: Literal["reread"]
    path: Path


class SetValues(PageMessage):
    """Set the sliders of constants to values, or back to the values in the scripts."""

    type: Literal["set"]
    values: Annotated[dict[Id, Number | None], Field(max_length=MAX_VALUES)]
    """New value of each constant, by parameter id. null restores the value in the script."""
    final: bool = True
    """False while a slider is dragged. All changes until the next final one are undone together."""


class FileValues(PageMessage):
    """Values of constants to write to the file of one script. Part of the message `Write`."""

    values: Annotated[dict[Id, Number], Field(min_length=1, max_length=MAX_VALUES)]
    """Value of each constant, by parameter id."""
    digest: Digest
    """Digest of the contents of the file that the page has. If the file has changed since, nothing is written."""


class Write(PageMessage):
    """Write values of constants to the files of scripts: to all files or, if one cannot be written, to none."""

    type: Literal["write"]
    files: Annotated[dict[Path, FileValues], Field(min_length=1, max_length=MAX_FILES)]
    """Values to write to each file, by path of the script."""


class Undo(PageMessage):
    """Undo or redo the last change of constants, world (slope, friction, engine, pushes) or scripts."""

    type: Literal["undo", "redo"]


class PushLink(PageMessage):
    """Push a link of the character at a time of the motion."""

    type: Literal["push"]
    time: Seconds
    link: Name
    """Name of the link."""
    x: Force
    """Force forward, N."""
    y: Force
    """Force upward in the plane, to the left in space, N."""
    z: Force = 0.0
    """Force upward in space, N."""
    point: Point = (0.0, 0.0, 0.0)
    """Point in space at which the force acts, in the frame of the link, m."""
    duration: Annotated[float, Field(gt=0.0, le=MAX_PUSH_S)] = 0.1
    """Duration, s."""


class ChangeWorld(PageMessage):
    """Change slope, friction or engine from a time of the motion on."""

    type: Literal["world"]
    time: Seconds
    slope: Annotated[float, Field(ge=-MAX_SLOPE, le=MAX_SLOPE)] | None = None
    """Slope of the ground ahead, degrees, positive if the ground rises forward. null keeps the slope."""
    friction: Annotated[float, Field(ge=0.0, le=MAX_FRICTION)] | None = None
    """Friction coefficient of the ground. null keeps the friction."""
    engine: Name | None = None
    """Name of the engine. null keeps the engine."""


class ClearEvents(PageMessage):
    """Remove all pushes and all changes of slope, friction and engine."""

    type: Literal["calm"]


class Plan(PageMessage):
    """Restart the motion from the start pose. It runs nodes in order, and then a script if the message has one."""

    type: Literal["plan"]
    nodes: Annotated[list[Name], Field(max_length=MAX_NODES)] = []
    """Names of the nodes to run, in order."""
    script: Path | None = None
    """Script to run after the nodes. null: no script."""
    cycles: Annotated[int, Field(ge=1, le=MAX_CYCLES)] | None = None
    """Number of cycles of the script or, without a script, of the last node. null: the minimum number."""


class Walk(PageMessage):
    """Continue with a walk of the graph after the node that runs at `time`."""

    type: Literal["walk"]
    time: Seconds
    goal: Name | None = None
    """Name of the node at which the walk ends. null: the walk is random and has no goal."""
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] = 0
    """Seed of a random walk."""


class Stay(PageMessage):
    """End the motion after the node that runs at `time`."""

    type: Literal["stay"]
    time: Seconds


class Steer(PageMessage):
    """Set the desired velocity of the gait that runs at `time`, until another node runs. The gait then goes on."""

    type: Literal["steer"]
    time: Seconds
    forward: ForwardSpeed
    sideways: SidewaysSpeed
    turn: TurnRate


class Drive(PageMessage):
    """Continue with a walk to a node, which then goes on. A gait that runs at `time` ends at this time."""

    type: Literal["drive"]
    time: Seconds
    node: Name
    """Name of the node."""


class Playhead(PageMessage):
    """Report which time of the motion the page shows. A walk is simulated only a few seconds further than this time."""

    type: Literal["playhead"]
    time: Seconds


class Keep(PageMessage):
    """Keep the current motion as a variant (a motion that can be shown next to later motions and restored)."""

    type: Literal["keep"]


class VariantCommand(PageMessage):
    """Restore or delete a variant (a kept motion with its settings and scripts)."""

    type: Literal["restore", "drop"]
    variant: int
    """Number of the variant."""


Message = Annotated[
    Hello | Open | Edit | Save | Reread | SetValues | Write | Undo | PushLink | ChangeWorld | ClearEvents | Plan | Walk
    | Stay | Steer | Drive | Playhead | Keep | VariantCommand,
    Field(discriminator="type"),
]  # fmt: skip

_ADAPTER: TypeAdapter[Message] = TypeAdapter(Message)


def parse(text: str) -> Message:
    """Parse and validate a message from a page.

    Raises:
        CtrlGraphError: If the text is too long, or not a valid message.
    """
    return parse_as(_ADAPTER, text)


T = TypeVar("T")


def parse_as(adapter: TypeAdapter[T], text: str) -> T:
    """Parse and validate a message by the types of an adapter.

    Raises:
        CtrlGraphError: If the text is too long, or not a valid message.
    """
    if len(text) > MAX_MESSAGE:
        raise CtrlGraphError(
            f"a message may have at most {MAX_MESSAGE:,} characters, a script at most {MAX_BYTES:,} bytes"
        )
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        raise CtrlGraphError(f"invalid message from the page: {where + ': ' if where else ''}{first['msg']}") from None
