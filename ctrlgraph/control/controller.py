"""Interfaces of controllers: `Controller`, what a node runs, and `ControllerKind`, how controllers of a kind run.

A controller is data: named numbers that an optimizer can change, and structure. Its kind is behaviour: how a controller
is read and started, and what it does in a control tick. The simulation loop is compiled once for each pair of an engine
and a kind.
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
"""Results of a control tick: the controller continues, has ended, or has ended and reports a failure."""


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a controller's file, for messages and displays."""

    path: str
    """Path of the file."""
    script: str
    """Name of the script or controller."""
    line: int
    """Number of the line, from 1."""
    column: int
    """Number of the column, from 1."""
    text: str = ""
    """Text of the line without indentation, possibly truncated; empty for kinds that do not store it."""

    def as_dict(self) -> dict[str, Any]:
        """Return path, line and column for `--json`."""
        return {"path": self.path, "line": self.line, "column": self.column}


@dataclass(frozen=True, slots=True)
class Departure:
    """A condition that ends a controller or one of its phases."""

    condition: str
    """The condition as in its file, with expressions replaced by their values, such as "fallen x 1.2"."""
    place: Place
    """Position of the condition in the file."""
    fell: bool
    """Whether the controller ended by this condition because the character has fallen."""
    failed: bool = False
    """Whether the controller ends as failed; in a script, by `to(fail)`."""


class StateRequest(NamedTuple):
    """A controller's request to save or load the state of the simulation at the end of a step."""

    action: Literal["save", "load"]
    """What to do with the state."""
    name: str
    """Name of the saved state."""


class Surroundings(NamedTuple):
    """The parts of a simulation that controllers can read besides the state: contact shapes and terrain."""

    shapes: Shapes
    """Contact circles of the character."""
    terrain: Terrain
    """The ground."""


class JointTargets(NamedTuple):
    """PD targets of J joints. All three values of a joint without a target are NaN."""

    angle: NDArray[np.float64]
    """Target angles (J,), rad."""
    kp: NDArray[np.float64]
    """Stiffnesses (J,), N m/rad; NaN for the character's default."""
    kd: NDArray[np.float64]
    """Dampings (J,), N m s/rad; NaN for the character's default."""

    @classmethod
    def none(cls, n_joints: int) -> JointTargets:
        """Return NaN for all values of `n_joints` joints: no joint has a target."""
        return cls(*(np.full(n_joints, math.nan) for _ in range(3)))


@runtime_checkable
class Controller(Protocol):
    """A controller ready to run: the argument of `Simulation.run`. Controllers are immutable.

    >>> from ctrlgraph import Project
    >>> squat = Project.find().controller("squat")
    >>> squat.kind, squat.parameters[0].id, len(squat.parameters) == len(squat.constants)
    ('script', 'squat.t/argument/time', True)
    """

    @property
    def kind(self) -> str:
        """Return the name of the controller's kind, see `ctrlgraph.control.kinds`."""

    @property
    def name(self) -> str:
        """Return the name of the controller."""

    @property
    def path(self) -> str:
        """Return the path of the controller's file."""

    @property
    def constants(self) -> NDArray[np.float64]:
        """Return the values (P,) of the parameters, in their units: the vector that optimizers search."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Return the P parameters that describe the constants, in the same order."""

    @property
    def digest(self) -> str:
        """Return a hash of everything that affects the controller's motion.

        For scripts, `with_constants` does not change it.
        """

    def with_constants(self, constants: NDArray[np.float64]) -> Self:
        """Return the same controller with other values of its parameters.

        Args:
            constants: new values (P,), in the order of `parameters`.

        Raises:
            ValueError: the number of values is not P.
        """


ControllerT = TypeVar("ControllerT", bound=Controller)
DataT = TypeVar("DataT")
StateT = TypeVar("StateT")


@dataclass(frozen=True)
class Instant(Generic[DataT, StateT]):
    """A controller and its character at one time of a simulation."""

    character: Character
    """Character that the controller drives."""
    body: Body
    """Constants of the character as arrays."""
    kin: Kinematics
    """Poses, velocities and contacts of the character."""
    data: DataT
    """Constants and structure of the controller, see `ControllerKind.new_data`."""
    state: StateT
    """State of the controller, see `ControllerKind.new_state`."""
    time: float
    """Simulated time, s."""


@dataclass(frozen=True)
class Part(Generic[ControllerT]):
    """One of the controllers that `ControllerKind.join` joins to a single controller."""

    controller: ControllerT
    """Controller of this part."""
    cycles: int = 1
    """Number of times that the controller runs before the next part begins."""
    judged: bool = True
    """Whether the part counts for success. Success is measured from the beginning of the first such part."""


class ControllerKernels(NamedTuple):
    """Functions of a kind of controller that the simulation loop calls, compiled by `ctrlgraph.kernels.jit.kernel`.

    `body` and `kin` are the character's constants and its current state. `data` and `state` are those of the
    controller, see `ControllerKind.new_data` and `new_state`. `time` is the simulated time, s.
    """

    start: Callable[[Kinematics, Any, Any, int, float], None]
    """(kin, data, state, cycles, time): start the controller. It runs `cycles` times before it ends."""
    hold: Callable[[Kinematics, Any], None]
    """(kin, state): set the target of every joint to its current angle, with the character's default gains."""
    tick: Callable[[Body, Kinematics, Any, Any, Motors, float], int]
    """(body, kin, data, state, motors, time): make one control tick.

    It sets all elements of `motors`, the commands to the joints, and returns RUNNING, FINISHED or FAILED.
    """
    phase_of: Callable[[Any], int]
    """(state): return the index of the active phase, which is recorded with each sample of the motion."""
    has_requests: Callable[[Any], bool]
    """(state): return whether the controller requests to save or load the simulation's state.

    The requests are those of `ControllerKind.take_requests`.
    """


