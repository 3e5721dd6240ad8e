"""What was learned, as one table: from the files that learning wrote, each with its held-out success.

    python benchmarks/transitions.py

Naive is the same entries when the target is simply switched to. Times are means over what held: of the course from
the end of the source to the next static pose.
"""

from __future__ import annotations

from ctrlgraph.graph.learned import LearnedFile, read_learned
from ctrlgraph.project import Project


def row(file: LearnedFile) -> str:
    naive, learned = file.held_out["naive"], file.held_out["learned"]
    condition = ", ".join(f"{name} {values[-1]:g}" for name, values in (file.condition or {}).items())
    cells = [
        file.title + (f" ({condition})" if condition else ""),
        rate(naive),
        rate(learned),
        f"{naive['mean_s']:.1f}" if naive["successes"] else "-",
        f"{learned['mean_s']:.1f}",
        f"{file.search['generations']} ({file.search['evaluations']})",
        f"{file.search['wall_s']:.0f}",
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
            print(row(file))


if __name__ == "__main__":
    main()
