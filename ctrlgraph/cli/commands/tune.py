"""`ctrlgraph tune`: optimize the constants of a script so that its motion succeeds under perturbations."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.cli import completion, console
from ctrlgraph.cli.display.searches import print_problem, print_search, print_validating, search_dict, showing_search
from ctrlgraph.cli.display.walks import command_line
from ctrlgraph.cli.options.common import Settings, success_option
from ctrlgraph.cli.options.motion import SETTINGS, arguments_argument
from ctrlgraph.cli.options.search import SearchOptions, search_options
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import contained, display_path

if TYPE_CHECKING:
    from ctrlgraph.insertion.draft import StagedDraft
    from ctrlgraph.learning.problem import Problem
    from ctrlgraph.learning.search import SearchPlan, SearchResult
    from ctrlgraph.learning.tuning import TuningRequest
    from ctrlgraph.learning.validation import Validation
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.worker_pool import WorkerPool


@click.command(context_settings=SETTINGS)
@click.argument("target", metavar="TARGET_OR_SCRIPT", shell_complete=completion.scripts)
@arguments_argument
@success_option
@click.option(
    "--script",
    "scripts",
    multiple=True,
    metavar="NODE",
    shell_complete=completion.nodes,
    help="Change only this node's script. Repeatable.",
)
@click.option(
    "--from",
    "sources",
    multiple=True,
    metavar="NODE",
    shell_complete=completion.nodes,
    help="Start only where this node ends. Repeatable.",
)
@click.option("--phase", "phases", type=int, multiple=True, help="Change only constants of this phase. Repeatable.")
@click.option(
    "--only",
    "quantities",
    multiple=True,
    metavar="KIND",
    help="Change only constants of this kind: angle, kp, kd, time, cd, cv, force... Repeatable.",
)
@click.option("--shared", is_flag=True, help="Also change the called scripts, which other nodes may share.")
@click.option(
    "--on", "condition", metavar="slope=DEG", help="Adapt the nodes to this slope and leave the scripts unchanged."
)
@search_options
@click.pass_context
def command(
    ctx: click.Context,
    target: str,
    args: tuple[float, ...],
    success: tuple[str, ...],
    scripts: tuple[str, ...],
    sources: tuple[str, ...],
    phases: tuple[int, ...],
    quantities: tuple[str, ...],
    shared: bool,
    condition: str | None,
    options: SearchOptions,
) -> None:
    """Optimize the constants of a node, an edge (a->b), a path, or a script with its ARGS, so that the motion succeeds.

    The search changes all numbers of the target's own scripts except those of safety exits (transitions because of a
    fall or a time limit). If these scripts have no numbers, it changes those of the scripts that they call. The scripts
    are rewritten in place, with comments and layout, if more held-out cases (which the search did not use) succeed than
    before, or as many at a lower cost.

    A script outside the graph succeeds if the conditions of --success or of its statement SET SUCCESS hold. It starts
    in the start pose, or where the nodes of --from end.

    Examples:
      ctrlgraph tune walk --over slope=-4:4:2 --minutes 10
      ctrlgraph tune controllers/leap.t --from stand --success height=1:
    """
    from ctrlgraph.learning.scheduling import parse_condition
    from ctrlgraph.learning.tuning import TuningRequest, check_quantities

    settings: Settings = ctx.obj
    project = settings.project()
    chosen: dict[str, Any] = {"scripts": scripts, "sources": sources, "phases": phases}
    with _staged(project, target, args, success, chosen, condition) as draft:
        if draft is not None:
            chosen |= {"sources": draft.sources}
            target = draft.node.name
        home = project if draft is None else draft.project
        request = TuningRequest(
            target=target,
            **chosen,
            quantities=check_quantities(quantities),
            onward=draft is None,
            weights=options.weights,
            shared=shared,
            on=None if condition is None else parse_condition(condition),
            **options.cases(home),
        )
        _tune(project, draft, request, options)


@contextlib.contextmanager
def _staged(
    project: Project,
    target: str,
    args: tuple[float, ...],
    success: tuple[str, ...],
    chosen: dict[str, Any],
    condition: str | None,
) -> Iterator[StagedDraft | None]:
    """Prepare the target for a search during a `with` block.

    A script outside the graph becomes a node of a temporary copy of the project, a draft (which no walk enters).

    Args:
        project: Project with the graph.
        target: Node, edge or path of the graph, or a script.
        args: Arguments of the script.
        success: Success conditions of the script, as MEASURE=LOW:HIGH.
        chosen: Values of --script and --from, by the keys "scripts" and "sources".
        condition: Value of --on, as "slope=DEG"; None if not given.

    Yields:
        The draft with its copy of the project, or None if the target is in the graph.
    """
    from ctrlgraph.insertion.candidate_node import CandidateRequest
    from ctrlgraph.insertion.draft import staged_draft
    from ctrlgraph.project.script_success import parse_conditions
    from ctrlgraph.robustness.evaluation_plan import ARROW

    given = CandidateRequest(target, args, success=parse_conditions(success) or None)
    if target in project.graph or ARROW in target:
        for name, value in (("ARGS", args), ("--success", success)):
            if value:
                raise CtrlGraphError(f"{name} cannot be given for a node: change the values in the graph file instead")
        yield None
        return
    if condition is not None or chosen["scripts"]:
        raise CtrlGraphError("omit --on and --script: they apply only to nodes of the graph")
    with staged_draft(project, given, chosen["sources"]) as draft:
        yield draft


def _tune(project: Project, draft: StagedDraft | None, request: TuningRequest, options: SearchOptions) -> None:
    from ctrlgraph.learning.search import CandidateSearch
    from ctrlgraph.learning.tuning import sources, tuning_problem

    plan, home = options.plan, project if draft is None else draft.project
    problem, left_out = tuning_problem(home, request)
    began = sources(problem.search_space)
    print_problem(problem, left_out, request.seed)
    _print_scope(home, problem, request)
    with options.pool() as pool:
        search = CandidateSearch(problem, plan, pool, options.checkpoint)
        with showing_search(options.generations, f"tuning {request.target}", options.budget.seconds) as show:
            result = search.run(options.budget, show)
        before, after = _verified(home, problem, request, result, pool, options.trials)
    why_not = _why_not(request, result, before, after)
    if sources(problem.search_space) != began:
        why_not = "the scripts have changed since the search began"
    written = _write(project, draft, problem, request, result, plan) if why_not is None and not options.dry_run else []
    if options.as_json:
        held_out = {"before": before.as_dict(), "after": after.as_dict()}
        report = search_dict(result, options.workers) | {"held_out": held_out}
        console.print_json(report | {"written": [str(path) for path in written]})
        return
    print_search(result, options.workers)
    console.echo(f"held-out cases that succeed: {before.sentence()} before, {after.sentence()} after")
    if draft is not None:
        sources_text = ", ".join(draft.sources)
        console.echo(
            f"these cases test only the conditions of {draft.node.name} itself, after {sources_text};"
            " `ctrlgraph integrate` also tests the motion after it"
        )
    names = ", ".join(display_path(path) for path in written)
    console.echo(f"written: {names}" if written else f"nothing is written: {why_not or 'a dry run'}")


def _print_scope(project: Project, problem: Problem, request: TuningRequest) -> None:
    """Print notes on stderr if the search changes constants of called scripts, or has only one case.

    Args:
        project: Project with the target.
        problem: Parameters and cases of the search.
        request: Target and options of the search.
    """
    from ctrlgraph.learning.tuning import called_files
    from ctrlgraph.robustness.evaluation_plan import split_target

    nodes = request.scripts or split_target(request.target)
    if request.on is None and not request.shared:
        called = called_files(problem.search_space, project, nodes)
        if called:
            names = ", ".join(path.name for path in called)
            console.echo(
                f"the target's own scripts have no constants: tuning {names}, which other nodes may call too", err=True
            )
    if len(problem.cases) == 1 and not problem.cases[0].perturbations.drawn:
        entry = problem.cases[0].evaluation_plan.setup[-1].node
        console.echo(
            f"the search has a single case, an unperturbed rollout after {entry}: --over noise=0.02/0.04 adds"
            " perturbed initial states",
            err=True,
        )


def _verified(
    project: Project, problem: Problem, request: TuningRequest, result: SearchResult, pool: WorkerPool, trials: int
) -> tuple[Validation, Validation]:
    """Test the constants before and after a search in cases that the search did not use (held-out cases).

    Args:
        project: Project with the target.
        problem: Parameters and cases of the search.
        request: Target and options of the search.
        result: Result of the search.
        pool: Worker processes for the simulations.
        trials: Number of held-out cases. 0: no test.

    Returns:
        Successes in the held-out cases with the constants before, and with those after the search.
    """
    import numpy as np

    from ctrlgraph.learning.evaluation import with_cases
    from ctrlgraph.learning.tuning import HELD_OUT, held_out
    from ctrlgraph.learning.validation import Validation, verify

    if trials == 0:
        return Validation(()), Validation(())
    cases = held_out(project, problem, request, trials=trials, seed=request.seed + HELD_OUT)
    print_validating(len(cases))
    unseen = with_cases(project, problem, cases)
    present = np.zeros(len(problem.search_space))
    return verify(unseen, present, pool), verify(unseen, result.x, pool)


def _write(
    project: Project,
    draft: StagedDraft | None,
    problem: Problem,
    request: TuningRequest,
    result: SearchResult,
    plan: SearchPlan,
) -> list[Path]:
    """Write the constants that a search has found, and return the paths of the files written.

    The files are the scripts with the new constants or, with --on, learned files with constants for a slope. If a
    script cannot be written, no script is changed.

    Args:
        project: Project to change.
        draft: Copy of the project with a script outside the graph; None if the target is in the graph.
        problem: Parameters and cases of the search.
        request: Target and options of the search.
        result: Result of the search.
        plan: Optimizer and its settings, for the record in a learned file.
    """
    from ctrlgraph.files import write_texts
    from ctrlgraph.learning.learn import search_record
    from ctrlgraph.learning.tuning import rewritten

    if request.on is not None:
        from ctrlgraph.learning.scheduling import adapt
        from ctrlgraph.robustness.evaluation_plan import split_target

        values = problem.search_space.values(result.x).get("", {})
        record = search_record(plan, result, problem, command_line())
        nodes = request.scripts or split_target(request.target)
        return [adapt(project, node, values, request.on, record) for node in nodes]
    texts = rewritten(problem.search_space, result.x)
    if draft is not None:
        from ctrlgraph.insertion.draft import original

        texts = {original(project, draft, path): text for path, text in texts.items()}
    for path in texts:
        contained(project.directory, project.relative(str(path)))
    write_texts(texts)
    return list(texts)


def _why_not(request: TuningRequest, result: SearchResult, before: Validation, after: Validation) -> str | None:
    """Return the reason for not writing the result of a search, or None if the result is better and can be written.

    Args:
        request: Target and options of the search.
        result: Result of the search.
        before: Successes in held-out cases with the constants before the search.
        after: Successes in held-out cases with the constants after the search.
    """
    from ctrlgraph.learning.validation import worse_engine

    loses = worse_engine(before, after)
    if loses is not None:
        return f"fewer cases than before succeed on {loses}"
    if not result.improved or after.successes < before.successes:
        return "the result is not better than the current constants"
    if request.on is not None and after.trials and not after.successes:
        return "no held-out case succeeds"  # a script may be unfinished, but an adapted node is used in walks
    return None
