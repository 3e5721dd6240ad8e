"""The class `Simulation`: a character on a terrain that executes controllers, one after another."""

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
from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.controller import Command, Controller, ControllerKind, Departure, Instant
from ctrlgraph.control.kinds import CONTROLLER_KINDS
from ctrlgraph.engine import loop
from ctrlgraph.engine.commands import Clock
from ctrlgraph.engine.disturbance import (
    TorqueNoise,
    delayed_commands,
    disturbance,
    restore_delayed_commands,
    undisturbed,
)
from ctrlgraph.engine.engine import DEFAULT_ENGINE, ENGINES, EngineLibrary
from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.engine.spatial_pushes import SpatialPush
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.arrays import Floats, copy_arrays, new_motors
from ctrlgraph.kernels.jit import layout_of, machine_code
from ctrlgraph.parallel import stop_requested
from ctrlgraph.simulation import measures
from ctrlgraph.simulation.execution import Execution, ExecutionMark
from ctrlgraph.simulation.fall_prediction import FALLS, FALLS_BACKWARD, FALLS_FORWARD, PERIOD_S
from ctrlgraph.simulation.measures import Conditions, Motion, SpatialMotion
from ctrlgraph.simulation.moment import Moment
from ctrlgraph.simulation.outcome import MeasureValues, Outcome
from ctrlgraph.simulation.rollout import Rollout, require_runnable
from ctrlgraph.simulation.scenes.scene import Scene
from ctrlgraph.simulation.snapshot import Snapshot, overwrite_arrays
from ctrlgraph.simulation.success import final_status
from ctrlgraph.terrain.spatial.spatial_terrain import SpatialTerrain
from ctrlgraph.terrain.terrain import Terrain, TerrainPreview, flat

# Simulated time between reports of the progress, s.
_CHUNK = 0.5
_FNV_OFFSET = 14695981039346656037

Watcher = Callable[[Moment], None]
"""Function that a simulation calls with moments at regular intervals (see `Simulation.watch`)."""

# The loop releases the interpreter's lock, and ODE's worlds share data. Threads that step simultaneously would crash.
_ONE_AT_A_TIME = threading.RLock()


