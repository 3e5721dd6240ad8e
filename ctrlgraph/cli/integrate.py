"""`ctrlgraph integrate`: take a new controller into the graph."""

from __future__ import annotations

import math
import os
import re
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import click

from ctrlgraph.bounds import MAX_TRIALS
from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.pictures import PictureFile, Pictures, write_pictures
from ctrlgraph.cli.run import Arguments
from ctrlgraph.cli.search_display import SearchDisplay
from ctrlgraph.cli.settings import Settings, engine_option, jobs_option
from ctrlgraph.cli.walk_display import MAX_SEED, command_line, drawn_seed
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from ctrlgraph.insertion.insertion import Integration
    from ctrlgraph.optimization.search import Generation
    from ctrlgraph.project.project import Project

LEAST_TRIALS = 6  # insertion.candidate_transitions.LEAST_TRIALS


# negative arguments look like options to click: what no option is, it hands over
@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("script", metavar="SCRIPT_OR_NODE", required=False)
@click.argument("args", nargs=-1, type=Arguments(), metavar="[ARGS]...")
@click.option("--name", help="Of the new node.  [default: the script's]")
@click.option("--success", multiple=True, metavar="MEASURE=LOW:HIGH", help="What its success is; else it is proposed.")
@click.option("--kind", type=click.Choice(["static", "dynamic"]), help="A pose that is held, or a motion.")
@click.option("--cycles", metavar="LO:HI", help="Of a gait: how often it may run.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="S", help="Longest simulated time.")
@click.option(
    "--budget",
    "minutes",
    type=click.FloatRange(0),
    default=10,
    show_default=True,
    metavar="MINUTES",
    help="Wall time for learning; 0: only naive edges.",
)
@click.option("--generations", type=click.IntRange(0), default=40, show_default=True, help="Of each search.")
@click.option(
    "--trials", type=click.IntRange(LEAST_TRIALS, MAX_TRIALS), default=20, show_default=True, help="Of each pair."
)
@engine_option
@jobs_option("Worker processes; without it, one for each core.")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="Of all that is drawn; without it, a new one.")
@click.option("--yes", "-y", is_flag=True, help="Write what was found without asking.")
@click.option("--dry-run", is_flag=True, help="Try, learn and show, but leave the project as it is.")
@click.option(
    "--report",
    "-o",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.html|FILE.md",
    help="Write everything that was found.",
)
@click.option("--filmstrip", type=PictureFile(".png"), metavar="FILE.png", help="Draw a run that ends as is meant.")
@click.option("--undo", "undoing", is_flag=True, help="Take the last integration back: the files are as they were.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    script: str | None,
    args: tuple[float, ...],
    name: str | None,
    success: tuple[str, ...],
    kind: str | None,
    cycles: str | None,
    timeout: float | None,
    minutes: float,
    generations: int,
    trials: int,
    jobs: int | None,
    seed: int | None,
    yes: bool,
    dry_run: bool,
    page: Path | None,
    filmstrip: Path | None,
    undoing: bool,
    as_json: bool,
) -> None:
    """Take a script with its ARGS into the graph, or try further edges of a node that is there.

    Every node is tried before it and after it, what comes near is learned, and what holds is shown and, once you say
    yes, added to graph.yaml. The exit code is 1 if a new node could not be joined, or nobody could be asked.
    """
    from ctrlgraph.experiments.worker_pool import Interrupted
    from ctrlgraph.insertion.candidate_node import CandidateRequest, parse_conditions
    from ctrlgraph.insertion.insertion import IntegrationRequest, integrate
    from ctrlgraph.insertion.insertion_report import as_dict, check_page, write_page

    settings: Settings = ctx.obj
    project = settings.project()
    if undoing:
        _undo(ctx, project, script, as_json)
        return
    if script is None:
        raise click.MissingParameter(ctx=ctx, param_hint="'SCRIPT_OR_NODE'", param_type="argument")
    if page is not None:
        check_page(page)
    candidate = CandidateRequest(
        script=script,
        args=args,
        name=name,
        success=parse_conditions(success) if success else None,
        kind=kind,
        cycles=None if cycles is None else _cycles(cycles),
        timeout=timeout,
    )
    request = IntegrationRequest(candidate, trials, generations, minutes, drawn_seed(seed), jobs or os.cpu_count() or 1)
    try:
        with IntegrationDisplay(request.seed, minutes) as display:
            found = integrate(project, request, display)
    except Interrupted:
        console.echo("interrupted: nothing was found yet", err=True)
        ctx.exit(ExitCode.INTERRUPTED)
    if not as_json:
        _print(found)
    if page is not None:
        write_page(page, found, command_line())
        console.echo(f"report: {display_path(page)}", err=as_json)
    if filmstrip is not None:
        _draw(project, found, filmstrip, as_json)
    written, refusal = _write(project, found, yes, dry_run, as_json)
    if as_json:
        console.print_json(as_dict(found) | {"written": [display_path(path) for path in written]})
    if refusal:
        raise CtrlGraphError(refusal)
    if found.interrupted:
        ctx.exit(ExitCode.INTERRUPTED)
    if not found.known and not found.edges:
        raise CtrlGraphError(_why_nothing(found))


