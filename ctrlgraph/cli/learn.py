"""`ctrlgraph learn`: find constants under which one motion leads into another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.pictures import PictureFile, write_pictures
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
    from ctrlgraph.learning.learn import Learned
    from ctrlgraph.project import Project


def _load_scenario(ctx: click.Context, _: click.Parameter, name: str | None) -> None:
    """What the file says becomes the default of every argument and option; the command line goes before it."""
    if name is None:
        return
    from ctrlgraph.cli.robustness import scenario_path
    from ctrlgraph.learning.scenario import DIRECTORY, load_learn_scenario

    settings: Settings = ctx.obj
    options = {str(p.name): p for p in ctx.command.params}
    names = {option.removeprefix("--"): key for key, p in options.items() for option in p.opts if option[:2] == "--"}
    path = scenario_path(settings.project(), name, DIRECTORY)
    scenario = load_learn_scenario(path, frozenset(names))
    chosen = {names[option]: value for option, value in scenario.options.items()}
    repeated = {key for key, p in options.items() if isinstance(p, click.Option) and p.multiple}
    listed = {k: [v] if k in repeated and not isinstance(v, list) else v for k, v in chosen.items()}
    ctx.default_map = {**(ctx.default_map or {}), "source": scenario.source, "target": scenario.target, **listed}


@click.command()
@click.argument("source")
@click.argument("target")
@click.option(
    "--scenario",
    is_eager=True,
    expose_value=False,
    callback=_load_scenario,
    metavar="FILE",
    help="A scenario file, or the name of one in scenarios/learn/: source, target and options.",
)
@click.option(
    "--source-cycles",
    type=click.IntRange(0),
    default=None,
    help="So many more cycles of the source with constants of their own.  [default: 1 for a gait]",
)
@click.option("--bridge", metavar="N|FILE", help="A bridging script of N phases that is proposed, or one of yours.")
@click.option(
    "--target-cycles",
    type=click.IntRange(1),
    help="Only so many first cycles of the target change.  [default: 1 for a gait, else all]",
)
@click.option("--phase", "phases", type=int, multiple=True, help="Only these phases of the target's scripts change.")
@click.option("--only", "quantities", multiple=True, metavar="KIND", help="Only angle, kp, kd, time, cd, cv, force...")
@click.option("--smooth", is_flag=True, help="Follow the target's known motion more closely.")
@click.option("--faster", is_flag=True, help="Take less time.")
@click.option("--less-energy", is_flag=True, help="Take less work and torque.")
@click.option(
    "--on",
    "condition",
    metavar="slope=DEG",
    help="Constants for this ground only, interpolated to those of other slopes.",
)
@click.option("--obstacle", metavar="X:WIDTH:HEIGHT", help="Constants for a box on the ground, X m from the start.")
@click.option(
    "--filmstrip",
    type=PictureFile(".png"),
    metavar="FILE.png",
    help="Draw the naive switch and what was learned: FILE-naive.png, FILE-learned.png.",
)
@crew_options
@search_options
@click.pass_context
def command(
    ctx: click.Context,
    source: str,
    target: str,
    source_cycles: int | None,
    bridge: str | None,
    target_cycles: int | None,
    phases: tuple[int, ...],
    quantities: tuple[str, ...],
    smooth: bool,
    faster: bool,
    less_energy: bool,
    condition: str | None,
    obstacle: str | None,
    filmstrip: Path | None,
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
    """Learn the transition from node SOURCE to node TARGET.

    Searched are the constants of the source's last cycles, of a bridging script and of the target's first cycles.
    What was found is compared with simply switching, on entries that the search has not seen, and written as a
    learned edge only where it is better.
    """
    from ctrlgraph.learning.conditions import box_height, parse_condition
    from ctrlgraph.learning.evaluation import evaluate
    from ctrlgraph.learning.learn import learn, write_edge
    from ctrlgraph.learning.search import Budget
    from ctrlgraph.learning.transition import STYLES, TransitionRequest
    from ctrlgraph.learning.tuning import check_quantities
    from ctrlgraph.robustness.crew import Interrupted, hired
    from ctrlgraph.robustness.perturbation import Perturbations
    from ctrlgraph.robustness.scenario import parse_value
    from ctrlgraph.robustness.target import is_cyclic

    settings: Settings = ctx.obj
    project = settings.project()
    weights: dict[str, float] = {}
    for name, asked in (("smooth", smooth), ("faster", faster), ("less-energy", less_energy)):
        weights |= STYLES[name] if asked else {}
    where: list[tuple[str, object]] = [parse_value(word) for word in given]
    on = None if condition is None else parse_condition(condition)
    if obstacle is not None:
        if on is not None:
            raise click.UsageError("an edge is bound to one condition: give --on or --obstacle")
        where.append(("terrain", f"box={obstacle}"))
        on = "obstacle", box_height(obstacle)
    elif on is not None and on[0] == "slope":
        where.append(on)
    gait, goal = is_cyclic(project.graph.node(source)), is_cyclic(project.graph.node(target))
    request = TransitionRequest(
        source=source,
        target=target,
        source_cycles=int(gait) if source_cycles is None else source_cycles,
        bridge=int(bridge) if bridge is not None and bridge.isdecimal() else bridge or 0,
        target_cycles=1 if target_cycles is None and goal else target_cycles,
        phases=phases,
        quantities=check_quantities(quantities),
        fixed=Perturbations().with_values(where),
        groups=groups_of(over),
        entries=entries,
        numerics=numerics,
        weights=weights | weights_of(weigh),
        on=on,
        seed=drawn_seed(seed),
    )
    plan = plan_of(optimizer, sigma, population, restarts, request.seed)
    with hired(workers(jobs), cluster, work=evaluate) as crew:
        try:
            with SearchDisplay(generations, f"{source} -> {target}") as display:
                found = learn(
                    project,
                    request,
                    plan,
                    Budget(generations, None if minutes is None else 60 * minutes, settled),
                    crew,
                    trials=trials,
                    checkpoint=checkpoint,
                    begun=lambda problem, left_out: say_problem(problem, left_out, request.seed),
                    observe=display.generation,
                )
        except Interrupted:
            hint = "" if checkpoint is None else f": the same command goes on from {display_path(checkpoint)}"
            click.echo(f"interrupted{hint}", err=True)
            ctx.exit(EXIT_INTERRUPTED)
    written = write_edge(project, found, plan, command_line()) if found.worth and not dry_run else []
    if filmstrip is not None:
        _draw(project, found, filmstrip)
    if as_json:
        console.print_json(search_dict(found.result) | found.as_dict() | {"written": [str(p) for p in written]})
        return
    print_search(found.result)
    _print_end(found, written, dry_run)


def _draw(project: Project, found: Learned, file: Path) -> None:
    """The first unperturbed case, with the naive switch and with what was learned."""
    from ctrlgraph.learning.motion import motion
    from ctrlgraph.learning.transition import naive_problem

    naive = motion(project, naive_problem(found.problem), [])
    learned = motion(project, found.problem, found.result.x)
    for name, shown in (("naive", naive), ("learned", learned)):
        path = file.with_name(f"{file.stem}-{name}.png")
        write_pictures(
            shown.trace,
            character=shown.character,
            terrain=shown.terrain,
            title=f"{name}: {shown.title}",
            filmstrip=path,
        )


def _print_end(found: Learned, written: list[Path], dry_run: bool) -> None:
    out = console.stdout()
    out.print(f"on held-out entries: naive {found.naive.sentence()}, learned {found.learned.sentence()}")
    if written:
        out.print(f"{found.why}; written: {', '.join(display_path(path) for path in written)}")
    elif dry_run and found.worth:
        out.print(f"{found.why}; nothing is written: a dry run")
    else:
        out.print(f"nothing is written: {found.why}")
