"""Changed bodies: what grows with what, and the original as it was."""

from __future__ import annotations

import pytest

from ctrlgraph.character.scaling import scale_lengths, scale_masses, scale_torques
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.simulation.measures import scaled_conditions


def test_inertias_grow_with_masses_and_lengths_stay(humanoid) -> None:
    heavy = scale_masses(humanoid, {"": 2.0})
    assert heavy.mass == pytest.approx(2 * humanoid.mass)
    for link, before in zip(heavy.links, humanoid.links, strict=True):
        assert (link.inertia, link.x, link.height) == (2 * before.inertia, before.x, before.height)


def test_a_single_link_has_its_factor_besides_that_of_all(humanoid) -> None:
    changed = scale_masses(humanoid, {"": 2.0, "head": 3.0})
    head, foot = humanoid.link_index("head"), humanoid.link_index("rFoot")
    assert changed.links[head].mass == 6 * humanoid.links[head].mass
    assert changed.links[foot].mass == 2 * humanoid.links[foot].mass


def test_inertias_grow_with_the_square_of_lengths_and_masses_stay(humanoid) -> None:
    tall = scale_lengths(humanoid, 1.1)
    assert tall.mass == humanoid.mass
    assert tall.links[0].inertia == pytest.approx(1.21 * humanoid.links[0].inertia)
    assert tall.joints[3].y == pytest.approx(1.1 * humanoid.joints[3].y)
    assert tall.links[-1].contacts[0].radius == pytest.approx(1.1 * humanoid.links[-1].contacts[0].radius)


def test_both_torque_limits_are_scaled(humanoid) -> None:
    weak = scale_torques(humanoid, 0.5)
    for joint, before in zip(weak.joints, humanoid.joints, strict=True):
        assert (joint.torque_limit, joint.hard_torque_limit) == (
            before.torque_limit.scaled(0.5),
            before.hard_torque_limit.scaled(0.5),
        )


def test_a_changed_body_has_a_digest_of_its_own_and_the_original_keeps_its(humanoid) -> None:
    digest = humanoid.digest
    bodies = [scale_masses(humanoid, {"": 2.0}), scale_lengths(humanoid, 1.1), scale_torques(humanoid, 0.5)]
    assert len({digest, *(body.digest for body in bodies)}) == 4
    assert humanoid.digest == digest


def test_heights_in_conditions_grow_with_the_body() -> None:
    conditions = {"com_height": (0.8, 1.0), "torso": (-0.3, 0.3)}
    assert scaled_conditions(conditions, 2.0) == {"com_height": (1.6, 2.0), "torso": (-0.3, 0.3)}


def test_unknown_links_and_factors_of_nothing_are_refused(humanoid) -> None:
    with pytest.raises(CtrlGraphError, match=r"^the character humanoid has no link 'foot' \(did you mean '.*'\?\)$"):
        scale_masses(humanoid, {"foot": 2.0})
    with pytest.raises(CtrlGraphError, match=r"^the factor that scales a mass must be above 0 and finite, not 0$"):
        scale_masses(humanoid, {"": 0.0})
