"""`ctrlgraph graph`: the nodes and edges, and pictures and exports of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.pictures import PictureFile
from ctrlgraph.cli.settings import Settings
from ctrlgraph.errors import NothingLogged

if TYPE_CHECKING:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.project.project import Project
    from ctrlgraph.runs.statistics import Statistics, SuccessRate


@click.command()
@click.option("--png", type=PictureFile(".png"), metavar="FILE", help="Draw the graph, coloured by logged success.")
@click.option(
    "--dot",
    type=click.Path(path_type=Path, allow_dash=True),
    metavar="FILE|-",
    help="Write Graphviz text, with logged success.",
)
@click.option(
    "--graphml",
    type=click.Path(path_type=Path, allow_dash=True),
    metavar="FILE|-",
    help="Write GraphML, with logged success.",
)
@click.option("--json", "as_json", is_flag=True, help="Print node-link JSON, as networkx reads it.")
@click.pass_obj
def command(settings: Settings, png: Path | None, dot: Path | None, graphml: Path | None, as_json: bool) -> None:
    """Show the graph: a table of its nodes and edges with their logged success.

    Static poses are rectangles and dynamic motions diamonds; naive edges are solid, learned ones
    open-headed, corrective ones dashed.
    """
    project = settings.project()
    graph = project.graph
    if dot is not None or graphml is not None or as_json:
        from ctrlgraph.graph.export import to_dot, to_graphml, to_json

        for target, text in ((dot, to_dot), (graphml, to_graphml)):
            if target is not None:
                write_text_to(target, text(graph, logged_statistics(project)))
    if png is not None:
        _draw(graph, logged_statistics(project), png)
    if as_json:
        console.print_json(json.loads(to_json(graph)))
    elif png is None and dot is None and graphml is None:
        _print_tables(graph, logged_statistics(project))


def logged_statistics(project: Project) -> Statistics | None:
    """Return what the log says; None where nothing is logged."""
    try:
        with project.read_log() as log:
            return log.statistics()
    except NothingLogged:
        return None


def write_text_to(target: Path, text: str) -> None:
    """Write a text into a file, or to stdout where that is `-`."""
    from ctrlgraph.files import replacing

    if str(target) == "-":
        console.echo(text, nl=False)
        return
    with replacing(target) as temporary:
        temporary.write_text(text, encoding="utf-8")
    console.echo(target, err=True)


def _draw(graph: ControllerGraph, logged: Statistics | None, png: Path) -> None:
    from ctrlgraph.view.graph_figure import write_graph_figure

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
    from rich.table import Table

    by_node = {row.name: row.success for row in logged.nodes} if logged else {}
    by_edge = {(row.source, row.target, row.kind): row.success for row in logged.edges} if logged else {}
    nodes = Table(title=f"{len(graph)} nodes", title_justify="left", box=None, pad_edge=False)
    for title in ("node", "kind", "script", "success", "what it is"):
        nodes.add_column(title, no_wrap=title in ("node", "kind"))
    for node in graph:
        name = f"{node.name} (start)" if node.name == graph.start else node.name
        nodes.add_row(name, node.kind.value, node.file, _shown(by_node.get(node.name)), node.description)
    edges = [
        (
            edge.source,
            edge.target,
            edge.kind.value,
            edge.when.value if edge.when else "",
            _shown(by_edge.get((edge.source, edge.target, edge.kind.value))),
        )
        for edge in graph.edges
    ]
    console.stdout().print(nodes)
    console.stdout().print()
    console.print_table(("from", "to", "kind", "when", "success"), edges, title=f"{len(graph.edges)} edges")
    if graph.drafts:
        drafts = Table(
            title=f"{len(graph.drafts)} draft{'s' * (len(graph.drafts) != 1)}, which no walk enters",
            title_justify="left",
            box=None,
        )
        drafts.pad_edge = False
        for title in ("draft", "kind", "script", "what it lacks", "what it is"):
            drafts.add_column(title, no_wrap=title in ("draft", "kind"))
        for node in graph.drafts.values():
            drafts.add_row(node.name, node.kind.value, node.file, node.draft, node.description)
        console.stdout().print()
        console.stdout().print(drafts)


def _shown(success: SuccessRate | None) -> str:
    return f"{console.success(success.count)} of {success.attempts}" if success else ""
