"""What numbers measure, and the quantities of the state that an expression may read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ctrlgraph.control.script.tape import TapeOp

Quantity = Literal[
    "angle",
    "kp",
    "kd",
    "time",
    "cd",
    "cv",
    "force",
    "length",
    "tolerance",
    "speed",
    "rate",
    "torque",
    "count",
    "argument",
]


@dataclass(frozen=True, slots=True)
class StateForm:
    """A quantity of the state that an expression may read: what it is of, and what it measures; counted: which one of
    several may be said, from 1.
    """

    word: str
    op: TapeOp
    quantity: Quantity
    takes: Literal["joint", "part", "value", "nothing"] = "nothing"
    counted: bool = False

    @property
    def usage(self) -> str:
        """Return the form of the quantity, for messages."""
        if self.takes == "nothing":
            return self.word
        return f"{self.word}({'x' if self.takes == 'value' else self.takes}{'[, k]' if self.counted else ''})"


_STATE = (
    StateForm("angle", TapeOp.ANGLE, "angle", "joint"),
    StateForm("velocity", TapeOp.VELOCITY, "rate", "joint"),
    StateForm("orientation", TapeOp.ORIENTATION, "angle", "part"),
    StateForm("spin", TapeOp.SPIN, "rate", "part"),
    StateForm("x", TapeOp.X, "length", "part"),
    StateForm("height", TapeOp.HEIGHT, "length", "part"),
    StateForm("load", TapeOp.LOAD, "force", "part"),
    StateForm("edge_distance", TapeOp.EDGE_DISTANCE, "length", "part", counted=True),
    StateForm("edge_rise", TapeOp.EDGE_RISE, "length", "part", counted=True),
    StateForm("ground", TapeOp.GROUND, "length", "value"),
    StateForm("slope", TapeOp.SLOPE, "angle", "value"),
    StateForm("com_x", TapeOp.COM_X, "length"),
    StateForm("com_height", TapeOp.COM_HEIGHT, "length"),
    StateForm("com_vx", TapeOp.COM_VX, "speed"),
    StateForm("com_vy", TapeOp.COM_VY, "speed"),
    StateForm("phase_time", TapeOp.PHASE_TIME, "time"),
)
STATE_FORMS = {form.word: form for form in _STATE if form.takes != "nothing"}
STATE_VARIABLES = {form.word: form for form in _STATE if form.takes == "nothing"}
