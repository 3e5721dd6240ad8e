"""`ctrlgraph response JOINT`: how far and how late a joint follows a sine, over frequencies and gains."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.numbers import FINITE, FloatRange
from ctrlgraph.cli.pictures import PictureFile
from ctrlgraph.cli.settings import Settings, engine_option
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.experiments.frequency_response import ResponsePoint

TITLES = ("kp", "kd", "Hz", "gain", "lag", "expected gain", "lag", "distortion", "at the limit")


@click.command()
@click.argument("joint")
@click.option("--amplitude", type=FINITE, default=0.4, show_default=True, metavar="RAD", help="Of the target.")
@click.option(
    "--frequencies",
    default="0.5:2:0.25",
    show_default=True,
    metavar="FROM:TO:STEP|F,F...",
    help="Hz.",
)
@click.option("--kp", "stiffnesses", metavar="FROM:TO:STEP|K,K...", help="N m/rad; without it, the joint's own gains.")
@click.option("--ratio", type=FloatRange(0, min_open=True), default=10.0, show_default=True, help="Of kp to kd.")
@engine_option
@click.option("--dt", type=FINITE, default=0.002, show_default=True, metavar="S", help="Time step.")
@click.option(
    "--plot", type=PictureFile(".png", ".svg"), metavar="FILE.png|svg", help="Draw gain and lag over frequency and kp."
)
@click.option("--csv", "csv_path", type=click.Path(dir_okay=False, path_type=Path), help="Write the table.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_obj
def command(
    settings: Settings,
    joint: str,
    amplitude: float,
    frequencies: str,
    stiffnesses: str | None,
    ratio: float,
    dt: float,
    plot: Path | None,
    csv_path: Path | None,
    as_json: bool,
) -> None:
    """Measure the frequency response of JOINT: gain and lag, and what linear theory expects.

    The body floats without gravity or contact, its other joints held by the character's gains, and the joint is driven
    by a sine. Expected are two rigid bodies on a hinge.
    """
    from ctrlgraph.experiments.frequency_response import (
        expected_response,
        frequency_response,
        joint_index,
        listed_numbers,
        reduced_inertia,
        write_response,
    )

    project = settings.project()
    character = project.character
    own = character.joints[joint_index(character, joint)]
    wanted = listed_numbers("the frequencies", frequencies)
    gains = (
        [(own.kp, own.kd)]
        if stiffnesses is None
        else [(kp, kp / ratio) for kp in listed_numbers("the stiffnesses", stiffnesses)]
    )
    found: list[ResponsePoint] = []
    with console.progress("driving", total=len(gains) * len(wanted)) as (bar, task):
        for point in frequency_response(
            character,
            own.name,
            frequencies=wanted,
            gains=gains,
            amplitude=amplitude,
            engine=project.engine,
            dt=dt,
        ):
            found.append(point)
            bar.update(task, advance=1)
    inertia = reduced_inertia(character, own.name)
    if as_json:
        head: dict[str, Any] = {"character": character.name, "joint": own.name, "amplitude": amplitude, "dt": dt}
        console.print_json(head | {"inertia": inertia, "points": [point.as_dict() for point in found]})
    else:
        _print(found, own.name, inertia)
    if csv_path is not None:
        write_response(found, csv_path)
        console.echo(f"table: {display_path(csv_path)}", err=as_json)
    if plot is not None:
        from ctrlgraph.view.response_figure import write_response_figure

        def theory(kp: float, frequency: float) -> tuple[float, float]:
            return expected_response(inertia, kp, own.kd if stiffnesses is None else kp / ratio, frequency)

        rows = [(each.kp, each.frequency, each.gain, each.lag) for each in found]
        write_response_figure(rows, theory, plot, title=f"{own.name} of {character.name}, {amplitude:g} rad")
        console.echo(f"picture: {display_path(plot)}", err=as_json)


def _print(points: list[ResponsePoint], joint: str, inertia: float) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in TITLES:
        table.add_column(title, justify="right")
    for each in points:
        table.add_row(
            f"{each.kp:g}",
            f"{each.kd:g}",
            f"{each.frequency:g}",
            f"{each.gain:.3f}",
            f"{each.lag:.1f}°",
            f"{each.expected_gain:.3f}",
            f"{each.expected_lag:.1f}°",
            f"{100 * each.distortion:.1f} %",
            f"{100 * each.saturation:.0f} %",
        )
    console.stdout().print(table)
    console.echo(f"{joint} turns {inertia:.3f} kg m2 while all other joints are rigid")
