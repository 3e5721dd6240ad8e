"""A live motion: after an edit it equals a motion simulated from the beginning, and only the affected part is simulated
again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from ctrlgraph.engine.planar_pushes import Push
from ctrlgraph.live_page.motion.live import LiveSimulation
from ctrlgraph.live_page.motion.programs import Programs
from ctrlgraph.live_page.motion.segments import LiveGoalWalk, Queue, RandomWalk, segments_of
from ctrlgraph.live_page.motion.world import Event, WorldChange
from ctrlgraph.project.project import Project
from ctrlgraph.terrain.terrain import flat

NODES = ("stand", "squat", "stand")


class Motion:
    """A live motion of nodes of a project."""

    def __init__(self, project: Project, nodes: Sequence[str] = NODES, events: Sequence[Event] = ()) -> None:
        from ctrlgraph.live_page.motion.world import LiveWorld

        self.project, self.programs = project, Programs(project)
        first, *others = segments_of(project.graph, nodes, project.environment().preview)
        world = LiveWorld(flat(), project.engine)
        self.live = LiveSimulation(project, self.programs, world, first, Queue(others), events)

    def edit(self, script: str, before: str, after: str) -> Any:
        path = self.project.library.find(script)
        assert path is not None
        text = path.read_text()
        assert before in text
        self.programs.revise(path, text.replace(before, after, 1))
        return self.live.revise()

    def run(self) -> dict[str, Any]:
        while self.live.ended is None:
            self.live.advance()
        whole = self.live.recording.whole()
        assert whole is not None
        return whole.columns


def assert_same_motion(one: dict[str, Any], other: dict[str, Any]) -> None:
    for name, values in one.items():
        if name in ("line", "script"):  # lines can have moved
            continue
        if values.dtype.kind in "US":
            assert (values == other[name]).all(), name
        else:  # sums of a matrix product differ in their last bit with its shape
            np.testing.assert_allclose(values, other[name], rtol=1e-12, atol=1e-12, err_msg=name)


def phase_change(columns: dict[str, Any], node: str, visit: int, phase: int) -> float:
    """Return when a phase of a visit begins."""
    here = (columns["node"] == node) & (columns["visit"] == visit) & (columns["phase"] == phase)
    return float(columns["time"][here][0])


def test_an_edit_is_simulated_from_before_its_phase_and_gives_the_motion_of_the_new_script(small: Project) -> None:
    motion = Motion(small)
    before = motion.run()
    begins = phase_change(before, "squat", 1, 1)
    branch = motion.edit("squat", "stable .01", "stable .02")
    assert begins - 0.3 <= branch.time <= begins
    after = motion.run()
    kept = before["time"] < branch.time
    assert (after["x.rFoot"][: kept.sum()] == before["x.rFoot"][kept]).all()
    assert after["time"][-1] != before["time"][-1]
    assert_same_motion(after, Motion(small).run())


@pytest.mark.slow
def test_several_edits_one_after_another_give_the_motion_of_the_last(small: Project) -> None:
    motion = Motion(small)
    motion.run()
    for after in ("stable .02", "stable .1", "stable .03"):
        motion.edit("squat", "stable .01", after)
        for _ in range(3):
            motion.live.advance()
    assert_same_motion(motion.run(), Motion(small).run())


def test_a_comment_or_another_layout_changes_nothing(small: Project) -> None:
    motion = Motion(small)
    motion.run()
    samples = motion.live.recording.samples
    assert motion.edit("squat", "PHASE 1", "# what follows\n  PHASE 1") is None
    assert motion.live.recording.samples == samples


def test_a_change_of_a_later_phase_simulates_nothing_again(small: Project) -> None:
    motion = Motion(small)
    while motion.live.time < 0.5:
        motion.live.advance()
    assert [segment.name for segment, _, _ in motion.live.segments] == ["stand"]
    assert motion.edit("squat", "stable .01", "stable .02") is None
    assert_same_motion(motion.run(), Motion(small).run())


def test_an_error_leaves_the_last_good_version_running(small: Project) -> None:
    motion = Motion(small)
    before = motion.run()
    assert motion.edit("squat", "stable .01", "stabel .01") is None
    assert [f.code for found in motion.programs.errors.values() for f in found]
    assert_same_motion(motion.run(), before)


def test_a_slider_changes_the_motion_and_its_old_value_restores_it(small: Project) -> None:
    motion = Motion(small)
    before = motion.run()
    path = small.library.find("squat")
    name = next(p.id for p in small.controller("squat").parameters if p.quantity == "angle" and "Knee" in p.role)
    motion.programs.set_values({name: 1.2})
    branch = motion.live.revise()
    assert branch is not None and path is not None
    assert motion.run()["angle.rKnee"].max() < before["angle.rKnee"].max() - 0.2
    motion.programs.set_values({})
    motion.live.revise()
    assert_same_motion(motion.run(), before)


@pytest.mark.parametrize("engine", ["ode", pytest.param("mujoco", marks=pytest.mark.slow)])
def test_a_push_acts_from_its_moment_on(small: Project, engine: str) -> None:
    project = Project(small.directory, engine=engine)
    push = Push(1.0, 0.2, "uTorso", 150.0)
    motion = Motion(project, ("stand", "squat"))
    before = motion.run()
    branch = motion.live.revise([push])
    assert branch is not None and 0.7 <= branch.time <= 1.0
    after = motion.run()
    calm = (before["time"] <= 1.0).sum()
    assert (after["x.uTorso"][:calm] == before["x.uTorso"][:calm]).all()
    assert after["com_vx"].max() > before["com_vx"].max() + 0.1
    assert_same_motion(after, Motion(project, ("stand", "squat"), [push]).run())


@pytest.mark.slow
def test_the_world_changes_during_the_motion_and_can_be_reset(small: Project) -> None:
    changes = [WorldChange(0.8, slope=6.0), WorldChange(1.2, friction=0.4), WorldChange(1.5, engine="mujoco")]
    motion = Motion(small)
    before = motion.run()
    motion.live.revise(changes)
    after = motion.run()
    assert motion.live.world.engine == "mujoco" and motion.live.world.terrain.friction == 0.4
    assert motion.live.world.terrain.height(3.0) > 0.2
    assert_same_motion(after, Motion(small, events=changes).run())
    motion.live.revise([])
    assert_same_motion(motion.run(), before)


def test_a_walk_goes_to_a_node_and_continues_at_random(small: Project) -> None:
    motion = Motion(small, ("stand",))
    motion.run()
    motion.live.set_queue(Queue([], LiveGoalWalk(small.graph, "squat", {})), 0.0)
    motion.run()
    assert [segment.name for segment, _, _ in motion.live.segments] == ["stand", "squat"]
    motion.live.set_queue(Queue([], RandomWalk(small.graph, 3)), motion.live.time)
    while len(motion.live.segments) < 5 and motion.live.ended is None:
        motion.live.advance()
    names = [segment.name for segment, _, _ in motion.live.segments]
    assert len(names) == 5
    assert motion.live.recording.samples == len(motion.live.recording.whole().columns["time"])  # type: ignore[union-attr]
