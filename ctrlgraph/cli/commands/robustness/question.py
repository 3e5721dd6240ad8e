"""Common parts of `ctrlgraph robustness sweep` and `ctrlgraph robustness limit`: options, trials and printing.

A question states which targets (nodes, edges or paths) are tested under which perturbations. It comes from the command
line and, with --scenario, from a scenario file.
"""

from __future__ import annotations

import dataclasses
import os
import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.bounds import MAX_TRIALS
from ctrlgraph.cli import completion, console
from ctrlgraph.cli.display.sweeps import print_answers, print_limit_answers, showing_trials
from ctrlgraph.cli.display.walks import command_line
from ctrlgraph.cli.options.common import (
    Settings,
    add_options,
    drawn_seed,
    engines_option,
    json_option,
    output_option,
    pool_options,
    require_one_place,
    seed_option,
)
from ctrlgraph.cli.options.search import collected
from ctrlgraph.cli.options.world import perturbations_option
from ctrlgraph.errors import CtrlGraphError, suggestion
from ctrlgraph.paths import contained, display_path

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.sweeps.scenario import Scenario
    from ctrlgraph.robustness.sweeps.sweep_log import Sweep, SweepStore
    from ctrlgraph.robustness.worker_pool import WorkerPool


@dataclasses.dataclass(frozen=True)
class Request:
    """Values of the arguments and options of `ctrlgraph robustness sweep` and `limit`.

    The docstring of each field begins with the option's name.
    """

    words: tuple[str, ...]
    """The arguments: targets (nodes, edges or paths) and axes (perturbations with values)."""
    every: bool
    """--all: test all nodes."""
    edges: bool
    """--edges: test all naive and learned edges."""
    perturbations: tuple[str, ...]
    """--with: perturbations of all trials, as NAME=VALUE."""
    scenario: str | None
    """--scenario: path of a scenario file, or the name of one in scenarios/. None: no scenario."""
    trials: int | None
    """--trials: number of trials at each combination of values of the axes. None: the default."""
    engines: tuple[str, ...]
    """--engine: names of engines, if there are several; otherwise empty."""
    jobs: int | None
    """--jobs: number of worker processes. None: one for each core."""
    cluster: str | None
    """--cluster: address of a dask scheduler. None: worker processes of this machine."""
    seed: int | None
    """--seed: seed of all random numbers. None: the scenario's seed, or else a random one."""
    resume: str | None
    """--resume: id of an interrupted sweep to continue, or "last". None: begin a new sweep."""
    output: Path | None
    """--output: CSV file to which all trials are written. None: no such file."""
    as_json: bool
    """--json: print JSON."""

    @property
    def is_new(self) -> bool:
        """Return whether an argument or option is given that defines a new sweep, so that --resume is impossible."""
        asked = (self.words, self.every, self.edges, self.perturbations, self.scenario, self.trials, self.engines)
        return any(asked) or self.seed is not None


def question_options(metavar: str) -> Callable[[Any], Any]:
    """Return a decorator that adds the arguments and options that state which targets are tested, and how.

    The command receives their values as `request`, a `Request`.

    Args:
        metavar: How the help shows the arguments (targets and axes).
    """
    return add_options(
        click.argument("words", nargs=-1, metavar=metavar, shell_complete=completion.nodes),
        click.option("--all", "every", is_flag=True, help="All nodes; on several engines also all planned edges."),
        click.option("--edges", is_flag=True, help="All naive and learned edges."),
        perturbations_option(),
        click.option("--scenario", metavar="FILE", help="Scenario file, or the name of one in scenarios/."),
        click.option(
            "--trials",
            type=click.IntRange(1, MAX_TRIALS),
            help="Trials per point, where anything is random.  [default: 10]",
        ),
        engines_option("Physics engine; with several, their results are compared.  [default: the project's]"),
        pool_options,
        seed_option("Seed of all random numbers.  [default: the scenario's, else a new one]", drawn=False),
        click.option("--resume", metavar="ID", help="Resume an interrupted sweep, or `last`."),
        output_option("Write every trial as CSV.", metavar="FILE.csv"),
        json_option("sweeps with their points, or limits; on several engines engines, comparison"),
        collected("request", Request),
    )


