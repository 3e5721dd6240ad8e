"""Print the table of engines from `ctrlgraph robustness sweep --all --engine ode,mujoco --json`, read from stdin.

    ctrlgraph robustness sweep --all --engine ode,mujoco --with noise=0.02 --trials 20 --seed 52001 --json > both.json
    python benchmarks/engine_table.py < both.json

`ctrlgraph robustness sweep --resume last --json` prints the same again without a trial.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any


def rows(said: dict[str, Any]) -> Iterator[str]:
    """Return the lines of the table: one for each target, in the order of the command."""
    engines = said["engines"]
    yield f"| target | {' | '.join(engines)} | p | first condition that differs |"
    yield f"| --- | {'--- | ' * len(engines)}--- | --- |"
    for row in said["comparison"]:
        mark = "**" if row["differs"] else ""
        counts = " | ".join(f"{mark}{_rate(row['engines'][name])}{mark}" for name in engines)
        yield f"| `{row['target']}` | {counts} | {_p(row['p_adjusted'])} | {_first(row)} |"


def _rate(count: dict[str, float]) -> str:
    share, low, high = count["successes"] / count["trials"], count["low"], count["high"]
    return f"{100 * share:.0f} % ({100 * low:.0f}-{100 * high:.0f})"


def _p(p: float | None) -> str:
    return "" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def _first(row: dict[str, Any]) -> str:
    first = row["first"]
    if first is None:
        return ""
    reason = first["reason"] or first["status"]
    sentence = f"{first['node']}: {reason}" if first["node"] else reason
    place = "" if first["script"] is None else f" (`{first['script'].rpartition('/')[2]}:{first['line']}`)"
    return f"{first['worst']}: {sentence}{place}, {first['failing']} of {row['engines'][first['worst']]['trials']}"


if __name__ == "__main__":
    for line in rows(json.load(sys.stdin)):
        print(line)
