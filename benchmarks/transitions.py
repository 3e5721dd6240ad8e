"""Print a table of the learned transitions, from their files, with the success on held-out seeds.

    python benchmarks/transitions.py
    python benchmarks/transitions.py --pairs 30 --seed S [--minutes 2] [--results FILE]

With `--pairs`, random pairs of nodes without an edge are learned instead, each with `ctrlgraph learn --dry-run`, until
N pairs were found whose direct transition fails in at least half of the held-out cases. `--results` keeps finished
pairs, so that an interrupted benchmark continues.

"Naive" is the direct transition from the same initial states. Times are means of successful trials, from the end of the
source to the next static pose. An edge that was refined for other terrain has a row for each search.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ctrlgraph.project.learned import LearnedFile, read_learned
from ctrlgraph.project.project import Project


def rows(file: LearnedFile) -> Iterator[str]:
    """Return a row for each search: first the general one, below it those for values of a condition."""
    later = {name: found for name, found in file.held_out.items() if "=" in name}
    condition = ", ".join(f"{name}={max(values, key=abs):g}" for name, values in (file.condition or {}).items())
    if "learned" in file.held_out:
        yield row(file.title, "" if later else condition, file.search, file.held_out)
    for name, found in later.items():
        yield row(file.title, name, file.search[name], found)


def row(title: str, condition: str, search: Mapping[str, Any], held_out: Mapping[str, Any]) -> str:
    naive, learned = held_out["naive"], held_out["learned"]
    cells = [
        title + (f" ({condition.replace('=', ' ')})" if condition else ""),
        rate(naive),
        rate(learned),
        f"{naive['mean_s']:.1f}" if naive["successes"] else "-",
        f"{learned['mean_s']:.1f}",
        f"{search['generations']} ({search['evaluations']})",
        f"{search['wall_s']:.0f}",
    ]
    return "| " + " | ".join(cells) + " |"


def rate(counts: dict[str, float]) -> str:
    interval = f"{100 * counts['low']:.0f}-{100 * counts['high']:.0f} %"
    return f"{counts['successes']} of {counts['trials']} ({interval})"


SEARCH = ["--over", "noise=0.02", "--no-numerics", "--settled", "3"]


def candidates(project: Project, seed: int) -> list[tuple[str, str]]:
    """Return all pairs of scripts on plain ground without an edge, in random order."""
    graph = project.graph
    names = [node.name for node in graph if node.controller == "script" and node.obstacle is None]
    pairs = [(a, b) for a in names for b in names if a != b and graph.planned_edge(a, b) is None]
    random.Random(seed).shuffle(pairs)
    return pairs


def learn(pair: tuple[str, str], seed: int, minutes: float) -> dict[str, Any]:
    """Return the report of a search, or its error."""
    options = [*SEARCH, "--minutes", str(minutes), "--seed", str(seed), "--dry-run", "--json"]
    done = subprocess.run([sys.executable, "-m", "ctrlgraph", "learn", *pair, *options], capture_output=True, text=True)
    report = json.loads(done.stdout) if done.stdout else {"error": done.stderr.strip().splitlines()[-1]}
    wanted = ("held_out", "improves", "why", "wall_s", "error", "bridge")
    return {"pair": list(pair)} | {name: report[name] for name in wanted if name in report}


def random_pairs(project: Project, wanted: int, seed: int, minutes: float, results: Path | None) -> None:
    """Learn random failing pairs and print a table."""
    known = [] if results is None or not results.exists() else [json.loads(x) for x in results.read_text().splitlines()]
    finished, failing = {tuple(each["pair"]): each for each in known}, 0
    print(
        "| transition | naive | learned | naive, s | learned, s | bridge |",
        "| --- | --- | --- | --- | --- | --- |",
        sep="\n",
    )
    for number, pair in enumerate(candidates(project, seed)):
        report = finished.get(pair) or learn(pair, seed + number, minutes)
        if pair not in finished and results is not None:
            with results.open("a") as file:
                file.write(json.dumps(report) + "\n")
        if "error" in report or report["held_out"]["naive"]["successes"] > report["held_out"]["naive"]["trials"] / 2:
            continue
        naive, learned = report["held_out"]["naive"], report["held_out"]["learned"]
        times = (f"{each['mean_s']:.1f}" if each["successes"] else "-" for each in (naive, learned))
        cells = (" -> ".join(pair), rate(naive), rate(learned), *times, str(report.get("bridge")))
        print("| " + " | ".join(cells) + " |", flush=True)
        failing += 1
        if failing == wanted:
            break


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--results", type=Path)
    args = parser.parse_args()
    project = Project.find()
    if args.pairs:
        random_pairs(project, args.pairs, args.seed, args.minutes, args.results)
        return
    print("| transition | naive | learned | naive, s | learned, s | generations (evaluations) | wall, s |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for path in sorted((project.directory / "learned").glob("*.yaml")):
        file = read_learned(path)
        if file.edge is not None:
            print(*rows(file), sep="\n")


if __name__ == "__main__":
    main()
