"""Messages from a page on which planned robots are steered, and their validation. The field `type` identifies them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from ctrlgraph.live_page.protocol import Hello, PageMessage, parse_as

MAX_MESSAGE_WAYPOINTS = 500
"""Maximum number of waypoints in a message."""

Place = Annotated[float, Field(ge=-1e4, le=1e4, allow_inf_nan=False)]
Speed = Annotated[float, Field(ge=-5.0, le=5.0, allow_inf_nan=False)]
RobotName = Literal["table", "quadruped", "biped", "crawler"]
Change = Annotated[float, Field(ge=-1.0, le=1.0, allow_inf_nan=False)]


class Velocity(PageMessage):
    """Set the command, and leave the path."""

    type: Literal["velocity"]
    forward: Speed
    """m/s."""
    left: Speed
    """m/s."""
    turn: Speed
    """rad/s."""


class Way(PageMessage):
    """Follow a path."""

    type: Literal["way"]
    points: Annotated[list[tuple[Place, Place]], Field(min_length=1, max_length=MAX_MESSAGE_WAYPOINTS)]
    """Waypoints, m."""
    more: bool = False
    """Whether the points are added to the present path."""


class Impulse(PageMessage):
    """Change the velocity of the centre of mass at once."""

    type: Literal["impulse"]
    x: Change
    """m/s."""
    y: Change
    """m/s."""


class UnsafePlace(PageMessage):
    """Add an unsafe place."""

    type: Literal["unsafe"]
    x: Place
    y: Place
    radius: Annotated[float, Field(ge=0.02, le=1.0, allow_inf_nan=False)]


class Begin(PageMessage):
    """Restart with a robot, without unsafe places."""

    type: Literal["begin"]
    robot: RobotName


class Pause(PageMessage):
    """Pause, or go on."""

    type: Literal["pause"]
    on: bool


PlanInput = Velocity | Way | Impulse | UnsafePlace
"""Everything that a plan depends on."""
PlanMessage = Annotated[Hello | PlanInput | Begin | Pause, Field(discriminator="type")]
_ADAPTER: TypeAdapter[PlanMessage] = TypeAdapter(PlanMessage)


def parse_plan_message(text: str) -> PlanMessage:
    """Parse and validate a message.

    Raises:
        CtrlGraphError: If the text is too long, or not a valid message.
    """
    return parse_as(_ADAPTER, text)
