"""Interfaces of controllers: `Controller`, what a node runs, and `ControllerKind`, how controllers of a kind run.

A controller is data: named numbers that an optimizer can change, and structure. Its kind is behavior: how a controller
is read, started and ticked. The simulation loop is compiled once for each pair of an engine and a kind.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol, Self, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.model import PLANAR
from ctrlgraph.errors import CtrlGraphError

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.alteration import Alteration
    from ctrlgraph.control.parameters import Parameter
    from ctrlgraph.control.script.library import ScriptLibrary
    from ctrlgraph.kernels.planar.arrays import Body, Kinematics, Motors
    from ctrlgraph.kernels.planar.collision import Shapes
    from ctrlgraph.terrain.terrain import Terrain

RUNNING, FINISHED, FAILED = 0, 1, 2
"""Results of a tick; FAILED: the controller has ended and reports a failure."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a controller's file."""

    path: str
    """File."""
    script: str
    """Name of the script or controller."""
    line: int
    """Line, from 1."""
    column: int
    """Column, from 1."""
    text: str = ""
    """Text of the line."""

    def as_dict(self) -> dict[str, Any]:
        """Return path, line and column for `--json`."""
        return {"path": self.path, "line": self.line, "column": self.column}


@dataclass(frozen=True, slots=True)
class Departure:
    """The condition by which a controller ended."""

    condition: str
    """The condition as in its file, with the numbers at that time, as "fallen x 1.2"."""
    place: Place
    """Place of the condition."""
    fell: bool
    """Whether the condition means that the character has fallen."""
    failed: bool = False
    """Whether the controller ended with `to(fail)`."""


class StateRequest(NamedTuple):
    """A request of a controller at the end of a step: to save the state of the simulation, or to load it."""

    action: Literal["save", "load"]
    """Whether to save or to load."""
    name: str
    """Name of the saved state."""


class Surroundings(NamedTuple):
    """The part of the environment of a run that controllers can use."""

    shapes: Shapes
    """Contact circles of the character."""
    terrain: Terrain
    """The ground."""


class JointTargets(NamedTuple):
    """Targets of J joints; NaN if a joint has no target, or if a gain is the character's default."""

    angle: NDArray[np.float64]
    """(J,) rad."""
    kp: NDArray[np.float64]
    """(J,) N m/rad."""
    kd: NDArray[np.float64]
    """(J,) N m s/rad."""

    @classmethod
    def none(cls, n_joints: int) -> JointTargets:
        """Return the targets of joints that have none."""
        return cls(*(np.full(n_joints, math.nan) for _ in range(3)))


@runtime_checkable
class Controller(Protocol):
    """A controller ready to run: the argument of `Simulation.run`. Immutable.

    >>> from ctrlgraph import Project
    >>> squat = Project.find().controller("squat")
    >>> squat.kind, squat.parameters[0].id, len(squat.parameters) == len(squat.constants)
    ('script', 'squat.t/argument/time', True)
    """

    @property
    def kind(self) -> str:
        """Return the name of its kind, see `ctrlgraph.control.kinds`."""

    @property
    def name(self) -> str:
        """Return its name."""

    @property
    def path(self) -> str:
        """Return its file."""

    @property
    def constants(self) -> NDArray[np.float64]:
        """Return the values (P,) of its parameters, in their units: the vector that optimizers search."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return its P parameters."""

    @property
    def digest(self) -> str:
        """Return the hash of everything that affects its motion."""

    def with_constants(self, constants: NDArray[np.float64]) -> Self:
        """Return the same controller with other values of its parameters.

        Raises:
            ValueError: the vector has another length.
        """


ControllerT = TypeVar("ControllerT", bound=Controller)
DataT = TypeVar("DataT")
StateT = TypeVar("StateT")


@dataclass(frozen=True)
class Instant(Generic[DataT, StateT]):
    """A controller's arrays and those of its character at one time."""

    character: Character
    """Character that it drives."""
    body: Body
    """Constants of the character."""
    kin: Kinematics
    """Kinematics."""
    data: DataT
    """Data of the controller."""
    state: StateT
    """State of the controller."""
    time: float
    """Simulated time, s."""


@dataclass(frozen=True)
class Part(Generic[ControllerT]):
    """One of several controllers that are joined to one."""

    controller: ControllerT
    cycles: int = 1
    """Number of its runs before the next part."""
    judged: bool = True
    """Whether success is measured from the beginning of this part, unless it is from that of an earlier one."""


class ControllerKernels(NamedTuple):
    """Functions of a kind of controller that the simulation loop calls, compiled by `ctrlgraph.kernels.jit.kernel`."""

    start: Callable[[Kinematics, Any, Any, int, float], None]
    """(kin, data, state, cycles, time): start the controller, to be run `cycles` times."""
    hold: Callable[[Kinematics, Any], None]
    """(kin, state): set the target of every joint to its present angle, with the character's default gains."""
    tick: Callable[[Body, Kinematics, Any, Any, Motors, float], int]
    """(body, kin, data, state, motors, time): fill all of `motors`; return RUNNING, FINISHED or FAILED."""
    phase_of: Callable[[Any], int]
    """(state): return the number of the active phase, recorded with each sample of the motion."""
    has_requests: Callable[[Any], bool]
    """(state): return whether the controller has requests for the simulation, see `ControllerKind.take_requests`."""


