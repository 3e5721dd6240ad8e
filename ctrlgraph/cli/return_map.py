"""`ctrlgraph return-map FILE`: does a cyclic motion come back to its rate, and how long does it go on?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ctrlgraph.bounds import MAX_TRIALS
from ctrlgraph.cli import console
from ctrlgraph.cli.numbers import FloatRange
from ctrlgraph.cli.pictures import PictureFile
from ctrlgraph.cli.settings import Settings, engine_option
from ctrlgraph.cli.walk_display import MAX_SEED, drawn_seed
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.control.tracking.tracking import Tracking
    from ctrlgraph.experiments.return_map import CyclesRun, ReturnMap
    from ctrlgraph.kernels.arrays import Floats
    from ctrlgraph.project.project import Project


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--slowest", type=FloatRange(0, 20, min_open=True), default=0.5, show_default=True, help="m/s or rad/s, of the map."
)
@click.option(
    "--fastest", type=FloatRange(0, 20, min_open=True), default=1.7, show_default=True, help="m/s or rad/s, of the map."
)
@click.option("--samples", type=click.IntRange(2, 1000), default=25, show_default=True, help="Rates of the map.")
@click.option("--trials", type=click.IntRange(0, MAX_TRIALS), default=5, show_default=True, help="Shaken starts.")
@click.option("--cycles", type=click.IntRange(1, 10_000), default=100, show_default=True, help="Of each start.")
@click.option(
    "--rate",
    type=FloatRange(0, 20, min_open=True),
    help="m/s or rad/s at the starts; without it, the map's fixed point.",
)
@click.option(
    "--constant",
    type=FloatRange(-1, 1),
    metavar="M",
    help="Instead of its policy: the force acts so far before the ankle.",
)
@click.option(
    "--beside",
    type=FloatRange(-1, 1),
    metavar="M",
    help="Map the constant policy as well, into the same picture.",
)
@click.option(
    "--policy",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE.npz",
    help="Draw this policy and its values as well.",
)
@click.option("--slope", type=FloatRange(-45, 45), default=0.0, show_default=True, help="Of the ground, degrees, up.")
@engine_option
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="Of the shaken starts; without it, a new one.")
@click.option("--plot", type=PictureFile(".png", ".svg"), metavar="FILE.png|svg", help="Draw the map.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def command(
    settings: Settings,
    file: Path,
    slowest: float,
    fastest: float,
    samples: int,
    trials: int,
    cycles: int,
    rate: float | None,
    constant: float | None,
    beside: float | None,
    policy: Path | None,
    slope: float,
    seed: int | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Measure the return map of a tracking controller's cycle, its slope, and how many cycles go by before a fall.

    FILE is a tracking controller whose first stage stands. The map's samples begin on its constraint surface; of the
    shaken starts the rate has noise of 10 %, the joints' angles of .02 rad, their velocities of .2 rad/s. Where theta
    is an angle, rates are in rad/s; where right and left swap, the map is from one step to the next.
    """
    import numpy as np

    from ctrlgraph.control.tracking.tracking import with_constant_policy
    from ctrlgraph.experiments.phase_policy import policy_drawn
    from ctrlgraph.experiments.return_map import return_map, run_cycles
    from ctrlgraph.policies import TabulatedPolicy
    from ctrlgraph.terrain.words import parse

    if not slowest < fastest:
        raise CtrlGraphError(f"--slowest {slowest:g} is not below --fastest {fastest:g}")
    project = settings.project()
    tracking = _read(project, file, constant, beside)
    unit = "m/s" if tracking.entry.phase.angle is None else "rad/s"
    table = None if policy is None else policy_drawn(TabulatedPolicy.load(policy))
    ground = parse(f"slope={slope:g}") if slope else None
    chosen = drawn_seed(seed)
    rates = np.linspace(slowest, fastest, samples).tolist()
    with console.progress("cycles", total=samples * (1 if beside is None else 2) + trials * cycles) as (bar, shown):

        def mapped(controller: Tracking) -> ReturnMap:
            def tell() -> None:
                bar.update(shown, advance=1)

            return return_map(controller, rates, terrain=ground, engine=project.engine, on_cycle=tell)

        found = mapped(tracking)
        compared = None if beside is None else mapped(with_constant_policy(tracking, beside))
        points = found.fixed_points()
        begun = rate or (min(points, key=lambda each: abs(each[1]))[0] if points else (slowest + fastest) / 2)
        runs = []
        for i in range(trials):
            rng = np.random.default_rng([chosen, i])
            runs.append(run_cycles(tracking, begun, cycles, terrain=ground, engine=project.engine, rng=rng))
            bar.update(shown, advance=cycles)
    if as_json:
        head = {"seed": chosen, "slope": slope, "engine": project.engine, "constant": constant, "unit": unit}
        console.print_json(head | found.as_dict() | {"runs": [run.as_dict() for run in runs]})
    else:
        _print(found, runs, cycles, unit)
        console.echo(f"seed {chosen}")
    if plot is not None:
        from ctrlgraph.view.return_map_figure import MapDrawn, write_return_map_figure

        drawn = [MapDrawn("its own policy" if constant is None else f"constant, {constant:g} m", *_parts(found))]
        if compared is not None:
            drawn.insert(0, MapDrawn(f"constant, {beside:g} m", *_parts(compared)))
        write_return_map_figure(drawn, plot, table, unit)
        console.echo(f"picture: {display_path(plot)}", err=as_json)


def _read(project: Project, file: Path, constant: float | None, beside: float | None) -> Tracking:
    """The controller with its own policy, or with a constant one in its place.

    Raises:
        CtrlGraphError: a constant policy is asked for, and there is no sole for it.
    """
    from ctrlgraph.control.tracking.reader import read_motion
    from ctrlgraph.control.tracking.tracking import with_constant_policy

    if constant is None:
        tracking = cast("Tracking", project.read_controller("tracking", file))
    else:
        tracking = with_constant_policy(read_motion(file, project.character), constant)
    stands_flat = any("flat" in stage.contacts.values() for stage in tracking.entry.stages)
    if not stands_flat and (constant is not None or beside is not None):
        message = f"{tracking.name} stands on points alone: there is no sole along which a force could act"
        raise CtrlGraphError(message)
    return tracking


def _parts(found: ReturnMap) -> tuple[Floats, Floats, list[tuple[float, float]]]:
    return found.rates, found.after, found.fixed_points()


def _print(found: ReturnMap, runs: list[CyclesRun], cycles: int, unit: str) -> None:
    from rich.table import Table

    for at, slope in found.fixed_points():
        console.echo(f"fixed point {at:.3f} {unit}, slope {slope:.2f}")
    if not found.fixed_points():
        console.echo("no fixed point among the samples")
    table = Table(box=None, pad_edge=False)
    for title in ("start", "cycles", f"{unit} at the start", "mean", "seconds", "metres", "J/m", "end"):
        table.add_column(title)
    for i, run in enumerate(runs):
        rates = run.rates  # none where all cycles were over in the first tick
        told = [f"{rates[0]:.2f}", f"{sum(rates) / len(rates):.2f}"] if rates else ["-", "-"]
        cells = [*told, f"{run.seconds:.1f}", f"{run.distance:.1f}"]
        cost = f"{run.energy / run.distance:.0f}" if run.distance > 0.1 else "-"
        table.add_row(str(i + 1), str(run.cycles), *cells, cost, "" if run.cycles == cycles else run.reason)
    if runs:
        console.stdout().print(table)
