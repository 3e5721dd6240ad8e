"""What a node runs: the protocol of controllers, and what a *kind* of controller brings to the compiled loop.

A controller is data: named numbers that an optimiser may change, and structure. Its kind is behaviour: how a state is
made, begun and ticked. The loop is compiled once for each engine and kind of controller, so that a tick costs a call
that the compiler sees through.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.control.parameters import Parameter
    from ctrlgraph.control.script.library import ScriptLibrary
    from ctrlgraph.kernels.arrays import Body, Kinematics
    from ctrlgraph.kernels.collision import Shapes
    from ctrlgraph.terrain.profile import Terrain

FALLEN_TORSO = 0.8
"""Wrapped angle of the upper torso, rad, from which on a character has fallen."""

RUNNING, FINISHED, FAILED = 0, 1, 2
"""What a tick returns; FAILED: the controller has ended, and says that it did not do what it was to do."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a controller's file: line and column, counted from 1."""

    path: str
    script: str
    line: int
    column: int
    text: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return path, line and column for `--json`."""
        return {"path": self.path, "line": self.line, "column": self.column}


@dataclass(frozen=True, slots=True)
class Departure:
    """The condition under which a controller ended by itself.

    condition: as its file writes it, with the numbers that it had ("fallen x 1.2"); place: of the condition;
    fell: it says that the character has fallen; failed: it left as failed, by `to(fail)`.
    """

    condition: str
    place: Place
    fell: bool
    failed: bool = False


class StateRequest(NamedTuple):
    """What a controller asks of the simulation at the end of a step: to keep its state by a name, or go back to it."""

    action: Literal["save", "load"]
    name: str


class Surroundings(NamedTuple):
    """What a controller may be told of the world before it runs: the character's contact circles, and the ground."""

    shapes: Shapes
    terrain: Terrain


class HeldTargets(NamedTuple):
    """What J joints are driven to: NaN where a joint has no target, or a gain is the character's default."""

    angle: NDArray[np.float64]  # (J,) rad
    kp: NDArray[np.float64]  # (J,) N m/rad
    kd: NDArray[np.float64]  # (J,) N m s/rad

    @classmethod
    def nothing(cls, n_joints: int) -> HeldTargets:
        """Return the targets of joints that have none."""
        return cls(*(np.full(n_joints, math.nan) for _ in range(3)))


@runtime_checkable
class Controller(Protocol):
    """A controller ready to run: what `Simulation.run` takes.

    Immutable. `kind` names its kind (see `ctrlgraph.control.kinds`); `constants` (P,) are the values of its
    `parameters`, in their units, the vector that optimisers search; `digest` is a hash of everything that decides what
    it does.

    >>> from ctrlgraph import Project
    >>> squat = Project.find().controller("squat")
    >>> squat.kind, squat.parameters[0].id, len(squat.parameters) == len(squat.constants)
    ('script', 'squat.t/argument/time', True)
    """

    @property
    def kind(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def path(self) -> str: ...

    @property
    def constants(self) -> NDArray[np.float64]: ...

    @property
    def parameters(self) -> tuple[Parameter, ...]: ...

    @property
    def digest(self) -> str: ...

    def with_constants(self, constants: NDArray[np.float64]) -> Self:
        """Return the same controller with other parameters.

        Raises:
            ValueError: the vector has another length.
        """
        ...


@dataclass(frozen=True)
class ControllerKind:
    """How the controllers of one kind are read, and how they run.

    The compiled loop calls `tick`, `phase_of` and `asks`, which are kernels (`ctrlgraph.kernels.jit.kernel`); the
    other functions are called between runs. `data` and `state` are named tuples of arrays of float64 and int64, of one
    type for each kind: a snapshot is a copy of the state's arrays.

    name: what a node's entry in a graph file calls it. read: (path, arguments, character, the project's scripts) to a
    controller; raises SourceError with everything that is wrong with the file. data: a controller's arrays; raises
    SimulationError where its numbers cannot be run. new_state: for so many joints, with no targets. start(kin, data,
    state, cycles, time): begin it, to be run `cycles` times. hold(kin, state): let the joints be held where they are.
    tick(body, kin, data, state, motors, time): fill all of `motors`; RUNNING, FINISHED or FAILED. phase_of(state): the
    number of the phase it is in, noted with each sample of the motion. asks(state): whether it has a request for the
    simulation. requests(controller, state): these requests, which are withdrawn with that. place(controller, state):
    the phase's number as its author counts, and its place. departure(controller, character, body, kin, data, state,
    time, ended): how it ended, or how it would end now. held(state): what it drives the joints to. suffixes: of files
    that are of this kind where no graph says what they are, as ".t"; key: that only its files have, at the beginning of
    a line, where several kinds have one suffix.
    mirror(controller, character): the controller with right and left exchanged; None where the kind knows no sides.
    surrounded(controller, data, surroundings): the arrays with those of the world that they are run in; None where the
    kind does not look at it.
    fired(controller, character, body, kin, data, state, time): the condition by which a tick goes from one phase to the
    next, of the state before it; None where there is none, and for kinds without phases. awaited(controller, character,
    data, state): the conditions that its phase waits for, with the numbers that they have now; None for such kinds.
    phase_place(controller, phase): as `place`, of a number that `phase_of` gave; None for kinds without phases.
    """

    name: str
    read: Callable[[Path, tuple[float, ...], Character, ScriptLibrary], Controller]
    data: Callable[[Any], Any]
    new_state: Callable[[int], Any]
    start: Callable[[Kinematics, Any, Any, int, float], None]
    hold: Callable[[Kinematics, Any], None]
    tick: Callable[..., int]
    phase_of: Callable[[Any], int]
    asks: Callable[[Any], bool]
    requests: Callable[[Any, Any], Sequence[StateRequest]]
    place: Callable[[Any, Any], tuple[int | None, Place | None]]
    departure: Callable[..., Departure | None]
    held: Callable[[Any], HeldTargets]
    suffixes: tuple[str, ...] = ()
    key: str = ""
    mirror: Callable[[Any, Character], Any] | None = None
    surrounded: Callable[[Any, Any, Surroundings], Any] | None = None
    fired: Callable[..., Departure | None] | None = None
    awaited: Callable[..., tuple[Departure, ...]] | None = None
    phase_place: Callable[[Any, int], tuple[int | None, Place | None]] | None = None


def no_request(controller: Any, state: Any) -> Sequence[StateRequest]:
    """Return no requests, for kinds whose controllers never ask for anything."""
    return ()


def no_departure(
    controller: Any, character: Character, body: Body, kin: Kinematics, data: Any, state: Any, time: float, ended: bool
) -> Departure | None:
    """Return None, for kinds whose controllers end when their time is over and for no other reason."""
    return None


def refuse_arguments(path: Path, args: Sequence[float], what: str) -> None:
    """Raise where arguments are given to a file that takes none; `what` begins the sentence: "key frames take".

    Raises:
        CtrlGraphError: there are arguments.
    """
    if args:
        given = f"{len(args)} {'is' if len(args) == 1 else 'are'} given"
        raise CtrlGraphError(f"{display_path(path)}: {what} no arguments, and {given}")
