"""Bodies on which the engine would abort the process are refused with a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ctrlgraph.engine.ode.body_check import MOST_YIELDING, check_body, yielding
from ctrlgraph.errors import SimulationError
from ctrlgraph.simulation.simulation import Simulation


def with_link(character, name: str, **changes: float):
    links = tuple(replace(link, **changes) if link.name == name else link for link in character.links)
    return replace(character, links=links)


def test_a_link_that_is_too_small_is_refused_before_the_engine_sees_it(humanoid) -> None:
    tiny = with_link(humanoid, "head", mass=1e-3, inertia=1e-12)
    with pytest.raises(SimulationError) as caught:
        Simulation(tiny)
    assert str(caught.value) == (
        "the engine cannot simulate humanoid: the link 'head' is too light, too small or too far from the joint "
        "'neck2head'; 1 N at this joint accelerates it by 1e+12 m/s2, more than 1e+08"
    )


def test_a_link_far_from_its_joint_yields_with_the_square_of_the_distance(humanoid) -> None:
    joint = next(joint for joint in humanoid.joints if joint.name == "neck2head")
    head = replace(humanoid.links[joint.child], mass=2.0, inertia=0.5)
    assert yielding(replace(head, x=joint.x, y=joint.y), joint) == 2.0  # a newton metre, over the inertia
    assert yielding(replace(head, x=joint.x + 10.0, y=joint.y), joint) == pytest.approx(1 / 2.0 + 100.0 / 0.5)


def test_no_mass_and_no_inertia_yield_without_end(humanoid) -> None:
    joint = humanoid.joints[0]
    for changes in ({"mass": 0.0}, {"inertia": 0.0}):
        assert yielding(replace(humanoid.links[joint.child], **changes), joint) == float("inf")


def test_the_humanoid_is_far_from_the_limit(humanoid) -> None:
    check_body(humanoid)
    links = humanoid.links
    most = max(yielding(links[k], joint) for joint in humanoid.joints for k in (joint.parent, joint.child))
    assert most < 1e-4 * MOST_YIELDING
