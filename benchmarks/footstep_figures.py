"""Reproduce the figures of the thesis behind the footstep planner, and write docs/results/footstep-figures.md.

python benchmarks/footstep_figures.py
"""

from __future__ import annotations

from benchmarks.result_header import ROOT, header
from ctrlgraph.footsteps.scenarios.figures import FIGURES
from ctrlgraph.pictures.scenario_figure import scenario_figure
from ctrlgraph.pictures.style import write_figure

PAGE = ROOT / "docs/results/footstep-figures.md"
PICTURES = ROOT / "docs/results/images/footsteps"


def section(name: str) -> str:
    """Run a scenario, draw it, and return its section."""
    source = FIGURES[name]
    result = source.run()
    picture = PICTURES / f"{name}.png"
    write_figure(picture, lambda: scenario_figure(result, source.shows.removesuffix(".")))
    measures = ", ".join(f"`{key}` {value:.4g}" for key, value in result.measures.items())
    return (
        f"## {name}\n\nFigure {source.number} of the thesis. {source.shows}\n\n"
        f"```sh\nctrlgraph experiment footsteps {name} -o {name}.png\n```\n\n"
        f"![{source.shows.removesuffix('.')}](images/footsteps/{name}.png)\n\n{measures}\n"
        + (f"\n{source.note}\n" if source.note else "")
    )


def main() -> None:
    """Write the page and its pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(
        "# Figures of the footstep planner\n\nThe thirteen figures of the thesis that the footstep planner follows "
        "([reference](../reference/footsteps.md)), each reproduced by one command. The measures below each picture are "
        "those that `--json` prints. Nothing is simulated by an engine.\n\n"
        + header("none", "none: each scenario is always the same")
        + "\n"
        + "\n".join(section(name) for name in FIGURES),
        encoding="utf-8",
    )
    print(PAGE)


if __name__ == "__main__":
    main()
