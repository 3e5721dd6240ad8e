"""What is shown of a walk while it goes on (stderr, on a terminal only) and when it has ended."""

from __future__ import annotations

import secrets
import shlex
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.numbers import FloatRange
from ctrlgraph.errors import RunLogError, printable

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table
    from rich.text import Text

    from ctrlgraph.cli.pictures import Pictures
    from ctrlgraph.graph.distance_policy import DistancePlan
    from ctrlgraph.graph.goal_planner import GoalPlan
    from ctrlgraph.project.project import Project
    from ctrlgraph.runs.record import AttemptRecord
    from ctrlgraph.simulation.environment import Environment
    from ctrlgraph.walkthrough.lookahead import Prospect
    from ctrlgraph.walkthrough.tally import Tally

Function = TypeVar("Function", bound=Callable[..., Any])

TERRAIN_HELP = "flat, slope=DEGREES, box=..., stairs=..., random:SEED[:LENGTH], or a course file (.yaml)."
MAX_SEED = 2**63 - 1  # what the log's integers hold


def world_options(function: Function) -> Function:
    """Add --seed, --terrain and --friction; the command receives `seed` (None: draw one), `terrain`, `friction`."""
    text = "Of all that is drawn; without it, a new one."
    return click.option("--seed", type=click.IntRange(0, MAX_SEED), help=text)(ground_options(function))


def ground_options(function: Function) -> Function:
    """Add --terrain and --friction; the command receives `terrain`, `friction`."""
    options = (
        click.option("--terrain", default="flat", metavar="TEXT", help=TERRAIN_HELP),
        click.option("--friction", type=FloatRange(0, 10), default=1.0, help="Of the ground.", show_default=True),
    )
    for option in reversed(options):
        function = option(function)
    return function


def drawn_seed(seed: int | None) -> int:
    """Return the seed that was given, or a new one, short enough to be typed again."""
    return secrets.randbelow(10**6) if seed is None else seed


def command_line() -> str:
    """Return the command as it was given, for the log."""
    return shlex.join(["ctrlgraph", *sys.argv[1:]])


class WalkDisplay:
    """Watches walks: the node that runs now, the counts so far, and how fast it goes.

    `total` is the number of transitions to come, None where it is not known. Does nothing off a terminal.
    """

    def __init__(self, static: frozenset[str], total: int | None = None) -> None:
        from ctrlgraph.walkthrough.tally import Tally

        self.tally: Tally = Tally(static)
        self._total = total
        self._live: Live | None = None
        self._began = time.perf_counter()
        self._now = ""
        self._running_s = 0.0

    def __enter__(self) -> WalkDisplay:
        if console.stderr().is_terminal:
            from rich.live import Live

            self._live = Live(get_renderable=self._text, console=console.stderr(), transient=True, refresh_per_second=8)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def run_began(self, run: str, seed: int) -> None:
        self._now = "preparing"

    def planned(self, plan: GoalPlan | DistancePlan) -> None:
        """Show a plan above the display."""
        console.stderr().print(plan.explain())

    def looked_ahead(self, prospect: Prospect) -> None:
        """Show what the planner has found above the display."""
        console.stderr().print(printable(prospect.sentence()), markup=False, highlight=False)

    def began(self, node: str, cycles: int) -> None:
        self._now = node if cycles == 1 else f"{node} x{cycles}"
        self._running_s = 0.0

    def simulated(self, seconds: float) -> None:
        self._running_s = seconds

    def ended(self, attempt: AttemptRecord) -> None:
        self.tally.add(attempt)
        self._now = attempt.node
        self._running_s = 0.0

    def _text(self) -> Text:
        from rich.text import Text

        tally = self.tally
        simulated = tally.simulated_s + self._running_s
        speed = simulated / max(time.perf_counter() - self._began, 1e-9)
        done = str(tally.transitions) if self._total is None else f"{tally.transitions} of {self._total}"
        text = Text(overflow="ellipsis", no_wrap=True)
        text.append(f"{self._now:<24} ", style="bold")
        text.append(
            f"{done} transitions, {simulated:.0f} s simulated, {speed:.{0 if speed >= 10 else 1}f}x real time\n"
        )
        text.append(f"{'':<25}")
        text.append(f"{tally.succeeded} succeeded", style="green")
        text.append(", ")
        text.append(f"{tally.failed} failed", style="red" if tally.failed else "")
        text.append(f", {tally.recovered} recovered, {tally.resets} resets")
        return text


def print_tally(tally: Tally) -> None:
    """Print the tables of nodes and edges, and the counts."""
    out = console.stdout()
    out.print(_nodes_table(tally))
    out.print()
    out.print(_edges_table(tally))
    out.print()
    failed = f"{tally.failed} failed"
    if tally.failed:
        failed += f" ({tally.recovered} recovered, {tally.resets} reset{'s' * (tally.resets != 1)})"
    out.print(f"{tally.transitions} transitions: {tally.succeeded} succeeded, {failed}")
    out.print(f"{100 * tally.static_share:.0f} % of the time in static poses")


def _nodes_table(tally: Tally) -> Table:
    table = _table("node", "attempts", "succeeded")
    for name, count in sorted(tally.nodes.items()):
        table.add_row(name, str(count.trials), console.success(count))
    return table


def _edges_table(tally: Tally) -> Table:
    table = _table("from", "to", "kind", "attempts", "succeeded")
    for (source, target, kind), count in sorted(tally.edges.items()):
        table.add_row(source, target, kind, str(count.trials), console.success(count))
    return table


def _table(*titles: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in titles:
        table.add_column(title, justify="right" if title in ("attempts", "succeeded") else "left")
    return table


def draw_walk(
    project: Project,
    world: Environment,
    run: str,
    pictures: Pictures,
    *,
    walk: int = 0,
) -> list[Path]:
    """Pictures of a logged walk from the states that were kept; none where it has none."""
    from ctrlgraph.cli.pictures import write_pictures
    from ctrlgraph.walkthrough.replay import attempt_labels, phase_captions
    from ctrlgraph.walkthrough.state_files import MAX_DRAWN, load_states, states_path

    if not pictures:
        return []
    states = load_states(states_path(project.runs_directory, run, walk), at_most=MAX_DRAWN)
    if states is None or len(states.trace) == 0:
        return []
    with project.read_log() as log:
        attempts = list(log.attempts(run, walk=walk))
    shown = [attempt for attempt in attempts if attempt.started_s <= states.trace.time[-1]]
    return write_pictures(
        states.trace,
        pictures,
        character=project.character,
        terrain=world.ground(),
        labels=attempt_labels(shown),
        phases=phase_captions(project, shown, states, world),
        title=f"run {run}, walk {walk}",
        engine=world.engine,
        whole_s=sum(attempt.simulated_s for attempt in attempts),
    )


def note_old_log(project: Project) -> None:
    """Say that a log's evidence does not count until it is migrated, where that is so."""
    with suppress(RunLogError), project.read_log() as log:
        if log.is_old:
            console.echo(
                "note: what an older version logged counts once 'ctrlgraph migrate' has taken it over", err=True
            )


def warn(warnings: tuple[str, ...]) -> None:
    """Say on stderr what went wrong beside the walks."""
    for sentence in warnings:
        console.echo(f"warning: {sentence}", err=True)