def _cycles(text: str) -> tuple[int, int]:
    """`3:8` as (3, 8); `3` as (3, 3)."""
    match = re.fullmatch(r"(\d+)(?::(\d+))?", text)
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= low <= high:
        raise CtrlGraphError(f"--cycles takes LO:HI, such as 3:8, from 1 on, not '{text}'")
    return low, high


def _why_nothing(found: Integration) -> str:
    name = found.node.name
    ways_in = any(report.why.startswith("it holds") for report in found.reports if report.pair[1] == name)
    ways_out = any(report.why.startswith("it holds") for report in found.reports if report.pair[0] == name)
    missing = (
        "no way out of it holds" if ways_in else "no way into it holds" if ways_out else "no way into it or out of it"
    )
    missing = missing if ways_in or ways_out else f"{missing} holds"
    return f"{name} is not in the graph: {missing}"


def _write(
    project: Project, found: Integration, yes: bool, dry_run: bool, as_json: bool
) -> tuple[list[Path], str | None]:
    """Show what would be written and write it if that is wanted; the files, and why not where nobody could be asked."""
    from ctrlgraph.insertion.insertion import write_integration
    from ctrlgraph.insertion.insertion_report import plan

    lines = plan(found)
    for line in lines:
        console.echo(line, err=as_json)
    if not lines or dry_run:
        if lines:
            console.echo("nothing is written: a dry run", err=as_json)
        return [], None
    if not yes and not _can_ask():
        return [], "nothing is written: there is no terminal to ask on; --yes writes it"
    if not yes and not click.confirm("write this?", default=False, err=True):
        console.echo("nothing is written", err=as_json)
        return [], None
    written = write_integration(project, found)
    shown = ", ".join(display_path(path) for path in written)
    console.echo(f"written: {shown} ('ctrlgraph integrate --undo' takes it back)", err=as_json)
    return written, None


def _can_ask() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _undo(ctx: click.Context, project: Project, script: str | None, as_json: bool) -> None:
    from ctrlgraph.insertion.undo import undo

    if script is not None:
        raise click.UsageError("--undo takes back the last integration, whatever it was: give no script with it", ctx)
    undone = undo(project)
    restored = [display_path(path) for path in undone.restored]
    removed = [display_path(path) for path in undone.removed]
    if as_json:
        console.print_json({"undone": undone.node, "restored": restored, "removed": removed})
        return
    gone = f"; removed: {', '.join(removed)}" if removed else ""
    console.echo(f"{undone.node} is undone; as before: {', '.join(restored)}{gone}")


