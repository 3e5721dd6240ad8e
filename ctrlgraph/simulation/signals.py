"""Signals: what a motion was, sample by sample, in columns that have a name and a unit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.model import Character
from ctrlgraph.errors import CtrlGraphError, quoted, suggestion
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.pd import pd_torque
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.simulation import Simulation

Values = NDArray[Any]

WHOLE: dict[str, tuple[str, str]] = {
    "time": ("s", "since the beginning of the motion"),
    "visit": ("", "0 for the first controller that runs, 1 for the next one, and so on"),
    "node": ("", "whose controller runs, or the script's name"),
    "phase": ("", "of the controller, as its file numbers it"),
    "line": ("", "of the phase in its file, 0 where there is none"),
    "script": ("", "the file of the phase"),
    "com_x": ("m", "centre of mass, forward"),
    "com_y": ("m", "centre of mass, upward"),
    "com_vx": ("m/s", "its velocity"),
    "com_vy": ("m/s", "its velocity"),
    "pressure_x": ("m", "centre of pressure; nothing in flight"),
    "kinetic_energy": ("J", "of all links"),
    "potential_energy": ("J", "of all links, over y = 0"),
    "spent_energy": ("J", "that the joints have spent since the beginning"),
}
"""The columns of the whole body: unit and meaning."""

JOINT: dict[str, tuple[str, str]] = {
    "angle": ("rad", "child against parent, clockwise"),
    "velocity": ("rad/s", "its rate"),
    "target": ("rad", "that its PD drives it to; nothing without one"),
    "asked": ("N m", "torque that the controller asks for: kp (target - angle) - kd velocity, and what it adds"),
    "torque": ("N m", "that the joint got in the step, within its limits"),
    "least": ("N m", "limit of the torque"),
    "greatest": ("N m", "limit of the torque"),
}
"""The columns of each joint, `angle.rKnee` and so on."""

LINK: dict[str, tuple[str, str]] = {
    "x": ("m", "centre of mass, forward"),
    "y": ("m", "centre of mass, upward"),
    "rotation": ("rad", "clockwise, unwrapped"),
    "contact": ("", "1 where it touches the ground"),
    "force_x": ("N", "of the ground on it in the step"),
    "force_y": ("N", "of the ground on it in the step"),
}
"""The columns of each link, `x.rFoot` and so on."""


@dataclass(frozen=True)
class Signals:
    """Columns of n samples each, by name, in the order in which tables have them; see `WHOLE`, `JOINT` and `LINK`.

    Samples are a fixed time apart within a controller, and each controller has one at its beginning; the last one is
    the end of the motion.

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
        """Return the time and some of the columns."""
        return type(self)({name: self.columns[name] for name in dict.fromkeys(("time", *names))})

    def part(self, first: int, end: int | None = None) -> Self:
        """Return some of the samples."""
        return type(self)({name: values[first:end] for name, values in self.columns.items()})


def chosen(words: Sequence[str], character: Character) -> tuple[str, ...]:
    """Return the names of the columns that words ask for.

    Raises:
        CtrlGraphError: the signals of the character have none of a name.
    """
    names, known = tuple(word.strip() for word in words), names_of(character)
    for name in names:
        if name not in known:
            hint = suggestion(name, known) or "docs/signals.md lists them"
            raise CtrlGraphError(f"there is no signal {quoted(name)}; {hint}")
    return names


def names_of(character: Character) -> tuple[str, ...]:
    """Return the names of the columns that the signals of a character have, in their order."""
    return (
        *WHOLE,
        *(f"{name}.{joint.name}" for joint in character.joints for name in JOINT),
        *(f"{name}.{link.name}" for link in character.links for name in LINK),
    )


def unit(column: str) -> str:
    """Return the unit of a column, "" where it has none."""
    return _told(column)[0]


def meaning(column: str) -> str:
    """Return what a column tells."""
    return _told(column)[1]


def _told(column: str) -> tuple[str, str]:
    quantity, _, name = column.partition(".")
    return (JOINT.get(quantity) or LINK[quantity]) if name else WHOLE[quantity]


