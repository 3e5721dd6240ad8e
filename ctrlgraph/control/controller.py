"""Interfaces of controllers: `Controller` is one controller as data, and `ControllerKind` is how a kind of them runs.

The data of a controller are named numbers that an optimizer can change, and structure. Its kind is behaviour: how a
controller is read and started, and what it does in a control tick. The simulation loop is compiled once for each pair
of an engine and a kind.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol, Self, TypeVar, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.character.planar_model import PLANAR
from ctrlgraph.errors import CtrlGraphError, Finding

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.alteration import Alteration
    from ctrlgraph.control.parameters import Parameter
    from ctrlgraph.control.script.library import ScriptLibrary
    from ctrlgraph.kernels.arrays import Motors
    from ctrlgraph.kernels.planar.arrays import Body, Kinematics
    from ctrlgraph.kernels.planar.collision import Shapes
    from ctrlgraph.terrain.terrain import Terrain

RUNNING, FINISHED, FAILED = 0, 1, 2
"""Results of a control tick: the controller continues, has ended normally, or has ended with a failure."""

_ENDING = 1_000_000  # subtracted from the number of cycles that are left while a controller ends after this cycle


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a controller's file, for messages and displays."""

    path: str
    """Path of the file."""
    script: str
    """Name of the script or controller."""
    line: int
    """Line number, from 1."""
    column: int
    """Column number, from 1."""
    text: str = ""
    """Text of the line without indentation, possibly truncated; empty if the kind of controller does not store it."""

    def as_dict(self) -> dict[str, Any]:
        """Return path, line and column as a dictionary, for the JSON output of commands."""
        return {"path": self.path, "line": self.line, "column": self.column}


@dataclass(frozen=True, slots=True)
class Departure:
    """A condition by which a controller, or one of its phases, ends."""

    condition: str
    """Text of the condition as in the file, but with values in place of expressions, such as "fallen x 1.2"."""
    place: Place
    """Position of the condition in the file."""
    fell: bool
    """Whether the controller ended by this condition because the character has fallen."""
    failed: bool = False
    """Whether the controller ends with a failure; in a script, by a transition `to(fail)`."""


class StateRequest(NamedTuple):
    """A controller's request to save or load the state of the simulation at the end of a step."""

    action: Literal["save", "load"]
    """Whether to save the current state, or to load a saved one."""
    name: str
    """Name of the saved state."""


class Command(NamedTuple):
    """Desired velocity of a character in space, relative to its heading. A gait controller takes it while it runs."""

    forward: float = 0.0
    """Speed in the direction of the heading, m/s."""
    sideways: float = 0.0
    """Speed to the left, m/s."""
    turn: float = 0.0
    """Rate of the heading, rad/s, positive to the left."""


class Surroundings(NamedTuple):
    """The parts of a simulation that controllers can read besides the state: contact shapes and terrain."""

    shapes: Shapes
    """Contact circles of the character."""
    terrain: Terrain
    """The ground."""


