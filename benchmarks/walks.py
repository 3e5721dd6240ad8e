"""Measure random walks in several worlds, and walks over random courses.

    python benchmarks/walks.py [WORLD]... [--transitions N] [--walks N] [--courses N] [--jobs N] [--seed S]
                               [--page docs/results/walks.md]

Worlds are level ground, slopes, hills, pushes, other bodies, time steps and engines; the last ones are random courses.
With worlds, only these are walked, and the page keeps the rows of the others.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.result_header import header
from ctrlgraph.files import write_text

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("graph.yaml", "characters", "controllers", "learned")
BEGIN, END = "<!-- written by benchmarks/walks.py -->\n", "<!-- end -->\n"
HEAD = (
    "| world | transitions | succeeded | before | recovered | resets | at rest | on the ground | seed |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
)
COURSE_HEAD = (
    "| courses | finished | before | interval, 95 % | speed, m/s | slowest, m/s | tries per course | seed |\n"
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
HUMAN = ["--size", "human", "--kinds", "stairs,box,gap,hurdle,slope,rough"]
COURSE_LENGTH = 30
"""Length of a course, m."""
COURSES: dict[str, list[str]] = {
    "small pieces": [],
    "small pieces, MuJoCo": ["--engine", "mujoco"],
    "human size": HUMAN,
    "human size, MuJoCo": [*HUMAN, "--engine", "mujoco"],
}
"""Options by name of random courses."""


def run(project: Path, words: list[str]) -> dict[str, Any]:
    """Run `ctrlgraph walk` in a project, and return what it prints as JSON."""
    command = [sys.executable, "-m", "ctrlgraph", "--project", str(project), "walk", *words, "--json"]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE)
    if not done.stdout:  # exit code 1 alone means that a walk was lost or a course not finished, which is a result
        done.check_returncode()
    return json.loads(done.stdout)


def row(project: Path, world: str, options: argparse.Namespace) -> list[str]:
    """Return the cells of a world: transitions, success, recoveries, resets, and shares of the time."""
    words = ["--transitions", str(options.transitions), "--walks", str(options.walks), "--jobs", str(options.jobs)]
    done = run(project, [*words, "--seed", str(options.seed), "--no-states", *WORLDS[world]])
    with sqlite3.connect(project / "runs" / "runs.sqlite") as log:
        query = "SELECT simulated_s, json_extract(measures, '$.feet_load') FROM attempts WHERE run = ?"
        times = log.execute(query, [done["run"]]).fetchall()
    ground = sum(seconds for seconds, feet in times if (feet or 0.0) < 0.9)
    rarest = min(done["nodes"], key=lambda node: node["attempts"])
    print(f"{world}: {len(done['nodes'])} nodes, rarest {rarest['name']} ({rarest['attempts']} times)", flush=True)
    for edge in sorted(done["edges"], key=lambda edge: edge["successes"] - edge["attempts"]):
        if edge["attempts"] > edge["successes"]:
            print(f"  {edge['source']} -> {edge['target']}: {edge['successes']} of {edge['attempts']}", flush=True)
    return [
        str(done["transitions"]),
        f"{100 * done['succeeded'] / done['transitions']:.1f} %",
        str(done["recovered"]),
        str(done["resets"]),
        f"{100 * done['static_s'] / done['simulated_s']:.1f} %",
        f"{100 * ground / done['simulated_s']:.1f} %",
        str(options.seed),
    ]


def course_row(project: Path, courses: str, options: argparse.Namespace) -> list[str]:
    """Return the cells of random courses: finished, interval, speeds, and transitions tried."""
    words = ["--courses", str(options.courses), "--length", str(COURSE_LENGTH), "--jobs", str(options.jobs)]
    done = run(project, [*words, "--seed", str(options.seed), *COURSES[courses]])
    results = [each for each in done["results"] if each["simulated_s"] > 0]
    print(f"{courses}: {done['stopped_by']}", flush=True)
    for each in results:
        if not each["reached"]:
            print(f"  {each['terrain']}: {each['reason']}", flush=True)
    speeds = [each["x"] / each["simulated_s"] for each in results]
    return [
        f"{done['finished']} of {done['courses']}",
        f"{100 * done['low']:.1f} to {100 * done['high']:.1f} %",
        f"{sum(each['x'] for each in results) / sum(each['simulated_s'] for each in results):.2f}",
        f"{min(speeds):.2f}",
        f"{sum(each['tries'] for each in results) / len(results):.0f}",
        str(options.seed),
    ]


def tables(page: str, project: Path, options: argparse.Namespace) -> str:
    """Return both tables: rows that are not measured again are those of the page.

    A row that is measured again with another seed keeps its previous result in the column `before`.
    """
    lines = [line.strip()[1:-1].split("|") for line in page.splitlines() if line.startswith("| ")]
    old = {cells[0].strip(): [cell.strip() for cell in cells] for cells in lines if len(cells) in (8, 9)}
    text = ""
    for head, names, measure in ((HEAD, WORLDS, row), (COURSE_HEAD, COURSES, course_row)):
        text += ("\n" if text else "") + head
        titles = [title.strip() for title in head.partition("\n")[0].strip("| ").split("|")]
        at = titles.index("before")
        for name in names:
            cells = old.get(name, [name] + [""] * (len(titles) - 1))
            if not options.worlds or name in options.worlds:
                before = cells[at - 1 if cells[-1] != str(options.seed) else at]
                cells = [name, *measure(project, name, options)]
                cells.insert(at, before)
                print(*cells, sep=" | ", flush=True)
            text += f"| {' | '.join(cells)} |\n"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("worlds", nargs="*", metavar="WORLD", help=", ".join([*WORLDS, *COURSES]))
    parser.add_argument("--transitions", type=int, default=200)
    parser.add_argument("--walks", type=int, default=5)
    parser.add_argument("--courses", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--page", type=Path, help="results page whose tables are updated")
    options = parser.parse_args()
    if unknown := set(options.worlds) - set(WORLDS) - set(COURSES):
        parser.error(f"there is no world {', '.join(sorted(unknown))}")
    if min(options.transitions, options.walks, options.courses, options.jobs) < 1:
        parser.error("--transitions, --walks, --courses and --jobs must be at least 1")
    if options.jobs > 256:
        parser.error("--jobs must be at most 256")
    if options.page is not None and not options.page.is_file():
        parser.error(f"there is no page {options.page}: it must exist, with the text around the tables")
    page = options.page.read_text(encoding="utf-8") if options.page is not None else ""
    with tempfile.TemporaryDirectory() as directory:
        for part in PARTS:
            source = ROOT / part
            (shutil.copytree if source.is_dir() else shutil.copy)(source, Path(directory) / part)
        text = tables(page, Path(directory), options)
    if options.page is not None:
        head = header("ODE, and MuJoCo in its rows", "in each row")
        write_text(
            options.page, page.partition(BEGIN)[0] + BEGIN + "\n" + head + "\n" + text + END + page.partition(END)[2]
        )


if __name__ == "__main__":
    main()
