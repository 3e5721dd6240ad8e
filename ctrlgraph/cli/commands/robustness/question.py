"""Options, questions, trials and results of `robustness sweep` and `robustness limit`."""

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
    """The options that `question_options` adds."""

    words: tuple[str, ...]
    """Targets and axes."""
    every: bool
    edges: bool
    perturbations: tuple[str, ...]
    scenario: str | None
    trials: int | None
    engines: tuple[str, ...]
    jobs: int | None
    cluster: str | None
    seed: int | None
    resume: str | None
    output: Path | None
    as_json: bool

    @property
    def is_new(self) -> bool:
        """Whether an option is given that a resumed sweep cannot change."""
        asked = (self.words, self.every, self.edges, self.perturbations, self.scenario, self.trials, self.engines)
        return any(asked) or self.seed is not None


def question_options(metavar: str) -> Callable[[Any], Any]:
    """Return a decorator that adds the options of a question; the command receives them as `request`, a `Request`.

    Args:
        metavar: Form of targets and axes.
    """

    def decorate(function: Any) -> Any:
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
        )(collected("request", Request)(function))

    return decorate


def answer(
    ctx: click.Context,
    request: Request,
    axes: Sequence[str] = (),
    limits: Sequence[str] = (),
    confirm: int | None = None,
    *,
    write_ground: bool = False,
) -> None:
    """Run the trials of a question, store them and print the results.

    Args:
        ctx: Context of the command.
        request: Options of the command; its words are the targets.
        axes: Axes of a sweep, AXIS=VALUES.
        limits: Axes of a search for limits, AXIS[=STEP].
        confirm: Number of values below a limit that must succeed too.
        write_ground: Write the slopes on which edges succeed to the graph.

    Raises:
        CtrlGraphError: The question is not valid.
    """
    from ctrlgraph.robustness.sweeps.ground import check_question
    from ctrlgraph.robustness.sweeps.sweep import new_sweeps
    from ctrlgraph.robustness.sweeps.sweep_log import SweepStore
    from ctrlgraph.robustness.worker_pool import open_pool

    settings: Settings = ctx.obj
    project = settings.project()
    if request.resume:
        if request.is_new or axes or limits or settings.engine or confirm is not None:
            raise click.UsageError("--resume continues a sweep unchanged: give no targets and no other options")
        with SweepStore.read(project.runs_directory) as store:
            sweeps = store.matching(request.resume)
    else:
        require_one_place(request.engines, request.perturbations)
        questions = _questions(project, request, axes, limits, confirm, search=ctx.info_name == "limit")
        if write_ground:
            if len(request.engines) > 1:
                raise CtrlGraphError("the ground of an edge belongs to one engine: give --engine one name")
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
    """Write the slopes on which edges succeeded to the graph file, and print them."""
    from ctrlgraph.graph.editor import put_ground
    from ctrlgraph.robustness.sweeps.ground import found_grounds

    found, lines = found_grounds(project.graph, ((sweep, store.trials(sweep.id)) for sweep in sweeps))
    changed = put_ground(project.graph_path, found)
    for line in (*lines, f"{'written' if changed else 'nothing to change'}: {display_path(project.graph_path)}"):
        console.echo(line, err=as_json)


def _questions(
    project: Project, request: Request, axes: Sequence[str], limits: Sequence[str], confirm: int | None, *, search: bool
) -> list[Scenario]:
    """Return the scenario of the file as the command line changes it, one for each limit."""
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
        raise CtrlGraphError(f"the axis {repeated[0]} is given twice: give it once")
    if search and not searches:
        raise CtrlGraphError("name an axis to search, such as slope, or a scenario of a limit")
    if searches and not search:
        raise CtrlGraphError(f"{file} searches for a limit: use `ctrlgraph robustness limit`")
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
    """Return the path of a scenario.

    Args:
        project: The project.
        name: A file, or the name of a scenario of the project.

    Raises:
        CtrlGraphError: There is none, or it is a link that leads out of the project.
    """
    path, folder = Path(name), project.directory / "scenarios"
    if path.suffix or path.exists():
        return path
    named = folder / f"{name}.yaml"
    contained(project.directory, f"scenarios/{named.name}")
    if not named.is_file():
        known = [file.stem for file in sorted(folder.glob("*.yaml"))]
        hint = suggestion(name, known) or (f"there are {', '.join(known)}" if known else f"{folder} holds none")
        raise CtrlGraphError(f"there is no scenario '{name}' ({hint})")
    return named


def _run(project: Project, store: SweepStore, sweeps: list[Sweep], pool: WorkerPool, as_json: bool) -> bool:
    """Run the sweeps and print their results; return whether they were interrupted."""
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
