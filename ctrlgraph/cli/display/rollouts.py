"""Printing of a rollout (one simulation of a controller): its end, measures, phase changes and success conditions."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from ctrlgraph.cli import console
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Place
    from ctrlgraph.project.project import Project
    from ctrlgraph.project.rollout_request import RolloutResult

MAX_PASSAGES = 12
"""Maximum number of phase changes that are printed. If there are more, only the last ones are printed."""

USUAL = ("duration", "distance", "speed", "com_height")
"""Measures that are printed for every motion."""


def print_rollout(result: RolloutResult, all_measures: bool) -> None:
    """Print how a rollout (simulation of a controller) ended, and its measures, such as duration and speed.

    Args:
        result: The rollout.
        all_measures: Print all measures. If false, print those in `USUAL` and those of the success conditions.
    """
    from ctrlgraph.project.rollout_request import way_out

    out, outcome = console.stdout(), result.outcome
    word, colon, rest = result.headline.partition(":")
    colour = {True: "green", False: "red", None: "yellow"}[result.succeeded]
    verdict = console.Styled(word, colour, bold=result.succeeded is False)
    console.echo(f"{result.request.name}: ", verdict, colon + rest)
    if outcome.place is not None:
        place = outcome.place
        out.print(f"in phase {outcome.phase}, {display_path(place.path)}:{place.line}:{place.column}")
    if outcome.fell and outcome.judged and outcome.departure is not None:
        out.print(way_out(outcome.departure))
    _print_measures(result, all_measures)
    wall_s = max(outcome.wall_s - outcome.compilation_s, 1e-9)  # compilation is not simulation
    speed = outcome.simulated_s / wall_s
    compiled = f" after {outcome.compilation_s:.1f} s of compiling" if outcome.compilation_s >= 0.05 else ""
    out.print(
        f"{outcome.simulated_s:.2f} s simulated in {wall_s:.2f} s ({speed:.{0 if speed >= 10 else 1}f}x real time)"
        f"{compiled}, {outcome.energy_j:.0f} J, seed {result.seed}"
    )
    if outcome.engine_messages:
        out.print(f"the engine printed {outcome.engine_messages} messages")


def print_predecessors(project: Project, result: RolloutResult, after: str | None, *, err: bool = False) -> None:
    """Print a hint if a node failed that began after a wrong node, or without the obstacle that it needs.

    The hint names the nodes that precede the node in the graph, or the kind of obstacle.

    Args:
        project: The project.
        result: The failed rollout.
        after: Name of the node that ran before the rollout. None: the rollout began in the start pose.
        err: Print on stderr instead of stdout.
    """
    node = result.request.node
    if node is None or result.edge is not None or result.passed_over is not None:
        return
    if node.obstacle:
        console.echo(f"{node.name} needs a {node.obstacle.kind} ahead: see docs/reference/terrain.md", err=err)
        return
    before = dict.fromkeys(e.source for e in project.graph.edges if e.planned and e.target == node.name)
    if before and after not in before:
        first, *others = sorted(before, key=lambda name: name != project.graph.start)
        where = f"{first} or one of {len(others)} more" if len(others) > 1 else " or ".join([first, *others])
        began = "in the start pose" if after is None else f"where {after} ends"
        console.echo(
            f"the motion began {began}, but in the graph it follows {where}: add --from {shlex.quote(first)}", err=err
        )


def print_phases(result: RolloutResult) -> None:
    """Explain how a rollout ended: print its last phase changes, and when each success condition was fulfilled.

    If the rollout ended by its time limit, also print the conditions for which the last phase was waiting.
    """
    passages, shown = result.passages, result.passages[-MAX_PASSAGES:]
    if passages:
        before = f" (the last {len(shown)} of {len(passages)}; --json has all)" if len(shown) < len(passages) else ""
        rows: list[list[str | console.Styled]] = []
        for each in shown:
            phases = ("" if number is None else str(number) for number in (each.before, each.phase))
            rows.append([f"{each.time:.2f}", *phases, each.condition, _dim_place(each.place)])
        titles = ("s", "from", "to", "because of", "in")
        console.print_table(titles, rows, title=f"\nfrom phase to phase{before}", right=titles[:3])
    if result.awaited:
        waited = [(left.condition, _dim_place(left.place)) for left in result.awaited]
        console.print_table(("", ""), waited, title=f"\nphase {result.outcome.phase} waited for")
    if result.courses:
        courses = []
        for course in result.courses:
            sentence = course.sentence()
            is_lost = "lost" in sentence or "never" in sentence
            courses.append((course.name, console.Styled(sentence, "red" if is_lost else None, bold=is_lost)))
        console.print_table(("", ""), courses, title="\nconditions, had it ended there")


def _dim_place(place: Place | None) -> console.Styled:
    return console.Styled("" if place is None else f"{display_path(place.path)}:{place.line}", dim=True)


def _print_measures(result: RolloutResult, all_measures: bool) -> None:
    from ctrlgraph.simulation.measures import MEASURES, in_turn, overshoot, range_text

    wanted, values = result.request.rollout.ranges, result.outcome.measures
    shown = {name: value for name, value in values.items() if all_measures or name in (*USUAL, *wanted)}
    rows = []
    for name, value in shown.items():
        asked, colour = "", None
        if name in wanted:
            low, high = wanted[name]
            asked = range_text(low, high)
            colour = "green" if overshoot(name, value, low, high) == 0.0 else "red"
            value = in_turn(name, value, low, high)
        number = console.Styled(f"{value:.3f}", colour, bold=colour == "red")
        rows.append((name, number, asked, console.Styled(MEASURES[name].label, dim=True)))
    console.print_table(("measure", "value", "wanted", ""), rows, right=("value",))
    if len(shown) < len(values):
        console.echo(console.Styled(f"{len(values) - len(shown)} more: `ctrlgraph -v run` prints them", dim=True))