def answer(
    ctx: click.Context,
    request: Request,
    axes: Sequence[str] = (),
    limits: Sequence[str] = (),
    confirm: int | None = None,
    *,
    write_ground: bool = False,
) -> None:
    """Run the trials that a command requests, store them and print the results.

    Args:
        ctx: Context of the command.
        request: Arguments and options of the command. Its words are the targets, without the AXIS=VALUES words.
        axes: Perturbations of a sweep with their values, as AXIS=VALUES.
        limits: Perturbations whose largest value with success is searched for, as AXIS[=STEP].
        confirm: Number of values below a limit that must also succeed. None: that of the scenario file.
        write_ground: Write the slopes on which edges succeed to the graph file.

    Raises:
        CtrlGraphError: A target, an axis, a perturbation or the scenario file is not valid.
        click.UsageError: --resume is given with other arguments or options.
    """
    from ctrlgraph.robustness.sweeps.ground import check_question
    from ctrlgraph.robustness.sweeps.sweep import new_sweeps
    from ctrlgraph.robustness.sweeps.sweep_log import SweepStore
    from ctrlgraph.robustness.worker_pool import open_pool

    settings: Settings = ctx.obj
    project = settings.project()
    if request.resume:
        if request.is_new or axes or limits or settings.engine or confirm is not None:
            raise click.UsageError("--resume continues a sweep unchanged: omit targets, axes and other options")
        with SweepStore.read(project.runs_directory) as store:
            sweeps = store.matching(request.resume)
    else:
        require_one_place(request.engines, request.perturbations)
        questions = _questions(project, request, axes, limits, confirm, search=ctx.info_name == "limit")
        if write_ground:
            if len(request.engines) > 1:
                raise CtrlGraphError("--write-ground needs the slopes of a single engine: give only one --engine")
            for question in questions:
                check_question(question)
        stated = questions[0].seed
        seed = stated if request.seed is None and stated is not None else drawn_seed(request.seed)
        sweeps = new_sweeps(project, *questions, seed=seed, command=command_line(), engines=request.engines)
    pool = open_pool(request.jobs or os.cpu_count() or 1, request.cluster)
    with SweepStore.open(project.runs_directory) as store, pool as workers:
        if not request.resume:
            for sweep in sweeps:
                store.begin(sweep)
        interrupted = _run(project, store, sweeps, workers, request.as_json)
        if request.output is not None:
            from ctrlgraph.robustness.sweeps.export import write_csv

            write_csv(((sweep, store.trials(sweep.id)) for sweep in sweeps), request.output)
            console.echo(f"trials: {display_path(request.output)}", err=request.as_json)
        if write_ground and not interrupted:
            _write_ground(project, store, sweeps, request.as_json)
    if interrupted:
        console.interrupted(f": resume with --resume {shlex.quote(sweeps[0].id.partition('.')[0])}")


def _write_ground(project: Project, store: SweepStore, sweeps: Sequence[Sweep], as_json: bool) -> None:
    """Write the range of slopes on which each edge succeeded to the graph file, and print these ranges.

    Args:
        project: Project with the graph file.
        store: Store of the trials.
        sweeps: Finished sweeps of edges over slopes.
        as_json: Print on stderr, so that stdout has only JSON.
    """
    from ctrlgraph.graph.editor import put_ground
    from ctrlgraph.robustness.sweeps.ground import found_grounds

    found, lines = found_grounds(project.graph, ((sweep, store.trials(sweep.id)) for sweep in sweeps))
    changed = put_ground(project.graph_path, found)
    for line in (*lines, f"{'written' if changed else 'nothing to change'}: {display_path(project.graph_path)}"):
        console.echo(line, err=as_json)


