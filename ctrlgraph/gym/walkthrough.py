"""`ctrlgraph/Walkthrough-v0`: an agent walks the controller graph by choosing the next edge.

Action: the index of a planned edge out of the current node, in the order of the graph file. `action_mask` in the info
marks the valid actions: the edges for the ground at the character or, if there are none, those whose ground ranges are
nearest to it. An invalid action does not move the character, but counts as a transition. The target of an edge runs its
minimum number of cycles, or a random number from its range.

Observation: the current node (`at NODE`: 1 for this node, 0 for others), the state of the body, and the ground
(`ctrlgraph.gym.observation`). `Walkthrough.observation_names` lists all elements.

Reward: `metres_forward`, or a custom function of an `EdgeStep`.

Info: `action_mask`; `node`, the current node; `x` of the centre of mass (m); in space also its `y` (m) and the
`heading` of the trunk (rad); `seconds` since the episode began; `taken`, whether the action was valid; `succeeded`,
whether the transition succeeded.

An episode terminates when a transition fails and, with `recover`, the corrective edges do not lead to a static pose
either. It is truncated after `transitions` transitions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from ctrlgraph.arguments import checked
from ctrlgraph.graph.model import Edge
from ctrlgraph.graph.random_planner import PlannedTransition, draw_cycles
from ctrlgraph.gym.checks import check_options, check_range, checked_index
from ctrlgraph.gym.environment import GroundPosition, ProjectEnvironment, ProjectLike
from ctrlgraph.gym.observation import Observation, Observer
from ctrlgraph.gym.rendering import FPS, SIZE
from ctrlgraph.robustness.noise import torque_noise
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.terrain import TerrainPreview
from ctrlgraph.walks.walker import Walker, WalkIdentity

Mask = NDArray[np.int8]

FALL = 5.0
"""Number that is subtracted from the reward after a fall, m."""
MAX_TRANSITIONS = 100_000
"""Maximum of the argument `transitions` of `Walkthrough`."""
MAX_NOISE = 1.0
"""Maximum of the argument `noise` of `Walkthrough`."""
NOISE_S = 0.5
"""Duration of the torque noise at the beginning of each transition, s."""


@dataclass(frozen=True, slots=True)
class EdgeStep:
    """Result of one transition of the environment `Walkthrough`; the argument of a reward function."""

    edge: Edge | None
    """The edge of the graph that was taken; None if the action was invalid."""
    succeeded: bool
    """Whether the transition succeeded. Corrective edges (taken after a failure) do not count."""
    fallen: bool
    """Whether the episode ends because the transition failed and corrective edges, if tried, did not help."""
    way: float
    """Distance that the centre of mass moved forward, including corrective edges, m; in space along the heading before
    the transition."""
    seconds: float
    """Simulated time, including corrective edges, s."""


def metres_forward(transition: EdgeStep) -> float:
    """Return a reward: the distance forward in a transition, m, minus `FALL` if the episode ends by a failure."""
    return transition.way - FALL * transition.fallen


class Walkthrough(ProjectEnvironment[np.int64]):
    """Environment in which an agent walks the controller graph by choosing the next edge.

    Args:
        project: a project directory or a `Project`. None selects the project of the current directory or the nearest
            parent directory.
        transitions: number of transitions after which an episode is truncated.
        noise: standard deviation of random torques in the first `NOISE_S` seconds of each transition, as a share of the
            torque limit of each joint. With noise during the whole transition, no pose would come to rest.
        cycles: number of cycles of each target: "least" for the minimum, "drawn" for a random number from its range.
        recover: whether to take corrective edges to a static pose after a failure.
        reward: function that returns the reward of an `EdgeStep`.
        render_mode: None or "rgb_array" (the state after the last transition).
        size: width and height of a picture, pixels.
        terrain: terrain as text such as `slope=5`, or the path of a course file. `{seed}` in the text is replaced by a
            random number in each episode.
        friction: friction coefficient of the ground.
        engine: name of the physics engine; by default that of the project.

    >>> from ctrlgraph.gym.walkthrough import Walkthrough
    >>> env = Walkthrough(transitions=2)
    >>> observation, info = env.reset(seed=3)
    >>> info["node"], [edge.target for edge in env.edges][:2]
    ('stand', ['walk', 'run'])
    >>> observation, reward, terminated, truncated, info = env.step(0)
    >>> info["node"], terminated, reward > 1.0
    ('walk', False, True)
    >>> env.close()
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as in Gymnasium's own environments
        "render_modes": ["rgb_array"],
        "render_fps": FPS,
    }

    @checked
    def __init__(
        self,
        project: ProjectLike = None,
        *,
        transitions: int = 40,
        noise: float = 0.0,
        cycles: Literal["least", "drawn"] = "least",
        recover: bool = False,
        reward: Callable[[EdgeStep], float] = metres_forward,
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
        check_range("transitions", transitions, 1, MAX_TRANSITIONS, of="a whole number")
        check_range("noise", noise, 0.0, MAX_NOISE, of="a share of the torque limits")
        self._transitions, self._noise, self._recover, self._reward = transitions, noise, recover, reward
        self._draws_cycles = cycles == "drawn"
        self.project.require_learned()
        self.graph = self.project.graph
        self._observe_with(Observer(self.character, before=[f"at {name}" for name in self.graph.nodes]))
        self._outgoing = {name: self.graph.planned_edges(name) for name in self.graph.nodes}
        self._most = max(1, *map(len, self._outgoing.values()))
        self.action_space = gymnasium.spaces.Discrete(self._most)
        self._walker: Walker | None = None
        self._is_over = True
        self._left = 0

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Return the planned (naive or learned) edges out of the current node. Action i takes the edge with index i."""
        return tuple(self._outgoing[self._at.node])

    @property
    def preview(self) -> TerrainPreview:
        """Return the slope of the ground at the character, and the next obstacle in sight."""
        return self._at.simulation.preview

    def action_mask(self) -> Mask:
        """Return an array with 1 for each valid action and 0 for the others, (actions,)."""
        mask, preview = np.zeros(self._most, np.int8), self.preview
        off = [self.graph.beyond(edge, preview) for edge in self.edges]
        mask[: len(off)] = [each <= min(off) for each in off]
        return mask

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode: run the start node from the start pose without noise; return observation and info.

        Args:
            seed: seed of the random numbers, as in Gymnasium.
            options: must be empty or None.

        Raises:
            InvalidValue: `options` contains an option.
        """
        check_options(options)
        super().reset(seed=seed)
        simulation = self._begin()
        identity = WalkIdentity("", 0, simulation.seed, self._world.digest, self._world.body.length)
        simulation.reset()
        self._walker = Walker(self.project, simulation, None, identity)
        self._walker.start()
        self._is_over, self._left = False, self._transitions
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take the edge with the index `action` and run its target node.

        Return observation, reward, whether the episode ends by a failure, whether it ends by its length, and info.

        Raises:
            InvalidValue: The action is not a whole number in the action space.
            ResetNeeded: No episode has begun, or the last one is over.
        """
        if self._is_over:
            raise ResetNeeded("no episode is running: call reset() before step()")
        index = checked_index(action, self._most)
        walker, simulation = self._at, self._at.simulation
        place, began = GroundPosition.of(simulation), simulation.time
        edge = self.edges[index] if self.action_mask()[index] else None
        succeeded, fallen = False, False
        if edge is not None:
            node = self.graph.node(edge.target)
            cycles = draw_cycles(node, self.np_random) if self._draws_cycles else node.cycles[0]
            self._disturb(simulation)
            succeeded = walker.take(PlannedTransition(edge, cycles)).succeeded
            fallen = not succeeded and not (self._recover and walker.recover())
        transition = EdgeStep(
            edge, succeeded, fallen, place.way_to(GroundPosition.of(simulation)), simulation.time - began
        )
        self._left -= 1
        truncated = self._left == 0
        self._is_over = fallen or truncated
        return self._observation(), float(self._reward(transition)), fallen, truncated, self._info(transition)

    def _label(self) -> str:
        return "" if self._walker is None else self._walker.node

    def close(self) -> None:
        """Free the simulation. The next reset creates another one."""
        self._walker, self._is_over = None, True
        super().close()

    @property
    def _at(self) -> Walker:
        if self._walker is None:
            raise ResetNeeded("no episode has begun: call reset() first")
        return self._walker

    def _disturb(self, simulation: Simulation) -> None:
        """If the environment has noise, add random torques to those of the joints at the beginning of a transition."""
        if self._noise > 0.0:
            joints = len(self.character.joints)
            simulation.disturb(noise=torque_noise(self.np_random, joints, simulation.time, NOISE_S, self._noise))

    def _observation(self) -> Observation:
        self._observer.before[:] = [name == self._at.node for name in self.graph.nodes]
        return self._observer.observe(self._at.simulation)

    def _info(self, transition: EdgeStep | None = None) -> dict[str, Any]:
        simulation = self._at.simulation
        taken = transition is not None and transition.edge is not None
        return {
            "action_mask": self.action_mask(),
            "node": self._at.node,
            **GroundPosition.of(simulation).info(self.character),
            "seconds": simulation.time,
            "taken": taken,
            "succeeded": transition is None or transition.succeeded,
        }
