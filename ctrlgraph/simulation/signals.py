"""Signals: motions as tables, with one row for each sample and named columns with units."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.planar_model import PlanarCharacter, require_planar
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.controller import Place
from ctrlgraph.errors import CtrlGraphError, quoted, suggestion
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.joint_signals import JOINT, joint_values
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.simulation.spatial_signals import SpatialColumns

Values = NDArray[Any]

WHOLE: dict[str, tuple[str, str]] = {
    "time": ("s", "time since the beginning of the motion"),
    "visit": ("", "0 for the first controller that runs, 1 for the next one, and so on"),
    "node": ("", "node or script whose controller runs"),
    "phase": ("", "phase of the controller, numbered as in its file"),
    "line": ("", "line of the phase in its file; 0 if there is none"),
    "script": ("", "file of the phase"),
    "com_x": ("m", "centre of mass, forward"),
    "com_y": ("m", "centre of mass, upward"),
    "com_vx": ("m/s", "velocity of the centre of mass, forward"),
    "com_vy": ("m/s", "velocity of the centre of mass, upward"),
    "root_vx": ("m/s", "velocity of the root link's centre of mass, forward"),
    "root_vy": ("m/s", "velocity of the root link's centre of mass, upward"),
    "root_spin": ("rad/s", "angular velocity of the root link, clockwise"),
    "pressure_x": ("m", "centre of pressure; empty in flight"),
    "kinetic_energy": ("J", "kinetic energy of all links"),
    "potential_energy": ("J", "potential energy of all links, 0 at y = 0"),
    "spent_energy": ("J", "energy spent by the joints since the beginning"),
}
"""Unit and meaning of each column that concerns the whole body, by name of the column."""

LINK: dict[str, tuple[str, str]] = {
    "x": ("m", "centre of mass, forward"),
    "y": ("m", "centre of mass, upward"),
    "rotation": ("rad", "global angle, clockwise, unwrapped"),
    "contact": ("", "1 if the link touches the ground"),
    "force_x": ("N", "force of the ground on the link in the step, forward"),
    "force_y": ("N", "force of the ground on the link in the step, upward"),
}
"""Unit and meaning of the columns of each link. The column `x` of the link `rFoot` is called `x.rFoot`."""


MAX_SAMPLES = 200_000
"""Maximum number of samples of a recording; about 400 MB for a character with 17 links."""

_WHOLE_NUMBERS = ("visit", "phase", "line", "contact")


@dataclass(frozen=True)
class Signals:
    """Signals of a motion: columns of n samples each, by name. `WHOLE`, `JOINT` and `LINK` describe the columns.

    During the execution of a controller, samples have a fixed interval. The first sample is at the beginning of the
    controller. There is one more sample at the end of the motion.

    >>> from ctrlgraph.simulation.signals import SignalRecorder
    >>> from ctrlgraph import Project, Simulation
    >>> project = Project.find()
    >>> with Simulation(project.character) as simulation:
    ...     recorder = SignalRecorder(simulation)
    ...     recorder.begin("stand")
    ...     _ = simulation.run(project.controller("stand"), timeout=0.5)
    >>> recorder.signals().columns["angle.rKnee"].shape
    (51,)
    """

    columns: dict[str, Values]

    def __len__(self) -> int:
        return len(self.columns["time"])

    def only(self, names: Sequence[str]) -> Self:
        """Return a table of signals with only the column `time` and the columns whose names are in `names`."""
        return type(self)({name: self.columns[name] for name in dict.fromkeys(("time", *names))})

    def part(self, first: int, end: int | None = None) -> Self:
        """Return the signals of the samples from index `first` up to, but without, index `end`."""
        return type(self)({name: values[first:end] for name, values in self.columns.items()})


def chosen(words: Sequence[str], character: PlanarCharacter) -> tuple[str, ...]:
    """Check the names of signals (columns) that a user has given, and return them without surrounding white space.

    Args:
        words: names of columns, such as `angle.rKnee`.
        character: the character, whose joints and links define the known columns.

    Raises:
        CtrlGraphError: no column has one of the names.
    """
    names, known = tuple(word.strip() for word in words), names_of(character)
    for name in names:
        if name not in known:
            hint = suggestion(name, known) or "docs/reference/signals.md lists them"
            raise CtrlGraphError(f"there is no signal {quoted(name)}; {hint}")
    return names


def names_of(character: PlanarCharacter) -> tuple[str, ...]:
    """Return the names of all columns of a character's signals, in the order of the table."""
    return (
        *WHOLE,
        *(f"{name}.{joint.name}" for joint in character.joints for name in JOINT),
        *(f"{name}.{link.name}" for link in character.links for name in LINK),
    )


