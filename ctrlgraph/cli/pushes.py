"""`ctrlgraph pushes NODE...`: up to which pushes do motions not fall, and how do they answer one?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.bounds import MAX_CYCLES
from ctrlgraph.cli import completion, console
from ctrlgraph.cli.numbers import FloatRange
from ctrlgraph.cli.pictures import PictureFile
from ctrlgraph.cli.settings import Settings, engine_option
from ctrlgraph.errors import CtrlGraphError, near_names
from ctrlgraph.paths import display_path

if TYPE_CHECKING:
    from ctrlgraph.experiments.push_response import PushLimits, PushResponse
    from ctrlgraph.view.push_figure import Answer


@click.command()
@click.argument("nodes", nargs=-1, required=True, metavar="NODE...", shell_complete=completion.nodes)
@click.option("--after", metavar="NODE", required=True, shell_complete=completion.nodes, help="What runs before them.")
@click.option("--at", type=FloatRange(0, 1000), required=True, metavar="S", help="When the push begins, in the node.")
@click.option("--cycles", type=click.IntRange(1, MAX_CYCLES), help="How often it runs. [default: the node's fewest]")
@click.option("--step", type=FloatRange(0, 1000, min_open=True), default=10.0, show_default=True, help="Of limits, N.")
@click.option("--most", type=FloatRange(0, 1e6), default=1000.0, show_default=True, help="That is tried, N.")
@click.option("--plot", type=PictureFile(".png", ".svg"), metavar="FILE.png|svg", help="Draw how they answer --force.")
@click.option("--force", type=FloatRange(-1e6, 1e6), default=-50.0, show_default=True, help="Of the picture, N.")
@click.option("--joint", metavar="JOINT", help="Of the picture; without it, the first one.")
@click.option(
    "--seconds", type=FloatRange(0, 1000, min_open=True), default=3.0, show_default=True, help="Of the picture."
)
@engine_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
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
    """Measure up to which pushes motions do not fall: for 0.1 s on the trunk, at one moment, nothing at random.

    Each NODE is entered from the one that runs before, and pushed backward and forward harder and harder until it first
    falls. It gets on where it comes at least half as far as without a push. With --plot nothing is sought: the
    answer to one push is drawn, a column for each NODE.
    """
    from ctrlgraph.experiments.push_response import DURATION_S, PushResponse

    if step > most:
        raise CtrlGraphError(f"--step {step:g} is above --most {most:g}: no push would be tried")
    project = settings.project()
    if joint is not None and project.character.joint_index(joint) is None:
        hint = near_names(joint, project.character.known_joints, "joints")
        raise CtrlGraphError(f"the character {project.character.name} has no joint '{joint}' {hint}")
    drawn = joint or project.character.joints[0].name
    found: list[PushLimits] = []
    answers: list[Answer] = []
    with console.progress("pushes") as (bar, task):
        for node in nodes:
            with PushResponse(project, node, after, at, cycles) as response:
                if plot is None:
                    found.append(response.limits(step, most, lambda: bar.update(task, advance=1)))
                else:
                    answers.append(_answer(response, force, drawn, at + seconds))
    if plot is not None:
        from ctrlgraph.view.push_figure import write_push_figure

        write_push_figure(answers, plot, push=(at, at + DURATION_S), joint=drawn)
        console.echo(f"picture: {display_path(plot)}", err=as_json)
    if as_json:
        head = {"after": after, "at": at, "engine": project.engine}
        console.print_json(head | {"limits": [each.as_dict() for each in found]})
    elif found:
        _print(found)


def _answer(response: PushResponse, force: float, joint: str, until: float) -> Answer:
    from ctrlgraph.experiments.push_response import leg_phase
    from ctrlgraph.view.push_figure import Answer, JointCourse

    courses = []
    for newtons in (force, 0.0):
        signals = response.signals(newtons)
        shown = signals.part(0, int((signals.columns["time"] <= until).sum()))
        phase, stands = leg_phase(shown, response.character)
        columns = shown.columns
        courses.append(
            JointCourse(columns["time"], phase, stands, columns[f"angle.{joint}"], columns[f"torque.{joint}"])
        )
    return Answer(response.node, *courses)


def _print(found: list[PushLimits]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("node", "does not fall, N", "gets on, N"):
        table.add_column(title)
    for each in found:
        table.add_row(each.node, *(f"{low:g} to {high:g}" for low, high in (each.holds, each.gets_on)))
    console.stdout().print(table)
