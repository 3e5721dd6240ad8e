"""A project and a simulation without scripts and physics, for what walking itself does.

The simulation's outcomes are a table: how often each controller fails, drawn from the walk's seed, or
a list of statuses to come. Importable in worker processes (conftest puts this directory on the path).
"""

from __future__ import annotations

import hashlib
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ctrlgraph.character.yaml_reader import load_character
from ctrlgraph.control.controller import Place
from ctrlgraph.control.script.program import Program
from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.outcome import Outcome, Status
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.terrain.terrain import LEVEL

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: stand.t, kind: static}
  walk: {script: walk.t, cycles: [2, 8]}
  prone: {script: prone.t, kind: static}
  roll: {script: roll.t}
  supine: {script: supine.t, kind: static}
edges: [{from: stand, to: walk}, {from: walk, to: stand}, {from: walk, to: walk},
  {from: [prone, supine], to: stand}, {from: roll, to: supine},
  {from: walk, to: prone, kind: corrective, when: fallen forward},
  {from: walk, to: roll, kind: corrective, when: fallen backward},
  {from: [prone, supine, roll], to: prone, kind: corrective, when: fallen}]
"""

CHARACTER = Path(__file__).parents[2] / "characters" / "humanoid.yaml"

FORWARD, BACKWARD, UPRIGHT = {"torso": 1.2}, {"torso": -1.2}, {"torso": 0.0, "com_height": 1.0}


@dataclass(frozen=True)
class End:
    """An outcome to come."""

    status: Status = Status.COMPLETED
    measures: dict[str, float] = field(default_factory=lambda: dict(UPRIGHT))


OK = End()
FALLS_FORWARD = End(Status.FAILED, FORWARD)
FALLS_BACKWARD = End(Status.FAILED, BACKWARD)
LIES = End(measures={"torso": 1.5, "feet_load": 0.1})
STANDS_WRONG = End(Status.FAILED, UPRIGHT)
DIVERGES = End(Status.DIVERGED, FORWARD)


class FakeProject(Project):
    """A project whose scripts are only names."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory)
        self.graph = parse_graph((directory / "graph.yaml").read_text())  # type: ignore[misc]
        self.character = load_character(CHARACTER)  # type: ignore[misc]

    def read_controller(self, kind: str, path: Path, args: tuple[float, ...] = (), mirrored: bool = False) -> Program:
        none, empty = np.zeros((0, 1), np.int64), np.zeros(0)
        return Program(path.stem, path.name, empty, none, none, none, none, none, (), (), (), f"digest of {path.stem}")


class FakeSimulation:
    """What a walk needs of a simulation; its state is a number that every controller changes."""

    preview = LEVEL

    def __init__(
        self, ends: list[End] | None, failure_rate: float, seed: int, links: int, physical: bool = False
    ) -> None:
        self._ends, self._physical = None if ends is None else list(ends), physical
        self._rate = failure_rate
        self._rng = np.random.default_rng(seed)
        self._links = links
        self.ran: list[str] = []
        self.resets = 0
        self.reset()

    def __enter__(self) -> FakeSimulation:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def reset(self) -> None:
        self.resets += 1
        self.time = 0.0
        self._state, self._history = "", hashlib.sha256()

    def run_rollout(self, rollout, *, resume=False, on_progress=None) -> Outcome:
        program, cycles = rollout.controller, rollout.cycles
        end = self._next(program.name)
        self.ran.append(sys.intern(program.name))
        entry, began = self.state_digest(), self.time
        self.time += 0.5 * cycles
        self._state = _hash(f"{self._state}{program.name} {cycles} {end.status};")  # of one length: nothing is to grow
        self._history.update(self._state.encode())
        self.last_trace = self._trace(began)
        if on_progress is not None:
            on_progress(self.time)
        reason = "" if end.status is Status.COMPLETED else "torso 1.2 is above 1"
        place = Place(f"controllers/{program.path}", program.name, 3, 1)
        return Outcome(end.status, reason, 1, place, 0.5 * cycles, 0.0, 1.0, entry, measures=end.measures)

    def state_digest(self) -> str:
        return _hash(self._state)[:16]

    def history_digest(self) -> str:
        return self._history.hexdigest()[:16]

    def _next(self, name: str) -> End:
        if self._ends is not None:
            return self._ends.pop(0) if self._ends else OK
        if name == "stand" and not self._state:
            return OK
        if self._physical:  # the same again from the same state, as in an engine that was reset
            self._rng = np.random.default_rng(list(f"{self._state} {name}".encode()))
        if self._rng.random() >= self._rate:
            return OK
        return (FALLS_FORWARD, FALLS_BACKWARD, STANDS_WRONG, DIVERGES)[int(self._rng.integers(4))]

    def _trace(self, began: float) -> Trace:
        time = np.arange(began, self.time, 0.1)
        n, links = len(time), self._links
        value = np.frombuffer(hashlib.sha256(self._state.encode()).digest()[:4], np.uint32)[0] / 2**32
        return Trace(
            time=time,
            position=np.full((n, links, 2), value),
            angle=np.full((n, links), value),
            contact=np.zeros((n, links), bool),
            com=np.zeros((n, 2)),
            com_velocity=np.zeros((n, 2)),
            phase=np.zeros(n, np.int64),
            energy=np.zeros(n),
        )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class FakeWorld(Environment):
    """A world whose simulations are fakes; `deadly` is the seed of a simulation whose process dies."""

    ends: tuple[End, ...] | None = None
    failure_rate: float = 0.0
    deadly: int | None = None
    physical: bool = False

    def simulation(self, character, seed: int, *, keep_trace: bool = True):
        if seed == self.deadly:
            os._exit(1)
        ends = None if self.ends is None else list(self.ends)
        return FakeSimulation(ends, self.failure_rate, seed, len(character.links), self.physical)

    def as_dict(self):
        return Environment(self.terrain, self.friction, self.engine, self.settings, self.sample_rate).as_dict()
