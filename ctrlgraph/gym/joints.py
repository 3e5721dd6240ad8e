"""`ctrlgraph/Joints-v0`: an agent drives the joints by targets of PD control.

Action: a number from -1 to 1 for each joint, from its lower to its upper limit: where its PD drives it to, with the
gains of the character, for the next 20 ms. Observation: `ctrlgraph.gym.observation.state_names`, then the targets, rad
(`Joints.observation_names` lists all). Reward: `forward_and_upright`, or a function of your own. An episode is
terminated by a fall (`fallen` in the info) and truncated after `seconds`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Unpack

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from ctrlgraph.bounds import MAX_TIMEOUT_S
from ctrlgraph.control.controller import FALLEN_TORSO
from ctrlgraph.control.keyframes.keyframes import new_keyframes
from ctrlgraph.control.keyframes.kind import hold_angles
from ctrlgraph.engine import loop
from ctrlgraph.gym.checks import (
    check_options,
    check_pictures,
    check_reward,
    checked_number,
    checked_numbers,
    checked_pose,
)
from ctrlgraph.gym.observation import Observation, space_of, state_names, state_of, within
from ctrlgraph.gym.projects import EpisodeWorld, ProjectLike, WorldArguments
from ctrlgraph.gym.rendering import SIZE, Picture, Renderer
from ctrlgraph.simulation.execution import Execution
from ctrlgraph.simulation.rollout import Rollout

Action = NDArray[np.float32]

STEP_S = 0.02
"""From one action to the next, s."""
LOW = 0.6
"""Who is lower than this share of the height at the beginning has fallen."""
SHAKEN = 0.02
"""Angles at the beginning are drawn within so much of the reference pose, rad."""


@dataclass(frozen=True, slots=True)
class JointStep:
    """What came of an action: way forward, m, in so many seconds; lean of the trunk, rad, clockwise; fallen."""

    way: float
    seconds: float
    lean: float
    fallen: bool


def forward_and_upright(step: JointStep) -> float:
    """Return the speed forward, m/s, and the cosine of the trunk's lean."""
    return step.way / step.seconds + float(np.cos(step.lean))


