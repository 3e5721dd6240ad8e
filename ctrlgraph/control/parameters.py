"""The parameters of a controller: the flat vector of numbers that searches change, each with its identity."""

from __future__ import annotations

from dataclasses import dataclass

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

# A feedback's gains turn a distance and a speed into an angle or a force; which, the primitive tells.
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
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number of a controller.

    id: structural, unique within its controller, and all that anything is to be known by: of a script's literal
    `backflip.t/1/POSE rKnee/angle` (script, phase, statement, role), of an argument given from outside
    `stand.t/argument/knee`; docs/learned.md tells all forms. role: its use in words ("POSE rKnee kp");
    quantity: one of angle, kp, kd, time, cd, cv, force, length, tolerance, speed, rate, torque, count,
    argument, gain, lean, phase_rate; phase:
    the number of the phase that it stands in; low, high: the range in which its author lets it be searched.
    path, line, column, end_column: where its text stands, counted from 1, for messages and for rewriting alone;
    line 0: it is given from outside. part: how the id begins where programs are joined, the number of the part;
    safety: it says when the controller gives up, so that a search leaves it as it is unless it is asked for.
    """

    id: str
    role: str
    quantity: str
    phase: int | None = None
    low: float | None = None
    high: float | None = None
    path: str = ""
    line: int = 0
    column: int = 0
    end_column: int = 0
    part: str = ""
    safety: bool = False

    @property
    def own_id(self) -> str:
        """Its id in the program of which it is part where programs are joined, its id elsewhere."""
        return self.id[len(self.part) :]

    @property
    def is_argument(self) -> bool:
        """Tell whether it is given from outside, and stands in no script's text."""
        return self.line == 0

    @property
    def unit(self) -> str:
        """Return its unit; empty where it has none, or where only a called script would tell."""
        return _FEEDBACK_UNITS.get((self.role.partition(" ")[0], self.quantity)) or _UNITS.get(self.quantity, "")
