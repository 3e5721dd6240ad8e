"""`ctrlgraph integrate`: add a new controller to the graph as a node, or add further edges to an existing node."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.bounds import MAX_TRIALS
from ctrlgraph.cli import completion, console
from ctrlgraph.cli.display.integration import IntegrationDisplay
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, engine_option, jobs_option, json_option, seed_option, success_option
from ctrlgraph.cli.options.motion import SETTINGS, arguments_argument
from ctrlgraph.cli.options.numbers import FloatRange
from ctrlgraph.cli.options.search import exits_option
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.graph.model import Edge
    from ctrlgraph.insertion.candidate_node import IntegrationRequest
    from ctrlgraph.insertion.insertion import Integration
    from ctrlgraph.project.project import Project

LEAST_TRIALS = 6  # insertion.candidate_transitions.LEAST_TRIALS


@click.command(context_settings=SETTINGS)
@click.argument("script", metavar="SCRIPT_OR_NODE", required=False, shell_complete=completion.scripts)
@arguments_argument
@click.option("--name", help="Name of the new node.  [default: the script's]")
@success_option
@click.option("--kind", type=click.Choice(["static", "dynamic"]), help="Static pose or dynamic motion.")
@click.option("--cycles", metavar="LO:HI", help="Range of the repetitions of a gait.")
@click.option("--timeout", type=FloatRange(0, min_open=True), metavar="S", help="Maximum simulated time.")
@click.option("--minutes", type=FloatRange(0), default=10, help="Maximum wall time for learning; 0: only naive edges.")
@click.option("--generations", type=click.IntRange(0), default=40, help="Maximum number of generations of each search.")
@click.option("--trials", type=click.IntRange(LEAST_TRIALS, MAX_TRIALS), default=20, help="Trials per pair.")
@click.option(
    "--only",
    multiple=True,
    metavar="NODE",
    shell_complete=completion.nodes,
    help="Only try this node as predecessor and successor. Repeatable.",
)
@exits_option
@engine_option
@jobs_option()
@seed_option()
@click.option("--yes", "-y", is_flag=True, help="Write the result without asking.")
@click.option(
    "--dry-run", is_flag=True, help="Try, learn and print, but change no file; --apply writes the result later."
)
@click.option(
    "--apply",
    "proposal",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    metavar="FILE",
    help="Write the proposal of a dry run.",
)
@json_option(
    "node, known, proposed, ends, looks, pairs, joined, confused, fulfilled, unanswered, draft, seed, trials,"
    " interrupted, wall_s, written, proposal; with --apply: applied, edges, written"
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    script: str | None,
    args: tuple[float, ...],
    name: str | None,
    success: tuple[str, ...],
    kind: str | None,
    cycles: str | None,
    timeout: float | None,
    jobs: int | None,
    yes: bool,
    dry_run: bool,
    proposal: Path | None,
    as_json: bool,
    **effort: Any,
) -> None:
    """Add a script with its ARGS to the graph as a node, or add further edges to an existing node.

    Every node of the graph is tried as predecessor and as successor, and promising transitions are learned. Edges that
    succeed are printed and, after a confirmation, added to graph.yaml. A script without an incoming or outgoing edge is
    added as a draft, which no walk enters. The exit code is 1 if a new node could not be connected, or if there is no
    terminal for the confirmation.

    Example:
      ctrlgraph integrate controllers/leap.t --success height=1: --minutes 5
    """
    from ctrlgraph.insertion.candidate_node import CandidateRequest, IntegrationRequest
    from ctrlgraph.project.script_success import parse_conditions

    settings: Settings = ctx.obj
    project = settings.project()
    if proposal is not None:
        _apply(ctx, project, proposal, script, as_json)
        return
    if script is None:
        raise click.MissingParameter(ctx=ctx, param_hint="'SCRIPT_OR_NODE'", param_type="argument")
    candidate = CandidateRequest(
        script=script,
        args=args,
        name=name,
        success=parse_conditions(success) if success else None,
        kind=kind,
        cycles=None if cycles is None else _cycles(cycles),
        timeout=timeout,
    )
    request = IntegrationRequest(candidate, jobs=jobs or os.cpu_count() or 1, **effort)
    wanted = _Wanted(yes, dry_run, as_json, details=settings.verbose > 0)
    _take_in(ctx, project, request, wanted)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Options of `ctrlgraph integrate` about printing and writing the result."""

    yes: bool
    """--yes: write the result without a confirmation."""
    dry_run: bool
    """--dry-run: leave the graph unchanged, and save the result as a proposal for --apply."""
    as_json: bool
    """--json: print JSON."""
    details: bool
    """-v: print every tested pair of nodes."""


