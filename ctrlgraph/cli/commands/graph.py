"""`ctrlgraph graph`: print the nodes and edges of the graph, or draw it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.options.common import Settings, json_option
from ctrlgraph.cli.options.pictures import PictureFile
from ctrlgraph.errors import NothingLogged

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.project.project import Project
    from ctrlgraph.run_log.statistics import Statistics, SuccessRate


@click.command()
@click.option(
    "--plot", type=PictureFile(".png"), metavar="FILE.png", help="Draw the graph, coloured by logged success."
)
@json_option("as networkx reads node-link data: directed, multigraph, graph, nodes, edges")
@click.pass_obj
def command(settings: Settings, plot: Path | None, as_json: bool) -> None:
    """Show the graph: its nodes and edges with their logged success.

    In the picture, static poses are rectangles and dynamic motions diamonds; naive edges are solid, learned edges
    open-headed, corrective edges dashed. `ctrlgraph export -o graph.dot` writes the graph for other programs.

    Example:
      ctrlgraph graph --plot graph.png
    """
    project = settings.project()
    graph = project.graph
    if plot is not None:
        _draw(graph, logged_statistics(project), plot)
    if as_json:
        from ctrlgraph.graph.export import to_json

        console.print_json(json.loads(to_json(graph)))
    elif plot is None:
        _print_tables(graph, logged_statistics(project))


def logged_statistics(project: Project) -> Statistics | None:
    """Return how often each node and edge succeeded in all logged runs, or None if nothing is logged."""
    try:
        with project.read_log() as log:
            return log.statistics()
    except NothingLogged:
        return None


def _draw(graph: ControllerGraph, logged: Statistics | None, png: Path) -> None:
    from ctrlgraph.pictures.graph_figure import write_graph_figure

    with console.progress(f"drawing {png.name}"):
        write_graph_figure(
            graph,
            png,
            drafts=list(graph.drafts.values()),
            node_success={row.name: row.success.rate for row in logged.nodes} if logged else None,
            edge_success={(r.source, r.target, r.kind): r.success.rate for r in logged.edges} if logged else None,
        )
    console.echo(png, err=True)


def _print_tables(graph: ControllerGraph, logged: Statistics | None) -> None:
    by_node = {row.name: row.success for row in logged.nodes} if logged else {}
    by_edge = {(row.source, row.target, row.kind): row.success for row in logged.edges} if logged else {}
    nodes, edges = [], []
    for node in graph:
        name = f"{node.name} (start)" if node.name == graph.start else node.name
        nodes.append((name, node.kind.value, node.file, _shown(by_node.get(node.name)), node.description))
    for edge in graph.edges:
        ends_and_kind = (edge.source, edge.target, edge.kind.value)
        when = edge.when.value if edge.when else ""
        edges.append((*ends_and_kind, when, _shown(by_edge.get(ends_and_kind))))
    drafts = [(node.name, node.kind.value, node.file, node.draft, node.description) for node in graph.drafts.values()]
    console.print_table(("node", "kind", "script", "success", "what it is"), nodes, title=f"{len(graph)} nodes")
    console.echo()
    console.print_table(("from", "to", "kind", "when", "success"), edges, title=f"{len(graph.edges)} edges")
    if drafts:
        console.echo()
        title = f"{len(drafts)} draft{'s' * (len(drafts) != 1)}, which no walk enters"
        console.print_table(("draft", "kind", "script", "what it lacks", "what it is"), drafts, title=title)


def _shown(success: SuccessRate | None) -> str:
    return f"{console.success(success.count)} of {success.attempts}" if success else ""
