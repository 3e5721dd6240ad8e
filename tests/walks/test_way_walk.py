"""Walks to places: a gait is steered around blocks, and its log repeats the walk."""

from __future__ import annotations

import pytest

from ctrlgraph import Environment, Project, replay_walk
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.footsteps.paths import Command, PathFollower
from ctrlgraph.project.shipped import copy_project
from ctrlgraph.walks import way_walk
from ctrlgraph.walks.way_walk import go_along

BLOCK = "block=2:0:0.4:1:0.5"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    directory = tmp_path_factory.mktemp("dog") / "dog"
    copy_project(directory, "dog")
    return Project(directory, engine="mujoco")


def world(project: Project, terrain: str = BLOCK, **given: str) -> Environment:
    return project.environment(terrain=terrain, friction=0.8, **given)


def test_the_dog_trots_around_a_block_and_the_replay_is_the_same(project: Project) -> None:
    summary = go_along(project, "trot", [(4.0, 0.0), (4.0, 1.5)], seed=3, world=world(project))
    assert summary.reached
    assert summary.place == pytest.approx((4.0, 1.5), abs=0.1)
    assert len(summary.way) == 5  # start, two corners of the block, two places
    with project.read_log() as log:
        replayed = replay_walk(project, log, log.run(summary.run), 0, verify=True)
    assert replayed.difference is None


def test_a_failure_ends_the_walk(project: Project) -> None:
    summary = go_along(project, "trot", [(6.0, 0.0)], world=world(project, "slope=25"))
    assert not summary.reached
    assert summary.reason.startswith("stand failed: ")  # the ground is too steep for the start pose


def test_an_interrupted_walk_is_logged_and_its_replay_is_the_same(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = PathFollower.command
    calls: list[float] = []

    def command(self: PathFollower, place: tuple[float, float], heading: float) -> Command | None:
        calls.append(heading)
        if len(calls) == 20:
            raise KeyboardInterrupt
        return asked(self, place, heading)

    monkeypatch.setattr(PathFollower, "command", command)
    summary = go_along(project, "trot", [(6.0, 0.0)], world=world(project, "flat"))
    assert (summary.reached, summary.reason, summary.interrupted) == (False, "interrupted", True)
    with project.read_log() as log:
        replayed = replay_walk(project, log, log.run(summary.run), 0, verify=True)
    assert replayed.difference is None


def test_a_walk_ends_where_no_more_commands_can_be_logged(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(way_walk, "MAX_PLAYED", 5)
    summary = go_along(project, "trot", [(6.0, 0.0)], world=world(project, "flat"))
    assert not summary.reached
    assert summary.reason.endswith("s, the longest walk that can be logged")


@pytest.mark.parametrize("node", ["sit", "turn_left"])
def test_a_node_that_does_not_move_forward_is_an_error(project: Project, node: str) -> None:
    with pytest.raises(CtrlGraphError, match=f"the node '{node}' cannot be steered to a place"):
        go_along(project, node, [(3.0, 0.0)], world=world(project))


def test_a_place_near_a_block_is_an_error_before_anything_is_logged(project: Project) -> None:
    before = len(list(_runs(project)))
    with pytest.raises(CtrlGraphError, match=r"less than .* from a block"):
        go_along(project, "trot", [(2.0, 0.2)], world=world(project))
    assert len(list(_runs(project))) == before


def _runs(project: Project) -> list[str]:
    with project.read_log() as log:
        return [run.id for run in log.runs()]