def _questions(
    project: Project, request: Request, axes: Sequence[str], limits: Sequence[str], confirm: int | None, *, search: bool
) -> list[Scenario]:
    """Return the scenarios to test: that of the scenario file (if any), changed as the command line states.

    A scenario has targets, perturbations, and axes to sweep or a limit to search for.

    Args:
        project: Project with the targets.
        request: Arguments and options of the command.
        axes: Perturbations of a sweep with their values, as AXIS=VALUES.
        limits: Perturbations whose largest value with success is searched for, as AXIS[=STEP].
        confirm: Number of values below a limit that must also succeed. None: that of the scenario file.
        search: Whether the command searches for limits. Then there is a scenario for each of `limits`.
    """
    from ctrlgraph.robustness.evaluation_plan import all_edges, all_targets
    from ctrlgraph.robustness.perturbation import Perturbations
    from ctrlgraph.robustness.sweeps.ground import every_edge
    from ctrlgraph.robustness.sweeps.scenario import Scenario, load_scenario, parse_axis, parse_limit, parse_values

    plain, file = Perturbations.of(project), request.scenario
    graph, targets = project.graph, list(request.words)
    if request.every:
        targets += [*all_targets(graph), *(all_edges(graph) if request.engines else ())]
    if request.edges:
        targets += every_edge(graph)
    base = Scenario(fixed=plain) if file is None else load_scenario(scenario_path(project, file), plain)
    is_new = bool(axes or limits)
    searches = [parse_limit(text) for text in limits] if is_new else [base.limit] if base.limit else []
    repeated = [axis for axis, count in Counter(each.axis for each in searches).items() if count > 1]
    if repeated:
        raise CtrlGraphError(f"the axis {repeated[0]} is given twice: give each axis once")
    if search and not searches:
        raise CtrlGraphError("give the axis whose limit is to be found, such as slope, or a --scenario with a limit")
    if searches and not search:
        raise CtrlGraphError(f"{file} is a scenario with a limit to search for: use `ctrlgraph robustness limit`")
    if confirm is not None:
        searches = [dataclasses.replace(each, confirm=confirm) for each in searches]
    question = dataclasses.replace(
        base,
        description="" if is_new else base.description,
        targets=tuple(targets) or base.targets,
        axes=tuple(map(parse_axis, axes)) if is_new else base.axes,
        limit=searches[0] if searches else None,
        fixed=base.fixed.with_values(parse_values(request.perturbations)),
        trials=request.trials or base.trials,
    )
    return [question, *(dataclasses.replace(question, limit=each) for each in searches[1:])]


def scenario_path(project: Project, name: str) -> Path:
    """Return the path of a scenario file, given its path or name.

    Args:
        project: Project with the directory scenarios/.
        name: Path of the file, or the name of a scenario in scenarios/ (the file name without .yaml).

    Raises:
        CtrlGraphError: The project has no scenario with this name, or its file is a link that leads out of the project.
    """
    path, folder = Path(name), project.directory / "scenarios"
    if path.suffix or path.exists():
        return path
    named = folder / f"{name}.yaml"
    contained(project.directory, f"scenarios/{named.name}")
    if not named.is_file():
        known = [file.stem for file in sorted(folder.glob("*.yaml"))]
        hint = suggestion(name, known) or (f"known: {', '.join(known)}" if known else f"{folder} has no scenario files")
        raise CtrlGraphError(f"there is no scenario '{name}' ({hint})")
    return named


def _run(project: Project, store: SweepStore, sweeps: list[Sweep], pool: WorkerPool, as_json: bool) -> bool:
    """Run sweeps or searches for limits, and print their results.

    Args:
        project: Project with the tested nodes and edges.
        store: Store of the trials.
        sweeps: The sweeps to run. Either all are sweeps over grids, or all are searches for limits.
        pool: Worker processes for the trials.
        as_json: Print JSON.

    Returns:
        Whether the work was interrupted.
    """
    from ctrlgraph.robustness.sweeps.limit import find_limits
    from ctrlgraph.robustness.sweeps.sweep import run_sweeps
    from ctrlgraph.robustness.worker_pool import Interrupted

    if not sweeps[0].is_limit:
        with showing_trials() as display:
            results = run_sweeps(project, store, sweeps, pool, display)
        print_answers(results, as_json)
        return results[0].interrupted
    try:
        with showing_trials() as display:
            limits = find_limits(project, store, sweeps, pool, display)
    except Interrupted:
        return True
    print_limit_answers(sweeps, limits, as_json)
    return False
