"""`ctrlgraph tune`: make a controller hold against perturbations, and write its script back in place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.robustness import crew_options
from ctrlgraph.cli.search_options import (
    EXIT_INTERRUPTED,
    SearchDisplay,
    groups_of,
    plan_of,
    print_search,
    say_problem,
    search_dict,
    search_options,
    weights_of,
    workers,
)
from ctrlgraph.cli.settings import Settings
from ctrlgraph.cli.walk_display import command_line, drawn_seed
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.learning.problem import Problem
    from ctrlgraph.learning.search import Plan, SearchResult
    from ctrlgraph.learning.tuning import TuningRequest
    from ctrlgraph.learning.verification import Verdict
    from ctrlgraph.project import Project
    from ctrlgraph.robustness.crew import Crew


@click.command()
@click.argument("target")
@click.option("--script", "scripts", multiple=True, metavar="NODE", help="Only change this node's script.")
@click.option("--phase", "phases", type=int, multiple=True, help="Only change constants of this phase.")
@click.option("--only", "quantities", multiple=True, metavar="KIND", help="Only angle, kp, kd, time, cd, cv, force...")
@click.option("--shared", is_flag=True, help="Also change the scripts that it calls, which others may share.")
@click.option("--on", "condition", metavar="slope=DEG", help="Adapt the nodes to this ground; the scripts stay.")
@crew_options
@search_options
@click.pass_context
def command(
    ctx: click.Context,
    target: str,
    scripts: tuple[str, ...],
    phases: tuple[int, ...],
    quantities: tuple[str, ...],
    shared: bool,
    condition: str | None,
    jobs: int | None,
    cluster: str | None,
    over: tuple[str, ...],
    given: tuple[str, ...],
    entries: int,
    numerics: bool,
    weigh: tuple[str, ...],
    optimizer: str,
    sigma: float,
    population: int | None,
    restarts: int,
    generations: int,
    minutes: float | None,
    settled: int | None,
    trials: int,
    checkpoint: Path | None,
    dry_run: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Tune the constants of a node, an edge (a->b) or a path against its success conditions.

    All numbers of the target's own scripts are searched, so that it holds from every entry and under every
    perturbation given. The scripts are written back in place, comments and layout kept, if more held-out cases
    hold than before, or as many at a lower cost.
    """
    from ctrlgraph.learning.conditions import parse_condition
    from ctrlgraph.learning.evaluation import evaluate
    from ctrlgraph.learning.search import Budget, Search
    from ctrlgraph.learning.tuning import TuningRequest, check_quantities, tuning_problem
    from ctrlgraph.robustness.crew import Interrupted, hired
    from ctrlgraph.robustness.perturbation import Perturbations
    from ctrlgraph.robustness.scenario import parse_value

    settings: Settings = ctx.obj
    project = settings.project()
    request = TuningRequest(
        target=target,
        scripts=scripts,
        phases=phases,
        quantities=check_quantities(quantities),
        groups=groups_of(over),
        fixed=Perturbations().with_values(parse_value(word) for word in given),
        entries=entries,
        numerics=numerics,
        weights=weights_of(weigh),
        shared=shared,
        on=None if condition is None else parse_condition(condition),
        seed=drawn_seed(seed),
    )
    plan = plan_of(optimizer, sigma, population, restarts, request.seed)
    problem, left_out = tuning_problem(project, request)
    say_problem(problem, left_out, request.seed)
    with hired(workers(jobs), cluster, work=evaluate) as crew:
        search = Search(problem, plan, crew, checkpoint)
        try:
            with SearchDisplay(generations, f"tuning {target}") as display:
                budget = Budget(generations, None if minutes is None else 60 * minutes, settled)
                result = search.run(budget, display.generation)
            before, after = _verified(project, problem, request, result, crew, trials)
        except Interrupted:
            hint = "" if checkpoint is None else f": the same command goes on from {display_path(checkpoint)}"
            click.echo(f"interrupted{hint}", err=True)
            ctx.exit(EXIT_INTERRUPTED)
    better = result.improved and after.successes >= before.successes
    written = _write(project, problem, request, result, plan) if better and not dry_run else []
    if as_json:
        held_out = {"before": before.as_dict(), "after": after.as_dict()}
        console.print_json(search_dict(result) | {"held_out": held_out, "written": [str(p) for p in written]})
        return
    print_search(result)
    console.stdout().print(f"held-out cases that hold: {before.sentence()} before, {after.sentence()} after")
    _print_end(written, better, dry_run)


def _verified(
    project: Project, problem: Problem, request: TuningRequest, result: SearchResult, crew: Crew, trials: int
) -> tuple[Verdict, Verdict]:
    """Held-out cases with the constants as they were, and as they were found."""
    from dataclasses import replace

    import numpy as np

    from ctrlgraph.learning.tuning import HELD_OUT, held_out
    from ctrlgraph.learning.verification import Verdict, verify

    if trials == 0:
        return Verdict(()), Verdict(())
    cases = held_out(project, problem, request, trials=trials, seed=request.seed + HELD_OUT)
    unseen = replace(problem, cases=cases)
    present = np.zeros(len(problem.unknowns))
    return verify(unseen, present, crew), verify(unseen, result.x, crew)


def _write(project: Project, problem: Problem, request: TuningRequest, result: SearchResult, plan: Plan) -> list[Path]:
    """The scripts, each whole or not at all; or the adapted files, where it is for some ground only."""
    from ctrlgraph.learning.tuning import rewritten

    if request.on is not None:
        from ctrlgraph.learning.conditions import adapt
        from ctrlgraph.learning.edge_file import search_record
        from ctrlgraph.robustness.target import split_target

        values = problem.unknowns.values(result.x).get("", {})
        record = search_record(plan, result, problem, command_line())
        nodes = request.scripts or split_target(request.target)
        return [adapt(project, node, values, request.on, record) for node in nodes]
    written = []
    for path, text in rewritten(problem.unknowns, result.x).items():
        temporary = path.with_suffix(f".{os.getpid()}.tmp")
        try:
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        written.append(path)
    return written


def _print_end(written: list[Path], better: bool, dry_run: bool) -> None:
    if written:
        console.stdout().print(f"written: {', '.join(display_path(path) for path in written)}")
    elif not better:
        console.stdout().print("nothing is written: what was found is no better than what there is")
    elif dry_run:
        console.stdout().print("nothing is written: a dry run")
