"""`ctrlgraph/Joints-v0`: an agent sets the target angles of the joints' PD control.

Action: a number from -1 to 1 for each joint. -1 is the lower and 1 the upper limit of the joint. The number sets the
target of PD control with the gains of the character for the next 20 ms.

Observation: the state of the body, the ground, then the current targets in rad. `Joints.observation_names` lists all
elements.

Reward: `forward_and_upright`, or a custom function of a `JointStep`.

Info: `x` of the centre of mass (m), in space also its `y` (m) and the `heading` of the trunk (rad), `seconds` since the
episode began, and `fallen`.

An episode terminates when the character falls. It is truncated after `seconds`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from ctrlgraph.arguments import checked
from ctrlgraph.bounds import MAX_TIMEOUT_S
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.falls import FALLEN_HEIGHT_SHARE, has_fallen
from ctrlgraph.control.keyframes.keyframes import new_keyframes
from ctrlgraph.control.keyframes.keyframes_kind import hold_angles
from ctrlgraph.engine import loop
from ctrlgraph.gym.checks import check_options, check_range, checked_numbers, checked_pose
from ctrlgraph.gym.environment import GroundPosition, ProjectEnvironment, ProjectLike
from ctrlgraph.gym.observation import Observation, Observer
from ctrlgraph.gym.rendering import SIZE
from ctrlgraph.simulation.execution import Execution
from ctrlgraph.simulation.rollout import Rollout

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character

Action = NDArray[np.float32]
Floats = NDArray[np.float64]

STEP_S = 0.02
"""Simulated time from one action to the next, s."""
INITIAL_NOISE = 0.02
"""Maximum deviation of the random initial angles from the pose at rest (see `Joints.action_of`), rad."""


@dataclass(frozen=True, slots=True)
class JointStep:
    """Result of one action of 20 ms in the environment `Joints`; the argument of a reward function."""

    way: float
    """Distance that the centre of mass moved forward during the action, m; in space along the heading before it."""
    seconds: float
    """Simulated duration of the action, s."""
    lean: float
    """Angle of the trunk from upright at the end of the action, rad; positive forward (clockwise) in the plane, in any
    direction in space."""
    fallen: bool
    """Whether the character has fallen."""


def forward_and_upright(step: JointStep) -> float:
    """Return a reward: the forward speed, m/s, plus the cosine of the trunk's angle from upright."""
    return step.way / step.seconds + math.cos(step.lean)


