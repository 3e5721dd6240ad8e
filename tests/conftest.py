"""Fixtures for all tests: the shipped character, a small project, and programs made by hand where no script is."""

from __future__ import annotations

import fcntl
import gc
import importlib.util
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

# Nothing here depends on time: the first call of a kernel compiles it, and machines differ. `make test` tries the same
# few examples every time; `make test-all` tries many, at random.
_ANY_TIME = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
}
settings.register_profile("thorough", max_examples=150, **_ANY_TIME)
settings.register_profile("quick", max_examples=20, derandomize=True, **_ANY_TIME)


def pytest_configure(config: pytest.Config) -> None:
    quick = config.option.markexpr == "not slow" or os.environ.get("NUMBA_DISABLE_JIT") == "1"
    settings.load_profile("quick" if quick else "thorough")


sys.path.insert(0, str(Path(__file__).parent))  # tests import what stands beside this file by its name

from published import write_published  # noqa: E402
from small_project import make_small  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent

# A shell that starts the tests in the background has them ignore Ctrl-C, and their processes inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins = ["bodies", "browser"]

gc.disable()  # until all tests are there: a quarter of their collection went into looking through what stays


def pytest_collection_finish() -> None:
    """Leave the modules and the thousands of tests out of every later look for garbage, and look more rarely: a
    compilation makes millions of objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def nothing_is_printed_because_time_has_passed() -> None:
    """How long anything takes depends on the machine, and which test compiles the kernels on what ran before."""
    from ctrlgraph.cli import console

    console.COMPILING_AFTER_S = console.FIRST_LINE_S = 1e6


@pytest.fixture(autouse=True, scope="session")
def kernels_are_compiled_by_one_worker(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let one worker of xdist compile what most tests need, while the others wait: each would compile it."""
    if "PYTEST_XDIST_WORKER" not in os.environ or os.environ.get("NUMBA_DISABLE_JIT") == "1":
        return
    from ctrlgraph.project.project import Project
    from ctrlgraph.simulation.simulation import Simulation

    directory = tmp_path_factory.mktemp("kernels")
    project = Project(make_small(directory / "small"))
    engines = ["ode", *(["mujoco"] if importlib.util.find_spec("mujoco") else [])]
    with (directory.parents[1] / "kernels.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for engine in engines:
            with Simulation(project.character, engine=engine) as simulation:
                simulation.run(project.controller("stand"), timeout=0.01)


@pytest.fixture(autouse=True)
def consoles_are_of_one_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A console keeps the width and the streams that it found when it was made; who runs the tests may set a width."""
    from ctrlgraph.cli import console

    monkeypatch.delenv("COLUMNS", raising=False)
    yield
    console.stdout.cache_clear()
    console.stderr.cache_clear()


@pytest.fixture(scope="session")
def humanoid() -> Any:
    """The shipped character."""
    from ctrlgraph.character.yaml_reader import load_character

    return load_character(ROOT / "characters" / "humanoid.yaml")


@pytest.fixture(scope="session")
def project() -> Any:
    """The shipped project; nothing is written into it."""
    from ctrlgraph.project.project import Project

    return Project(ROOT)


@pytest.fixture
def small(tmp_path: Path) -> Any:
    """The small project, to be written into."""
    from ctrlgraph.project.project import Project

    return Project(make_small(tmp_path / "small"))


@pytest.fixture(scope="session")
def still(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The small project; nothing is written into it."""
    from ctrlgraph.project.project import Project

    return Project(make_small(tmp_path_factory.mktemp("still") / "small"))


@pytest.fixture
def on_mujoco(small: Any) -> Any:
    """The small project, opened to be simulated on MuJoCo."""
    from ctrlgraph.project.project import Project

    return Project(small.directory, engine="mujoco")


@pytest.fixture
def without_mujoco(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on which MuJoCo is not installed."""
    from ctrlgraph.engine.mujoco import engine, library

    monkeypatch.setitem(sys.modules, "mujoco", None)
    for loaded in (engine.load, library.load):
        loaded.cache_clear()
    yield
    for loaded in (engine.load, library.load):
        loaded.cache_clear()


class Handmade:
    """Builds a Program without the language, so that kernels are tested apart from the compiler.

    `act("POSE", "rKnee", 2.0, 300, 30)` is an action, `to(row, "TIME", 0.5)` a transition, and
    `program(phase([actions], [transitions]), ...)` a script of one frame.
    """

    def __init__(self, character: Any) -> None:
        self.character = character

    def act(self, kind: str, joint: str = "", *operands: float | None, **named: Any) -> dict[str, Any]:
        return {"kind": kind, "joint": joint, "operands": operands, **named}

    def to(self, target: int, kind: str, *operands: float, part: str = "") -> dict[str, Any]:
        return {"target": target, "kind": kind, "operands": operands, "part": part}

    def phase(self, actions: Any = (), transitions: Any = (), *, call: int = -1, frame: int = 0) -> dict[str, Any]:
        return {"actions": list(actions), "transitions": list(transitions), "call": call, "frame": frame}

    def program(self, *phases: dict[str, Any], torque_limits: tuple[float | None, ...] = (None,)) -> Any:
        from ctrlgraph.control.script import program as layout
        from ctrlgraph.control.script.codes import OMITTED, TransitionKind

        phases = phases or (self.phase(),)
        constants: list[float] = []

        def slot(value: float | None) -> int:
            if value is None:
                return OMITTED
            constants.append(float(value))
            return len(constants) - 1

        rows: list[list[int]] = []
        actions: list[list[int]] = []
        transitions: list[list[int]] = []
        for number, phase in enumerate(phases):
            row = [phase["frame"], number, phase["call"], len(actions), 0, len(transitions), 0, 0, 0, 0]
            actions += [self._action(a, slot) for a in phase["actions"]]
            for t in phase["transitions"]:
                operands = [slot(v) for v in (*t["operands"], None, None)[:2]]
                kind = TransitionKind[t["kind"]]
                transitions.append([kind, t["target"], self._link(t["part"]), *operands, 0])
            row[4], row[6] = len(actions), len(transitions)
            rows.append(row)
        frames = []
        for frame, limit in enumerate(torque_limits):
            first = next(i for i, phase in enumerate(phases) if phase["frame"] == frame)
            frames.append([first, slot(limit), 0, 0])
        return layout.Program(
            name="handmade",
            path="handmade.t",
            constants=np.array(constants, dtype=np.float64),
            tape=np.zeros((0, layout.TAPE_COLUMNS), np.int64),
            frames=np.array(frames, np.int64),
            phases=np.array(rows, np.int64),
            actions=np.array(actions, np.int64).reshape(-1, layout.ACTION_COLUMNS),
            transitions=np.array(transitions, np.int64).reshape(-1, layout.TRANSITION_COLUMNS),
            parameters=(),
            places=(layout.Place("handmade.t", "handmade", 1, 1),),
            names=(),
            digest="handmade",
        )

    def _link(self, name: str) -> int:
        return -1 if not name else self.character.link_index(name)

    def _action(self, action: dict[str, Any], slot: Any) -> list[int]:
        from ctrlgraph.control.script.codes import ActionKind
        from ctrlgraph.kernels.constants import FeedbackReference

        joint = self.character.joint_index(action["joint"]) if action["joint"] else -1
        over = action.get("over", "")
        reference, index = FeedbackReference.NONE, -1
        if over in ("cop", "copf"):
            reference = FeedbackReference[over.upper()]
        elif over and self.character.joint_index(over) is not None:
            reference, index = FeedbackReference.JOINT, self.character.joint_index(over)
        elif over:
            reference, index = FeedbackReference.PART, self.character.link_index(over)
        operands = [slot(v) for v in (*action["operands"], *[None] * 6)[:6]]
        head = [ActionKind[action["kind"]], joint, self._link(action.get("part", ""))]
        return [*head, reference, index, action.get("flags", 0), *operands, 0]


@pytest.fixture(scope="session")
def handmade(humanoid: Any) -> Handmade:
    return Handmade(humanoid)


@pytest.fixture(scope="session")
def published_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the scripts of the published constants."""
    return write_published(tmp_path_factory.mktemp("published"))
