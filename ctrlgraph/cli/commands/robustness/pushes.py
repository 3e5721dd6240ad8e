"""`ctrlgraph robustness pushes`: the pushes that motions withstand, and their response to one"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.bounds import MAX_CYCLES
from ctrlgraph.cli import completion, console
from ctrlgraph.cli.options.common import Settings, engine_option, json_option
from ctrlgraph.cli.options.motion import cycles_option, from_option
from ctrlgraph.cli.options.numbers import FloatRange
from ctrlgraph.cli.options.pictures import PictureFile
from ctrlgraph.errors import CtrlGraphError, near_names
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.experiments.gaits.push_response import PushLimits, PushResponse
    from ctrlgraph.view.push_figure import PushedMotion


@click.command()
@click.argument("nodes", nargs=-1, required=True, metavar="NODE...", shell_complete=completion.nodes)
@from_option("Node that precedes them.", required=True)
@click.option(
    "--at", type=FloatRange(0, 1000), required=True, metavar="S", help="Time of the push, after the node begins."
)
@cycles_option(MAX_CYCLES)
@click.option("--step", type=FloatRange(0, 1000, min_open=True), default=10.0, help="Resolution of limits, N.")
@click.option("--most", type=FloatRange(0, 1e6), default=1000.0, help="Largest push, N.")
@click.option(
    "--plot", type=PictureFile(".png", ".svg"), metavar="FILE.png|svg", help="Draw the response to --force instead."
)
@click.option("--force", type=FloatRange(-1e6, 1e6), default=-50.0, help="Push of the picture, N.")
@click.option("--joint", metavar="JOINT", help="Joint of the picture.  [default: the first one]")
@click.option(
    "--seconds", type=FloatRange(0, 1000, min_open=True), default=3.0, help="Time after the push in the picture."
)
@engine_option
@json_option("after, at, engine, limits")
@click.pass_obj
def command(
    settings: Settings,
    nodes: tuple[str, ...],
    after: str,
    at: float,
    cycles: int | None,
    step: float,
    most: float,
    plot: Path | None,
    force: float,
    joint: str | None,
    seconds: float,
    as_json: bool,
) -> None:
    """Measure which pushes motions withstand: for 0.1 s on the trunk, at one moment, without randomness.

    Each NODE is entered from the node of --from, and pushed backward and forward with growing force until it falls. It
    gets on where it moves at least half as far as without a push. With --plot the response to one push is drawn
    instead, a column for each NODE.

    Examples:
      ctrlgraph robustness pushes walk run --from stand --at 1.2
      ctrlgraph robustness pushes walk --from stand --at 1.2 --plot push.png --force 100
    """
    from ctrlgraph.experiments.gaits.push_response import DURATION_S, PushResponse

    if step > most:
        raise CtrlGraphError(f"--step {step:g} is above --most {most:g}: no push would be tried")
    project = settings.project()
    if joint is not None and project.character.joint_index(joint) is None:
        hint = near_names(joint, project.character.known_joints, "joints")
        raise CtrlGraphError(f"the character {project.character.name} has no joint '{joint}' {hint}")
    drawn = joint or project.character.joints[0].name
    found: list[PushLimits] = []
    motions: list[PushedMotion] = []
    with console.progress("pushes") as (bar, task):
        for node in nodes:
            with PushResponse(project, node, after, at, cycles) as response:
                if plot is None:
                    found.append(response.limits(step, most, lambda: bar.update(task, advance=1)))
                else:
                    motions.append(_pushed_motion(response, force, drawn, at + seconds))
    if plot is not None:
        from ctrlgraph.view.push_figure import write_push_figure

        write_push_figure(motions, plot, push=(at, at + DURATION_S), joint=drawn)
        console.echo(f"picture: {display_path(plot)}", err=as_json)
    if as_json:
        head = {"after": after, "at": at, "engine": project.engine}
        console.print_json(head | {"limits": [asdict(each) for each in found]})
    elif found:
        rows = [(f.node, *(f"{low:g} to {high:g}" for low, high in (f.upright, f.continues))) for f in found]
        console.print_table(("node", "does not fall, N", "continues, N"), rows)


def _pushed_motion(response: PushResponse, force: float, joint: str, until: float) -> PushedMotion:
    from ctrlgraph.experiments.gaits.push_response import leg_phase
    from ctrlgraph.view.push_figure import JointMotion, PushedMotion

    courses = []
    for newtons in (force, 0.0):
        signals = response.signals(newtons)
        shown = signals.part(0, int((signals.columns["time"] <= until).sum()))
        phase, stands = leg_phase(shown, response.character)
        columns = shown.columns
        courses.append(
            JointMotion(columns["time"], phase, stands, columns[f"angle.{joint}"], columns[f"torque.{joint}"])
        )
    return PushedMotion(response.node, *courses)