def _take_in(ctx: click.Context, project: Project, request: IntegrationRequest, wanted: _Wanted) -> None:
    """Add a controller to the graph: run the trials, print and write the result, and set the exit code.

    Args:
        ctx: Context of the command.
        project: Project whose graph is extended.
        request: The controller, and limits of the trials and searches.
        wanted: How to print and write the result.
    """
    from ctrlgraph.insertion.insertion import integrate
    from ctrlgraph.insertion.insertion_report import as_dict
    from ctrlgraph.robustness.example_measures import save_examples
    from ctrlgraph.robustness.worker_pool import Interrupted

    try:
        with IntegrationDisplay(request.seed, request.minutes) as display:
            found = integrate(project, request, display)
    except Interrupted:
        console.interrupted(": nothing was found yet")
    if not wanted.as_json:
        _print(found, wanted.details)
    if found.examples:
        save_examples(project, found.examples, [found.node])
    written, refusal, kept = _write(project, found, wanted)
    if wanted.as_json:
        proposal = None if kept is None else display_path(kept)
        console.print_json(as_dict(found) | {"written": list(map(display_path, written)), "proposal": proposal})
    if refusal:
        console.echo(console.Styled("error:", fg="red", bold=True), f" {refusal}", err=True)
        ctx.exit(ExitCode.FAILED)
    if found.interrupted:
        ctx.exit(ExitCode.INTERRUPTED)
    if not found.known and not found.edges:
        # the result of the trials, not an error: -v adds no traceback
        console.echo(_why_nothing(found, bool(written), wanted.dry_run), err=True)
        ctx.exit(ExitCode.FAILED)


def _cycles(text: str) -> tuple[int, int]:
    """Convert the value of --cycles to the least and greatest number of repetitions: "3:8" to (3, 8), "3" to (3, 3)."""
    match = re.fullmatch(r"(\d+)(?::(\d+))?", text)
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= low <= high:
        raise CtrlGraphError(f"--cycles must be LO:HI with whole numbers of at least 1, such as 3:8, not '{text}'")
    return low, high


def _why_nothing(found: Integration, written: bool, dry_run: bool) -> str:
    name = found.node.name
    if written or dry_run:
        return f"{name} {'is' if written else 'would be'} a draft, which no walk enters: {found.node.draft}"
    return f"{name} is not in the graph: {found.node.draft}"


def _write(project: Project, found: Integration, wanted: _Wanted) -> tuple[list[Path], str | None, Path | None]:
    """Print the planned changes of the graph, and write them: after a confirmation, or at once with --yes.

    Args:
        project: Project whose graph is extended.
        found: Result of the trials and searches.
        wanted: How to print and write the result.

    Returns:
        Paths of the files written; the reason why no confirmation is possible, or None; with --dry-run, the file that
        --apply can write to the graph later, otherwise None.
    """
    from ctrlgraph.insertion.insertion_report import plan
    from ctrlgraph.insertion.proposal import apply_proposal, proposal_of, save_proposal

    as_json, lines = wanted.as_json, plan(found, wanted.details)
    for line in lines:
        console.echo(line, err=as_json)
    if not lines:
        return [], None, None
    if wanted.dry_run:
        kept = save_proposal(project, proposal_of(project, found))
        again = f"ctrlgraph integrate --apply {display_path(kept)}"
        console.echo(f"nothing is written, because this is a dry run; '{again}' writes the result", err=as_json)
        return [], None, kept
    if not wanted.yes and not _can_ask():
        return [], "nothing is written: a confirmation needs a terminal; --yes writes without a confirmation", None
    if not wanted.yes and not click.confirm("write these changes?", default=False, err=True):
        console.echo("nothing is written", err=as_json)
        return [], None, None
    written = apply_proposal(project, proposal_of(project, found))
    _print_written(written, found.node.name, found.edges, as_json)
    return written, None, None


def _print_written(written: list[Path], name: str, edges: Sequence[Edge], as_json: bool) -> None:
    shown = ", ".join(display_path(path) for path in written)
    console.echo(f"written: {shown}", err=as_json)
    if edges:
        # trials begin in perturbed states, unlike walks
        note = "trials selected the edges and are no evidence of their success in walks, which the log collects"
        console.echo(f"{note} (ctrlgraph goto {shlex.quote(name)})", err=as_json)


def _apply(ctx: click.Context, project: Project, file: Path, script: str | None, as_json: bool) -> None:
    from ctrlgraph.insertion.proposal import apply_proposal, read_proposal
    from ctrlgraph.project.project import Project

    if script is not None:
        raise click.UsageError("--apply writes the result of an earlier dry run: omit the script", ctx)
    proposal = read_proposal(project, file)
    written = apply_proposal(project, proposal)
    _print_written(written, proposal.name, proposal.edges, as_json)
    _warn_of_confusion(Project(project.directory), proposal.name, as_json)
    if as_json:
        listed = {"edges": list(map(str, proposal.edges)), "written": list(map(display_path, written))}
        console.print_json({"applied": proposal.name} | listed)


def _warn_of_confusion(project: Project, name: str, as_json: bool) -> None:
    from ctrlgraph.insertion.insertion_report import confusion_warning
    from ctrlgraph.robustness.example_measures import load_examples, not_told_apart

    others = not_told_apart(project.graph.node(name), load_examples(project)) if name in project.graph.nodes else []
    if others:
        console.echo(confusion_warning(name, others), err=as_json)


def _can_ask() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _print(found: Integration, details: bool) -> None:
    """Print which edges of a new node succeeded in trials, after a table of all tested pairs if `details` is true."""
    from ctrlgraph.insertion.insertion_report import COLUMNS, ranked, row, summary

    out = console.stdout()
    if details:
        seconds = [title for title in COLUMNS if title.endswith(" s")]
        console.print_table(COLUMNS, [row(report) for report in ranked(found)], right=seconds)
    for line in summary(found):
        out.print(line)
    tried = sum(report.naive is not None for report in found.reports)
    more = "" if details or not found.reports else "; `ctrlgraph -v integrate` lists them"
    out.print(
        f"{tried} of {len(found.reports)} pairs tried in {console.duration(found.wall_s)}, seed {found.seed}{more}"
    )
