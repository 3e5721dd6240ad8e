"""Contact and friction in space: rolling, sliding, standing without creep, and links that touch each other."""

from __future__ import annotations

import ctypes
import math

import numpy as np
import pytest

from benchmarks.spatial_bench import Bench, character, hinge, link
from benchmarks.spatial_bodies import Y, Z, ball, box, creature
from ctrlgraph.character.spatial_model import Shape
from ctrlgraph.engine.ode.spatial_ode_contacts import aim_friction
from ctrlgraph.terrain.spatial import parse_spatial


@pytest.mark.parametrize("heading", [0.0, 30.0, 90.0, 225.0])
def test_a_ball_that_slides_rolls_in_the_end_at_five_sevenths_of_its_speed(heading, engine) -> None:
    along = np.array([math.cos(math.radians(heading)), math.sin(math.radians(heading)), 0.0])
    history = Bench(engine, ball(), friction=0.3).place(velocity=along).run(1.0)
    np.testing.assert_allclose(history.twist[-1, 0, :3], 5 / 7 * along, atol=0.005)
    # it slides for 2 v / 7 mu g
    slides = 2 / (7 * 0.3 * 9.81)
    distance = slides - 0.5 * 0.3 * 9.81 * slides**2 + 5 / 7 * (1.0 - slides)
    assert history.pose[-1, 0, :3] @ along == pytest.approx(distance, abs=0.01)


def test_a_resting_body_weighs_what_it_weighs(engine) -> None:
    history = Bench(engine, box()).place().run(1.0)
    np.testing.assert_allclose(history.ground[-1], (0.0, 0.0, 2.0 * 9.81), atol=0.01)


def box_on_slope(engine: str, kind: str, degrees: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the displacement of a box from 1 s to 2 s, with a friction coefficient of 0.5, and the way downhill."""
    terrain, half = f"{kind}={degrees}", 0.5 * math.radians(degrees)
    normal = np.array(parse_spatial(terrain).normal(0.0, 0.0))
    axis = np.cross((0, 0, 1), normal) / math.sin(2 * half)
    bench = Bench(engine, box(), terrain, friction=0.5)
    bench.place(position=0.05 * normal, orientation=(math.cos(half), *(math.sin(half) * axis)))
    place = bench.run(2.0).pose[:, 0, :3]
    return place[-1] - place[499], np.cross(axis, normal)


@pytest.mark.parametrize("kind", ["slope", "bank"])
def test_a_box_stays_on_a_slope_below_its_friction_angle(kind, engine) -> None:
    moved, _ = box_on_slope(engine, kind, 20.0)
    assert np.linalg.norm(moved) < 0.001


@pytest.mark.parametrize("kind", ["slope", "bank"])
def test_a_box_accelerates_down_a_slope_above_its_friction_angle(kind, engine) -> None:
    moved, downhill = box_on_slope(engine, kind, 35.0)
    acceleration = 9.81 * (math.sin(math.radians(35)) - 0.5 * math.cos(math.radians(35)))
    assert moved @ downhill == pytest.approx(1.5 * acceleration, rel=0.02)  # (2^2 - 1^2) / 2
    # MuJoCo's friction lifts a sliding body
    assert np.linalg.norm(moved - (moved @ downhill) * downhill) < (0.1 if engine == "mujoco" else 1e-3)


@pytest.mark.slow
def test_an_animal_of_thirty_links_stands_without_creeping(engine) -> None:
    bench = Bench(engine, creature()).place()
    start, later = bench.run(1.0, every=500).pose[-1], bench.run(10.0, every=5000).pose[-1]
    assert abs(later[:, :3] - start[:, :3]).max() < 0.001
    assert abs(later[:, 3:] - start[:, 3:]).max() < 0.002


def test_links_that_touch_push_each_other_apart_without_changing_the_momentum(engine) -> None:
    knob = Shape("sphere", (0.1, 0, 0), (0, 0, 0))
    arms = [link(name, 0.5, (0.002,) * 3, (0.3, y, 0), knob) for name, y in (("left", 0.2), ("right", -0.2))]
    joints = [hinge(0, 1, Z, (-0.3, -0.2, 0)), hinge(0, 2, Z, (-0.3, 0.2, 0))]
    body = character([link("middle", 1.0, (0.02,) * 3, (0, 0, 2)), *arms], joints)
    bench = Bench(engine, body, gravity=0.0).place(rates=(-2.0, 2.0))
    start, history = bench.now().motion[0], bench.run(0.5)
    apart = np.linalg.norm(history.pose[:, 1, :3] - history.pose[:, 2, :3], axis=1)
    assert 0.19 < apart.min() < 0.2
    assert history.joint[-1, 0, 1] >= 0.0 >= history.joint[-1, 1, 1]  # without a contact, they would pass each other
    assert abs(history.motion[:, :6] - start[:6]).max() < 0.02


def test_a_fixed_root_that_touches_the_ground_does_not_disturb_the_other_links(engine) -> None:
    foot = Shape("sphere", (0.1, 0, 0), (0, 0, 0))
    links = [link("base", 1.0, (0.02,) * 3, (0, 0, 0.05), foot), link("bob", 0.5, (0.002,) * 3, (0, 0, 0.4))]
    body = character(links, [hinge(0, 1, Y, (0, 0, -0.2), kp=50.0, kd=5.0)], floating=False)
    bench = Bench(engine, body).place(angles=(0.1,))
    assert abs(bench.run(3.0).joint[-1]).max() < 1e-3
    assert bench.contacts.filled[0] == 1


@pytest.mark.parametrize("pressure", [1e-17, 1e-12, 1e-3])
def test_the_slip_of_a_contact_without_pressure_gives_no_huge_number_to_ode(pressure) -> None:
    # ODE's solver returned NaN, and the process aborted, for slips of 1e14 s/kg
    bench = Bench("ode", ball(), friction=0.5).place(velocity=(1, 0, 0))
    bench.run(0.1)
    data = bench.world.data
    force = (ctypes.c_double * 3).from_address(data.handles.feedback)
    force[:] = (0.0, 0.0, pressure)
    aim_friction(data.handles, data.friction, bench.contacts, 0)
    assert 0.0 <= data.friction.slip[0] < 1e6
