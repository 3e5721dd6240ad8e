"""Signals: motions as tables, with one row for each sample and named columns with units."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.model import Character
from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.controller import Place
from ctrlgraph.errors import CtrlGraphError, quoted, suggestion
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.signals.planar_signals import PLANAR_QUANTITIES, PlanarSignalValues
from ctrlgraph.simulation.signals.signal_quantities import Quantities
from ctrlgraph.simulation.signals.spatial_signals import SPATIAL_QUANTITIES, SpatialSignalValues
from ctrlgraph.simulation.simulation import Simulation

Values = NDArray[Any]

MAX_SAMPLES = 200_000
"""Maximum number of samples of a recording; about 450 MB for a planar character with 17 links."""

_WHOLE_NUMBERS = ("visit", "phase", "line", "contact")


@dataclass(frozen=True)
class Signals:
    """Signals of a motion: columns of n samples each, by name. `quantities` describes the columns.

    During the execution of a controller, samples have a fixed interval. The first sample is at the beginning of the
    controller. There is one more sample at the end of the motion.

    >>> from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder
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
    """Values of each column (n,), by name of the column."""
    quantities: Quantities = PLANAR_QUANTITIES
    """Unit and meaning of the columns."""

    def __len__(self) -> int:
        return len(self.columns["time"])

    def only(self, names: Sequence[str]) -> Self:
        """Return a table of signals with only the column `time` and the columns whose names are in `names`."""
        return replace(self, columns={name: self.columns[name] for name in dict.fromkeys(("time", *names))})

    def part(self, first: int, end: int | None = None) -> Self:
        """Return the signals of the samples from index `first` up to, but without, index `end`."""
        return replace(self, columns={name: values[first:end] for name, values in self.columns.items()})


def chosen(words: Sequence[str], character: Character) -> tuple[str, ...]:
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


def names_of(character: Character) -> tuple[str, ...]:
    """Return the names of all columns of a character's signals, in the order of the table."""
    return _quantities_of(character).names(character)


def _quantities_of(character: Character) -> Quantities:
    return SPATIAL_QUANTITIES if isinstance(character, SpatialCharacter) else PLANAR_QUANTITIES


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
        self._quantities, self._names = _quantities_of(character), names_of(character)
        self._values = (
            SpatialSignalValues(character, gravity)
            if isinstance(character, SpatialCharacter)
            else PlanarSignalValues(require_planar(character, "a planar signal"), gravity)
        )
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
        self._rows.append(np.concatenate([head, self._values.of(moment)]))

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
        return Signals(found, self._quantities)
