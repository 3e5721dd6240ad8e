"""A synthetic graph with attempts, runs and sweeps."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from unittest import mock

from ctrlgraph.project.project import Project
from ctrlgraph.report import build, build_report
from ctrlgraph.robustness.sweeps.sweep_log import Sweep
from ctrlgraph.run_log.record import AttemptRecord, RunRecord
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.trial import Trial

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static, success: {torso: [-.3, .3]}}
  squat: {script: controllers/poses/squat.t, args: [0.5], kind: static, success: {com_height: [0.3, 0.9]}}
  rise: {script: controllers/poses/rise.t, args: [0.5], success: {torso: [-.3, .3]}}
  prone: {script: controllers/poses/prone.t, kind: static}
edges: [{from: stand, to: squat}, {from: squat, to: rise}, {from: rise, to: stand}, {from: prone, to: stand},
  {from: "*", to: prone, kind: corrective, when: fallen forward}]
"""


def attempt(run: str, position: int, node: str, source: str | None, ok: bool = True, **changes) -> AttemptRecord:
    kind = "start" if source is None else "naive"
    values = {
        "run": run,
        "walk": 0,
        "position": position,
        "node": node,
        "source": source,
        "edge_kind": kind,
        "condition": None,
        "planned": source is not None,
        "args": (),
        "cycles": 1,
        "status": "completed" if ok else "failed",
        "reason": "" if ok else f"torso 1.{position} is above 0.3",
        "phase": 1,
        "script": "controllers/poses/squat.t",
        "line": 3,
        "started_s": float(position),
        "simulated_s": 1.0 + 0.1 * (position % 3),
        "wall_s": 0.01,
        "energy_j": 10.0,
        "entry_digest": "0",
        "exit_digest": "1",
        "history_digest": "2",
        "seed": 1,
        "program_hash": f"program of {node}",
        "graph_hash": "g",
        "edge_hash": f"{source} to {node}",
        "engine_messages": 0,
        "measures": {},
    }
    return AttemptRecord(**(values | changes))


def record(run: str, started: float = 1e9, graph: str = "abcdef12", **world) -> RunRecord:
    settings = {"mode": "random", "world": Environment(**world).as_dict()}
    return RunRecord(run, f"ctrlgraph walk --seed 5 # {run}", started, 5, graph, {"ode": "0.16.2"}, settings)


@dataclass
class MemorySweeps:
    """A store of sweeps in memory."""

    kept: list[Sweep] = field(default_factory=list)
    results: dict[str, list[Trial]] = field(default_factory=dict)

    def add(self, target, axes, share, trials=10, started="2026-01-01T00:00:00", id="", **perturbations) -> None:
        """A sweep of which, at each point, the first `share` of the trials follow; noise makes them differ."""
        perturbations = {"noise": 0.1} | perturbations
        sweep = Sweep(
            id or f"0101-s{len(self.kept)}", target, tuple(axes), trials, 7, perturbations, "ctrlgraph walk",
            started=started,
        )  # fmt: skip
        self.kept.append(sweep)
        self.results[sweep.id] = [
            trial(target, point, i, recovered=i < round(share(**dict(point)) * trials))
            for point in sweep.points()
            for i in range(trials)
        ]

    def sweeps(self) -> list[Sweep]:
        return self.kept

    def trials(self, sweep_id: str) -> list[Trial]:
        return self.results[sweep_id]


def report_with(sweeps: MemorySweeps, project: Project, directory: Path, **options: Any) -> Path:
    """Write a report from sweeps in memory, by default without filmstrips."""
    with mock.patch.object(build, "open_sweeps", return_value=nullcontext(sweeps)):
        return build_report(project, [], directory, **({"filmstrips": False} | options))


def trial(target: str, point, index: int, recovered: bool, **changes) -> Trial:
    values = {
        "succeeded": recovered,
        "recovered": recovered,
        "status": "completed" if recovered else "failed",
        "reason": "" if recovered else "com_height 0.31 is below 0.45",
        "phase": 0,
        "script": "controllers/poses/squat.t",
        "line": 2,
        "simulated_s": 1.0,
    }
    return Trial(target, point, index, index, **(values | changes))


def log_run(
    project: Project, run: str, failures: int = 0, started: float = 1e9, graph: str = "abcdef12", **world: Any
) -> None:
    """Log a run with 20 transitions to the squat, some of which fail."""
    with project.log() as log:
        log.begin_run(record(run, started, graph, **world))
        log.add(attempt(run, 0, "stand", None))
        for i in range(20):
            log.add(attempt(run, i + 1, "squat", "stand", ok=i >= failures))


VOID = {"meta", "img", "br", "link", "input", "hr"}


class Page(HTMLParser):
    """The elements of a page, checked to be closed in their order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.texts: list[str] = []
        self.active: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes) -> None:
        self.tags.append(tag)
        values = dict(attributes)
        if any(name.startswith("on") for name in values) or (tag == "img" and values.get("src") == "x"):
            self.active.append(self.get_starttag_text() or tag)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values["href"]] if tag == "a" and "href" in values else []
        self.sources += [values["src"]] if "src" in values else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes) -> None:
        self.tags.append(tag)
        self.ids += [value for name, value in attributes if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())
