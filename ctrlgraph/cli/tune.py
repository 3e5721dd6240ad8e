"""`ctrlgraph tune`: make a controller hold against perturbations, and write its script back in place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.search_display import SearchDisplay, print_search, say_problem, say_verifying, search_dict
from ctrlgraph.cli.search_options import SearchOptions, search_options
from ctrlgraph.cli.settings import Settings
from ctrlgraph.cli.walk_display import command_line
from ctrlgraph.paths import contained, display_path

if TYPE_CHECKING:
    from ctrlgraph.experiments.worker_pool import WorkerPool
    from ctrlgraph.optimization.problem import Problem
    from ctrlgraph.optimization.search import SearchPlan, SearchResult
    from ctrlgraph.optimization.tuning import TuningRequest
    from ctrlgraph.optimization.validation import Validation
    from ctrlgraph.project.project import Project


@click.command()
@click.argument("target")
@click.option("--script", "scripts", multiple=True, metavar="NODE", help="Only change this node's script.")
@click.option("--from", "sources", multiple=True, metavar="NODE", help="Only enter it from this node.")
@click.option("--phase", "phases", type=int, multiple=True, help="Only change constants of this phase.")
@click.option("--only", "quantities", multiple=True, metavar="KIND", help="Only angle, kp, kd, time, cd, cv, force...")
@click.option("--shared", is_flag=True, help="Also change the scripts that it calls, which others may share.")
@click.option("--on", "condition", metavar="slope=DEG", help="Adapt the nodes to this ground; the scripts stay.")
@search_options
@click.pass_context
def command(
    ctx: click.Context,
    target: str,
    scripts: tuple[str, ...],
    sources: tuple[str, ...],
    phases: tuple[int, ...],
    quantities: tuple[str, ...],
    shared: bool,
    condition: str | None,
    options: SearchOptions,
) -> None:
    """Tune the constants of a node, an edge (a->b) or a path against its success conditions.

    All numbers of the target's own scripts are searched, so that it holds from every entry and under every
    perturbation given. The scripts are written back in place, comments and layout kept, if more held-out cases
    hold than before, or as many at a lower cost.
    """
    from ctrlgraph.optimization.search import CandidateSearch
    from ctrlgraph.optimization.tuning import tuning_problem
    from ctrlgraph.optimization.validation import engine_that_loses

    settings: Settings = ctx.obj
    project, plan = settings.project(), options.plan
    chosen = {"scripts": scripts, "sources": sources, "phases": phases}
    request = _request(project, target, chosen, quantities, shared, condition, options)
    problem, left_out = tuning_problem(project, request)
    say_problem(problem, left_out, request.seed)
    with options.pool(ctx) as pool:
        search = CandidateSearch(problem, plan, pool, options.checkpoint)
        with SearchDisplay(options.generations, f"tuning {target}") as display:
            result = search.run(options.budget, display.generation)
        before, after = _verified(project, problem, request, result, pool, options.trials)
    loses = engine_that_loses(before, after)
    better = result.improved and after.successes >= before.successes and loses is None
    written = _write(project, problem, request, result, plan) if better and not options.dry_run else []
    if options.as_json:
        held_out = {"before": before.as_dict(), "after": after.as_dict()}
        console.print_json(
            search_dict(result, options.processes) | {"held_out": held_out, "written": [str(p) for p in written]}
        )
        return
    print_search(result, options.processes)
    console.stdout().print(f"held-out cases that hold: {before.sentence()} before, {after.sentence()} after")
    _print_end(written, better, loses, options.dry_run)


def _request(
    project: Project,
    target: str,
    chosen: dict[str, Any],
    quantities: tuple[str, ...],
    shared: bool,
    condition: str | None,
    options: SearchOptions,
) -> TuningRequest:
    from ctrlgraph.optimization.scheduling import parse_condition
    from ctrlgraph.optimization.tuning import TuningRequest, check_quantities

    return TuningRequest(
        target=target,
        **chosen,
        quantities=check_quantities(quantities),
        groups=options.groups,
        fixed=options.fixed(project),
        engines=options.engines,
        entries=options.entries,
        numerics=options.numerics,
        exits=options.exits,
        weights=options.weights,
        shared=shared,
        on=None if condition is None else parse_condition(condition),
        seed=options.seed,
    )


def _verified(
    project: Project, problem: Problem, request: TuningRequest, result: SearchResult, pool: WorkerPool, trials: int
) -> tuple[Validation, Validation]:
    """Held-out cases with the constants as they were, and as they were found."""
    import numpy as np

    from ctrlgraph.optimization.evaluation import with_cases
    from ctrlgraph.optimization.tuning import HELD_OUT, held_out
    from ctrlgraph.optimization.validation import Validation, verify

    if trials == 0:
        return Validation(()), Validation(())
    cases = held_out(project, problem, request, trials=trials, seed=request.seed + HELD_OUT)
    say_verifying(len(cases))
    unseen = with_cases(project, problem, cases)
    present = np.zeros(len(problem.search_space))
    return verify(unseen, present, pool), verify(unseen, result.x, pool)


def _write(
    project: Project, problem: Problem, request: TuningRequest, result: SearchResult, plan: SearchPlan
) -> list[Path]:
    """The scripts, each whole or not at all; or the adapted files, where it is for some ground only."""
    from ctrlgraph.files import write_text
    from ctrlgraph.optimization.edge_file import search_record
    from ctrlgraph.optimization.tuning import rewritten

    if request.on is not None:
        from ctrlgraph.experiments.evaluation_plan import split_target
        from ctrlgraph.optimization.scheduling import adapt

        values = problem.search_space.values(result.x).get("", {})
        record = search_record(plan, result, problem, command_line())
        nodes = request.scripts or split_target(request.target)
        return [adapt(project, node, values, request.on, record) for node in nodes]
    texts = rewritten(problem.search_space, result.x)
    for path in texts:
        contained(project.directory, project.relative(str(path)))
    for path, text in texts.items():
        write_text(path, text)
    return list(texts)


def _print_end(written: list[Path], better: bool, loses: str | None, dry_run: bool) -> None:
    if loses is not None:
        console.stdout().print(f"nothing is written: less than before holds on {loses}")
    elif written:
        console.stdout().print(f"written: {', '.join(display_path(path) for path in written)}")
    elif not better:
        console.stdout().print("nothing is written: what was found is no better than what there is")
    elif dry_run:
        console.stdout().print("nothing is written: a dry run")
