"""Pushes, noise and delays in space."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.spatial_bench import Bench, character, hinge, link
from benchmarks.spatial_bodies import X, Y, Z, ball
from ctrlgraph.engine.spatial_pushes import SpatialPush, spatial_push_array
from ctrlgraph.errors import SimulationError
from ctrlgraph.kernels.spatial.spatial_rotation import rotate

FORCE, POINT = (30.0, -20.0, 10.0), (0.1, 0.2, -0.05)

CHAIN = character(
    [
        link("first", 20.0, (0.2, 0.5, 0.6), (0, 0, 5)),
        link("second", 10.0, (0.1, 0.2, 0.3), (0.3, 0, 0.1)),
        link("third", 10.0, (0.1, 0.2, 0.3), (0.3, 0.1, 0)),
    ],
    [hinge(0, 1, X, (-0.1, 0, 0)), hinge(0, 1, Y, (-0.1, 0, 0)), hinge(1, 2, Z, (-0.1, 0, 0))],
)


@pytest.mark.parametrize(("duration", "relative"), [(0.002, 1e-3), (0.1, 0.02)])
def test_a_push_changes_the_momentum_by_its_impulse_and_the_angular_momentum_by_its_moment(
    duration, relative, engine
) -> None:
    push = SpatialPush(start=0.01, duration=duration, link="third", force=FORCE, point=POINT)
    bench = Bench(engine, CHAIN, gravity=0.0, pushes=[push]).place(angles=(0.3, -0.2, 0.4))
    before = bench.run(0.01)
    assert abs(before.motion).max() < 1e-12
    pose, com = before.pose[-1, 2], before.com[-1, :3]
    arm = pose[:3] + rotate(tuple(pose[3:]), POINT) - com
    motion = bench.run(duration + 0.01).motion[-1]
    impulse = np.array(FORCE) * duration
    assert np.linalg.norm(motion[:3] - impulse) < relative * np.linalg.norm(impulse)
    moment = np.cross(arm, impulse)
    assert np.linalg.norm(motion[3:6] - moment) < relative * np.linalg.norm(moment) * (1 if duration < 0.01 else 3)


def test_pushes_add_up(engine) -> None:
    pushes = [SpatialPush(0.0, 0.1, "ball", (2.0, 0, 0)), SpatialPush(0.049, 0.1, "ball", (0, 3.0, 0))]
    twist = Bench(engine, ball(height=5.0), gravity=0.0, pushes=pushes).place().run(0.3).twist[-1, 0]
    np.testing.assert_allclose(twist, (0.2, 0.3, 0, 0, 0, 0), atol=1e-9)


def test_a_delay_postpones_the_commands(engine) -> None:
    body, target = (
        character(
            [link("a", 5.0, (0.5,) * 3, (0, 0, 3)), link("b", 1.0, (0.05,) * 3)], [hinge(0, 1, Z, kp=20.0, kd=0.5)]
        ),
        0.5,
    )
    prompt, late = Bench(engine, body, gravity=0.0).place(), Bench(engine, body, gravity=0.0, delay=0.01).place()
    for bench in (prompt, late):
        bench.run(0.02)
        bench.motors.target[:] = target
    np.testing.assert_array_equal(late.run(0.01).joint, 0.0)
    assert late.run(0.002).applied[0] == prompt.run(0.002).applied[0] != 0.0


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"link": "bal"}, "the character body has no link 'bal' (did you mean 'ball'?)"),
        (
            {"force": (math.nan, 0, 0)},
            "the push on 'ball' needs finite numbers, three for 'force' and three for 'point'",
        ),
        ({"duration": 0.0}, "the push on 'ball' must last above 0 s with at most 100000 N"),
        ({"force": (2e5, 0, 0)}, "the push on 'ball' must last above 0 s with at most 100000 N"),
        ({"point": (0, 0, 1e3)}, "the 'point' of the push on 'ball' must be at most 100 m from its centre"),
    ],
)
def test_a_push_that_makes_no_sense_is_refused(fields, sentence) -> None:
    given = {"start": 0.0, "duration": 0.1, "link": "ball", "force": (1.0, 0.0, 0.0)} | fields
    with pytest.raises(SimulationError) as error:
        spatial_push_array(ball(), [SpatialPush(**given)])
    assert str(error.value) == sentence
