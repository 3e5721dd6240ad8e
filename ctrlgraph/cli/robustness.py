"""`ctrlgraph robustness`: how much a target can take, over a grid of perturbations or up to a limit."""

from __future__ import annotations

import dataclasses
import os
import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ctrlgraph.bounds import MAX_CONFIRMED, MAX_TRIALS
from ctrlgraph.cli import completion, console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.settings import Settings, engine_option, engines_option, jobs_option, require_one_place
from ctrlgraph.cli.sweep_answers import beside_sources, print_answers, print_limit_answers
from ctrlgraph.cli.sweep_display import SweepDisplay
from ctrlgraph.cli.walk_display import MAX_SEED, command_line, drawn_seed
from ctrlgraph.errors import CtrlGraphError, suggestion
from ctrlgraph.extras import require
from ctrlgraph.paths import contained, display_path

if TYPE_CHECKING:
    from ctrlgraph.experiments.sweeps.scenario import Scenario
    from ctrlgraph.experiments.sweeps.sweep_log import Sweep, SweepStore
    from ctrlgraph.project.project import Project


Function = TypeVar("Function", bound=Callable[..., Any])


def checked_cluster(ctx: click.Context, parameter: click.Parameter, address: str | None) -> str | None:
    """Return the address, where there is what it takes to go there: said before anything is done.

    Raises:
        CtrlGraphError: dask is not installed.
    """
    if address is not None:
        require("cluster")
    return address


def pool_options(function: Function) -> Function:
    """Add --jobs and --cluster."""
    options = (
        jobs_option("Worker processes; without it, one for each core."),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            callback=checked_cluster,
            help="Of a dask scheduler whose workers do the trials.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command()
@click.argument("targets", nargs=-1, metavar="[TARGET]...", shell_complete=completion.nodes)
@click.option("--all", "every", is_flag=True, help="Every node of the graph; with --engines every planned edge, too.")
@click.option("--edges", is_flag=True, help="Every naive and learned edge of the graph.")
@click.option("--sweep", "sweeps", multiple=True, metavar="AXIS=FROM:TO:STEP", help="A grid over an axis, or two.")
@click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="AXIS[=STEP]",
    help="Search the largest value that holds, by bisection; may be given for several axes.",
)
@click.option(
    "--confirm",
    type=click.IntRange(0, MAX_CONFIRMED),
    metavar="N",
    help="Of a limit: N values below it have to hold, too.",
)
@click.option("--with", "given", multiple=True, metavar="NAME=VALUE", help="A perturbation that stays the same.")
@click.option("--scenario", metavar="FILE", help="A scenario file, or the name of one in scenarios/.")
@click.option(
    "--trials", type=click.IntRange(1, MAX_TRIALS), help="Of each point, where something is random.  [default: 10]"
)
@engine_option
@engines_option("Put the question to each of these engines, and show where their answers differ.")
@pool_options
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="Of all that is drawn; without it, a new one.")
@click.option("--resume", metavar="ID", help="Go on with an interrupted sweep, or `last`.")
@click.option("--write-ground", is_flag=True, help="Write the slopes on which edges held to the graph.")
@click.option("--csv", "csv_path", type=click.Path(dir_okay=False, path_type=Path), help="Write every trial.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    targets: tuple[str, ...],
    every: bool,
    edges: bool,
    sweeps: tuple[str, ...],
    limits: tuple[str, ...],
    confirm: int | None,
    given: tuple[str, ...],
    scenario: str | None,
    trials: int | None,
    engines: tuple[str, ...],
    jobs: int | None,
    cluster: str | None,
    seed: int | None,
    resume: str | None,
    write_ground: bool,
    csv_path: Path | None,
    as_json: bool,
) -> None:
    """Measure how much nodes, edges (a->b) and paths (a->b->c) can take.

    A trial succeeds if the target's own conditions hold and the nearest static pose is reached
    afterwards. Every trial is stored in runs/ as it ends. docs/robustness.md tells the perturbations.
    """
    settings: Settings = ctx.obj
    project = settings.project()
    asked_anew = (targets, every, edges, sweeps, limits, given, scenario, trials, engines, settings.engine)
    if resume and (any(asked_anew) or confirm is not None or seed is not None):
        raise click.UsageError("a sweep goes on as it was begun: --resume takes no targets and no other questions")
    from ctrlgraph.experiments.sweeps.ground import check_question
    from ctrlgraph.experiments.sweeps.sweep import new_sweeps
    from ctrlgraph.experiments.sweeps.sweep_log import SweepStore
    from ctrlgraph.experiments.worker_pool import open_pool

    if resume:
        with SweepStore.read(project.runs_directory) as store:
            asked = store.matching(resume)
    else:
        targets = _all_targets(project, targets, every, edges, planned=bool(engines))
        require_one_place(engines, given)
        questions = _questions(project, targets, sweeps, limits, confirm, given, scenario, trials)
        if write_ground:
            if len(engines) > 1:
                raise CtrlGraphError("the ground of an edge is that of one engine: give --engine")
            for question in questions:
                check_question(question)
        stated = questions[0].seed
        chosen = stated if seed is None and stated is not None else drawn_seed(seed)
        asked = new_sweeps(project, *questions, seed=chosen, command=command_line(), engines=engines)
    with SweepStore.open(project.runs_directory) as store, open_pool(jobs or os.cpu_count() or 1, cluster) as pool:
        if not resume:
            for sweep in asked:
                store.begin(sweep)
        with SweepDisplay() as display:
            interrupted = _run(project, store, asked, pool, display, as_json)
        if csv_path is not None:
            from ctrlgraph.experiments.sweeps.export import write_csv

            write_csv(((sweep, store.trials(sweep.id)) for sweep in asked), csv_path)
            console.echo(f"trials: {display_path(csv_path)}", err=as_json)
        if write_ground and not interrupted:
            _write_ground(project, store, asked, as_json)
    if interrupted:
        console.echo(f"interrupted: go on with --resume {shlex.quote(asked[0].id.partition('.')[0])}", err=True)
        ctx.exit(ExitCode.INTERRUPTED)


