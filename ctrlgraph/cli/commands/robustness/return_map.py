"""`ctrlgraph robustness return-map`: measure the return map of a cyclic motion, and the number of cycles until a fall.

Theta is the phase variable: a quantity that increases during each cycle. The return map gives the rate of theta at the
start of a cycle as a function of its rate at the start of the previous cycle.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from ctrlgraph.bounds import MAX_TRIALS
from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import Settings, engine_option, json_option, seed_option
from ctrlgraph.cli.options.numbers import FloatRange
from ctrlgraph.cli.options.pictures import PictureFile
from ctrlgraph.cli.options.world import WorldOptions, world_option
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.control.tracking.tracking import Tracking
    from ctrlgraph.project.project import Project
    from ctrlgraph.robustness.gaits.return_map import CyclesRun, ReturnMap

SPEED = FloatRange(0, 20, min_open=True)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--slowest", type=SPEED, default=0.5, help="Lowest rate of theta, m/s or rad/s.")
@click.option("--fastest", type=SPEED, default=1.7, help="Highest rate of theta, m/s or rad/s.")
@click.option("--samples", type=click.IntRange(2, 1000), default=25, help="Rates of the map.")
@click.option("--trials", type=click.IntRange(0, MAX_TRIALS), default=5, help="Perturbed starts.")
@click.option("--cycles", type=click.IntRange(1, 10_000), default=100, help="Cycles of each start.")
@click.option("--theta-rate", type=SPEED, help="Rate of theta at the starts, m/s or rad/s.  [default: the fixed point]")
@click.option(
    "--beside",
    type=FloatRange(-1, 1),
    metavar="M",
    help="Also map a constant policy: the force acts this far before the ankle.",
)
@click.option(
    "--policy",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE.npz",
    help="Also draw this policy and its values.",
)
@world_option(("slope",))
@engine_option
@seed_option()
@click.option("--plot", type=PictureFile(".png", ".svg"), metavar="FILE.png|svg", help="Draw the map.")
@json_option("rates, after (null: a fall), unit, fixed_points, runs, seed, slope, engine")
@click.pass_obj
def command(
    settings: Settings,
    file: Path,
    slowest: float,
    fastest: float,
    samples: int,
    trials: int,
    cycles: int,
    theta_rate: float | None,
    beside: float | None,
    policy: Path | None,
    world: WorldOptions,
    seed: int,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Measure the return map of a tracking controller: the rate of theta after a cycle by the rate before the cycle.

    Also print its fixed points (rates that do not change) with the slope of the map, and the cycles until a fall from
    perturbed starts. FILE is a tracking controller whose first stage is in contact. The cycles of the map begin with
    all constraints satisfied. The perturbed starts have noise of 10 % in the rate, 0.02 rad in joint angles and 0.2
    rad/s in joint velocities. If theta is an angle, rates are in rad/s. If right and left are exchanged after each
    step, the map is from one step to the next.

    Example:
      ctrlgraph robustness return-map tracking/walk.yaml --with slope=2 --plot map.png
    """
    import numpy as np

    from ctrlgraph.control.tracking.tracking import with_constant_policy
    from ctrlgraph.policies import TabulatedPolicy
    from ctrlgraph.robustness.gaits.phase_policy import policy_drawn
    from ctrlgraph.robustness.gaits.return_map import return_map, run_cycles
    from ctrlgraph.terrain.words import parse

    if not slowest < fastest:
        raise CtrlGraphError(f"--slowest {slowest:g} must be below --fastest {fastest:g}")
    project = settings.project()
    tracking = _read(project, file, beside)
    unit = "m/s" if tracking.entry.phase.angle is None else "rad/s"
    table = None if policy is None else policy_drawn(TabulatedPolicy.load(policy))
    ground = parse(world.terrain) if world.terrain != "flat" else None
    rates = np.linspace(slowest, fastest, samples).tolist()
    with console.progress("cycles", total=samples * (1 if beside is None else 2) + trials * cycles) as (bar, shown):

        def mapped(controller: Tracking) -> ReturnMap:
            def advance() -> None:
                bar.update(shown, advance=1)

            return return_map(controller, rates, terrain=ground, engine=project.engine, on_cycle=advance)

        found = mapped(tracking)
        compared = None if beside is None else mapped(with_constant_policy(tracking, beside))
        points = found.fixed_points()
        begun = theta_rate or (min(points, key=lambda each: abs(each[1]))[0] if points else (slowest + fastest) / 2)
        runs = []
        for i in range(trials):
            rng = np.random.default_rng([seed, i])
            runs.append(run_cycles(tracking, begun, cycles, terrain=ground, engine=project.engine, rng=rng))
            bar.update(shown, advance=cycles)
    if as_json:
        slope = float(world.terrain.partition("=")[2] or 0)
        head = {"seed": seed, "slope": slope, "engine": project.engine, "unit": unit}
        console.print_json(head | found.as_dict() | {"runs": [run.as_dict() for run in runs]})
    else:
        _print(points, runs, cycles, unit)
        console.echo(f"seed {seed}")
    if plot is not None:
        from ctrlgraph.pictures.return_map_figure import ReturnMapPlot, return_map_figure
        from ctrlgraph.pictures.style import write_figure

        drawn = [ReturnMapPlot("its own policy", found.rates, found.after, points)]
        if compared is not None:
            title = f"constant, {beside:g} m"
            drawn.insert(0, ReturnMapPlot(title, compared.rates, compared.after, compared.fixed_points()))
        write_figure(plot, lambda: return_map_figure(drawn, table, unit))
        console.echo(f"picture: {display_path(plot)}", err=as_json)


def _read(project: Project, file: Path, beside: float | None) -> Tracking:
    """Read the tracking controller, and check that --beside can be used with it.

    Args:
        project: Project with the character that the controller moves.
        file: File of the controller.
        beside: Value of --beside: position of the ground force in a constant policy, m ahead of the ankle. None: not
            given.

    Raises:
        CtrlGraphError: --beside is given, but no stage of the controller has a foot flat on the ground.
    """
    tracking = cast("Tracking", project.read_controller("tracking", file))
    stands_flat = any("flat" in stage.contacts.values() for stage in tracking.entry.stages)
    if not stands_flat and beside is not None:
        message = f"--beside needs a foot that is flat on the ground, but {tracking.name} only stands on points"
        raise CtrlGraphError(message)
    return tracking


def _print(fixed_points: list[tuple[float, float]], runs: list[CyclesRun], cycles: int, unit: str) -> None:
    for at, slope in fixed_points:
        console.echo(f"fixed point {at:.3f} {unit}, slope {slope:.2f}")
    if not fixed_points:
        console.echo("no fixed point among the samples")
    rows = []
    for i, run in enumerate(runs):
        rates = run.rates  # none where all cycles were over in the first tick
        speeds = [f"{rates[0]:.2f}", f"{sum(rates) / len(rates):.2f}"] if rates else ["-", "-"]
        cells = [*speeds, f"{run.seconds:.1f}", f"{run.distance:.1f}"]
        cost = f"{run.energy / run.distance:.0f}" if run.distance > 0.1 else "-"
        rows.append((str(i + 1), str(run.cycles), *cells, cost, "" if run.cycles == cycles else run.reason))
    if rows:
        titles = ("start", "cycles", f"{unit} at the start", "mean", "seconds", "metres", "J/m", "end")
        console.print_table(titles, rows)
