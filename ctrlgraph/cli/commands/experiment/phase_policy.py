"""`ctrlgraph experiment phase-policy`: compute the policy of a tracking controller by value iteration.

The policy chooses the position along the sole at which the ground force acts. It depends on the phase variable theta,
which increases during each cycle, and on the rate of theta.
"""

from __future__ import annotations

from pathlib import Path

import click

from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import Settings, engines_option, json_option, output_option
from ctrlgraph.cli.options.numbers import FloatRange
from ctrlgraph.cli.options.pictures import PictureFile
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

MAX_POINTS = 400
"""Maximum number of grid points along theta, and along its rate. Tracking controllers cannot read larger policies."""

SPEED = FloatRange(0, 20, min_open=True)


def _slopes(ctx: click.Context, parameter: click.Parameter, text: str) -> tuple[float, ...]:
    """Convert the value of --with, such as "slope=-2,0,2", to the slopes in degrees."""
    from ctrlgraph.robustness.sweeps.scenario import parse_axis

    name, values = parse_axis(text)
    if name != "slope":
        raise click.BadParameter(f"--with of this command must be slope=VALUES, not {name}", ctx, parameter)
    return values


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--theta-rate", type=SPEED, required=True, help="Desired rate of theta, m/s.")
@click.option("--slowest", type=SPEED, default=0.3, help="Lowest rate of the grid, m/s.")
@click.option("--fastest", type=SPEED, default=2.3, help="Highest rate of the grid, m/s.")
@click.option(
    "--points", type=click.IntRange(2, MAX_POINTS), default=100, help="Grid points along theta and along its rate."
)
@click.option("--actions", type=click.IntRange(2, 100), default=20, help="Positions along the sole.")
@click.option(
    "--table", type=PictureFile(".npz"), metavar="FILE.npz", help="Table of outcomes.  [default: below runs/]"
)
@output_option("The policy.  [default: NAME.policy.npz beside FILE]", type=PictureFile(".npz"), metavar="FILE.npz")
@click.option(
    "--effort",
    type=FloatRange(0, 1),
    default=0.01,
    help="Cost of an end of the sole for 20 ms; an error of 1 m/s costs 1.",
)
@engines_option("Engine that simulates leaving the ground; several are combined.  [default: the project's]")
@click.option(
    "--with",
    "ground",
    callback=_slopes,
    default="slope=0",
    metavar="slope=VALUES",
    help="Slopes of the ground before and after a jump, degrees: FROM:TO:STEP or VALUE,VALUE...",
)
@json_option("policy, table, states, safe, outcomes")
@click.pass_obj
def command(
    settings: Settings,
    file: Path,
    theta_rate: float,
    slowest: float,
    fastest: float,
    points: int,
    actions: int,
    table: Path | None,
    output: Path | None,
    effort: float,
    engines: tuple[str, ...],
    ground: tuple[float, ...],
    as_json: bool,
) -> None:
    """Compute a policy: where the ground force acts in each state, so that a cycle ends at the desired rate of theta.

    A state is a value of the phase variable theta and its rate. FILE is a tracking controller whose cycle begins and
    ends flat on the feet. All states of a grid are simulated once, and the table of their outcomes is stored: a later
    call with another --theta-rate uses this table.

    Example:
      ctrlgraph experiment phase-policy tracking/jump.yaml --theta-rate 0.9
    """
    from ctrlgraph.engine.engine import ENGINES
    from ctrlgraph.policies import OutcomeStatus, tabulate
    from ctrlgraph.robustness.gaits.phase_policy import (
        HOPELESS,
        PASSAGE_PLACES,
        PASSAGES,
        PhasePolicyTask,
        solve_phase_policy,
    )

    if not slowest < theta_rate < fastest:
        raise CtrlGraphError(
            f"--theta-rate {theta_rate:g} must be between --slowest {slowest:g} and --fastest {fastest:g}"
        )
    project = settings.project()
    task = PhasePolicyTask(
        require_planar(project.character, "a phase policy"), file, (slowest, fastest), (points, points), actions
    )
    kept = table or project.runs_directory / f"{file.stem}.outcomes.npz"
    target = output or file.with_name(f"{file.stem}.policy.npz")
    space, chosen = task.space, tuple(dict.fromkeys(engines or (project.engine,)))
    slopes = tuple(dict.fromkeys(ground))
    for name in chosen:
        ENGINES[name].load()  # report a missing engine before the long computation
    with console.progress("states", total=space.grid.size) as (bar, shown):
        found = tabulate(space, task.outcomes, kept, lambda done: bar.update(shown, completed=done))
    with console.progress("passages", total=PASSAGES * len(PASSAGE_PLACES) * len(chosen) * len(slopes)) as (bar, shown):
        rows = task.passages(chosen, slopes, lambda: bar.update(shown, advance=1))
    policy = solve_phase_policy([task.with_passages(found, row) for row in rows], theta_rate, effort)
    policy.save(target)
    safe = int((policy.value > HOPELESS).sum())
    if as_json:
        outcomes = {status.name.lower(): found.count(status) for status in OutcomeStatus}
        console.print_json(
            {"policy": str(target), "table": str(kept), "states": space.grid.size, "safe": safe, "outcomes": outcomes}
        )
        return
    console.echo(f"table: {display_path(kept)}")
    console.echo(f"policy: {display_path(target)}, {safe} of {space.grid.size} states reach the next cycle")