class Simulation:
    """A simulation of a character on a terrain that executes controllers, one after another.

    Several threads of a process can have simulations, but only one simulation makes time steps at a time.

    Args:
        character: the character.
        terrain: the ground; level by default. Terrain of the plane extends to both sides of a spatial character.
        engine: name of the physics engine.
        settings: settings of the engine, or a plain `WorldSettings`, which is completed by default values.
        seed: seed of the engine's random generator, which only ODE's quick solver uses.
        sample_rate: samples of the trace per simulated second.
        pushes: external forces on links, at simulated times.
        keep_trace: whether to keep the motion of all rollouts, which needs memory; otherwise only of the last one.

    Raises:
        SimulationError: the sample rate is out of range, the settings are those of another engine, a push is invalid,
            or the engine cannot simulate the character.
        CtrlGraphError: no engine has the name `engine`.
        EngineError: the engine's library is not installed or cannot be loaded.

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
        terrain: Terrain | SpatialTerrain | None = None,
        *,
        engine: str = DEFAULT_ENGINE,
        settings: WorldSettings | None = None,
        seed: int = 0,
        sample_rate: float = 100.0,
        pushes: Sequence[Push | SpatialPush] = (),
        keep_trace: bool = True,
    ) -> None:
        if not MIN_SAMPLE_RATE <= sample_rate <= MAX_SAMPLE_RATE:
            within = f"{MIN_SAMPLE_RATE:g} to {MAX_SAMPLE_RATE:g} samples per second"
            raise SimulationError(f"the sample rate must be {within}, not {sample_rate:g}")
        self.character = character
        self.engine = engine
        self.settings = ENGINES[engine].settings.completed(settings or WorldSettings())
        self.seed = seed
        self._library = ENGINES[engine].load()
        with _ONE_AT_A_TIME:
            self._scene = _scene_of(character, terrain, self._library, self.settings)
        self.terrain = self._scene.terrain
        self._body, self._kin, self._contacts = self._scene.body, self._scene.kin, self._scene.contacts
        self._world, self._exertion = self._scene.world, self._scene.exertion
        n_joints = len(character.joints)
        self._kind: ControllerKind[Any, Any, Any] | None = None
        self._state: Any = None
        self._motors = new_motors(n_joints)
        self._clock = Clock(np.zeros(1, np.int64), np.zeros(1), np.zeros(2), np.zeros(1, np.uint64))
        self._recorder = self._scene.recorder(max(1, round(1.0 / (sample_rate * self.settings.dt))), keep_trace)
        self._disturbance = undisturbed(self._scene.push_array(pushes), n_joints)
        self._saved: dict[str, tuple[NDArray[np.float64], Any]] = {}
        self._diverged = False
        self._judged_from = 0
        self._balanced = False
        self._watch: tuple[int, Watcher] | None = None
        self._prepared: tuple[Execution, Callable[..., int], object] | None = None
        self._checked: dict[ControllerKind[Any, Any, Any], tuple[object, Callable[..., int]]] = {}
        self.reset()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the memory of the engine. The simulation cannot be used afterwards."""
        with _ONE_AT_A_TIME:
            self._world.close()

    @property
    def time(self) -> float:
        """Return the simulated time since the simulation's start or the last reset, s."""
        return float(self._clock.step[0]) * self.settings.dt

    @property
    def x(self) -> float:
        """Return the horizontal world position of the character's centre of mass, m."""
        return self._scene.x

    @property
    def y(self) -> float:
        """Return the horizontal position of the character's centre of mass to the left, m; 0 in the plane."""
        return self._scene.y

    @property
    def heading(self) -> float:
        """Return the direction in which the trunk points, rad, from the x axis to the left; 0 in the plane."""
        return self._scene.heading

    @property
    def height(self) -> float:
        """Return the height of the character's centre of mass above the terrain without gaps and hurdles, m."""
        return self._scene.height

    @property
    def tilt(self) -> float:
        """Return the angle between the trunk and its upright pose, rad, positive forward; in space at least 0."""
        return self._scene.tilt

    @property
    def poses(self) -> tuple[Floats, Floats]:
        """Return the world positions (L, 2), m, and the global clockwise angles (L,), rad, of planar links."""
        return self._kin.link[:, :2], self._kin.link[:, 2]

    @property
    def body(self) -> Any:
        """Return the constants of the character as arrays, such as masses and joint limits."""
        return self._body

    @property
    def kinematics(self) -> Any:
        """Return the current state of links, joints and contacts.

        The arrays are not copies: do not change them. The next time step overwrites them.
        """
        return self._kin

    @property
    def preview(self) -> TerrainPreview:
        """Return the terrain preview at the position of the centre of mass: slope, and obstacles ahead."""
        return self._scene.preview

    @property
    def trace(self) -> Any:
        """Return the motion of all rollouts that have ended; without `keep_trace`, that of the last one."""
        return self._recorder.trace

    @property
    def last_trace(self) -> Any:
        """Return the motion of the last rollout."""
        return self._recorder.last_trace

    @property
    def judged_trace(self) -> Any:
        """Return the part of the last rollout's motion in which success conditions are measured.

        For the controller of a learned edge, the part begins with the target node of the edge, after the changed cycles
        of the source node and the bridging script. For other controllers, it is the whole motion.
        """
        return self.last_trace.from_phase(self._judged_from)

    def motion(self, trace: Any) -> Motion | SpatialMotion:
        """Return a recorded motion with the character and the ground, from which measures are computed.

        Args:
            trace: trace of this simulation, of at least one sample.
        """
        return self._scene.motion(trace, self.settings.gravity)

    @checked
    def reset(self, pose: dict[str, float] | None = None, *, height: float | None = None) -> None:
        """Place the character at rest on the ground, set the simulated time to 0, and discard the recorded motion.

        Args:
            pose: angles, rad, by name of the joint; "root" is the global angle of the root link. Missing angles are 0.
                The default is the reference pose.
            height: height of the lowest contact circle above the ground, m; 0 by default.

        Raises:
            SimulationError: a name is neither a joint nor "root", a number is not finite, or the simulation is closed.
        """
        self._check_open()
        if not math.isfinite(height or 0.0):
            raise SimulationError(f"the height above the ground must be a finite number, not {height}")
        with _ONE_AT_A_TIME:
            self._scene.place(pose or {}, height or 0.0)
        self._recorder.clear()
        self._saved.clear()
        self._diverged = False
        self._clock.step[0], self._clock.energy[0], self._clock.digest[0] = 0, 0.0, _FNV_OFFSET
        self._kind = self._state = None
        self._engine_seed = self.seed & 0x7FFFFFFF
        self._disturbance.line_filled[0] = 0

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
        """Execute a controller from the current state until it ends, leaves a bound or times out.

        Args:
            controller: the controller.
            cycles: number of times that the controller runs from beginning to end.
            timeout: simulated duration after which the controller is stopped, s.
            success: ranges of measures that are required for success, checked at the end.
            bounds: ranges of measures that must not be left at any time.
            plausible: ranges of measures that are required of every motion of the character, checked at the end.
            resume: whether to continue the same controller after a timeout instead of starting it from its beginning.
            on_progress: function that is called with the simulated time, s, twice per simulated second.

        Returns:
            The outcome: status, reason and measures.

        Raises:
            SimulationError: the simulation is closed, or has diverged and was not reset, or a value is out of range.
        """
        rollout = Rollout(controller, cycles, timeout, success or {}, bounds or {}, plausible or {})
        return self.run_rollout(rollout, resume=resume, on_progress=on_progress)

    @checked
    def run_rollout(
        self, rollout: Rollout, *, resume: bool = False, on_progress: Callable[[float], None] | None = None
    ) -> Outcome:
        """Simulate a rollout from the current state, and return its outcome.

        Args:
            rollout: controller, timeout and success conditions.
            resume: whether to continue the same controller after a timeout instead of starting it from its beginning.
            on_progress: function that is called with the simulated time, s, twice per simulated second.

        Raises:
            SimulationError: the simulation is closed, or has diverged and was not reset, or a value is out of range.

        >>> from ctrlgraph import Environment, Project
        >>> project = Project.find()
        >>> with Environment("slope=3").simulation(project.character) as simulation:
        ...     outcome = simulation.run_rollout(project.rollout(None, "stand", 1))
        >>> outcome.succeeded
        True
        """
        execution = self.begin(rollout, resume=resume)
        status = self.advance_watched(execution, first=True)
        while status in loop.GOES_ON:
            if on_progress is not None:
                on_progress(self.time)
            status = self.advance_watched(execution, first=False)
        return self.end(execution, status)

    @checked
    def watch(self, watcher: Watcher | None, seconds: float = 0.01) -> None:
        """Set a function that is called with the state at regular intervals in all later rollouts.

        Args:
            watcher: function that gets each sampled time step, including the first step and the end of each rollout. It
                must not change the simulation. None for no function.
            seconds: simulated time between calls, s.
        """
        self._watch = None if watcher is None else (max(1, round(seconds / self.settings.dt)), watcher)

    @checked
    def begin(self, rollout: Rollout, *, resume: bool = False) -> Execution:
        """Begin a rollout from the current state, without simulating a step.

        `advance` continues the rollout, and `end` returns its outcome. `run_rollout` does all three.

        Args:
            rollout: controller, timeout and success conditions.
            resume: whether to continue the same controller after a timeout instead of starting it from its beginning.

        Returns:
            The rollout in progress, for `advance` and `end`.

        Raises:
            SimulationError: the simulation is closed, or has diverged and was not reset, or a value is out of range.
        """
        self._check_open()
        if self._diverged:
            raise SimulationError("the simulation has diverged: call reset() before executing another controller")
        require_runnable(rollout, self.character)
        started, compilation_s = wall_clock.perf_counter(), compilation.compilation_s()
        step, entry_digest = int(self._clock.step[0]), self.state_digest()
        self._clock.effort[:] = 0.0  # otherwise rounding would make it depend on all previous runs
        kind = self._take(rollout.controller)
        data = kind.new_data(rollout.controller)
        data = kind.bind_environment(rollout.controller, data, self._scene.surroundings)
        if not resume:
            self._balanced = False
            kind.kernels.start(self._kin, data, self._state, rollout.cycles, self.time)
        limits = self._scene.limits(step + round(rollout.timeout / self.settings.dt), rollout.bounds)
        self._recorder.begin()
        self._judged_from = kind.judged_from(rollout.controller)
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
            compilation_s=compilation_s,
        )

    def advance(self, execution: Execution, steps: int, *, record: bool = True) -> int:
        """Continue a rollout by a number of time steps.

        Args:
            execution: the rollout in progress.
            steps: maximum number of time steps.
            record: whether the motion is added to the trace. If not, do not call `end`, which measures the trace.

        Returns:
            The result of the simulation loop (`ctrlgraph.engine.loop`): one of `GOES_ON` if the rollout has not
            ended, else how it ended.

        Raises:
            KeyboardInterrupt: this is a worker process, and its main process has requested it to stop.
            SimulationError: the controller requests to load a state that was not saved.
        """
        if stop_requested():
            raise KeyboardInterrupt
        samples = self._recorder.buffer(steps) if record else self._recorder.no_samples
        with _ONE_AT_A_TIME:
            self._world.seed(self._engine_seed)  # the worlds of an engine can share a random state
            status = self._advance(execution, samples, steps)
            self._engine_seed = self._world.seed_now()
        if record:
            self._recorder.add(samples)
        if status == loop.ASKS_FOR_STATE:
            self._serve(execution.rollout.controller)
        return status

    @checked
    def command(self, *, forward: float = 0.0, sideways: float = 0.0, turn: float = 0.0) -> None:
        """Set the desired velocity of the running gait controller. Until then the velocity in its file applies.

        Commands are not stored: a replay of the simulation must give the same commands at the same times.

        Args:
            forward: speed in the direction of the heading, m/s.
            sideways: speed to the left, m/s.
            turn: rate of the heading, rad/s, positive to the left.

        Raises:
            SimulationError: no controller has run, or a number is not finite.
            CtrlGraphError: the controller takes no commands, or not such fast ones.
        """
        command = Command(forward, sideways, turn)
        for name, value in zip(Command._fields, command, strict=True):
            if not abs(value) < math.inf:  # also true if it is not a number
                raise SimulationError(f"the command '{name}' must be a finite number, not {value}")
        if self._kind is None:
            raise SimulationError("commands need a running controller: begin a rollout first")
        self._kind.take_command(self._state, command)

    @property
    def cycles_left(self) -> int | None:
        """Return how many cycles the running controller has left; None if there is none, or it does not count them."""
        return None if self._kind is None else self._kind.cycles_left(self._state)

    def end_after_cycle(self, *, ends: bool = True) -> None:
        """Let the running controller end after the present cycle, or undo this. Only some kinds of controllers can.

        Args:
            ends: whether the controller ends after the present cycle, and not after all cycles of its rollout.
        """
        if self._kind is not None:
            self._kind.end_after_cycle(self._state, ends=ends)

    def advance_watched(self, execution: Execution, *, first: bool) -> int:
        """Continue a rollout to the next time at which the function set by `watch` is due, and call the function.

        If no function is set, the rollout is continued by half a simulated second.

        Args:
            execution: the rollout in progress.
            first: whether the rollout has just begun. The function is then called after the first step.

        Returns:
            The result of `advance`.
        """
        every, watcher = self._watch or (max(1, round(_CHUNK / self.settings.dt)), None)
        advance = self._advance_predicting if execution.rollout.predicts else self.advance
        status = advance(execution, 1 if first and watcher is not None else every)
        if watcher is not None:
            watcher(self._moment(execution, status not in loop.GOES_ON))
        return status

    def _advance_predicting(self, execution: Execution, steps: int) -> int:
        """As `advance`, but end the rollout if a fall is predicted in one of its directions.

        A fall is predicted only after the character has been balanced in this rollout: motions that begin with the last
        step of a gait come to rest by themselves.

        Returns:
            The result of `advance`, or one of `FALLS`.
        """
        every, status = max(1, round(PERIOD_S / self.settings.dt)), loop.STILL_RUNNING
        step = int(self._clock.step[0])
        last = step + steps
        while status in loop.GOES_ON and step < last:
            status = self.advance(execution, min(last - step, every - (step - execution.step) % every))
            step = int(self._clock.step[0])
            if status not in loop.GOES_ON or (step - execution.step) % every:
                continue
            excess = self._scene.capture_excess(self.settings.gravity)
            self._balanced |= excess == 0.0
            fall = FALLS_FORWARD if excess and excess > 0.0 else FALLS_BACKWARD
            if excess and self._balanced and FALLS[fall] in execution.rollout.predicts:
                # the loop records its last state only if it ends by itself
                now = replace(execution, limits=execution.limits._replace(last_step=step))
                status = self.advance(now, 1)
                return fall if status == loop.TIMED_OUT else status
        return status

    def mark(self, execution: Execution) -> ExecutionMark:
        """Return a copy of the state of a rollout in progress, from which `resume_at` can resume the rollout."""
        effort, contacts = self._clock.effort.copy(), copy_arrays(self._contacts)
        return ExecutionMark(self.snapshot(), execution, effort, contacts, self._recorder.so_far())

    def resume_at(self, mark: ExecutionMark, rollout: Rollout | None = None) -> Execution:
        """Resume a rollout from a stored state of this simulation, or of another simulation of the same character.

        The resumed rollout is bit-identical to an uninterrupted one.

        Args:
            mark: the stored state, which the method `mark` has returned.
            rollout: rollout to continue with instead of the stored one. Its outcome includes the time before the mark.

        Returns:
            The rollout in progress, for `advance` and `end`.

        Raises:
            SimulationError: the mark belongs to another character, the simulation is closed, or a value of the rollout
                is out of range.
        """
        self.restore(mark.snapshot)
        before = mark.execution
        execution = self.begin(rollout or before.rollout, resume=True)
        self._clock.effort[:] = mark.effort
        overwrite_arrays(self._contacts, mark.contacts)
        self._recorder.go_on_from(mark.recorded)
        last_step = before.step + round(execution.rollout.timeout / self.settings.dt)
        return replace(
            execution,
            step=before.step,
            energy=before.energy,
            entry_digest=before.entry_digest,
            limits=self._scene.limits(last_step, execution.rollout.bounds),
        )

    def end(self, execution: Execution, status: int) -> Outcome:
        """End a rollout, and return its outcome.

        Args:
            execution: the rollout in progress.
            status: the last result of `advance`.
        """
        rollout, kind = execution.rollout, execution.kind
        self._recorder.end()
        self._diverged = status == loop.BLEW_UP
        values = self._measures(self.judged_trace)
        if self._judged_from and rollout.plausible:  # these limits hold for the whole motion
            whole = self._measures(self.last_trace)
            for name, ends in rollout.plausible.items():
                if name not in rollout.success or measures.overshoot(name, whole[name], *ends):
                    values[name] = whole[name]
        departure = self._departure(execution, status)
        word, reason = final_status(status, rollout.timeout, values, rollout.conditions, rollout.bounds, departure)
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
            measures=MeasureValues(values),
            effort=float(spent),
            saturation=float(saturated) / (seconds * len(self.character.joints)) if seconds > 0 else 0.0,
            departure=departure,
            falling=FALLS.get(status, ""),
            judged=bool(rollout.success or rollout.bounds),
            compilation_s=compilation.compilation_s() - execution.compilation_s,
        )

    def _measures(self, trace: Any) -> dict[str, float]:
        return measures.measures_of(self.motion(trace)) if len(trace) else {}

    def _moment(self, execution: Execution, last: bool) -> Moment:
        """Return the last time step for the function set by `watch`.

        Args:
            execution: the rollout in progress.
            last: whether the rollout has ended. If so, the time is that of the final state, else that before the step.
        """
        phase, place = execution.kind.place(execution.rollout.controller, self._state)
        steps = int(self._clock.step[0]) - (not last)
        return Moment(
            time=float(steps) * self.settings.dt,  # bit-identical to the time of the tick
            kinematics=copy_arrays(self._kin),
            motors=copy_arrays(self._motors),
            torque=self._world.commands.applied.copy(),
            ground=self._scene.forces(),
            pushes=self._disturbance.pushes,
            energy=float(self._clock.energy[0]),
            phase=phase,
            place=place,
            last=last,
            execution=execution,
            state=copy_arrays(self._state),
        )

    def _take(self, controller: Controller) -> ControllerKind[Any, Any, Any]:
        """Select and return the kind of a controller. Create a new state if the previous controller had another kind.

        After a controller of another kind, the joints hold their angles until they get commands.
        """
        kind, self._prepared = CONTROLLER_KINDS[controller.kind], None
        if kind is not self._kind:
            self._kind, self._state = kind, kind.new_state(len(self.character.joints))
            kind.kernels.hold(self._kin, self._state)  # joints without commands must not be limp
        self._state = kind.fit_state(controller, self._state)
        return kind

    def _departure(self, execution: Execution, ended: int) -> Departure | None:
        """Return the condition by which the controller ended; after a timeout, by which it would end in this state.

        Args:
            execution: the rollout that has ended.
            ended: last result of the simulation loop.

        Returns:
            The condition; None if there is none, or if the rollout ended in another way.
        """
        if ended not in (loop.ENDED, loop.TIMED_OUT, loop.GAVE_UP):
            return None
        now = Instant(self.character, self._body, self._kin, execution.data, self._state, self.time)
        return execution.kind.departure(execution.rollout.controller, now, ended=ended != loop.TIMED_OUT)

    def disturb(
        self, pushes: Sequence[Push | SpatialPush] = (), noise: TorqueNoise | None = None, delay: float = 0.0
    ) -> None:
        """Replace all disturbances of the simulation.

        Args:
            pushes: external forces on links, at simulated times.
            noise: torque noise, at simulated times; None for none.
            delay: time by which all motor commands are delayed, s.

        Raises:
            SimulationError: a push names an unknown link, the noise does not have one column for each joint, or a
                number is out of range or not finite.
        """
        rows = self._scene.push_array(pushes)
        self._disturbance = disturbance(len(self.character.joints), self.settings.dt, rows, noise, delay)
        self._prepared = None  # the arrays have changed

    def snapshot(self) -> Snapshot:
        """Return a copy of the current state, for the method `restore` of a simulation of the same character."""
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
            delayed=delayed_commands(self._disturbance),
            torque=self._world.commands.applied.copy(),
            saved=dict(self._saved),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a state, bit for bit. Recorded samples after the time of the snapshot are discarded.

        A snapshot of a simulation with another engine restores the poses and velocities of the links, but not the
        states that controllers have saved by name.

        Raises:
            SimulationError: the snapshot belongs to a character with another number of links, or the simulation is
                closed.
        """
        self._check_open()
        if len(snapshot.kinematics.contact) != len(self.character.links):
            counts = f"{len(snapshot.kinematics.contact)} links, but the character has {len(self.character.links)}"
            raise SimulationError(f"the snapshot belongs to another character ({counts}): take a new snapshot")
        with _ONE_AT_A_TIME:
            if snapshot.engine == self.engine:
                self._world.load(snapshot.bodies)
            else:
                self._scene.place_like(snapshot.kinematics)
        overwrite_arrays(self._kin, snapshot.kinematics)
        self._kind = None if snapshot.kind is None else CONTROLLER_KINDS[snapshot.kind]
        self._state = None if snapshot.control is None else copy_arrays(snapshot.control)
        self._prepared = None
        self._clock.step[0], self._clock.energy[0] = snapshot.step, snapshot.energy
        self._clock.digest[0] = snapshot.digest
        self._engine_seed = snapshot.engine_seed
        restore_delayed_commands(self._disturbance, snapshot.delayed)
        self._world.commands.applied[:] = snapshot.torque
        self._saved = dict(snapshot.saved) if snapshot.engine == self.engine else {}
        self._diverged = False
        self._recorder.cut_back(self.time)

    def state_digest(self) -> str:
        """Return a hash of the current state of all bodies, 16 hexadecimal digits."""
        return hashlib.sha256(self._bodies().tobytes()).hexdigest()[:16]

    def history_digest(self) -> str:
        """Return a hash of all states since the simulation's start or the last reset, 16 hexadecimal digits."""
        return f"{int(self._clock.digest[0]):016x}"

    def _serve(self, controller: Controller) -> None:
        """Execute the commands SAVE and LOAD of a script: save or load the state of all bodies, not of the controller.

        Raises:
            SimulationError: the controller requests to load a state that was not saved.
        """
        assert self._kind is not None
        loop.reset_averages(self._exertion)
        for action, name in self._kind.take_requests(controller, self._state):
            if action == "save":
                self._saved[name] = self._bodies(), copy_arrays(self._kin)
                continue
            if name not in self._saved:
                raise SimulationError(f"LOAD {name} needs an earlier SAVE {name}: add the SAVE or remove the LOAD")
            bodies, kinematics = self._saved[name]
            self._world.load(bodies)
            overwrite_arrays(self._kin, kinematics)
            self._kin.last_contact[self._kin.contact != 0] = self.time

    def _advance(self, execution: Execution, record: Any, steps: int) -> int:
        """Run the compiled simulation loop for up to `steps` time steps, and return its result."""
        assert self._kind is not None
        if self._prepared is None or self._prepared[0] is not execution:
            self._prepared = execution, *self._loop(execution)
        _, advance, layout = self._prepared
        status = advance(
            self._world.data,
            self.settings.dt,
            self._body,
            self._scene.shapes,
            *self._scene.ground,
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
        if layout is not None:  # numba has checked the types of these arguments
            advance = machine_code(advance) or advance
            self._prepared, self._checked[self._kind] = (execution, advance, None), (layout, advance)
        return int(status)

    def _loop(self, execution: Execution) -> tuple[Callable[..., int], object]:
        """Return the compiled loop for a rollout, and the layout of those arguments that change between rollouts.

        If an earlier rollout with a controller of this kind had the same layout, the loop is machine code, and the
        layout is None. Otherwise it checks the types of its arguments.
        """
        assert self._kind is not None
        layout = layout_of((execution.data, self._state, execution.limits, self._disturbance))
        checked = self._checked.get(self._kind)
        if checked is not None and checked[0] == layout:
            return checked[1], None
        return self._scene.loop(self._kind), layout

    def _check_open(self) -> None:
        if self._world.closed:
            raise SimulationError("the simulation is closed: create a new one")

    def _bodies(self) -> NDArray[np.float64]:
        self._check_open()
        bodies: NDArray[np.float64] = self._world.bodies()
        return bodies


def _scene_of(
    character: Character, terrain: Terrain | SpatialTerrain | None, library: EngineLibrary, settings: WorldSettings
) -> Scene:
    """Return the scene of a character on a terrain in an engine; the terrain is level if it is None."""
    if isinstance(character, SpatialCharacter):
        from ctrlgraph.simulation.scenes.spatial_scene import SpatialScene

        return SpatialScene(character, terrain, library, settings)
    from ctrlgraph.simulation.scenes.planar_scene import PlanarScene

    if isinstance(terrain, SpatialTerrain):
        raise SimulationError(
            f"the character {character.name} is planar, so it needs planar terrain, not terrain in space"
        )
    return PlanarScene(require_planar(character, "a planar scene"), terrain or flat(), library, settings)


__all__ = ["Push", "Simulation", "Snapshot", "TorqueNoise", "WorldSettings"]
