"""When each kind of transition fires."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st


@pytest.fixture
def fires(handmade, machine):
    """Whether a transition out of a plain phase fires at its first tick."""

    def check(kind, *operands, part="", kin=None, time=0.0):
        program = handmade.program(
            handmade.phase(transitions=[handmade.to(1, kind, *operands, part=part)]), handmade.phase()
        )
        m = machine(program, kin=kin)
        m.tick(time)
        return m.phase == 1

    return check


@pytest.mark.parametrize("dt", [0.0005, 0.001, 0.002, 0.003])
def test_time_fires_at_the_step_nearest_to_it_whatever_the_step(dt, fires) -> None:
    step = round(0.3 / dt)
    assert fires("TIME", 0.3, time=step * dt)
    assert not fires("TIME", 0.3, time=(step - 1) * dt)


def test_contact_fires_while_the_part_touches(fires, posed, humanoid) -> None:
    kin = posed()
    assert not fires("CONTACT", part="lFoot", kin=kin)
    kin.contact[humanoid.link_index("lFoot")] = 1
    assert fires("CONTACT", part="lFoot", kin=kin)
    assert not fires("CONTACT", part="rFoot", kin=kin)


def test_nocontact_fires_only_after_thirty_milliseconds_in_the_air(fires, posed, humanoid) -> None:
    """Contacts flicker, so that one missing contact is no take-off."""
    kin = posed()
    kin.last_contact[humanoid.link_index("lFoot")] = 1.0
    assert not fires("NOCONTACT", part="lFoot", kin=kin, time=1.0)
    assert not fires("NOCONTACT", part="lFoot", kin=kin, time=1.028)
    assert fires("NOCONTACT", part="lFoot", kin=kin, time=1.032)


def test_a_part_that_never_touched_is_not_in_contact(fires, posed) -> None:
    assert fires("NOCONTACT", part="rHand", kin=posed())


def test_stable_asks_every_joint_and_the_centre_of_mass(fires, posed, humanoid) -> None:
    rates = np.zeros(len(humanoid.joints))
    assert fires("STABLE", 0.1, kin=posed())
    assert not fires("STABLE", 0.1, kin=posed(root_rate=(0.0, -0.11, 0.0)))
    rates[9] = 0.2  # a wrist alone
    assert not fires("STABLE", 0.1, kin=posed(rates=rates))


@given(angle=st.floats(-9.0, 9.0), bound=st.floats(-3.0, 3.0), width=st.floats(0.01, 3.0))
def test_fallen_and_anglerange_read_the_wrapped_angle_of_the_trunk(
    angle, bound, width, handmade, machine, posed
) -> None:
    kin = posed(root=(0, 1, angle))
    now = math.atan2(math.sin(angle), math.cos(angle))
    beyond = (now - bound) % (2 * math.pi)  # on the circle, clockwise from the bound
    near = min(beyond, 2 * math.pi - beyond, abs(beyond - width), abs(abs(now) - abs(bound)), math.pi - abs(now))
    assume(near >= 1e-6)  # else it is too near to tell
    expected = {
        ("FALLEN_ABOVE", bound): now > bound,
        ("FALLEN_BELOW", bound): now < bound,
        ("FALLEN_OUTSIDE", bound): abs(now) > abs(bound),
        ("ANGLERANGE", bound, bound + width): beyond < width,
    }
    for (kind, *operands), holds in expected.items():
        program = handmade.program(handmade.phase(transitions=[handmade.to(1, kind, *operands)]), handmade.phase())
        m = machine(program, kin=kin)
        m.tick(0.0)
        assert (m.phase == 1) == holds, kind


def test_complete_with_plain_actions_fires_at_once(fires) -> None:
    assert fires("COMPLETE")


def test_the_first_transition_written_wins(handmade, machine) -> None:
    h = handmade
    both = [h.to(2, "TIME", 0.0), h.to(1, "COMPLETE")]
    m = machine(h.program(h.phase(transitions=both), h.phase(), h.phase()))
    m.tick(0.0)
    assert m.phase == 2
