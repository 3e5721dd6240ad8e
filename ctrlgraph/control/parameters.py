"""Parameters of a controller: its numbers that a search can change, each with an id."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctrlgraph.errors import Span

_UNITS = {
    "angle": "rad",
    "kp": "N m/rad",
    "kd": "N m s/rad",
    "time": "s",
    "force": "N",
    "length": "m",
    "speed": "m/s",
    "rate": "rad/s",
    "torque": "N m",
    "phase_rate": "rad/s",
}

# Units that depend on the first word of the role, for example on the primitive of a feedback gain. The unit of a
# weight makes its term of the cost dimensionless.
_FEEDBACK_UNITS = {
    ("POSEFB", "cd"): "rad/m",
    ("POSEFB", "cv"): "rad s/m",
    ("COMFB2", "cd"): "rad/m",
    ("COMFB2", "cv"): "rad s/m",
    ("VFFB", "cd"): "N/m",
    ("VFFB", "cv"): "N s/m",
    ("VFSFB", "kd"): "N s/m",
    ("VFHFB", "cd"): "N/m",
    ("VFHFB", "cv"): "N s/m",
    ("position", "weight"): "1/(rad^2 s)",
    ("velocity", "weight"): "s/rad^2",
    ("end_position", "weight"): "1/rad^2",
    ("end_velocity", "weight"): "s^2/rad^2",
    ("torque", "weight"): "1/(N^2 m^2 s)",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """Description of one number of a controller that a search can change. The value is in `Controller.constants`."""

    id: str
    """Structural name, unique within the controller. Learned files and searches refer to the parameter by this id.

    `backflip.t/1/POSE rKnee/angle` (script, phase, statement, role) is a literal of a script, `stand.t/argument/knee`
    an argument; docs/reference/learned.md lists all forms.
    """
    role: str
    """Meaning of the number: statement and value, such as "POSE rKnee kp"."""
    quantity: str
    """Kind of physical quantity, such as angle or torque.

    One of angle, kp, kd, time, cd, cv, force, length, tolerance, speed, rate, torque, count, argument, gain, lean,
    rate, share, phase_rate, weight.
    """
    phase: int | None = None
    """Phase in which the parameter occurs, by its number in the file; None outside of phases."""
    low: float | None = None
    """Lower bound for searches, in the unit of the number. None: the file gives no bound."""
    high: float | None = None
    """Upper bound for searches, in the unit of the number. None: the file gives no bound."""
    path: str = ""
    """File that contains the number. It is used only for messages and to rewrite the file."""
    line: int = 0
    """Line of the number in the file, from 1; 0 for an argument."""
    column: int = 0
    """First column of the number, from 1."""
    end_column: int = 0
    """Column after the last character of the number."""
    part: str = ""
    """Prefix of `id` in a joined controller (several run as one), such as "2:" for its second part; otherwise empty."""
    safety: bool = False
    """Whether the number determines when the controller gives up, such as the tilt that counts as a fall.

    Searches change it only on request.
    """

    @property
    def own_id(self) -> str:
        """Return the id of the parameter before its controller was joined with others: without the prefix `part`."""
        return self.id[len(self.part) :]

    @property
    def is_argument(self) -> bool:
        """Return whether the number is an argument of the controller instead of a literal in its file."""
        return self.line == 0

    @property
    def unit(self) -> str:
        """Return the unit of the number; empty if it has none, or if it depends on a called script."""
        return _FEEDBACK_UNITS.get((self.role.partition(" ")[0], self.quantity)) or _UNITS.get(self.quantity, "")

    def placed(self, span: Span | None) -> Parameter:
        """Return a copy with the line and columns of a span of text; the parameter itself if `span` is None."""
        if span is None:
            return self
        return replace(self, line=span.line, column=span.column, end_column=span.end_column)
