"""Simulation: the object people hold. A character on a terrain runs controllers, one after another."""

from __future__ import annotations

import hashlib
import math
import threading
import time as wall_clock
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ctrlgraph import compilation
from ctrlgraph.arguments import checked
from ctrlgraph.bounds import MAX_SAMPLE_RATE, MIN_SAMPLE_RATE
from ctrlgraph.character.model import Character
from ctrlgraph.control.controller import Controller, ControllerKind, Departure, Surroundings
from ctrlgraph.control.kinds import CONTROLLER_KINDS
from ctrlgraph.engine import loop
from ctrlgraph.engine.disturbance import TorqueNoise, commands_under_way, disturbance, put_under_way, undisturbed
from ctrlgraph.engine.engine import DEFAULT_ENGINE, ENGINES, Clock
from ctrlgraph.engine.pushes import Push, push_array
from ctrlgraph.engine.settings import WorldSettings
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.arrays import Kinematics, body_arrays, copy_arrays, new_kinematics, new_motors
from ctrlgraph.kernels.collision import MAX_CONTACTS, new_contacts, shapes_of
from ctrlgraph.kernels.jit import machine_code
from ctrlgraph.kernels.kinematics import update_joints
from ctrlgraph.parallel import stop_requested
from ctrlgraph.simulation import measures
from ctrlgraph.simulation.bounds import limits_of
from ctrlgraph.simulation.execution import Execution, ExecutionMark
from ctrlgraph.simulation.measures import Conditions
from ctrlgraph.simulation.moment import Moment, forces_of
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.placement import clearance, posed
from ctrlgraph.simulation.recording import Recorder, new_exertion
from ctrlgraph.simulation.rollout import Rollout, require_runnable
from ctrlgraph.simulation.snapshot import Snapshot
from ctrlgraph.simulation.trace import Trace
from ctrlgraph.simulation.verdict import verdict
from ctrlgraph.terrain.profile import Terrain, TerrainPreview, flat

# How much is simulated between looks at the progress, s.
_CHUNK = 0.5
_FNV_OFFSET = 14695981039346656037

Watcher = Callable[[Moment], None]

# The loop runs without the interpreter's lock, and ODE's worlds share things: two threads that step at once crash.
_ONE_AT_A_TIME = threading.RLock()


