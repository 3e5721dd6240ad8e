"""Programs with other joint targets: the alteration applies in every phase, and nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest
from small_project import ROOT

from ctrlgraph.control.alteration import ALTERATIONS, Alteration, alterations
from ctrlgraph.control.script.altered import altered_program
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.environment import Environment
from ctrlgraph.simulation.recording.planar_trace import Trace


@pytest.fixture(scope="module")
def project() -> Project:
    return Project(ROOT)


@pytest.fixture(scope="module")
def run(project):
    """Return a function that runs an altered controller of a node from the start pose."""

    def run(node: str, alteration: Alteration | None) -> Trace:
        simulation, program = Environment().simulation(project.character), project.controller(node)
        if alteration is not None:
            program = altered_program(program, project.character, alteration)
        simulation.run(program, timeout=2.0)
        return simulation.last_trace

    return run


def test_every_alteration_of_the_humanoid_has_a_name(project) -> None:
    assert tuple(alterations(project.character)) == ALTERATIONS


@pytest.mark.parametrize("node", ["stand", "walk"])
def test_without_a_change_the_motion_is_the_same_bit_for_bit(run, node) -> None:
    same, altered = run(node, None), run(node, Alteration())
    assert np.array_equal(same.position, altered.position)
    assert np.array_equal(same.angle, altered.angle)


def test_joints_keep_the_angles_of_the_alteration(run, project) -> None:
    raised = run("stand", alterations(project.character)["arms_up"]).joint_angles(project.character)[-1]
    shoulders = list(project.character.shoulders)
    assert raised[shoulders] == pytest.approx([-0.9 * 3.15] * 2, abs=0.1)


def test_limp_arms_hang(run, project) -> None:
    shoulders = list(project.character.shoulders)
    forward = run("squat", None).joint_angles(project.character)[-1][shoulders]
    limp = run("squat", alterations(project.character)["arms_limp"]).joint_angles(project.character)[-1][shoulders]
    assert (forward < limp - 0.3).all()


def test_right_and_left_of_exchanged_joints_have_each_others_targets(run, project) -> None:
    character = project.character
    one, other = (
        run("walk", change).joint_angles(character)[20:60]
        for change in (None, alterations(character)["arms_exchanged"])
    )
    right, left = character.shoulders
    swing = (one[:, right] - one[:, left]).mean()
    assert (other[:, right] - other[:, left]).mean() == pytest.approx(-swing, rel=0.5)
    assert abs(swing) > 0.05


def test_offsets_are_added_to_constant_targets(run, project) -> None:
    knees = list(project.character.knees)
    plain = run("high_squat", None).joint_angles(project.character)[-1][knees]
    bent = run("high_squat", alterations(project.character)["knees_bent"]).joint_angles(project.character)[-1][knees]
    assert (bent > plain + 0.3).all()