class ControllerKind(ABC, Generic[ControllerT, DataT, StateT]):
    """Behaviour of the controllers of one kind: how they are read, and how they run.

    The compiled loop calls the `kernels`; Python calls the methods between runs. `DataT` and `StateT` are named tuples
    of float64 and int64 arrays, of one type for each kind. A snapshot copies the state's arrays.
    """

    morphologies: tuple[str, ...] = (PLANAR,)
    """Morphologies of the characters that its controllers can drive. They are checked when a file is read."""
    suffixes: tuple[str, ...] = ()
    """File suffixes of this kind, as ".t", for files that no graph assigns to a kind."""
    key: str = ""
    """Top-level key that occurs only in files of this kind; needed if several kinds share a suffix."""
    can_mirror: bool = False
    """Whether `mirror` is implemented."""
    can_join: bool = False
    """Whether `join` is implemented."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the field of a node in a graph file that selects this kind."""

    @property
    @abstractmethod
    def kernels(self) -> ControllerKernels:
        """Return the compiled functions."""

    @abstractmethod
    def read(self, path: Path, args: tuple[float, ...], character: Character, library: ScriptLibrary) -> ControllerT:
        """Return the controller of a file.

        Args:
            path: the file.
            args: the arguments that the node gives it.
            character: the character that it drives.
            library: the project's scripts.

        Raises:
            SourceError: the file has errors; it lists all of them.
        """

    @abstractmethod
    def new_data(self, controller: ControllerT) -> DataT:
        """Return a controller's constants and structure as arrays.

        Raises:
            SimulationError: the controller cannot run with these constants.
        """

    @abstractmethod
    def new_state(self, n_joints: int) -> StateT:
        """Return the state of a controller that has not started, without targets for the joints."""

    def bind_environment(self, controller: ControllerT, data: DataT, surroundings: Surroundings) -> DataT:
        """Return the data completed for the terrain and contact shapes of a simulation."""
        return data

    def joint_targets(self, state: StateT, n_joints: int) -> JointTargets:
        """Return the present targets of the joints."""
        return JointTargets.none(n_joints)

    def take_requests(self, controller: ControllerT, state: StateT) -> Sequence[StateRequest]:
        """Return the requests for the simulation, and remove them from the state."""
        return ()

    def place_of_phase(self, controller: ControllerT, phase: int) -> tuple[int | None, Place | None]:
        """Return the number and the place of a phase; (None, None) for kinds without phases.

        Args:
            controller: the controller.
            phase: as `phase_of` returned it.
        """
        return None, None

    def place(self, controller: ControllerT, state: StateT) -> tuple[int | None, Place | None]:
        """Return the number of the active phase and its position in the controller's file, as `place_of_phase`."""
        # uncompiled, because numba would compile the kernel again for calls from Python
        phase_of = getattr(self.kernels.phase_of, "py_func", self.kernels.phase_of)
        return self.place_of_phase(controller, int(phase_of(state)))

    def departure(self, controller: ControllerT, now: Instant[DataT, StateT], *, ended: bool) -> Departure | None:
        """Return the condition by which a controller ended; None if it ended only by its time limit.

        Args:
            controller: the controller.
            now: the instant in which it ended.
            ended: whether it has ended; otherwise, return the condition by which it would end now.
        """
        return None

    def fired_transition(self, controller: ControllerT, now: Instant[DataT, StateT]) -> Departure | None:
        """Return the condition by which the next tick changes the phase; None if it does not.

        Args:
            controller: the controller.
            now: the instant of the tick, with the state before it.
        """
        return None

    def pending_conditions(
        self, controller: ControllerT, character: Character, data: DataT, state: StateT
    ) -> tuple[Departure, ...]:
        """Return the conditions that the active phase waits for, with their present numbers."""
        return ()

    def mirror(self, controller: ControllerT, character: Character) -> ControllerT:
        """Return the controller with right and left exchanged.

        Raises:
            CtrlGraphError: controllers of this kind cannot be mirrored.
        """
        raise CtrlGraphError(f"a controller of the kind '{self.name}' cannot be mirrored")

    def alter(self, controller: ControllerT, character: Character, alteration: Alteration) -> ControllerT | None:
        """Return the controller with other targets of some joints; None for kinds that cannot be altered."""
        return None

    def join(self, name: str, parts: Sequence[Part[ControllerT]]) -> ControllerT:
        """Return one controller that runs several controllers in order.

        Args:
            name: of the result.
            parts: the controllers, in order.

        Raises:
            CtrlGraphError: they cannot be joined.
        """
        raise CtrlGraphError(f"controllers of the kind '{self.name}' cannot be joined")

    def judged_from(self, controller: ControllerT) -> int:
        """Return the phase, as in `phase_of`, at whose beginning success begins to be measured; 0: at the start."""
        return 0

    def jumps_to_saved_state(self, controller: ControllerT) -> bool:
        """Return whether the controller can request to load a state."""
        return False