class ControllerKind(ABC, Generic[ControllerT, DataT, StateT]):
    """Behaviour of the controllers of one kind: how they are read, and how they run.

    The compiled simulation loop calls the `kernels`. Python calls the other methods. `DataT` and `StateT`, the data and
    the state of a controller, are named tuples of float64 and int64 arrays. Each kind has one type of each. A snapshot
    of a simulation copies the arrays of the state.
    """

    morphologies: tuple[str, ...] = (PLANAR,)
    """Morphologies of the characters that controllers of this kind can drive. `read_controller` checks them."""
    suffixes: tuple[str, ...] = ()
    """Suffixes of files of this kind, such as ".t". They give the kind of a file that belongs to no node."""
    key: str = ""
    """Top-level YAML key that occurs only in files of this kind; needed if several kinds share a suffix."""
    can_mirror: bool = False
    """Whether the kind implements `mirror`."""
    can_join: bool = False
    """Whether the kind implements `join`."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the name of the kind. A node of a graph file uses it as a key: `script: controllers/gaits/walk.t`."""

    @property
    @abstractmethod
    def kernels(self) -> ControllerKernels:
        """Return the functions for the compiled simulation loop."""

    @abstractmethod
    def read(self, path: Path, args: tuple[float, ...], character: Character, library: ScriptLibrary) -> ControllerT:
        """Return the controller of a file.

        Args:
            path: the controller's file.
            args: arguments for the controller, from its node in the graph file.
            character: the character that the controller drives.
            library: the project's scripts.

        Raises:
            SourceError: the file has errors; `findings` lists them.
        """

    @abstractmethod
    def new_data(self, controller: ControllerT) -> DataT:
        """Return a controller's constants and structure as arrays.

        Raises:
            SimulationError: the controller cannot run with the values of its constants, for example because they lead
                to a division by zero.
        """

    @abstractmethod
    def new_state(self, n_joints: int) -> StateT:
        """Return the state of a controller that has not started, in which no joint has a target.

        Args:
            n_joints: number of joints of the character.
        """

    def bind_environment(self, controller: ControllerT, data: DataT, surroundings: Surroundings) -> DataT:
        """Return the data completed by the terrain and the contact shapes of a simulation.

        The default is `data` itself, for kinds that do not read them.
        """
        return data

    def joint_targets(self, state: StateT, n_joints: int) -> JointTargets:
        """Return the current PD targets of the joints. The default is that no joint has one."""
        return JointTargets.none(n_joints)

    def take_requests(self, controller: ControllerT, state: StateT) -> Sequence[StateRequest]:
        """Return the controller's requests to save or load the simulation's state, and remove them from `state`."""
        return ()

    def place_of_phase(self, controller: ControllerT, phase: int) -> tuple[int | None, Place | None]:
        """Return a phase's number and its position in the controller's file; (None, None) for kinds without phases.

        Args:
            controller: the controller.
            phase: index of the phase, as returned by `ControllerKernels.phase_of`.
        """
        return None, None

    def place(self, controller: ControllerT, state: StateT) -> tuple[int | None, Place | None]:
        """Return the number and the position of the active phase, like `place_of_phase`."""
        # uncompiled, because numba would compile the kernel again for calls from Python
        phase_of = getattr(self.kernels.phase_of, "py_func", self.kernels.phase_of)
        return self.place_of_phase(controller, int(phase_of(state)))

    def departure(self, controller: ControllerT, now: Instant[DataT, StateT], *, ended: bool) -> Departure | None:
        """Return the condition by which a controller ended; None if no condition ended it, but its time limit.

        Args:
            controller: the controller.
            now: the controller and its character at the end.
            ended: whether the controller has ended. If False, return the condition by which it would end now.
        """
        return None

    def fired_transition(self, controller: ControllerT, now: Instant[DataT, StateT]) -> Departure | None:
        """Return the condition by which the next control tick changes the phase; None if the phase will not change.

        Args:
            controller: the controller.
            now: the controller and its character immediately before the tick.
        """
        return None

    def pending_conditions(
        self, controller: ControllerT, character: Character, data: DataT, state: StateT
    ) -> tuple[Departure, ...]:
        """Return the conditions that can end the active phase, with the current values of their expressions."""
        return ()

    def mirror(self, controller: ControllerT, character: Character) -> ControllerT:
        """Return the controller with right and left exchanged.

        Raises:
            CtrlGraphError: controllers of this kind cannot be mirrored.
        """
        raise CtrlGraphError(f"a controller of the kind '{self.name}' cannot be mirrored")

    def alter(self, controller: ControllerT, character: Character, alteration: Alteration) -> ControllerT | None:
        """Return the controller with the changed joint targets of `alteration`; None for kinds without this function.

        Args:
            controller: the controller to change; it is not modified.
            character: the character that the controller drives.
            alteration: changes of the joint targets.
        """
        return None

    def join(self, name: str, parts: Sequence[Part[ControllerT]]) -> ControllerT:
        """Return one controller that runs several controllers in order.

        Args:
            name: name of the joined controller.
            parts: the controllers, in order.

        Raises:
            CtrlGraphError: controllers of this kind cannot be joined, or one of these cannot be a part.
        """
        raise CtrlGraphError(f"controllers of the kind '{self.name}' cannot be joined")

    def judged_from(self, controller: ControllerT) -> int:
        """Return the index of the phase from whose beginning success is measured; 0 for the whole motion.

        It is an index as returned by `ControllerKernels.phase_of`.
        """
        return 0

    def jumps_to_saved_state(self, controller: ControllerT) -> bool:
        """Return whether the controller can request to load a saved state of the simulation."""
        return False
