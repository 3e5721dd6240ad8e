"""The world of a rollout: how the log keeps it, what of it decides a motion, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.character.yaml_reader import load_character
from ctrlgraph.engine.ode.ode_settings import OdeSettings
from ctrlgraph.engine.world_settings import WorldSettings
from ctrlgraph.errors import CtrlGraphError, RunLogError
from ctrlgraph.robustness.perturbation import perturbations
from ctrlgraph.simulation.disturbances import Disturbances
from ctrlgraph.simulation.environment import BodyScaling, Environment

CHARACTER = load_character(Path(__file__).parents[2] / "characters" / "humanoid.yaml")

BOX = OdeSettings(friction="box", erp=0.2)
BALLS = OdeSettings(pins="balls", friction="box", erp=0.2)
LOGGED = Environment("slope=4", 0.8, settings=BALLS).as_dict()


def test_an_environment_is_read_back_as_the_log_keeps_it():
    scaled = Environment(body=BodyScaling((("", 1.1), ("rFoot", 2.0)), 1.05, 0.9))
    shaken = Environment(disturbances=Disturbances(100, 300, 2, 0.05))
    for environment in (Environment("slope=4", 0.8, settings=BALLS), Environment(), scaled, shaken):
        assert Environment.from_dict(environment.as_dict()) == environment


def test_settings_that_all_engines_have_are_completed_with_the_engine_s_own():
    environment = Environment(settings=WorldSettings(dt=0.001))
    assert environment.settings == OdeSettings(dt=0.001)
    with pytest.raises(CtrlGraphError, match="there is no engine 'oed'"):
        Environment(engine="oed")


@pytest.mark.parametrize(
    ("environment", "digest"),
    [
        (Environment(), "b86b66e46162e60243e182a5f0f92462"),
        (Environment(settings=BALLS), "3ba7f720cb88fdeb192d4118bfcdc43d"),
        (Environment("slope=4", 0.8, settings=BALLS), "0236244bc5b79b408dbdb3b2912d672f"),
        (Environment("slope=4", 0.8, settings=BOX), "aadc8a01ad7b0bc710dea1490dcf3480"),
    ],
)
def test_the_hash_of_a_world_stays_what_the_evidence_is_logged_by(environment: Environment, digest: str):
    assert environment.digest == digest


def test_sampling_does_not_decide_a_motion_and_everything_else_does():
    plain = Environment()
    assert Environment(sample_rate=50.0).digest == plain.digest
    others = [
        Environment("slope=1"),
        Environment(friction=0.9),
        Environment(settings=WorldSettings(dt=0.001)),
        Environment(body=BodyScaling(length=1.1)),
        Environment(body=BodyScaling((("rFoot", 2.0),))),
        Environment(disturbances=Disturbances(high=100.0)),
        Environment(disturbances=Disturbances(actuator_noise=0.1)),
    ]
    assert len({each.digest for each in (plain, *others)}) == 8
    assert Environment(disturbances=Disturbances(0, 100)).digest == others[-2].digest
    assert "disturbances" not in plain.as_dict()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"terrain": 3}, "'terrain' must be a string, not the int 3"),
        ({"friction": -1.0}, "the friction must be 0 to 10, not -1"),
        ({"sample_rate": float("nan")}, "the sample rate must be 1 to 100000, not nan"),
        ({"engine": {"name": "ode", "dt": 5.0}}, "the time step 'dt' is 5 s, but must be from 0.00001 to 0.02 s"),
        ({"engine": {"name": "ode", "gravity": "much"}}, "the setting 'gravity' must be of type float, not 'much'"),
        (
            {"engine": {"name": "ode", "pins": "nails"}},
            "the setting 'pins' must be distances, balls or hinges, not 'nails'",
        ),
        ({"body": {"length": 0.0}}, "each factor of 'body' must be above 0 and at most"),
        ({"friction": 10**400}, "int too large to convert to float"),
        ({"disturbances": {"high": 1e9}}, "but LOW is 0 N and HIGH is 1e+09 N"),
        ({"disturbances": {"low": float("nan")}}, "but LOW is nan N and HIGH is 0 N"),
        ({"disturbances": {"gap": 1e-9}}, "the mean time between pushes must be 0.1 to 3600 s, not 1e-09 s"),
        ({"disturbances": {"low": "strong"}}, "'low' must be a number, not the str 'strong'"),
        ({"disturbances": {"wind": 3.0}}, "wind"),
        ({"disturbances": [100, 300]}, "argument after ** must be a mapping"),
    ],
)
def test_an_invalid_environment_is_refused_in_a_sentence(changes, why):
    with pytest.raises(RunLogError, match="an environment that this version of ctrlgraph cannot read") as caught:
        Environment.from_dict(LOGGED | changes)
    assert why in str(caught.value)


@pytest.mark.parametrize(
    "changes", [{"wind": 3.0}, {"body": {"colour": 3}}, {"body": 7}, {"engine": 7}, {"engine": {"dt": 0.002}}]
)
def test_an_environment_of_a_newer_version_is_refused_in_a_sentence(changes):
    with pytest.raises(RunLogError, match="the log contains an environment that this version of ctrlgraph cannot read"):
        Environment.from_dict(LOGGED | changes)


def test_perturbations_of_world_and_body_are_an_environment():
    made = perturbations({"slope": 2, "friction": 0.7, "step": 0.001, "quickstep": 30, "length": 1.1, "mass": 2})
    assert made.environment == Environment(
        "slope=2.0",
        0.7,
        settings=WorldSettings(dt=0.001, solver="quick", iterations=30),
        body=BodyScaling((("", 2.0),), 1.1),
    )
    assert perturbations({}).environment == perturbations({"push": 100, "noise": 0.1}).environment == Environment()


def test_no_slope_is_level_ground_to_the_bit():
    level, none = Environment().ground(), perturbations({"slope": 0}).environment.ground()
    assert np.array_equal(level.x, none.x) and np.array_equal(level.y, none.y) and level.name == none.name


def test_a_body_is_scaled_by_its_links_names():
    body = BodyScaling((("rFoot", 2.0),), length=1.5).of(CHARACTER)
    foot = CHARACTER.link_index("rFoot")
    assert body.links[foot].mass == 2.0 * CHARACTER.links[foot].mass
    assert body.links[0].height == 1.5 * CHARACTER.links[0].height
    with pytest.raises(CtrlGraphError, match="has no link 'wing'"):
        BodyScaling((("wing", 2.0),)).of(CHARACTER)