def _all_targets(
    project: Project, targets: tuple[str, ...], every: bool, edges: bool, *, planned: bool
) -> tuple[str, ...]:
    """The targets that are named, and every node and edge that is asked for; `planned`: with all nodes all edges, each
    once, where its ground is none of the question."""
    from ctrlgraph.experiments.evaluation_plan import all_edges, all_targets
    from ctrlgraph.experiments.sweeps.ground import every_edge

    graph = project.graph
    nodes = (*all_targets(graph), *(all_edges(graph) if planned else ())) if every else ()
    return (*targets, *nodes, *(every_edge(graph) if edges else ()))


def _write_ground(project: Project, store: SweepStore, sweeps: Sequence[Sweep], as_json: bool) -> None:
    """The slopes on which edges held, into the graph file, and said."""
    from ctrlgraph.experiments.sweeps.ground import found_grounds
    from ctrlgraph.graph.editor import put_ground

    found, lines = found_grounds(project.graph, ((sweep, store.trials(sweep.id)) for sweep in sweeps))
    changed = put_ground(project.graph_path, found)
    for line in (*lines, f"{'written' if changed else 'nothing to change'}: {display_path(project.graph_path)}"):
        console.echo(line, err=as_json)


def _questions(
    project: Project,
    targets: tuple[str, ...],
    sweeps: Sequence[str],
    limits: Sequence[str],
    confirm: int | None,
    given: Sequence[str],
    file: str | None,
    trials: int | None,
) -> list[Scenario]:
    """Return the scenario of a file as the command line changes it, one for each limit."""
    from ctrlgraph.experiments.perturbation import Perturbations
    from ctrlgraph.experiments.sweeps.scenario import Scenario, load_scenario, parse_axis, parse_limit, parse_values

    plain = Perturbations.of(project)
    base = Scenario(fixed=plain) if file is None else load_scenario(scenario_path(project, file), plain)
    axes = tuple(parse_axis(text) for text in sweeps)
    asked_anew = bool(axes or limits)
    searches = [parse_limit(text) for text in limits] if asked_anew else [base.limit] if base.limit else []
    repeated = [axis for axis, count in Counter(search.axis for search in searches).items() if count > 1]
    if repeated:
        raise CtrlGraphError(f"--limit {repeated[0]} is given twice: give it once")
    if confirm is not None:
        if not searches:
            raise CtrlGraphError("--confirm belongs to a search for a limit: give --limit AXIS")
        searches = [dataclasses.replace(search, confirm=confirm) for search in searches]
    question = dataclasses.replace(
        base,
        description="" if asked_anew else base.description,
        targets=targets or base.targets,
        axes=axes if asked_anew else base.axes,
        limit=searches[0] if searches else None,
        fixed=base.fixed.with_values(parse_values(given)),
        trials=trials or base.trials,
    )
    return [question, *(dataclasses.replace(question, limit=search) for search in searches[1:])]


def scenario_path(project: Project, name: str, inside: Path = Path("scenarios")) -> Path:
    """Return a file as it is given, or the scenario of this name in the project.

    Raises:
        CtrlGraphError: there is none, or a link in its place leads out of the project.
    """
    path, folder = Path(name), project.directory / inside
    if path.suffix or path.exists():
        return path
    named = folder / f"{name}.yaml"
    contained(project.directory, inside / named.name)
    if not named.is_file():
        known = [file.stem for file in sorted(folder.glob("*.yaml"))]
        hint = suggestion(name, known) or (f"there are {', '.join(known)}" if known else f"{folder} holds none")
        raise CtrlGraphError(f"there is no scenario '{name}' ({hint})")
    return named


def _run(
    project: Project, store: SweepStore, sweeps: list[Sweep], pool: Any, display: SweepDisplay, as_json: bool
) -> bool:
    """Do the sweeps and print what came of them; whether they were interrupted."""
    from ctrlgraph.experiments.sweeps.limit import find_limits
    from ctrlgraph.experiments.sweeps.sweep import run_sweeps
    from ctrlgraph.experiments.worker_pool import Interrupted

    if sweeps[0].is_limit:
        try:
            limits = find_limits(project, store, sweeps, pool, display)
        except Interrupted:
            return True
        beside = beside_sources((sweep, store.trials(sweep.id)) for sweep in sweeps)
        _show(display, lambda: print_limit_answers(sweeps, limits, beside, as_json))
        return False
    results = run_sweeps(project, store, sweeps, pool, display)
    _show(display, lambda: print_answers(results, as_json))
    return results[0].interrupted


def _show(display: SweepDisplay, show: Callable[[], None]) -> None:
    display.__exit__(None, None, None)  # the bar is gone before the table comes
    show()
