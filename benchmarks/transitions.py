"""Print a table of the learned transitions, from their files, with the success on held-out seeds.

    python benchmarks/transitions.py

"Naive" is the direct transition from the same initial states. Times are means of successful trials, from the end of the
source to the next static pose. An edge that was refined for other terrain has a row for each search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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


def main() -> None:
    project = Project.find()
    print("| transition | naive | learned | naive, s | learned, s | generations (evaluations) | wall, s |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for path in sorted((project.directory / "learned").glob("*.yaml")):
        file = read_learned(path)
        if file.edge is not None:
            print(*rows(file), sep="\n")


if __name__ == "__main__":
    main()
