"""Tables of one rollout: how it ended, its measures, its phases and its conditions over time."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from ctrlgraph.cli import console
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.project.rollout_request import RolloutResult

MAX_PASSAGES = 12
"""Maximum number of phase changes that are printed, the last ones."""

USUAL = ("duration", "distance", "speed", "com_height")
"""Measures that are printed of every motion."""


def print_rollout(result: RolloutResult, all_measures: bool) -> None:
    """Print how a rollout ended, and its measures: all of them, or the usual ones."""
    from rich.text import Text

    from ctrlgraph.project.rollout_request import way_out

    out, outcome = console.stdout(), result.outcome
    line = Text(f"{result.request.name}: ")
    word, *rest = result.headline.split(":", 1)
    line.append(word, style={True: "green", False: "bold red", None: "yellow"}[result.succeeded])
    out.print(line + Text(f":{rest[0]}" if rest else ""))
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
    """Print from where the graph enters a failed node, or which obstacle it needs.

    Args:
        project: The project.
        result: The failed rollout.
        after: Node that preceded it; None: the start pose.
        err: Print on stderr.
    """
    node = result.request.node
    if node is None or result.edge is not None or result.passed_over is not None:
        return
    if node.obstacle:
        console.echo(f"{node.name} needs a {node.obstacle.kind} before it: see docs/reference/terrain.md", err=err)
        return
    before = dict.fromkeys(e.source for e in project.graph.edges if e.planned and e.target == node.name)
    if before and after not in before:
        first, *others = sorted(before, key=lambda name: name != project.graph.start)
        where = f"{first} or one of {len(others)} more" if len(others) > 1 else " or ".join([first, *others])
        began = "in the start pose" if after is None else f"where {after} ends"
        console.echo(f"it began {began}; in the graph it follows {where}: --from {shlex.quote(first)}", err=err)


def print_phases(result: RolloutResult) -> None:
    """Print the last phase changes, and each condition over time."""
    from rich.table import Table
    from rich.text import Text

    passages, shown = result.passages, result.passages[-MAX_PASSAGES:]
    if passages:
        before = f" (the last {len(shown)} of {len(passages)}; --json has all)" if len(shown) < len(passages) else ""
        console.echo(f"\nfrom phase to phase{before}")
    table = Table(box=None, pad_edge=False)
    for title in ("s", "from", "to", "because of", "in"):
        table.add_column(title, justify="right" if title in ("s", "from", "to") else "left")
    for each in shown:
        place = each.place
        where = "" if place is None else f"{display_path(place.path)}:{place.line}"
        phases = ("" if n is None else str(n) for n in (each.before, each.phase))
        table.add_row(f"{each.time:.2f}", *phases, Text(each.condition), Text(where, style="dim"))
    if passages:
        console.stdout().print(table)
    if result.awaited:
        console.echo(f"\nphase {result.outcome.phase} waited for")
        waiting = Table(box=None, pad_edge=False, show_header=False)
        for left in result.awaited:
            waiting.add_row(
                Text(left.condition), Text(f"{display_path(left.place.path)}:{left.place.line}", style="dim")
            )
        console.stdout().print(waiting)
    if result.courses:
        console.echo("\nconditions, had it ended there")
        table = Table(box=None, pad_edge=False, show_header=False)
        for course in result.courses:
            sentence = course.sentence()
            table.add_row(
                course.name, Text(sentence, style="bold red" if "lost" in sentence or "never" in sentence else "")
            )
        console.stdout().print(table)


def _print_measures(result: RolloutResult, all_measures: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    from ctrlgraph.simulation.measures import MEASURES, in_turn, overshoot, range_text

    rollout, values = result.request.rollout, result.outcome.measures
    wanted_of = rollout.ranges
    named = {*USUAL, *wanted_of}
    shown = {name: value for name, value in values.items() if all_measures or name in named}
    table = Table(box=None, pad_edge=False)
    for title in ("measure", "value", "wanted", ""):
        table.add_column(title, justify="right" if title == "value" else "left")
    for name, value in shown.items():
        low, high = wanted_of.get(name, (None, None))
        wanted, style = "", ""
        if low is not None and high is not None:
            wanted = range_text(low, high)
            style = "green" if overshoot(name, value, low, high) == 0.0 else "bold red"
            value = in_turn(name, value, low, high)
        table.add_row(name, Text(f"{value:.3f}", style=style), wanted, Text(MEASURES[name].label, style="dim"))
    console.stdout().print(table)
    if len(shown) < len(values):
        console.stdout().print(Text(f"{len(values) - len(shown)} more: --measures all", style="dim"))