class SignalRecorder:
    """Watches a simulation, and keeps the signals of what it runs.

    Args:
        simulation: whose motions are recorded from now on.
        rate: samples per simulated second.
        naming: makes a script's name of its path.
    """

    def __init__(
        self, simulation: Simulation, rate: float = 100.0, naming: Callable[[str], str] = lambda path: path
    ) -> None:
        self._naming = naming
        self._character = simulation.character
        self._gravity = simulation.settings.gravity
        self._simulation = simulation
        self._visit, self._node, self._offset = -1, "", 0.0
        self._moments: list[tuple[tuple[int, str], float, Moment]] = []
        simulation.watch(self._take, 1.0 / rate)

    def begin(self, node: str, started: float | None = None) -> None:
        """Tell what runs next, and when that is on the clock of the motion (s); without it, the simulation's."""
        self._visit, self._node = self._visit + 1, node
        self._offset = 0.0 if started is None else started - self._simulation.time

    def _take(self, moment: Moment) -> None:
        # a controller begins in the state in which the one before it ended
        if self._moments and self._moments[-1][2].last:
            self._moments.pop()
        if moment.last and self._moments:  # it may have left the phase, and nobody moved any more
            before = self._moments[-1][2]
            moment = moment._replace(phase=before.phase, place=before.place)
        self._moments.append(((self._visit, self._node), moment.time + self._offset, moment))

    def __len__(self) -> int:
        """Samples so far. The last one is still to change where another controller begins in its state."""
        return len(self._moments)

    def signals(self, first: int = 0) -> Signals:
        """Return the signals of what has run, or of its samples from `first` on.

        Raises:
            CtrlGraphError: nothing has.
        """
        taken = self._moments[first:]
        if not taken:
            raise CtrlGraphError("there are no signals: nothing has run")
        columns = dict(_columns(self._character, self._gravity, taken, self._moments[0][2].energy))
        names = {path: self._naming(path) if path else "" for path in dict.fromkeys(columns["script"].tolist())}
        columns["script"] = np.array([names[path] for path in columns["script"].tolist()])
        return Signals(columns)


def _columns(
    character: Character, gravity: float, taken: Sequence[tuple[tuple[int, str], float, Moment]], energy_before: float
) -> Iterator[tuple[str, Values]]:
    nodes, times, moments = zip(*taken, strict=True)
    links = np.array([m.kinematics.link for m in moments])
    com = np.array([m.kinematics.com for m in moments])
    mass, inertia = (np.array([getattr(link, name) for link in character.links]) for name in ("mass", "inertia"))
    energy = np.array([m.energy for m in moments])
    yield "time", np.round(np.array(times), 9)  # differences of clocks
    yield "visit", np.array([max(visit, 0) for visit, _ in nodes])
    yield "node", np.array([node for _, node in nodes])
    yield "phase", np.array([-1 if m.phase is None else m.phase for m in moments])
    yield "line", np.array([0 if m.place is None else m.place.line for m in moments])
    yield "script", np.array(["" if m.place is None else m.place.path for m in moments])
    for k, name in enumerate(("com_x", "com_y", "com_vx", "com_vy")):
        yield name, com[:, k]
    yield "pressure_x", np.array([math.nan if m.last else m.pressure for m in moments])
    yield "kinetic_energy", ((links[:, :, 3:5] ** 2).sum(axis=2) @ mass + links[:, :, 5] ** 2 @ inertia) / 2
    yield "potential_energy", gravity * (links[:, :, 1] @ mass)
    yield "spent_energy", energy - energy_before
    yield from _of_joints(character, moments)
    yield from _of_links(character, links, moments)


def _of_joints(character: Character, moments: Sequence[Moment]) -> Iterator[tuple[str, Values]]:
    joint = np.array([m.kinematics.joint for m in moments])
    motors = [np.array([getattr(m.motors, name) for m in moments]) for name in ("kp", "kd", "target", "torque")]
    limit, torque = np.array([m.motors.limit for m in moments]), np.array([m.torque for m in moments])
    kp, kd, target, added = motors
    asked = added + pd_torque.py_func(kp, kd, target, joint[:, :, 0], joint[:, :, 1])  # type: ignore[attr-defined]  # numba
    free = (kp == 0.0) & (kd == 0.0)
    over = np.array([m.last for m in moments])  # no step followed
    asked[over], torque[over] = math.nan, math.nan
    values: dict[str, Floats] = {
        "angle": joint[:, :, 0],
        "velocity": joint[:, :, 1],
        "target": np.where(free, math.nan, target),
        "asked": asked,
        "torque": torque,
        "least": limit[:, :, 0],
        "greatest": limit[:, :, 1],
    }
    for j, each in enumerate(character.joints):
        for name in JOINT:
            yield f"{name}.{each.name}", values[name][:, j]


def _of_links(character: Character, links: Floats, moments: Sequence[Moment]) -> Iterator[tuple[str, Values]]:
    force, contact = np.array([m.force for m in moments]), np.array([m.kinematics.contact for m in moments])
    force[np.array([m.last for m in moments])] = math.nan  # no step followed
    values: dict[str, Values] = {
        "x": links[:, :, 0],
        "y": links[:, :, 1],
        "rotation": links[:, :, 2],
        "contact": contact,
        "force_x": force[:, :, 0],
        "force_y": force[:, :, 1],
    }
    for i, each in enumerate(character.links):
        for name in LINK:
            yield f"{name}.{each.name}", values[name][:, i]
