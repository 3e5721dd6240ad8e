"""`ctrlgraph gate confusion`: check that the success conditions of each node accept no other motion."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ctrlgraph.bounds import MAX_TRIALS
from ctrlgraph.cli import completion, console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, engine_option, json_option, seed_option

if TYPE_CHECKING:
    from ctrlgraph.robustness.confusion import Confusion


@click.command()
@click.argument("nodes", nargs=-1, metavar="[NODE]...", shell_complete=completion.nodes)
@click.option("--trials", type=click.IntRange(1, MAX_TRIALS), default=3, help="Examples of each edge.")
@click.option("--impostors", "altered", is_flag=True, help="Test each node's own motion with other arms, head or legs.")
@seed_option(default=1)
@engine_option
@json_option(
    "passed, seed, examples, lost, without_example, unexplained, explained, needless; with --impostors: passed,"
    " impostors (node, alteration, accepted, rejected_by, because)"
)
@click.pass_context
def command(ctx: click.Context, nodes: tuple[str, ...], trials: int, altered: bool, seed: int, as_json: bool) -> None:
    """Check that the success conditions of a node do not hold for motions of other nodes.

    Example motions of all nodes, or of each NODE, are tested against the conditions of all other nodes. The exit code
    is 1 if conditions hold for another node's motion, or for standing still, without a reason under 'also' in the graph
    file, or if no example of a node satisfies the node's own conditions.

    With --impostors, each node's own controller runs with raised, exchanged or limp arms, a tilted head, a bent trunk,
    bent knees or a stiff leg. The exit code is 1 if conditions hold for such a motion without a reason under 'also'.

    Examples:
      ctrlgraph gate confusion walk run
      ctrlgraph gate confusion --impostors walk
    """
    if altered:
        if ctx.get_parameter_source("trials") is not ParameterSource.DEFAULT:
            raise click.UsageError("omit --trials: with --impostors, each altered motion is simulated only once")
        ctx.exit(ExitCode.of(_impostors(ctx.obj, nodes, as_json)))
    from ctrlgraph.robustness.confusion import confusion
    from ctrlgraph.robustness.example_measures import save_examples
    from ctrlgraph.robustness.examples import entries

    settings: Settings = ctx.obj
    project = settings.project()
    asked = list(nodes) or list(project.graph.nodes)
    total = trials * sum(len(entries(project.graph, project.graph.node(name).name)) for name in asked)
    with console.progress("examples", total=total) as (bar, task):
        found = confusion(
            project, trials=trials, seed=seed, motions=asked, on_example=lambda _: bar.update(task, advance=1)
        )
    save_examples(project, found.measures)
    lacking = [name for name in found.without_example if name in asked]
    if as_json:
        console.print_json(found.as_dict() | {"without_example": lacking})
    else:
        _print(found, lacking)
    ctx.exit(ExitCode.of(not found.unexplained and not lacking))


def _impostors(settings: Settings, nodes: tuple[str, ...], as_json: bool) -> bool:
    """Test the conditions of nodes with impostors, and print the result.

    An impostor is the motion of a node with other target angles of arms, head, trunk or legs. The node's success
    conditions should reject it.

    Args:
        settings: Values of the options before the command's name.
        nodes: Names of the nodes. Empty: all nodes.
        as_json: Print JSON.

    Returns:
        Whether all impostors are rejected, except those for which the graph file gives a reason.
    """
    from ctrlgraph.control.alteration import alterations
    from ctrlgraph.robustness.impostors import impostors

    project = settings.project()
    names = list(nodes) or list(project.graph.nodes)
    for name in names:
        project.graph.node(name)
    total = len(names) * len(alterations(project.character))
    with console.progress("impostors", total=total) as (bar, task):
        found = impostors(project, names, on_impostor=lambda _: bar.update(task, advance=1))
    accepted = [each for each in found if each.accepted]
    passed = all(each.because for each in accepted)
    if as_json:
        console.print_json({"passed": passed, "impostors": [asdict(each) for each in found]})
    else:
        if accepted:
            cells = [(each.node, each.alteration, each.because or "(no reason)") for each in accepted]
            console.print_table(("node", "accepted alteration", "because"), cells)
        unexplained = sum(not each.because for each in accepted)
        counts = (len(found) - len(accepted), len(accepted) - unexplained, unexplained)
        console.echo("{} impostors: {} rejected, {} explained, {} unexplained".format(len(found), *counts))
    return passed


def _print(found: Confusion, lacking: list[str]) -> None:
    explained = [each for each in found.acceptances if each.because]
    for title, rows in (("unexplained", found.unexplained), ("explained", explained)):
        if rows:
            cells = [(each.node, each.motion, f"{each.accepted} of {each.examples}", each.because) for each in rows]
            console.print_table(("the conditions of", "hold for", "examples", "because"), cells, title=title)
    for name in lacking:
        console.echo(f"{name}: no example of this node satisfies the node's own conditions", err=True)
    for name, motion in found.needless:
        console.echo(f"{name}: 'also' names {motion}, but no example of it meets the conditions", err=True)
    console.echo(
        f"{len(found.unexplained)} unexplained and {len(found.acceptances) - len(found.unexplained)} explained, of"
        f" {found.examples.total()} examples of {len(found.examples)} nodes, seed {found.seed}"
    )
