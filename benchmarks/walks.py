"""Measure random walks in several worlds: level ground, slopes, hills, pushes, other bodies, time steps and engines.

    python benchmarks/walks.py [WORLD]... [--transitions N] [--walks N] [--seed S] [--page docs/results/walks.md]

With worlds, only these are walked, and the page keeps the rows of the others.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.result_header import header, version_of
from ctrlgraph.files import write_text

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("graph.yaml", "characters", "controllers", "learned")
BEGIN, END = "<!-- written by benchmarks/walks.py -->\n", "<!-- end -->\n"
HEAD = (
    "| world | transitions | succeeded | before | recovered | resets | at rest | on the ground |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
)


def hills(steepest: float, wave: float = 20.0, length: int = 200) -> str:
    """Return the words of a sinusoidal terrain.

    Args:
        steepest: Largest slope, deg.
        wave: Wave length, m.
        length: Length on each side of the start, m.
    """
    height = math.tan(math.radians(steepest)) * wave / (2 * math.pi)
    points = (f"{x}:{height * math.sin(2 * math.pi * x / wave):.3f}" for x in range(-length, length + 1))
    return "terrain=heights=" + ",".join(points)


WORLDS: dict[str, list[str]] = {
    "level ground": [],
    "slope of 4 degrees": ["--with", "slope=4"],
    "slope of -4 degrees": ["--with", "slope=-4"],
    "hills of 6 degrees, 20 m long": ["--with", hills(6.0)],
    "pushes of 100 to 300 N every 3 s": ["--with", "pushes=100:300:3"],
    "the same pushes, falls predicted": ["--with", "pushes=100:300:3", "--predict"],
    "mass x0.9": ["--with", "mass=0.9"],
    "mass x1.1": ["--with", "mass=1.1"],
    "torque x0.85": ["--with", "torque=0.85"],
    "friction x0.7": ["--with", "friction=0.56"],
    "friction x1.3": ["--with", "friction=1.04"],
    "steps of 1 ms": ["--with", "dt=0.001"],
    "steps of 4 ms": ["--with", "dt=0.004"],
    "MuJoCo": ["--engine", "mujoco"],
}


def row(project: Path, options: list[str], transitions: int, walks: int, seed: int) -> list[str]:
    """Return the cells of a world: transitions, success, recoveries, resets, and shares of the time."""
    words = [
        "walk",
        "--random",
        "--transitions",
        str(transitions),
        "--walks",
        str(walks),
        "--seed",
        str(seed),
        "--json",
    ]
    command = [sys.executable, "-m", "ctrlgraph", "--project", str(project), *words, *options]
    done = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    with sqlite3.connect(project / "runs" / "runs.sqlite") as log:
        query = "SELECT simulated_s, json_extract(measures, '$.feet_load') FROM attempts WHERE run = ?"
        times = log.execute(query, [done["run"]]).fetchall()
    ground = sum(seconds for seconds, feet in times if (feet or 0.0) < 0.9)
    share = done["succeeded"] / done["transitions"]
    return [
        str(done["transitions"]),
        f"{100 * share:.1f} %",
        str(done["recovered"]),
        str(done["resets"]),
        f"{100 * done['static_s'] / done['simulated_s']:.1f} %",
        f"{100 * ground / done['simulated_s']:.1f} %",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("worlds", nargs="*", metavar="WORLD", help=", ".join(WORLDS))
    parser.add_argument("--transitions", type=int, default=200)
    parser.add_argument("--walks", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--page", type=Path, help="results page whose table is updated")
    options = parser.parse_args()
    if unknown := set(options.worlds) - set(WORLDS):
        parser.error(f"there is no world {', '.join(sorted(unknown))}")
    text = options.page.read_text(encoding="utf-8") if options.page is not None else ""
    old = {
        cells[0]: cells for cells in (re.split(r" *\| *", line.strip("| ")) for line in text.splitlines()) if cells[1:]
    }
    new_version = version_of(text) != version_of(header("ode", ""))
    table = []
    with tempfile.TemporaryDirectory() as directory:
        for part in PARTS:
            source = ROOT / part
            (shutil.copytree if source.is_dir() else shutil.copy)(source, Path(directory) / part)
        for world, words in WORLDS.items():
            before = old.get(world)
            if options.worlds and world not in options.worlds:
                cells = before[1:] if before else [""] * 7
            else:
                cells = row(Path(directory), words, options.transitions, options.walks, options.seed)
                cells.insert(2, "" if before is None else before[2 if new_version else 3])
                print(world, *cells, sep=" | ", flush=True)
            table.append(f"| {world} | {' | '.join(cells)} |\n")
    if options.page is not None:
        before_table = text.partition(BEGIN)[0]
        page = before_table + BEGIN + "\n" + header("ode", str(options.seed)) + "\n" + HEAD + "".join(table) + END
        write_text(options.page, page)


if __name__ == "__main__":
    main()