def unit(column: str) -> str:
    """Return the unit of the column with the name `column`, such as "m/s"; "" for none."""
    return _description(column)[0]


def meaning(column: str) -> str:
    """Return a phrase that describes the values in the column with the name `column`."""
    return _description(column)[1]


def _description(column: str) -> tuple[str, str]:
    quantity, _, name = column.partition(".")
    return (JOINT.get(quantity) or LINK[quantity]) if name else WHOLE[quantity]


class SignalRecorder:
    """Recorder of the signals (quantities over time) of a simulation, from one controller to the next.

    It needs eight bytes for each column and sample. While it records, `Simulation.run` raises CtrlGraphError if there
    are more than `MAX_SAMPLES` samples.
    """

    def __init__(
        self,
        simulation: Simulation,
        rate: float = 100.0,
        naming: Callable[[str], str] = lambda path: path,
        shown: tuple[float, float] = (0.0, math.inf),
    ) -> None:
        """
        Args:
            simulation: the simulation to record from now on.
            rate: samples per simulated second.
            naming: function that returns the name of a script for the path of its file, for the column `script`.
            shown: interval to record (start, end), s, in the time of the motion (the column `time`).
        """
        self._rate, self._naming, self._shown = rate, naming, shown
        self._visit, self._node, self._offset = -1, "", 0.0
        character, gravity = simulation.character, simulation.settings.gravity
        self._columns = (
            SpatialColumns(character, gravity)
            if isinstance(character, SpatialCharacter)
            else _PlanarColumns(require_planar(character), gravity)
        )
        self._names = (*_PLACE, *self._columns.names)
        self._rows: list[Floats] = []  # samples with a number for each column; texts are numbered
        self._texts: dict[str, int] = {}
        self._is_to_change = False  # whether the next controller can replace the last row
        self._spent_before: float | None = None
        self._place: tuple[int | None, Place | None] = None, None
        self.move_to(simulation)

    def begin(self, node: str, started: float | None = None) -> None:
        """Set the name of the next controller in the recording. Call this before the controller is executed.

        Args:
            node: name of the node or script, for the column `node`.
            started: time of the motion at which the controller begins, s; by default the simulated time.
        """
        self._visit, self._node = self._visit + 1, node
        self._offset = 0.0 if started is None else started - self._simulation.time

    def move_to(self, simulation: Simulation) -> None:
        """Continue the recording with another simulation of the same character, for example with another engine."""
        self._simulation = simulation
        simulation.watch(self.see, 1.0 / self._rate)

    def see(self, moment: Moment) -> None:
        """Record one time step as a sample. The simulation calls this method; see `Simulation.watch`.

        Raises:
            CtrlGraphError: there are more than `MAX_SAMPLES` samples.
        """
        time = moment.time + self._offset
        if not self._shown[0] <= round(time, 9) <= self._shown[1]:
            return
        if self._is_to_change and self._rows:  # a controller begins in the state in which the previous one ended
            self._rows.pop()
        elif len(self._rows) == MAX_SAMPLES:
            raise CtrlGraphError(f"the motion has more than {MAX_SAMPLES} samples: reduce --rate, or record less")
        if not moment.last or self._spent_before is None:  # at the end the phase can be left without motion
            self._place = moment.phase, moment.place
        if self._spent_before is None:
            self._spent_before = moment.energy
        self._is_to_change = moment.last
        phase, place = self._place
        head = (
            round(time, 9),  # a difference of clocks
            max(self._visit, 0),
            self._number(self._node),
            -1 if phase is None else phase,
            0 if place is None else place.line,
            self._number("" if place is None else place.path),
        )
        self._rows.append(np.concatenate([head, self._columns.values(moment, self._simulation.pushes)]))

    def __len__(self) -> int:
        """Return the number of samples. The first sample of a next controller replaces the last sample of this one."""
        return len(self._rows)

    def signals(self, first: int = 0) -> Signals:
        """Return the signals of all samples from index `first` on.

        Raises:
            CtrlGraphError: nothing has been recorded from this index on.
        """
        if len(self._rows) <= first:
            raise CtrlGraphError("no signals are recorded: execute a controller first")
        return self._signals(self._rows[first:])

    def take(self, *, ended: bool = False) -> Signals | None:
        """Return the signals of all samples up to now, and remove the samples from the recorder; None without samples.

        Args:
            ended: whether the motion has ended. If not, the last sample of a controller is neither returned nor
                removed, because the first sample of the next controller replaces it.
        """
        count = len(self._rows) - (self._is_to_change and not ended)
        if count <= 0:
            return None
        taken, self._rows = self._rows[:count], self._rows[count:]
        return self._signals(taken)

    def go_on_from(self, visit: int, node: str, offset: float = 0.0) -> None:
        """Discard all samples, and continue the recording in the middle of a controller, because a state was restored.

        Args:
            visit: number of the controller in the motion, from 0.
            node: name of the node or script.
            offset: difference between the time of the motion and the simulated time, s.
        """
        self._rows, self._is_to_change = [], False
        self._visit, self._node, self._offset = visit, node, offset

    def _number(self, text: str) -> int:
        return self._texts.setdefault(text, len(self._texts))

    def _signals(self, rows: Sequence[Floats]) -> Signals:
        """Return recorded samples as signals. In the columns of texts, the number of each text is replaced by the text.

        Args:
            rows: samples, each with one number for each column.
        """
        texts, found = list(self._texts), dict[str, Values]()
        for name, column in zip(self._names, np.stack(rows, axis=1), strict=True):
            values: Values = column
            if name in ("node", "script"):
                names = np.array([self._naming(text) if text and name == "script" else text for text in texts])
                values = np.array(names[values.astype(np.int64)].tolist())  # only as wide as the texts of this column
            elif name.partition(".")[0] in _WHOLE_NUMBERS:
                values = values.astype(np.int64)
            elif name == "spent_energy":
                values = values - self._spent_before
            found[name] = values
        return Signals(found)