class Joints(ProjectEnvironment[Action]):
    """Environment in which an agent sets the target angles of the joints 50 times per simulated second.

    Args:
        project: a project directory or a `Project`. None selects the project of the current directory or the nearest
            parent directory.
        seconds: simulated time after which an episode is truncated, s.
        reward: function that returns the reward of a `JointStep`.
        observation: "plain" (units as in `ctrlgraph.gym.observation`) or "scaled" to about -1 to 1.
        render_mode: None or "rgb_array".
        size: width and height of a picture, pixels.
        terrain: terrain as text such as `slope=5`, or the path of a course file. `{seed}` in the text is replaced by a
            random number in each episode.
        friction: friction coefficient of the ground.
        engine: name of the physics engine; by default that of the project.

    >>> from ctrlgraph.gym.joints import Joints
    >>> env = Joints()
    >>> observation, info = env.reset(seed=3)
    >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    >>> terminated, truncated
    (False, False)
    >>> env.close()
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as in Gymnasium's own environments
        "render_modes": ["rgb_array"],
        "render_fps": round(1 / STEP_S),
    }

    @checked
    def __init__(
        self,
        project: ProjectLike = None,
        *,
        seconds: float = 20.0,
        reward: Callable[[JointStep], float] = forward_and_upright,
        observation: Literal["plain", "scaled"] = "plain",
        render_mode: str | None = None,
        size: tuple[int, int] = SIZE,
        terrain: str = "flat",
        friction: float = 1.0,
        engine: str | None = None,
    ) -> None:
        """
        Raises:
            CtrlGraphError: The project, terrain or engine does not exist.
            InvalidValue: An argument is out of range.
            SourceError: The project has errors.
        """
        super().__init__(project, terrain, friction, engine, render_mode, size)
        check_range("seconds", seconds, STEP_S, MAX_TIMEOUT_S - 1.0)
        joints = self.character.joints
        targets = [f"target {joint.name}" for joint in joints]
        self._observe_with(Observer(self.character, after=targets, scaled=observation == "scaled"))
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (len(joints),), np.float32)
        self._lower, self._upper = np.array([(joint.lower, joint.upper) for joint in joints]).T.copy()
        self._range = self._upper - self._lower
        self._names = self.character.joint_names
        self._rest = np.clip(_rest(self.character), self._lower, self._upper)
        self._seconds, self._reward = seconds, reward
        self._execution: Execution | None = None
        self._targets = self._observer.after
        self._rollout = _held(self.character, seconds + 1.0)

    def action_of(self, pose: Mapping[str, float]) -> Action:
        """Return the action (J,) that sets the angles of a pose as targets of the J joints.

        `action_of({})` sets the pose at rest: the reference pose, or the start pose of a character in space. An action
        of zeros sets the middle of the range of each joint instead.

        Args:
            pose: angles by name of the joint, rad; missing joints have their angles at rest.

        Raises:
            InvalidValue: A joint is unknown, or an angle exceeds its limits.
        """
        known = checked_pose(pose, self.character)
        angles = self._angles(known)
        return np.asarray(2.0 * (angles - self._lower) / self._range - 1.0, np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode with the character at rest on the ground; return the first observation and info.

        Args:
            seed: seed of the random numbers, as in Gymnasium.
            options: optionally `pose`: initial angles by name of the joint, rad; missing joints have their angles at
                rest. Without `pose` the angles are random, within `INITIAL_NOISE` of the pose at rest.

        Raises:
            InvalidValue: An option is unknown, or the pose is invalid.
        """
        given = check_options(options, ("pose",)).get("pose")
        pose = {} if given is None else checked_pose(given, self.character)
        super().reset(seed=seed)
        simulation = self._begin()
        drawn = self._rest + self.np_random.uniform(-INITIAL_NOISE, INITIAL_NOISE, len(self._rest))
        angles = self._angles(pose) if pose else np.clip(drawn, self._lower, self._upper)
        simulation.reset(pose | dict(zip(self._names, angles.tolist(), strict=True)))
        self._targets[:] = angles
        self._execution = simulation.begin(self._rollout)
        hold_angles(self._execution.data, self._targets)
        self._steps = max(1, round(STEP_S / simulation.settings.dt))
        self._done_s, self._place, self._height = 0.0, GroundPosition.of(simulation), simulation.height
        return self._observer.observe(simulation), self._info(False)

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Set the joint targets of an action and simulate 20 ms.

        Return observation, reward, whether the character has fallen, whether the time is over, and info.

        Raises:
            InvalidValue: The action is not one finite number for each joint.
            ResetNeeded: No episode has begun, or the last one is over.
        """
        simulation = self._simulation
        if self._execution is None or simulation is None:
            raise ResetNeeded("no episode is running: call reset() before step()")
        numbers = checked_numbers(action, len(self._range))
        self._targets[:] = self._lower + (np.minimum(np.maximum(numbers, -1.0), 1.0) + 1.0) / 2.0 * self._range
        hold_angles(self._execution.data, self._targets)
        status = simulation.advance(self._execution, self._steps, record=False)
        lean, lowest = simulation.tilt, FALLEN_HEIGHT_SHARE * self._height
        fallen = status == loop.BLEW_UP or has_fallen(lean, simulation.height, lowest)
        place, self._done_s = GroundPosition.of(simulation), self._done_s + STEP_S
        step = JointStep(self._place.way_to(place), STEP_S, lean, fallen)
        self._place = place
        truncated = self._done_s >= self._seconds - 1e-9
        if fallen or truncated:
            self._execution = None
        observation = self._observer.observe(simulation)
        return observation, float(self._reward(step)), fallen, truncated, self._info(fallen)

    def close(self) -> None:
        """Free the simulation. The next reset creates another one."""
        self._execution = None
        super().close()

    def _info(self, fallen: bool) -> dict[str, Any]:
        return {**self._place.info(self.character), "seconds": self._done_s, "fallen": fallen}

    def _angles(self, pose: Mapping[str, float]) -> Floats:
        """Return the angles (J,) of a pose, rad; missing joints have their angles at rest."""
        return np.array([pose.get(name, at_rest) for name, at_rest in zip(self._names, self._rest, strict=True)])


def _rest(character: Character) -> Floats:
    """Return the joint angles (J,) of a character at rest, rad: 0, or those of the start pose in space."""
    start = character.start_pose if isinstance(character, SpatialCharacter) else None
    return np.zeros(len(character.joints)) if start is None else np.array(start.angles)


def _held(character: Character, seconds: float) -> Rollout:
    """Return a rollout (one run of a controller) that holds all joints at the angle 0 with the character's PD gains.

    It lasts `seconds`. The environment replaces the target angles while it runs.
    """
    joints = character.joints
    gains = np.array([(joint.kp, joint.kd) for joint in joints])
    angles, columns = np.zeros((1, len(joints))), np.arange(len(joints))
    controller = new_keyframes("targets", character.joint_names, columns, np.zeros(1), angles, gains, duration=seconds)
    return Rollout(controller, timeout=seconds)
