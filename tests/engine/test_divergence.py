"""Impossible states end a run as `diverged` before the engine sees them, and impossible settings are refused."""

from __future__ import annotations

import math

import pytest

from ctrlgraph.errors import SimulationError
from ctrlgraph.simulation.outcome import Status
from ctrlgraph.simulation.simulation import Push

DIVERGED = "the state became impossible (not finite, or too fast)"


@pytest.mark.parametrize("gains", [(1e9, 30), (1e9, 1e9), (1e300, 1e300), (1e-300, 0), (0, 1e9)])
def test_absurd_gains_stay_within_the_torque_limits(gains, simulate, handmade, humanoid) -> None:
    h = handmade
    simulation = simulate()
    wild = h.phase([h.act("POSE", j.name, 1.0, *gains) for j in humanoid.joints])
    outcome = simulation.run(h.program(wild, torque_limits=(1e9,)), timeout=1.0)
    assert outcome.status in (Status.TIMEOUT, Status.DIVERGED)
    assert abs(simulation._world.commands.applied).max() <= 1000.0 * (1 + 1e-9)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e308])
@pytest.mark.parametrize("kind", ["angle", "kp", "force", "vpd"])
def test_a_value_that_is_not_a_number_never_reaches_the_engine(value, kind, simulate, handmade) -> None:
    h = handmade
    action = {
        "angle": h.act("POSE", "rKnee", value),
        "kp": h.act("POSE", "rKnee", 1.0, value, value),
        "force": h.act("VF", "rAnkle", value, -value, 0.0, part="head"),
        "vpd": h.act("VPD", "rHip", value, 1e300, 1e300, part="rThigh"),
    }[kind]
    simulation = simulate()
    outcome = simulation.run(h.program(h.phase([action])), timeout=0.5)
    assert outcome.status in (Status.DIVERGED, Status.TIMEOUT)
    assert math.isfinite(simulation._bodies().sum())
    if outcome.status is Status.DIVERGED:
        assert outcome.reason == DIVERGED


def test_a_blow_up_ends_as_diverged_and_the_simulation_asks_to_be_reset(simulate, handmade) -> None:
    simulation = simulate(pushes=(Push(start=0.0, duration=1.0, link="rHand", x=9e4),))
    outcome = simulation.run(handmade.program(), timeout=2.0)
    assert outcome.status is Status.DIVERGED
    assert outcome.reason == DIVERGED
    with pytest.raises(SimulationError) as error:
        simulation.run(handmade.program())
    assert str(error.value) == "the simulation has diverged: call reset() before executing another controller"
    simulation.reset()
    simulation.disturb(())
    assert simulation.run(handmade.program(), timeout=0.1).status is Status.TIMEOUT


@pytest.mark.parametrize("use", [lambda s, p: s.run(p), lambda s, p: s.reset(), lambda s, p: s.snapshot()])
def test_a_closed_simulation_says_so(use, simulate, handmade) -> None:
    simulation = simulate()
    simulation.close()
    simulation.close()
    with pytest.raises(SimulationError) as error:
        use(simulation, handmade.program())
    assert str(error.value) == "the simulation is closed: create a new one"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dt": 0.5}, "the time step 'dt' is 0.5 s, but must be from 0.00001 to 0.02 s"),
        ({"solver": "fast"}, "the setting 'solver' is 'fast', but must be exact or quick"),
        (
            {"solver": "quick", "iterations": 10**12},
            "the setting 'iterations' must be at most 10000, not 1000000000000",
        ),
        ({"pushes": (Push(0, 1, "head", math.nan),)}, "the numbers of the push on 'head' must be finite"),
        ({"pushes": (Push(0, 1, "head", 1e6),)}, "the push on 'head' must last above 0 s with at most 100000 N"),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_a_sentence(options, message, simulate) -> None:
    with pytest.raises(SimulationError) as error:
        simulate(**options)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cycles": 0}, "cycles must be at least 1 and the timeout above 0 s, but cycles is 0 and the timeout is 20 s"),
        ({"bounds": {"height": (0, 1)}}, "the measure 'height' cannot be a bound: use torso or com_height"),
        ({"success": {"hight": (0, 1)}}, "there is no measure 'hight' (did you mean 'flight'?)"),
        ({"pose": {"rKne": 1.0}}, "the character humanoid has no joint 'rKne' (did you mean 'rKnee'?)"),
    ],
)
def test_what_cannot_be_run_is_refused_in_a_sentence(options, message, simulate, handmade) -> None:
    given = dict(options)
    with pytest.raises(SimulationError) as error:
        simulation = simulate()
        simulation.reset(given.pop("pose", None))
        simulation.run(handmade.program(), **given)
    assert str(error.value) == message