class Joints(gymnasium.Env[Observation, Action]):
    """Targets for the joints, 50 times a second.

    Args:
        project: a project directory, or a `Project`; the nearest one upwards where None.
        seconds: simulated, after which an episode is truncated.
        reward: a function of a `JointStep`.
        render_mode: None or "rgb_array".
        size: of a picture, pixels.
        world: terrain, friction and engine, as `WorldArguments` tells.

    >>> from ctrlgraph.gym.joints import Joints
    >>> env = Joints()
    >>> observation, info = env.reset(seed=3)
    >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    >>> terminated, truncated
    (False, False)
    >>> env.close()
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium's own are no constants of the class either
        "render_modes": ["rgb_array"],
        "render_fps": round(1 / STEP_S),
    }

    def __init__(
        self,
        project: ProjectLike = None,
        *,
        seconds: float = 20.0,
        reward: Callable[[JointStep], float] = forward_and_upright,
        render_mode: str | None = None,
        size: tuple[int, int] = SIZE,
        **world: Unpack[WorldArguments],
    ) -> None:
        """
        Raises:
            CtrlGraphError: there is no such project or world.
            InvalidValue: an argument is unknown, of another kind, or out of range.
            SourceError: the project has faults.
        """
        seconds = checked_number("seconds", seconds, STEP_S, MAX_TIMEOUT_S - 1.0)
        check_reward(reward, JointStep)
        check_pictures(render_mode, self.metadata["render_modes"], size)
        self._world = EpisodeWorld(project, world)
        self.character = self._world.project.character
        joints = self.character.joints
        self.observation_names = (*state_names(self.character), *(f"target {joint.name}" for joint in joints))
        self._space = space_of(self.observation_names)
        self.observation_space = self._space  # type: ignore[assignment]  # a Box of any numbers, says Gymnasium
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (len(joints),), np.float32)
        self.render_mode = render_mode
        self._limits = np.array([(joint.lower, joint.upper) for joint in joints])
        self._seconds, self._reward, self._size = seconds, reward, size
        self._renderer: Renderer | None = None
        self._execution: Execution | None = None
        self._targets = np.zeros(len(joints))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode at rest on the ground; `options["pose"]` are angles by joint, in place of drawn ones.

        Raises:
            InvalidValue: an option is unknown, or the pose is none.
        """
        given = check_options(options, ("pose",)).get("pose")
        pose = {} if given is None else checked_pose(given, self.character)
        super().reset(seed=seed)
        simulation = self._world.begin(self.np_random)
        names = self.character.joint_names
        drawn = self.np_random.uniform(-SHAKEN, SHAKEN, len(names))
        pose = pose or dict(zip(names, np.clip(drawn, *self._limits.T).tolist(), strict=True))
        simulation.reset(pose)
        self._targets = np.array([float(pose.get(name, 0.0)) for name in names])
        gains = np.array([(joint.kp, joint.kd) for joint in self.character.joints])
        long = self._seconds + 1.0
        controller = new_keyframes(
            "targets", names, np.arange(len(names)), np.zeros(1), self._targets[None], gains, duration=long
        )
        self._execution = simulation.begin(Rollout(controller, timeout=long))
        self._done_s, self._x, self._height = 0.0, simulation.x, self._height_now()
        return self._observation(), self._info(False)

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Drive the joints to the action's targets for 20 ms.

        Raises:
            InvalidValue: the action is not one finite number for each joint.
            ResetNeeded: there is no episode, or it is over.
        """
        if self._execution is None:
            raise ResetNeeded("call reset before step")
        numbers = checked_numbers(action, len(self._limits))
        simulation = self._world.simulation
        lower, upper = self._limits.T
        self._targets = lower + (np.clip(numbers, -1.0, 1.0) + 1.0) / 2.0 * (upper - lower)
        hold_angles(self._execution.data, self._targets)
        status = simulation.advance(self._execution, max(1, round(STEP_S / simulation.settings.dt)))
        lean = _wrapped(float(simulation.snapshot().kinematics.link[self.character.trunk, 2]))
        fallen = status == loop.BLEW_UP or abs(lean) > FALLEN_TORSO or self._height_now() < LOW * self._height
        x, self._done_s = simulation.x, self._done_s + STEP_S
        step = JointStep(x - self._x, STEP_S, lean, fallen)
        self._x = x
        truncated = self._done_s >= self._seconds - 1e-9
        if fallen or truncated:
            self._execution = None
        return self._observation(), float(self._reward(step)), fallen, truncated, self._info(fallen)

    def render(self) -> Picture | None:
        """Return a picture (height, width, 3) of the moment; None where none is asked for."""
        if self.render_mode is None or self._world.is_closed:
            return None
        simulation = self._world.simulation
        self._renderer = self._renderer or Renderer(self.character, self._size)
        links = simulation.snapshot().kinematics.link
        return self._renderer.draw(links[:, :2], links[:, 2], simulation.terrain, simulation.time)

    def close(self) -> None:
        """Free the simulation."""
        self._execution = None
        self._world.close()

    def _height_now(self) -> float:
        simulation = self._world.simulation
        x, y = simulation.snapshot().kinematics.com[:2].tolist()
        return float(y - simulation.terrain.bridged.height(x))

    def _observation(self) -> Observation:
        return within(self._space, [*state_of(self._world.simulation), *self._targets.tolist()])

    def _info(self, fallen: bool) -> dict[str, Any]:
        return {"x": self._x, "seconds": self._done_s, "fallen": fallen}


def _wrapped(angle: float) -> float:
    return (angle + np.pi) % (2 * np.pi) - np.pi