class JointTargets(NamedTuple):
    """Targets of the PD controllers of J joints. All three values are NaN for a joint without a target."""

    angle: NDArray[np.float64]
    """Target angles (J,), rad."""
    kp: NDArray[np.float64]
    """Stiffnesses (J,), N m/rad; NaN for the character's default."""
    kd: NDArray[np.float64]
    """Dampings (J,), N m s/rad; NaN for the character's default."""

    @classmethod
    def none(cls, n_joints: int) -> JointTargets:
        """Return targets for `n_joints` joints of which none has a target: all values are NaN."""
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
        """Return a hash of everything in the controller's files that affects its motion.

        For scripts, it does not include changes of constants by `with_constants`.
        """

    def with_constants(self, constants: NDArray[np.float64]) -> Self:
        """Return a copy of the controller with other values of its P parameters.

        Args:
            constants: new values (P,), in the order of `parameters` and in their units.

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
    """Constants of the character as arrays, such as masses and joint limits."""
    kin: Kinematics
    """Poses, velocities and contacts of the character at this time."""
    data: DataT
    """Constants and structure of the controller as arrays, see `ControllerKind.new_data`."""
    state: StateT
    """State of the controller that it keeps between two control ticks, as arrays (see `ControllerKind.new_state`)."""
    time: float
    """Simulated time, s."""


@dataclass(frozen=True)
class Part(Generic[ControllerT]):
    """One of the controllers that `ControllerKind.join` joins to a single controller, which runs them in order."""

    controller: ControllerT
    """Controller of this part."""
    cycles: int = 1
    """Number of times that the controller runs before the next part begins."""
    judged: bool = True
    """Whether the motion of this part counts for success.

    Success is measured from the beginning of the first part that counts.
    """


class ControllerKernels(NamedTuple):
    """Functions of a kind of controller that the simulation loop calls, compiled by `ctrlgraph.kernels.jit.kernel`.

    Their arguments are: `body` and `kin`, the constants and the current state of the character; `data` and `state`,
    constants and state of the controller (see `ControllerKind.new_data` and `new_state`); `time`, simulated, s.
    """

    start: Callable[[Any, Any, Any, int, float], None]
    """(kin, data, state, cycles, time): start the controller. It runs `cycles` times before it ends."""
    hold: Callable[[Any, Any], None]
    """(kin, state): set the target angle of every joint to its current angle, with the character's default gains.

    Python calls it, before the first controller of this kind starts, so it need not be compiled.
    """
    tick: Callable[[Any, Any, Any, Any, Motors, float], int]
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

    The compiled simulation loop calls the `kernels`; Python code calls the other methods. `DataT` and `StateT` are the
    types of a controller's data and state: named tuples of float64 and int64 arrays, one type of each for a kind. A
    snapshot of a simulation copies the arrays of the state.
    """

    morphologies: tuple[str, ...] = (PLANAR,)
    """Morphologies of the characters that controllers of this kind can drive, such as "planar"."""
    suffixes: tuple[str, ...] = ()
    """File name suffixes of this kind, such as ".t". They determine the kind of a file that belongs to no node."""
    key: str = ""
    """Top-level YAML key that occurs only in files of this kind; needed if several kinds share a suffix."""
    can_mirror: bool = False
    """Whether the kind implements `mirror`, which exchanges right and left."""
    can_join: bool = False
    """Whether the kind implements `join`, which makes one controller of several."""
    cycles_counter: int | None = None
    """Index of the number of cycles that are left in the array `counters` of the state; None: `cycles_left` is None."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the name of the kind. A node of a graph file uses it as a key: `script: controllers/gaits/walk.t`."""

    @property
    @abstractmethod
    def kernels(self) -> ControllerKernels:
        """Return the functions that the compiled simulation loop calls."""

    @abstractmethod
    def read(self, path: Path, args: tuple[float, ...], character: Character, library: ScriptLibrary) -> ControllerT:
        """Read a controller from its file.

        Args:
            path: the controller's file.
            args: values for the controller's arguments, from its node in the graph file.
            character: the character that the controller drives.
            library: the scripts of the project.

        Raises:
            SourceError: the file has errors; `findings` lists them.
        """

    def warnings(self, controller: ControllerT, path: Path) -> Iterable[Finding]:
        """Return warnings about a controller that can run, for `ctrlgraph check`.

        Args:
            controller: the controller.
            path: its file.
        """
        return ()

    def duration(self, controller: ControllerT, cycles: int) -> float | None:
        """Return the simulated duration of a number of cycles, s; None if it depends on the motion."""
        return None

    @abstractmethod
    def new_data(self, controller: ControllerT) -> DataT:
        """Return a controller's constants and structure as arrays for the kernels.

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

    def fit_state(self, controller: ControllerT, state: StateT) -> StateT:
        """Return a state of this kind, with arrays of the sizes that a controller needs. By default, all need the same.

        Args:
            controller: the controller that runs next.
            state: state of the last controller.
        """
        return state

    def bind_environment(self, controller: ControllerT, data: DataT, surroundings: Surroundings) -> DataT:
        """Return a controller's data with the terrain and the contact circles of a simulation added.

        The default returns `data` unchanged, for kinds that read neither.

        Args:
            controller: the controller.
            data: its arrays from `new_data`.
            surroundings: terrain, and contact circles of the character.
        """
        return data

    def joint_targets(self, state: StateT, n_joints: int) -> JointTargets:
        """Return the current PD targets of the joints. By default, no joint has a target.

        Args:
            state: state of the controller.
            n_joints: number of joints of the character.
        """
        return JointTargets.none(n_joints)

    def take_requests(self, controller: ControllerT, state: StateT) -> Sequence[StateRequest]:
        """Return a controller's requests to save or load the simulation's state, and remove them from `state`."""
        return ()

    def take_command(self, state: StateT, command: Command) -> None:
        """Set the desired velocity of a running controller, in its `state`.

        Raises:
            CtrlGraphError: controllers of this kind take no commands.
        """
        raise CtrlGraphError(f"a controller of the kind '{self.name}' cannot receive commands: only gaits can")

    def cycles_left(self, state: StateT) -> int | None:
        """Return how many cycles a running controller has left; None if the kind does not count them."""
        if self.cycles_counter is None:
            return None
        left = int(cast(Any, state).counters[self.cycles_counter])
        return left + _ENDING if left < -_ENDING // 2 else left

    def end_after_cycle(self, state: StateT, *, ends: bool) -> None:
        """Let a running controller end after the present cycle, or let it continue for all cycles that are left.

        Args:
            state: state of the controller. A number of cycles below 1 ends every kind after the present cycle.
            ends: whether the controller ends. False undoes an earlier call with True.
        """
        left = self.cycles_left(state)
        if left is not None:
            cast(Any, state).counters[self.cycles_counter] = left - _ENDING if ends else left

    def place_of_phase(self, controller: ControllerT, phase: int) -> tuple[int | None, Place | None]:
        """Return a phase's number and its position in the controller's file; (None, None) for kinds without phases.

        Args:
            controller: the controller.
            phase: index of the phase, as returned by `ControllerKernels.phase_of`.
        """
        return None, None

    def place(self, controller: ControllerT, state: StateT) -> tuple[int | None, Place | None]:
        """Return the number of the active phase and its position in the controller's file.

        The result is (None, None) for kinds without phases.
        """
        # uncompiled, because numba would compile the kernel again for calls from Python
        phase_of = getattr(self.kernels.phase_of, "py_func", self.kernels.phase_of)
        return self.place_of_phase(controller, int(phase_of(state)))

    def departure(self, controller: ControllerT, now: Instant[DataT, StateT], *, ended: bool) -> Departure | None:
        """Return the condition that ended a controller; None if its time limit ended it.

        Args:
            controller: the controller.
            now: the controller and its character at the end.
            ended: whether the controller has ended. If False, the result is the condition by which it would end now.
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
        raise CtrlGraphError(f"a controller of the kind '{self.name}' cannot be mirrored: remove 'mirrored'")

    def alter(self, controller: ControllerT, character: Character, alteration: Alteration) -> ControllerT | None:
        """Return a copy of a controller with changed joint targets; None for kinds that cannot change them.

        Args:
            controller: the controller.
            character: the character that the controller drives.
            alteration: changes of the joint targets, such as raised arms.
        """
        return None

    def join(self, name: str, parts: Sequence[Part[ControllerT]]) -> ControllerT:
        """Return one controller that runs several controllers in order.

        Args:
            name: name of the joined controller.
            parts: the controllers to join, in order.

        Raises:
            CtrlGraphError: controllers of this kind cannot be joined, or one of the given controllers cannot.
        """
        raise CtrlGraphError(f"controllers of the kind '{self.name}' cannot be joined with others: run them separately")

    def judged_from(self, controller: ControllerT) -> int:
        """Return the index of the phase at whose beginning the measurement of success begins; 0 for the whole motion.

        The phases are counted as in `ControllerKernels.phase_of`.
        """
        return 0

    def jumps_to_saved_state(self, controller: ControllerT) -> bool:
        """Return whether the controller can request to load a saved state of the simulation."""
        return False