def _draw(project: Project, found: Integration, picture: Path, as_json: bool) -> None:
    """A run of the node that ends as is meant: after the first node that it does so after."""
    from ctrlgraph.project.rollout import node_rollout
    from ctrlgraph.project.rollout_request import RolloutRequest, carry_out

    node = found.node
    source = next((ending.source for ending in found.looks if ending.completed), "")
    rollout = node_rollout(node, (project.controller(node), node.cycles[0]), node.cycles[0])
    try:
        after = project.graph.node(source) if source else None
        result = carry_out(project, RolloutRequest(node.name, rollout), after=after)
    except CtrlGraphError as error:
        console.echo(f"no picture: {error}", err=True)
        return
    labels = [(result.began, node.name)] if not source else [(0.0, source), (result.began, node.name)]
    write_pictures(
        result.trace,
        Pictures(picture),
        character=project.character,
        labels=labels,
        phases=result.captions,
        title=node.name,
        engine=project.engine,
    )
    console.echo(f"picture: {display_path(picture)}", err=as_json)


def _print(found: Integration) -> None:
    from rich.table import Table

    from ctrlgraph.insertion.insertion_report import COLUMNS, ranked, row, summary

    out = console.stdout()
    table = Table(box=None, pad_edge=False)
    for title in COLUMNS[:-1]:
        table.add_column(title, justify="right" if title.endswith(" s") else "left")
    for report in ranked(found):
        table.add_row(*row(report)[:-1])
    out.print(table)
    for line in summary(found):
        out.print(line)
    out.print(f"took {console.duration(found.wall_s)}, seed {found.seed}")


class IntegrationDisplay:
    """What goes on (stderr): a bar of looks and trials, about how long they take, and each search as `learn` shows it.

    Args:
        seed: of all; minutes: how long may be learned.
    """

    def __init__(self, seed: int, minutes: float) -> None:
        self._seed: int | None = seed
        self._minutes = minutes
        self._began = 0.0
        self._done = 0
        self._run_s = math.nan
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._search: SearchDisplay | None = None

    def __enter__(self) -> IntegrationDisplay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end()

    def begun(self, what: str, total: int) -> None:
        """Looks or trials begin, so many of them."""
        self._end()
        if self._seed is not None:  # once, when there is something to be repeated
            console.echo(f"seed {self._seed}", err=True)
            if self._minutes > 0.0:
                most = console.duration(60.0 * self._minutes)
                console.echo(f"what comes near is learned for {most} at most (--budget), after the trials", err=True)
            self._seed = None
        self._began, self._done = time.monotonic(), 0
        # looks and trials are alike: a way to the node, and the node
        about = "" if math.isnan(self._run_s) else f", about {console.duration(total * self._run_s)}"
        console.echo(f"{what}: {total} runs{about}", err=True)
        if not console.stderr().is_terminal:
            return
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}", markup=False), BarColumn())
        counts = (TextColumn("{task.completed} of {task.total}"), TimeRemainingColumn())
        self._bar = Progress(*columns, *counts, console=console.stderr(), transient=True)
        self._bar.start()
        self._task = self._bar.add_task(what, total=total)

    def advanced(self, done: int) -> None:
        """So many are done."""
        self._done = done
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done)

    def searching(self, what: str, generations: int) -> None:
        """Note that a search begins."""
        self._end()
        console.echo(f"learning {what}", err=True)
        self._search = SearchDisplay(generations, what)
        self._search.__enter__()

    def generation(self, done: Generation) -> None:
        """Note that a generation of it has ended."""
        if self._search is not None:
            self._search.generation(done)

    def _end(self) -> None:
        if self._done > 0:
            self._run_s = (time.monotonic() - self._began) / self._done
            self._done = 0
        if self._bar is not None:
            self._bar.stop()
        if self._search is not None:
            self._search.__exit__(None, None, None)
        self._bar = self._search = None
