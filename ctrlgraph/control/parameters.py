"""Parameters of a controller: the vector of numbers that searches change, each with an id."""

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

# The unit of a feedback gain depends on the primitive. The unit of a weight makes its term dimensionless.
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
    """One number of a controller."""

    id: str
    """Structural name, unique within the controller. All references to the parameter use it.

    `backflip.t/1/POSE rKnee/angle` (script, phase, statement, role) is a literal of a script, `stand.t/argument/knee`
    an argument; docs/reference/learned.md lists all forms.
    """
    role: str
    """Use in words, as "POSE rKnee kp"."""
    quantity: str
    """One of angle, kp, kd, time, cd, cv, force, length, tolerance, speed, rate, torque, count, argument, gain, lean,
    phase_rate, weight."""
    phase: int | None = None
    """Number of the phase that it belongs to."""
    low: float | None = None
    """Lower bound of a search, if the author gives one."""
    high: float | None = None
    """Upper bound of a search."""
    path: str = ""
    """File of its text, for messages and rewriting only."""
    line: int = 0
    """Line of its text, from 1; 0 for an argument."""
    column: int = 0
    """First column, from 1."""
    end_column: int = 0
    """Column after the last one."""
    part: str = ""
    """Prefix of the id in a joined program: the number of the part."""
    safety: bool = False
    """Whether it determines when the controller gives up. Searches change it only on request."""

    @property
    def own_id(self) -> str:
        """Return its id in its own program, without the prefix of a joined one."""
        return self.id[len(self.part) :]

    @property
    def is_argument(self) -> bool:
        """Return whether it is an argument, which is not a literal in a script."""
        return self.line == 0

    @property
    def unit(self) -> str:
        """Return its unit; empty if it has none, or if it depends on a called script."""
        return _FEEDBACK_UNITS.get((self.role.partition(" ")[0], self.quantity)) or _UNITS.get(self.quantity, "")

    def placed(self, span: Span | None) -> Parameter:
        """Return the parameter at this place of its file; unchanged without a place."""
        if span is None:
            return self
        return replace(self, line=span.line, column=span.column, end_column=span.end_column)
