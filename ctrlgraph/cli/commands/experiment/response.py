"""`ctrlgraph experiment response`: gain and lag with which a joint follows a sine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import Settings, engine_option, json_option, output_option
from ctrlgraph.cli.options.numbers import FINITE, FloatRange
from ctrlgraph.cli.options.pictures import PictureFile
from ctrlgraph.cli.options.world import WorldOptions, world_option
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.experiments.frequency_response import ResponsePoint

TITLES = ("kp", "kd", "Hz", "gain", "lag", "expected gain", "lag", "distortion", "at the limit")


@click.command()
@click.argument("joint")
@click.option(
    "--amplitude", type=FINITE, default=0.4, show_default=True, metavar="RAD", help="Amplitude of the target."
)
@click.option(
    "--frequencies",
    default="0.5:2:0.25",
    show_default=True,
    metavar="FROM:TO:STEP|F,F...",
    help="Frequencies, Hz.",
)
@click.option(
    "--kp", "stiffnesses", metavar="FROM:TO:STEP|K,K...", help="Stiffnesses, N m/rad.  [default: the joint's gains]"
)
@click.option("--ratio", type=FloatRange(0, min_open=True), default=10.0, show_default=True, help="Ratio of kp to kd.")
@engine_option
@world_option(("dt",))
@click.option(
    "--plot", type=PictureFile(".png", ".svg"), metavar="FILE.png|svg", help="Draw gain and lag over frequency and kp."
)
@output_option("Write the table as CSV.", metavar="FILE.csv")
@json_option("character, joint, amplitude, dt, inertia, points")
@click.pass_obj
def command(
    settings: Settings,
    joint: str,
    amplitude: float,
    frequencies: str,
    stiffnesses: str | None,
    ratio: float,
    world: WorldOptions,
    plot: Path | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Measure the frequency response of JOINT: gain and lag, beside those of linear theory.

    The body floats without gravity and contacts; the character's gains hold its other joints, and a sine drives the
    joint. Theory assumes two rigid bodies on a hinge.

    Example:
      ctrlgraph experiment response rKnee --frequencies 1:10:1 --plot response.png
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
    dt = world.settings.get("dt", 0.002)
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
    if output is not None:
        write_response(found, output)
        console.echo(f"table: {display_path(output)}", err=as_json)
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
    console.echo(f"{joint} rotates {inertia:.3f} kg m2 while all other joints are rigid")
