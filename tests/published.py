"""Scripts written from the published constants (Firmin, *Design and Integration of Controllers for Simulated
Characters*, MSc thesis, UBC 2014, appendix A), in a layout of our own.

`data/published/*.yaml` hold the figures alone, each motion's with the section that they stand in. The rows of a phase
are in the order in which they act, since a sum of torques depends on it in its last bit:

    {joint: a b, angle: q, gains: [kp, kd], ramp: T}    each joint goes to the angle; with a ramp evenly in T s
    {joint: a, as: b, ramp: T}                          a goes to the angle of b
    {joint: a b, balance: [cd, cv], from: X}            feedback on the joints' targets, measured from X
    {part: P, lean: q, gains: [kp, kd], by: a b}        the part's angle in the world; `swing: s` is the swing hip,
                                                        `balance: [cd, cv], from: X` is feedback on the angle
    {part: P, pull: [x, y, z], by: a b}                 a force on the part, N
    {part: P, balance: [cd, cv], by: a b, over: X}      a force that brings the centre of mass over X
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

TABLES = sorted((Path(__file__).parent / "data" / "published").glob("*.yaml"))

Row = dict[str, Any]


@cache
def published_motions() -> dict[str, Row]:
    """The table, by the scripts' names in the source."""
    return {name: motion for table in TABLES for name, motion in yaml.safe_load(table.read_text("utf-8")).items()}


@cache
def published_scripts() -> dict[str, str]:
    """The text of every script, by its name."""
    return {name: _script(name, motion) for name, motion in published_motions().items()}


def write_published(directory: Path) -> Path:
    """Write every script into the directory, as `name.t`."""
    for name, text in published_scripts().items():
        (directory / f"{name}.t").write_text(text, encoding="utf-8")
    return directory


def _script(name: str, motion: Row) -> str:
    lines = [f"# section {motion['section']}"]
    if "lists" in motion:
        lines.append(f"SCRIPTS {_list(motion['lists'])};")
    if "torque_limit" in motion:
        lines.append(f"SET TORQUELIMIT = {motion['torque_limit']}")
    lines.append(f"BEGINSCRIPT {name}({_list(motion.get('parameters', ['void']))})")
    for number, phase in motion["phases"].items():
        lines.append(f"PHASE {number}")
        if "calls" in phase:
            lines.append(f"> {phase['calls']}({_list(phase.get('with', []))});")
        if "acts" in phase:
            lines += ["ACTIONS", *(line for row in phase["acts"] for line in _lines(row)), "ENDACTIONS"]
        lines += [f"TRANSITION to({target}).after({condition});" for target, condition in phase["ends"]]
        lines.append("ENDPHASE")
    return "\n".join([*lines, "ENDSCRIPT"]) + "\n"


def _lines(row: Row) -> list[str]:
    values, ramp = _list(row.get("gains", [])), f".time({row['ramp']})" if "ramp" in row else ""
    gains = f", {values}" if values else ""
    if "as" in row:
        return [f"MATCH {row['joint']}.to({row['as']}{gains}){ramp};"]
    if "angle" in row:
        return [f"{'LIPOSE' if ramp else 'POSE'} {j}({row['angle']}{gains}){ramp};" for j in row["joint"].split()]
    if "joint" in row:
        return [f"POSEFB {j}({_list(row['balance'])}).on({row['from']});" for j in row["joint"].split()]
    if "pull" in row:
        return [f"VF ({_list(row['pull'])}).on({row['part']}).by({j});" for j in row["by"].split()]
    if "over" in row:
        return [f"VFFB {row['part']}({_list(row['balance'])}).by({j}).over({row['over']});" for j in row["by"].split()]
    swing = f".flags({row['swing']})" if "swing" in row else ""
    leans = [f"VPD {row['part']}({row['lean']}{gains}).joint({j}){swing};" for j in row["by"].split()]
    if "balance" in row:
        (cd, cv), (kind, name) = row["balance"], row["from"].split()
        return [f"COMFB2 {cd} {cv} {kind[0]} {name};", *leans]
    return leans


def _list(values: list[Any]) -> str:
    return ", ".join(str(value) for value in values)