class Simulation:
    """A character on a terrain, ready to run controllers.

    Simulations may run in several threads of a process; their engines step one at a time.

    Args:
        character: who moves.
        terrain: the ground; level where None.
        engine: the name of the physics engine.
        settings: how it is run, and its time step; the engine's own, or those that all have.
        seed: of the engine's own random state (only the quick solver uses it).
        sample_rate: samples of the trace per simulated second.
        pushes: outside forces, in the simulation's time.
        keep_trace: whether the motion of every controller is kept, for which memory grows, or of the last alone.

    >>> from ctrlgraph import Project, Simulation
    >>> project = Project.find()
    >>> with Simulation(project.character) as simulation:
    ...     outcome = simulation.run(project.controller("stand"), timeout=5)
    >>> print(outcome.status)
    completed
    """

    @checked
    def __init__(
        self,
        character: Character,
        terrain: Terrain | None = None,
        *,
        engine: str = DEFAULT_ENGINE,
        settings: WorldSettings | None = None,
        seed: int = 0,
        sample_rate: float = 100.0,
        pushes: Sequence[Push] = (),
        keep_trace: bool = True,
    ) -> None:
        if not MIN_SAMPLE_RATE <= sample_rate <= MAX_SAMPLE_RATE:
            within = f"{MIN_SAMPLE_RATE:g} and {MAX_SAMPLE_RATE:g} 1/s"
            raise SimulationError(f"the sample rate must be within {within}, not {sample_rate:g}")
        self.character = character
        self.terrain = terrain or flat()
        self.engine = engine
        self.settings = ENGINES[engine].settings.completed(settings or WorldSettings())
        self.seed = seed
        self._body = body_arrays(character)
        n_links, n_joints = len(character.links), len(character.joints)
        self._shapes = shapes_of(character)
        self._library = ENGINES[engine].load()
        with _ONE_AT_A_TIME:
            self._world = self._library.open(character, self.settings, self.terrain, MAX_CONTACTS)
        self._kin = new_kinematics(n_links, n_joints)
        self._kind: ControllerKind | None = None
        self._state: Any = None
        self._motors = new_motors(n_joints)
        self._contacts = new_contacts()
        self._exertion = new_exertion(n_links, self._world.commands.applied, self.settings.dt)
        self._clock = Clock(np.zeros(1, np.int64), np.zeros(1), np.zeros(2), np.zeros(1, np.uint64))
        self._recorder = Recorder(self._exertion, max(1, round(1.0 / (sample_rate * self.settings.dt))), keep_trace)
        self._disturbance = undisturbed(n_joints)._replace(pushes=push_array(character, pushes))
        self._saved: dict[str, tuple[NDArray[np.float64], Kinematics]] = {}
        self._diverged = False
        self._watch: tuple[int, Watcher] | None = None
        self._prepared: tuple[Execution, Callable[..., int]] | None = None
        self.reset()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the engine's world."""
        with _ONE_AT_A_TIME:
            self._world.close()

    @property
    def time(self) -> float:
        """Return simulated seconds since the start."""
        return float(self._clock.step[0]) * self.settings.dt

    @property
    def x(self) -> float:
        """Return where the centre of mass is along the ground, m."""
        return float(self._kin.com[0])

    @property
    def kinematics(self) -> Kinematics:
        """Return where the character is: the live arrays, which the next step overwrites; do not change them."""
        return self._kin

    @property
    def preview(self) -> TerrainPreview:
        """Return the ground below and before the centre of mass."""
        return self.terrain.preview(self.x)

    @property
    def trace(self) -> Trace:
        """Return the motion since the start; where that is not kept, of the last controller that ran."""
        return self._recorder.trace

    @property
    def last_trace(self) -> Trace:
        """Return the motion of the last controller that ran."""
        return self._recorder.last_trace

    @checked
    def reset(self, pose: dict[str, float] | None = None, *, height: float | None = None) -> None:
        """Back to the start at rest: the reference pose on the ground at x = 0, or the given joint angles.

        Args:
            pose: joint angles in rad by name, and `root` for the root link's global angle.
            height: of the lowest contact circle's lowest point above the ground, m.

        Raises:
            SimulationError: a name is no joint.
        """
        self._check_open()
        poses = posed(self.character, self._body, pose or {})
        if not math.isfinite(height or 0.0):
            raise SimulationError(f"the height above the ground must be a finite number, not {height}")
        poses[:, 1] += (height or 0.0) - clearance(poses, self._shapes, self.terrain)
        self._recorder.clear()
        self._saved.clear()
        self._diverged = False
        self._clock.step[0], self._clock.energy[0], self._clock.digest[0] = 0, 0.0, _FNV_OFFSET
        self._kind = self._state = None
        n_links, n_joints = len(self.character.links), len(self.character.joints)
        for mine, fresh in zip(self._kin, new_kinematics(n_links, n_joints), strict=True):
            mine[...] = fresh
        self._engine_seed = self.seed & 0x7FFFFFFF
        self._disturbance.line_filled[0] = 0
        with _ONE_AT_A_TIME:
            self._world.place(np.hstack([poses, np.zeros_like(poses)]))
        self._kin.link[:, 2] = poses[:, 2]
        self._library.kernels.observe(self._world.data, self._kin)
        update_joints(self._body, self._kin)

    @checked
    def run(
        self,
        controller: Controller,
        *,
        cycles: int = 1,
        timeout: float = 20.0,
        success: Conditions | None = None,
        bounds: Conditions | None = None,
        plausible: Conditions | None = None,
        resume: bool = False,
        on_progress: Callable[[float], None] | None = None,
    ) -> Outcome:
        """Run a controller from the present state until it ends, fails, or its time is over.

        `controller`, `cycles`, `timeout`, `success`, `bounds` and `plausible` are as a `Rollout` has them.

        Args:
            resume: go on where this very controller was stopped by its timeout, instead of beginning it anew.
            on_progress: called with the simulated time every half second of it.

        Raises:
            SimulationError: the simulation has diverged and was not reset, or a value is out of range.
        """
        rollout = Rollout(controller, cycles, timeout, success or {}, bounds or {}, plausible or {})
        execution = self.begin(rollout, resume=resume)
        first = True
        while True:
            status = self.advance_watched(execution, first=first)
            first = False
            if on_progress is not None:
                on_progress(self.time)
            if status not in loop.GOES_ON:
                return self.end(execution, status)

    @checked
    def watch(self, watcher: Watcher | None, seconds: float = 0.01) -> None:
        """Let `watcher` see a moment of what runs from now on every so many seconds (s), the first and the last one of
        each controller among them; None: nobody. What is simulated is the same, bit for bit."""
        self._watch = None if watcher is None else (max(1, round(seconds / self.settings.dt)), watcher)

    @checked
    def begin(self, rollout: Rollout, *, resume: bool = False) -> Execution:
        """Begin a rollout from the present state, to be advanced step by step and ended: what `run` does at one go.

        Args:
            resume: go on where this very controller was stopped by its timeout, instead of beginning it anew.

        Raises:
            SimulationError: the simulation has diverged and was not reset, or a value is out of range.
        """
        self._check_open()
        if self._diverged:
            raise SimulationError("the simulation has diverged; reset it before running another controller")
        require_runnable(rollout, self.character)
        started, compiling_s = wall_clock.perf_counter(), compilation.compiling_s()
        step, entry_digest = int(self._clock.step[0]), self.state_digest()
        self._clock.effort[:] = 0.0  # a difference of sums would depend, in its last digits, on all runs before
        kind = self._take(rollout.controller)
        data = kind.data(rollout.controller)
        if kind.surrounded is not None:
            data = kind.surrounded(rollout.controller, data, Surroundings(self._shapes, self.terrain))
        if not resume:
            kind.start(self._kin, data, self._state, rollout.cycles, self.time)
        limits = limits_of(step + round(rollout.timeout / self.settings.dt), rollout.bounds, self.terrain)
        self._recorder.begin()
        return Execution(
            rollout=rollout,
            kind=kind,
            data=data,
            limits=limits,
            step=step,
            energy=float(self._clock.energy[0]),
            entry_digest=entry_digest,
            engine_messages=self._library.messages(),
            started=started,
            compiling_s=compiling_s,
        )

    def advance(self, execution: Execution, steps: int, *, record: bool = True) -> int:
        """Advance a rollout by up to `steps` time steps.

        Args:
            record: whether the motion is added to the trace; without it nothing is measured, so do not call `end`.

        Returns:
            How it ended, or one of `loop.GOES_ON` where it has not.

        Raises:
            KeyboardInterrupt: this is a worker process that should stop.
        """
        if stop_requested():
            raise KeyboardInterrupt
        samples = self._recorder.buffer(steps) if record else self._recorder.no_samples
        with _ONE_AT_A_TIME:
            self._world.seed(self._engine_seed)  # an engine may have one random state for all worlds
            status = self._advance(execution, samples, steps)
            self._engine_seed = self._world.seed_now()
        if record:
            self._recorder.add(samples)
        if status == loop.ASKS_FOR_STATE:
            self._serve(execution.rollout.controller)
        return status

    def advance_watched(self, execution: Execution, *, first: bool) -> int:
        """Go on to the next moment that is watched, half a second where nobody watches, and let it be seen; returns
        what `advance` does.

        Args:
            first: the rollout has just begun; its first step is watched, too.
        """
        every, watcher = self._watch or (max(1, round(_CHUNK / self.settings.dt)), None)
        status = self.advance(execution, 1 if first and watcher is not None else every)
        if watcher is not None:
            watcher(self._moment(execution, status not in loop.GOES_ON))
        return status

    def mark(self, execution: Execution) -> ExecutionMark:
        """Return this moment of a rollout that is under way, to go on from with `resume_at`."""
        effort, contacts = self._clock.effort.copy(), copy_arrays(self._contacts)
        return ExecutionMark(self.snapshot(), execution, effort, contacts, self._recorder.so_far())

    def resume_at(self, mark: ExecutionMark, rollout: Rollout | None = None, control: Any = None) -> Execution:
        """Return to a mark, of this simulation or of another of the same character, and go on from there.

        What comes of it is what would have come had the rollout never been left, bit for bit.

        Args:
            rollout: another one to go on with, which is judged as if it had run from the beginning.
            control: its controller's state, where that is not the state of the mark.

        Raises:
            SimulationError: the mark is of another character, or the rollout cannot be run.
        """
        snapshot = mark.snapshot if control is None else replace(mark.snapshot, control=control)
        self.restore(snapshot)
        before = mark.execution
        execution = self.begin(rollout or before.rollout, resume=True)
        self._clock.effort[:] = mark.effort
        for mine, saved in zip(self._contacts, mark.contacts, strict=True):
            mine[...] = saved
        self._recorder.go_on_from(mark.recorded)
        last_step = before.step + round(execution.rollout.timeout / self.settings.dt)
        return replace(
            execution,
            step=before.step,
            energy=before.energy,
            entry_digest=before.entry_digest,
            limits=limits_of(last_step, execution.rollout.bounds, self.terrain),
        )

    def end(self, execution: Execution, status: int) -> Outcome:
        """Return the outcome of a rollout that has ended so, judged by its conditions."""
        rollout, kind = execution.rollout, execution.kind
        self._recorder.end()
        self._diverged = status == loop.BLEW_UP
        values = measures.measure(self.last_trace, self.character, self.terrain, self.settings.gravity)
        departure = self._departure(execution, status)
        word, reason = verdict(status, rollout.timeout, values, rollout.conditions, rollout.bounds, departure)
        phase, place = kind.place(rollout.controller, self._state)
        seconds = (int(self._clock.step[0]) - execution.step) * self.settings.dt
        spent, saturated = self._clock.effort
        return Outcome(
            status=word,
            reason=reason,
            phase=phase,
            place=place,
            simulated_s=seconds,
            wall_s=wall_clock.perf_counter() - execution.started,
            energy_j=float(self._clock.energy[0]) - execution.energy,
            entry_digest=execution.entry_digest,
            engine_messages=self._library.messages() - execution.engine_messages,
            measures=values,
            effort=float(spent),
            saturation=float(saturated) / (seconds * len(self.character.joints)) if seconds > 0 else 0.0,
            departure=departure,
            judged=bool(rollout.success or rollout.bounds),
            compiling_s=compilation.compiling_s() - execution.compiling_s,
        )

    def _moment(self, execution: Execution, last: bool) -> Moment:
        """The step that has just been made; where it was the `last`, the state in which no step followed."""
        force, pressure = forces_of(self._contacts, len(self.character.links))
        phase, place = execution.kind.place(execution.rollout.controller, self._state)
        return Moment(
            time=float(int(self._clock.step[0]) - (not last)) * self.settings.dt,  # as the tick had it, to the bit
            kinematics=copy_arrays(self._kin),
            motors=copy_arrays(self._motors),
            torque=self._world.commands.applied.copy(),
            force=force,
            pressure=pressure,
            energy=float(self._clock.energy[0]),
            phase=phase,
            place=place,
            last=last,
            execution=execution,
            state=copy_arrays(self._state),
        )

    def _take(self, controller: Controller) -> ControllerKind:
        """Make room for the state of a controller's kind; where the one before was of another, joints are held."""
        kind, self._prepared = CONTROLLER_KINDS[controller.kind], None
        if kind is not self._kind:
            self._kind, self._state = kind, kind.new_state(len(self.character.joints))
            kind.hold(self._kin, self._state)  # so that a controller's unnamed joints are not limp
        return kind

    def _departure(self, execution: Execution, ended: int) -> Departure | None:
        """How the controller left; after its time is over, how it would leave now (one that lasts begins again)."""
        if ended not in (loop.ENDED, loop.TIMED_OUT, loop.GAVE_UP):
            return None
        controller, now = execution.rollout.controller, (self._kin, execution.data, self._state, self.time)
        return execution.kind.departure(controller, self.character, self._body, *now, ended != loop.TIMED_OUT)

    def disturb(self, pushes: Sequence[Push] = (), noise: TorqueNoise | None = None, delay: float = 0.0) -> None:
        """Let these pushes, torque noise and delay of the commands (s) act from now on (times are the simulation's).

        Raises:
            SimulationError: a link is unknown, the noise does not fit the joints, or a number is out of range.
        """
        self._disturbance = disturbance(self.character, self.settings.dt, pushes, noise, delay)
        self._prepared = None  # other arrays

    def snapshot(self) -> Snapshot:
        """Return a copy of the state, to go back to or to hand to another simulation of the same kind."""
        return Snapshot(
            engine=self.engine,
            bodies=self._bodies(),
            kinematics=copy_arrays(self._kin),
            kind=None if self._kind is None else self._kind.name,
            control=None if self._state is None else copy_arrays(self._state),
            step=int(self._clock.step[0]),
            energy=float(self._clock.energy[0]),
            digest=int(self._clock.digest[0]),
            engine_seed=self._engine_seed,
            delayed=commands_under_way(self._disturbance),
            saved=dict(self._saved),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Go on from a snapshot, bit for bit; the trace is cut back to its time.

        From one of another engine, with the same poses and velocities of the links: what controllers have saved by name
        stays behind.

        Raises:
            SimulationError: it is of another character.
        """
        self._check_open()
        if len(snapshot.kinematics.link) != len(self.character.links):
            raise SimulationError(f"the snapshot is not of the character {self.character.name}")
        with _ONE_AT_A_TIME:
            if snapshot.engine == self.engine:
                self._world.load(snapshot.bodies)
            else:
                self._world.place(snapshot.kinematics.link)
        for mine, saved in zip(self._kin, snapshot.kinematics, strict=True):
            mine[...] = saved
        self._kind = None if snapshot.kind is None else CONTROLLER_KINDS[snapshot.kind]
        self._state = None if snapshot.control is None else copy_arrays(snapshot.control)
        self._prepared = None
        self._clock.step[0], self._clock.energy[0] = snapshot.step, snapshot.energy
        self._clock.digest[0] = snapshot.digest
        self._engine_seed = snapshot.engine_seed
        put_under_way(self._disturbance, snapshot.delayed)
        self._saved = dict(snapshot.saved) if snapshot.engine == self.engine else {}
        self._diverged = False
        self._recorder.cut_back(self.time)

    def state_digest(self) -> str:
        """Return the digest of the present state of all bodies, bit for bit."""
        return hashlib.sha256(self._bodies().tobytes()).hexdigest()[:16]

    def history_digest(self) -> str:
        """Return the digest of every state since the start, bit for bit."""
        return f"{int(self._clock.digest[0]):016x}"

    def _serve(self, controller: Controller) -> None:
        """Save or load what the controller asks for: the state of all bodies, not the controller's."""
        assert self._kind is not None
        loop.forget_last_steps(self._exertion)
        for action, name in self._kind.requests(controller, self._state):
            if action == "save":
                self._saved[name] = self._bodies(), copy_arrays(self._kin)
                continue
            if name not in self._saved:
                raise SimulationError(f"LOAD {name}: no state of that name was saved in this simulation")
            bodies, kinematics = self._saved[name]
            self._world.load(bodies)
            for mine, saved in zip(self._kin, kinematics, strict=True):
                mine[...] = saved
            self._kin.last_contact[self._kin.contact != 0] = self.time

    def _advance(self, execution: Execution, record: loop.SampleBuffer, steps: int) -> int:
        """Run the compiled loop for up to `steps` steps; return how it ended."""
        assert self._kind is not None
        prepared = self._prepared
        if prepared is None or prepared[0] is not execution:
            prepared = execution, loop.compiled_loop(self._library.kernels, self._kind)
        status = prepared[1](
            self._world.data,
            self.settings.dt,
            self._body,
            self._shapes,
            self.terrain.x,
            self.terrain.y,
            execution.data,
            self._kin,
            self._state,
            self._motors,
            self._contacts,
            self._clock,
            record,
            execution.limits,
            self._disturbance,
            steps,
        )
        if prepared is not self._prepared:  # it has accepted these very arguments
            self._prepared = execution, machine_code(prepared[1]) or prepared[1]
        return int(status)

    def _check_open(self) -> None:
        if self._world.closed:
            raise SimulationError("the simulation is closed")

    def _bodies(self) -> NDArray[np.float64]:
        self._check_open()
        return self._world.bodies()


__all__ = ["Push", "Simulation", "Snapshot", "TorqueNoise", "WorldSettings"]
