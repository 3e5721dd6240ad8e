"""How calibrations of basins are printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ctrlgraph.cli import console

if TYPE_CHECKING:
    from ctrlgraph.experiments.basins.basin import Basin


def print_calibrations(basins: Sequence[Basin]) -> None:
    """Print a line for each basin's scores on what was left out, and how reliable its predictions are in the domain."""
    from rich.table import Table

    measured = [(basin.node, basin.calibration) for basin in basins if basin.calibration is not None]
    if not measured:
        return
    table = Table(box=None, pad_edge=False)
    for title in ("node", "left out", "Brier", "base rate's", "in domain", "Brier there", "base rate's", ""):
        table.add_column(title, justify="left" if title in ("node", "left out", "") else "right")
    for node, found in measured:
        turns = f"{found.groups} {found.left_out}{'s' * (found.groups != 1)}"
        inside = [console.percent(found.inside_share), _score(found.inside_brier), _score(found.inside_base_brier)]
        verdict = "cannot tell" if found.reach is None else "can tell in its domain"
        table.add_row(node, turns, _score(found.brier), _score(found.base_brier), *inside, verdict)
    console.stdout().print(table)
    for node, found in measured:
        if found.reach is None:
            continue
        seen = [
            f"{100 * b.low:.0f}-{100 * b.high:.0f} %: {b.held} of {b.states}, {console.success(b.count)}"
            for b in found.bins
            if b.states
        ]
        console.stdout().print(f"{node}, predicted in its domain: held  {'; '.join(seen)}")


def _score(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