_PLACE = ("time", "visit", "node", "phase", "line", "script")
"""Columns that all morphologies have."""


class _PlanarColumns:
    """Columns of the signals of a planar character, after those for time, node and phase.

    Args:
        character: The character.
        gravity: Acceleration of gravity, m/s^2.
    """

    def __init__(self, character: PlanarCharacter, gravity: float) -> None:
        self.names, self._root = names_of(character)[len(_PLACE) :], character.root
        self._mass = np.array([link.mass for link in character.links])
        self._inertia = np.array([link.inertia for link in character.links])
        self._weight = gravity * self._mass

    def values(self, moment: Moment, _: Floats) -> Floats:
        """Return the values of the columns at a moment; pushes are no signals in the plane."""
        links, com = moment.kinematics.link, moment.kinematics.com
        speeds = (links[:, 3:5] ** 2).sum(axis=1)
        whole = [
            *com,
            *links[self._root, 3:6],
            math.nan if moment.last else moment.pressure,
            (speeds @ self._mass + links[:, 5] ** 2 @ self._inertia) / 2,
            links[:, 1] @ self._weight,
            moment.energy,
        ]
        force = moment.force + math.nan if moment.last else moment.force  # no step followed
        own = np.column_stack([links[:, :3], moment.kinematics.contact, force]).ravel()
        return np.concatenate([whole, joint_values(moment), own])
