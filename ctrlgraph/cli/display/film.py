"""Films of several motions side by side: how each motion of a film is found and simulated."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli.options.motion import logged_run
from ctrlgraph.errors import CtrlGraphError, quoted

if TYPE_CHECKING:
    from ctrlgraph.character.model import Character
    from ctrlgraph.graph.model import Node
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.simulation.planar_trace import Trace
    from ctrlgraph.terrain.terrain import Terrain
    from ctrlgraph.view.planar.clip import Clip

LEAD_S = 0.4
"""Time shown before a node begins, s."""


def find_motions(project: Project, words: tuple[str, ...]) -> list[tuple[str, tuple[float, ...]]]:
    """Return the named motions with their arguments, which are the numbers after a script or a draft.

    Raises:
        NoSuchOption: A word is an unknown option.
    """
    found: list[tuple[str, tuple[float, ...]]] = []
    for word in words:
        number = None
        with contextlib.suppress(ValueError):
            number = float(word)
        if number is not None and word not in project.graph and found and _takes_arguments(project, found[-1][0]):
            name, args = found[-1]
            found[-1] = name, (*args, number)
        elif word.startswith("-") and not os.path.isfile(word):
            raise click.NoSuchOption(word)
        else:
            found.append((word, ()))
    return found


def _takes_arguments(project: Project, name: str) -> bool:
    return name not in project.graph and (name in project.graph.drafts or os.path.isfile(name))


def make_clip(
    project: Project, name: str, args: tuple[float, ...], environment: Environment, walk: int, after: Node | None
) -> Clip:
    """Simulate a motion and return it as a clip of a film.

    Args:
        project: The project.
        name: A node, a script or a run.
        args: Arguments of the script.
        environment: World of nodes and scripts. A run has its own.
        walk: Walk of the run.
        after: Node that precedes nodes and scripts; None: nodes are entered over their usual edges.

    Raises:
        CtrlGraphError: The motion does not exist, or a node was given that precedes a run.
    """
    if name in project.graph and after is None:
        return _of_node(project, name, environment)
    if name in project.graph or _takes_arguments(project, name):
        return _of_controller(project, name, args, environment, after)
    if after is not None:
        raise CtrlGraphError(f"--from is for nodes and scripts, and {quoted(name)} is neither")
    return _of_run(project, name, walk)


def _of_node(project: Project, name: str, world: Environment) -> Clip:
    from ctrlgraph.experiments.usual_motion import usual_motion

    motion = usual_motion(project, name, world)
    if motion is None:
        return _of_controller(project, name, (), world, None)
    nodes = list(zip(motion.began, motion.path, strict=True))[-2:]
    phases = [(phase.time, phase.caption) for phase in motion.phases]
    return _clip(motion.trace, motion.began[-1], motion.character, motion.terrain, nodes, phases)


def _of_controller(
    project: Project, name: str, args: tuple[float, ...], world: Environment, after: Node | None
) -> Clip:
    from ctrlgraph.project.rollout_request import carry_out, find_rollout

    request = find_rollout(project, name, args)
    result = carry_out(project, request, after=after, environment=world)
    nodes = [] if after is None or not result.began else [(0.0, after.name)]
    nodes.append((result.began, request.name))
    return _clip(result.trace, result.began, project.character, world.ground(), nodes, result.captions)


def _clip(
    trace: Trace,
    began: float,
    character: Character,
    ground: Terrain,
    nodes: Sequence[tuple[float, str]],
    phases: Sequence[tuple[float, str]],
) -> Clip:
    """Return a motion from shortly before its last node."""
    from ctrlgraph.view.planar.clip import Clip

    start = max(began - LEAD_S, 0.0)
    shown = trace.between(start, float(trace.time[-1]))
    return Clip(
        dataclasses.replace(shown, time=shown.time - start),
        character,
        ground,
        [(max(time - start, 0.0), name) for time, name in nodes],
        [(time - start, caption) for time, caption in phases],
    )


def _of_run(project: Project, name: str, walk: int) -> Clip:
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.view.planar.clip import Clip
    from ctrlgraph.walkthrough.replay import phase_captions, replay_walk

    with logged_run(project, name) as (log, run):
        replay = replay_walk(project, log, run, walk, draw=True)
    assert replay.states is not None
    world = Environment.from_dict(run.settings.get("world", {}))
    phases = phase_captions(project, replay.attempts, replay.states, world)
    shown = replay.states.trace.without_repeats()
    return Clip(shown, project.character, world.ground(), replay.labels, phases, f"run {run.id}, walk {walk}")
