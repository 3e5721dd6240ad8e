"""Walks to places on the ground in space: a gait is steered along waypoints around the blocks of the terrain."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ctrlgraph.arguments import checked
from ctrlgraph.control.controller import Command
from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.engine import loop
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.footsteps.paths import PathFollower
from ctrlgraph.graph.goal_planner import plan_path
from ctrlgraph.graph.model import Edge
from ctrlgraph.simulation.disturbances import UNDISTURBED
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.spatial.spatial_terrain import in_space
from ctrlgraph.terrain.spatial.way import Place, shortest_way
from ctrlgraph.walks.logged_walk import WalkSummary, child_seed, open_run
from ctrlgraph.walks.played import MAX_PLAYED, STEERING_INTERVAL_S, played_settings
from ctrlgraph.walks.walker import ExecutedNode, WalkIdentity, attempt_record, outcome_text

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

_CLEARANCE = 1.4
"""Distance of the way from blocks, in units of the height of the centre of mass."""
_TURNING_RADPS = 1.0
"""Largest commanded turning velocity, rad/s."""
_CYCLES = 10_000
"""Maximum number of cycles of the gait; `MAX_PLAYED` commands are fewer."""
INTERRUPTED = "interrupted"
"""Why a walk ended that Ctrl-C has stopped."""
_TICKS = 10
"""Number of steering intervals from one command to the next."""


@dataclass(frozen=True, kw_only=True)
class WaySummary(WalkSummary):
    """Result of a walk to places: whether they were reached, the way, and where and why the walk ended."""

    goal: tuple[Place, ...]
    """Places to which the character had to walk, in this order, m."""
    way: tuple[Place, ...]
    """Waypoints from the start to the last place, m."""
    reached: bool
    """Whether the character came to the end of the way without a fall."""
    place: Place
    """Place of the centre of mass at the end, m."""
    reason: str
    """Why the last place was not reached; empty if it was reached."""

    def details(self) -> dict[str, Any]:
        """Return the fields of the summary that only this kind of walk has, as JSON data."""
        fields = {"places": self.goal, "way": self.way, "reached": self.reached, "place": self.place}
        return {**fields, "reason": self.reason}


@checked
def go_along(
    project: Project,
    gait: str,
    places: Sequence[Place],
    *,
    seed: int = 0,
    world: Environment | None = None,
    command: str = "",
) -> WaySummary:
    """Steer a gait from place to place by the shortest way around the blocks of the terrain.

    The character first takes the most reliable path of edges to the gait. Then the desired velocity follows the way
    (pure pursuit). A fall or Ctrl-C ends the walk. It is logged with its desired velocities, so `ctrlgraph replay`
    repeats it bit for bit; planners do not count its attempts.

    Args:
        project: the project whose graph is walked. Its character moves in space.
        gait: name of a node with a gait.
        places: places in the order in which they are visited, m.
        seed: seed of the simulation.
        world: environment of the simulation, without pushes or torque noise; by default that of the project.
        command: command line, for the log.

    Raises:
        CtrlGraphError: the node has no gait that moves forward, no path leads to it, or the world has disturbances.
        TerrainError: no way leads to a place.
        RunLogError: `runs/` cannot be written.
        SourceError: the project has errors.
    """
    began, world = time.perf_counter(), world or project.environment()
    controller = project.controller(gait)
    if not isinstance(controller, Gait) or controller.values.forward <= 0.0:
        raise CtrlGraphError(f"the node '{gait}' cannot be steered to a place: choose one whose gait moves forward")
    if world.disturbances != UNDISTURBED:
        raise CtrlGraphError("a walk to a place takes no random disturbances: leave them out of --with")
    ground = in_space(world.ground())
    clearance = _CLEARANCE * controller.values.height
    plan = plan_path(project.graph, project.graph.start, gait, {}, world.preview)
    own = WalkIdentity.of("", 0, child_seed(seed, 0), world)
    steering = _Steering(project, world)
    with world.simulation(project.character, own.seed, keep_trace=False) as simulation:
        simulation.watch(lambda moment: None, STEERING_INTERVAL_S)
        way = shortest_way(ground, [(simulation.x, simulation.y), *places], clearance)
        edges = [None, *(step.edge for step in plan.steps)]
        robot = dataclasses.replace(controller.robot, speed_mps=controller.values.forward, turning_radps=_TURNING_RADPS)
        follower = PathFollower(robot, way)
        for edge in edges:
            name = project.graph.start if edge is None else edge.target
            if not steering.run(simulation, name, edge, follower if edge is edges[-1] else None) or steering.stopped:
                break
        place = (simulation.x, simulation.y)
    settings = {
        "mode": "goto",
        "goal": gait,
        "to": [list(each) for each in places],
        "played": played_settings([], steering.commands, steering.ends),
    }
    with open_run(project, settings, seed=seed, world=world, command=command, observer=None) as run:
        run.began, run.interrupted = began, steering.stopped == INTERRUPTED
        identity = dataclasses.replace(own, run=run.name, world=f"{world.digest} played")
        started = 0.0
        records = []
        for k, done in enumerate(steering.done):
            records.append(attempt_record(project, identity, done, position=k, planned=k > 0, started_s=started))
            run.log.add(records[-1])
            started += done.outcome.simulated_s
        reached = bool(steering.ends) and not steering.stopped
        return run.finish(
            WaySummary,
            goal=tuple(places),
            way=tuple(way),
            reached=reached,
            place=place,
            reason="" if reached else steering.stopped or f"{records[-1].node} {outcome_text(records[-1])}",
        )


class _Steering:
    """The attempts of a walk, with the desired velocities of the last one.

    Attributes:
        done: Attempts.
        commands: Position of the attempt, time, s, and desired velocity, for each command.
        ends: Times at which attempts were ended, s, by their positions.
        stopped: Why the last attempt was ended before the end of the way; empty if it was not.
    """

    def __init__(self, project: Project, world: Environment) -> None:
        self.done: list[ExecutedNode] = []
        self.commands: list[tuple[int, float, Command]] = []
        self.ends: dict[int, float] = {}
        self.stopped = ""
        self._project, self._world = project, world

    def run(self, simulation: Simulation, name: str, edge: Edge | None, follower: PathFollower | None) -> bool:
        """Run a node, along a way if a follower is given. Return whether it succeeded, or came to the end of the way.

        Args:
            simulation: simulation in the state in which the last node ended.
            name: name of the node.
            edge: edge by which it is entered; None for the start node.
            follower: the way; None to run the node without steering.
        """
        node, position, world = self._project.graph.node(name), len(self.done), self._world
        cycles = node.cycles[0] if follower is None else _CYCLES
        rollout = self._project.rollout(
            edge,
            node,
            cycles,
            simulation.preview,
            length=world.body.length,
            timeout=node.timeout_for(cycles),
            predicts_falls=world.predicts_falls and edge is not None,
        )
        execution, status, tick = simulation.begin(rollout), loop.STILL_RUNNING, 0
        try:
            while status in loop.GOES_ON:
                if follower is not None and tick % _TICKS == 0:
                    command = follower.command((simulation.x, simulation.y), simulation.heading)
                    if len(self.commands) >= MAX_PLAYED:
                        self.stopped = (
                            f"not reached within {simulation.time:.0f} s, the longest walk that can be logged"
                        )
                    if tick > 0 and (command is None or self.stopped):
                        self.ends[position] = simulation.time
                        status = loop.ENDED
                        break
                    wanted = Command(*(command or (0.0, 0.0, 0.0)))
                    simulation.command(**wanted._asdict())
                    self.commands.append((position, simulation.time, wanted))
                status, tick = simulation.advance_watched(execution, first=tick == 0), tick + 1
        except KeyboardInterrupt:
            self.stopped, self.ends[position], status = INTERRUPTED, simulation.time, loop.ENDED
        if position in self.ends:
            left = simulation.cycles_left
            cycles -= 0 if left is None else left - 1
        outcome = simulation.end(execution, status)
        self.done.append(
            ExecutedNode(node, edge, cycles, rollout, outcome, simulation.state_digest(), simulation.history_digest())
        )
        return outcome.succeeded
