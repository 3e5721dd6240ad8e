"""`ctrlgraph learned`: list learned edges and adapted nodes, with their constants, success and state.

Learned edges run their target with learned constants. Adapted nodes have constants that depend on the slope (gain
scheduling).
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import click

from ctrlgraph.cli import console
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.options.common import Settings, json_option

if TYPE_CHECKING:
    from ctrlgraph.project.learned_summary import ChangedConstant, LearnedSummary
    from ctrlgraph.statistics import SuccessCount

LARGEST = 3
"""Number of constants that the table shows for each edge or node, by size of the change."""


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@json_option("learned")
@click.pass_obj
def command(settings: Settings, names: tuple[str, ...], as_json: bool) -> int:
    """List the learned edges and adapted nodes, or show every changed constant of each NAME.

    NAME is an edge ("walk -> stand" or walk-stand), an adapted node (with constants that depend on the slope), or a
    learned file. The exit code is 1 if a listed edge or node is stale (its scripts have changed) or faulty.

    Example:
      ctrlgraph learned walk-stand
    """
    from ctrlgraph.project.learned_summary import named, summaries

    project = settings.project()
    found = summaries(project.graph, project.resolver, project.directory)
    chosen = [named(found, name) for name in names] or found
    if as_json:
        console.print_json({"learned": [summary.as_dict() for summary in chosen]})
    elif names:
        for summary in chosen:
            _print_one(summary)
    elif chosen:
        _print_table(chosen)
    else:
        console.echo("the graph has no learned edges and no adapted nodes")
    return ExitCode.of(not any(summary.findings for summary in chosen))


def _print_table(found: list[LearnedSummary]) -> None:
    rows = []
    for summary in found:
        largest = ", ".join(f"{c.role} {_size(c)}" for c in summary.largest[:LARGEST])
        reached = (_success(summary.held_out(which)) for which in ("naive", "learned"))
        changes = (_condition(summary), str(len(summary.changes)), largest)
        rows.append((summary.name, *changes, *reached, _cost(summary), summary.state))
    titles = ("edge or node", "condition", "constants", "largest changes", "naive", "learned", "search", "state")
    console.print_table(titles, rows, right=("constants",))
    _print_findings(found)


def _print_one(summary: LearnedSummary) -> None:
    out = console.stdout()
    out.print(f"{summary.name} ({summary.path}): {summary.state}")
    for line in _facts(summary):
        out.print(f"  {line}")
    for part, changes in itertools.groupby(summary.changes, key=lambda change: change.part):
        rows = list(changes)
        out.print(f"{part}: {len(rows)} constant{'s' * (len(rows) != 1)}")
        for place, same in itertools.groupby(rows, key=lambda change: (change.path, change.line, change.text)):
            path, line, text = place
            out.print(f"  {path}:{line}  {text}".rstrip() if line else "  arguments of the node")
            for change in same:
                out.print(f"    {change.role}: {_values(change)} ({_size(change)})")
    _print_findings([summary])


def _facts(summary: LearnedSummary) -> list[str]:
    """Return sentences about a learned edge or adapted node: its ground, cycles, success and search."""
    facts = []
    if summary.condition is not None:
        facts.append(f"for {_condition(summary)}; values between these are interpolated, constant beyond the ends")
    if summary.file is not None:
        cycles = {name: part.cycles for name, part in summary.file.parts.items()}
        if summary.file.source is not None:
            facts.append(f"the source runs {_cycles(cycles['source'] or 1)} more")
        if summary.file.bridge is not None:
            facts.append(f"then {summary.file.bridge.script} runs once")
        if cycles.get("target") is not None:
            facts.append(f"the target runs {_cycles(cycles['target'] or 1)} with these constants, then with its own")
    naive, learned = summary.held_out("naive"), summary.held_out("learned")
    if learned is not None:
        compared = f", naive {_success(naive)}" if naive is not None else ""
        facts.append(f"in held-out cases: learned {_success(learned)}{compared}")
    if summary.on_engines:
        counts = (f"{name} {_success(count)}" for name, count in summary.on_engines.items())
        facts.append(f"on each engine: {', '.join(counts)}")
    if _cost(summary):
        facts.append(f"search: {_cost(summary)}")
    return facts


def _print_findings(found: list[LearnedSummary]) -> None:
    for finding in dict.fromkeys(finding for summary in found for finding in summary.findings):
        console.echo(finding.render())


def _condition(summary: LearnedSummary) -> str:
    if summary.condition is None:
        return ""
    name, values = summary.condition
    return f"{name} {', '.join(f'{value:g}' for value in values)} {'deg' if name == 'slope' else 'm'}"


def _cycles(count: int) -> str:
    return f"{count} cycle{'s' * (count != 1)}"


def _success(reached: SuccessCount | None) -> str:
    return "" if reached is None else f"{console.success(reached)} of {reached.trials}"


def _cost(summary: LearnedSummary) -> str:
    evaluations, seconds = summary.cost("evaluations"), summary.cost("wall_s")
    parts = [] if evaluations is None else [f"{evaluations:.0f} evaluations"]
    return ", ".join([*parts, *([] if seconds is None else [f"{seconds:.0f} s"])])


def _values(change: ChangedConstant) -> str:
    new = ", ".join(f"{value:g}" for value in change.new)
    return f"{change.old:g} -> {new} {change.unit}".rstrip()


def _size(change: ChangedConstant) -> str:
    """Return the largest change of a constant as a text: in % of the old value, or as a difference.

    The difference is used for angles, and if the old value is 0.
    """
    if change.quantity == "angle" or change.old == 0.0:
        return f"{change.largest:+.2g} {change.unit}".rstrip()
    return f"{100 * change.largest / abs(change.old):+.0f} %"
