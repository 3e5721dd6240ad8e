"""The log of a played motion: a run with the attempts of its nodes, and with everything that the player has done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.engine.spatial_pushes import SpatialPush
from ctrlgraph.graph.model import EdgeKind
from ctrlgraph.live_page.motion.played_walk import MANY_CYCLES
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.walks.logged_walk import WalkSummary, open_run
from ctrlgraph.walks.played import played_settings
from ctrlgraph.walks.walker import ExecutedNode, WalkIdentity, attempt_record

if TYPE_CHECKING:
    from ctrlgraph.live_page.motion.live import LiveSimulation
    from ctrlgraph.live_page.motion.recording import SegmentRun
    from ctrlgraph.project.project import Project


def log_played(
    project: Project, world: Environment, live: LiveSimulation, time: float, command: str = ""
) -> WalkSummary | None:
    """End a played motion, and write it to the run log, so that `ctrlgraph replay` can repeat it bit for bit.

    Planners do not count its attempts, because they can end early or be pushed.

    Args:
        project: Project of the motion.
        world: Environment of the motion.
        live: The motion.
        time: Time at which the motion ends, s.
        command: Command line, for the log.

    Returns:
        The summary of the run. None: nothing was logged, because the motion has no attempt.

    Raises:
        RunLogError: The log cannot be written.
        SourceError: A learned file has errors or is stale.
    """
    live.end_at(time)
    runs = [run for run in live.runs if run.outcome is not None]
    if not runs:
        return None
    pushes = [event for event in live.events if isinstance(event, Push | SpatialPush)]
    commands = [(k, at, each) for k, run in enumerate(runs) for at, each in run.commands]
    ends = {k: run.cut for k, run in enumerate(runs) if run.cut is not None}
    settings = {"mode": "play", "played": played_settings(pushes, commands, ends)}
    with open_run(project, settings, seed=0, world=world, command=command, observer=None) as logged:
        # the hash of the world makes edges with these attempts differ from those of other walks
        identity = WalkIdentity(logged.name, 0, 0, f"{world.digest} played")
        for position, run in enumerate(runs):
            logged.log.add(
                attempt_record(
                    project,
                    identity,
                    _executed(project, run),
                    position=position,
                    planned=run.segment.edge is not None and run.segment.edge.kind is not EdgeKind.CORRECTIVE,
                    started_s=run.marks[0].time,
                )
            )
        return logged.finish(WalkSummary)


def _executed(project: Project, run: SegmentRun) -> ExecutedNode:
    assert run.outcome is not None
    segment, cycles = run.segment, run.segment.cycles
    if cycles == MANY_CYCLES and run.cycles_left is not None:
        cycles -= run.cycles_left - (run.cut is not None)
    return ExecutedNode(project.graph.node(segment.name), segment.edge, cycles, run.rollout, run.outcome, *run.digests)
