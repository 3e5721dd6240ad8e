"""The same inputs give the same trajectory, bit for bit: again, elsewhere, and from any snapshot."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sampling import slow
from waiting import PATIENCE_S

from ctrlgraph.engine.loop import GOES_ON
from ctrlgraph.simulation.rollout import Rollout

ROOT = Path(__file__).resolve().parents[2]


TUMBLE = """
BEGINSCRIPT tumble(void)
  PHASE 0
    ACTIONS
      POSE rHip(-1.2), lKnee(1.5, 500, 40);
      VF (150, 40, 0).on(head).by(lAnkle);
    ENDACTIONS
    TRANSITION to(1).after(time 0.3);
  ENDPHASE
  PHASE 1
    ACTIONS
      LIPOSE rHip(0.8).time(0.3);
      VPD uTorso(0.4).joint(lHip);
    ENDACTIONS
    TRANSITION to(0).after(time 0.4);
  ENDPHASE
ENDSCRIPT
"""


@pytest.fixture
def fall(handmade):
    """A program that throws a few joints about while the character falls: plenty of contacts."""
    h = handmade
    return h.program(
        h.phase(
            [h.act("POSE", "rHip", -1.2), h.act("POSE", "lKnee", 1.5), h.act("VF", "lAnkle", 150, 40, 0, part="head")],
            [h.to(1, "TIME", 0.3)],
        ),
        h.phase([h.act("LIPOSE", "rHip", 0.8, 500, 40, 0.3), h.act("POSE", "waist", 1.0)], [h.to(0, "TIME", 0.4)]),
    )


SOLVERS = [{"solver": "exact"}, {"solver": "quick", "iterations": 20}]


@pytest.mark.parametrize("options", SOLVERS, ids=["exact", "quick"])
def test_the_same_seed_gives_the_same_trajectory(options, simulate, fall) -> None:
    digests = []
    for _ in range(2):
        simulation = simulate(seed=5, **options)
        simulation.run(fall, timeout=1.5)
        digests.append((simulation.history_digest(), simulation.state_digest()))
    assert digests[0] == digests[1]


def test_a_reset_simulation_runs_as_a_new_one(simulate, fall) -> None:
    simulation = simulate(seed=5, solver="quick")
    simulation.run(fall, timeout=0.7)
    first = simulation.history_digest()
    simulation.run(fall, timeout=0.4)
    simulation.reset()
    simulation.run(fall, timeout=0.7)
    assert simulation.history_digest() == first
    assert simulation.trace.time[0] == 0.0


@pytest.mark.parametrize("options", [*SOLVERS, {"engine": "mujoco"}], ids=["exact", "quick", "mujoco"])
def test_a_run_is_what_its_steps_are_whatever_their_number(options, simulate, fall) -> None:
    found = []
    for steps in (None, 1, 7, 10**6):
        simulation = simulate(seed=5, **options)
        if steps is None:
            outcome = simulation.run(fall, timeout=0.7, success={"com_height": (0.9, 2.0)})
        else:
            execution = simulation.begin(Rollout(fall, timeout=0.7, success={"com_height": (0.9, 2.0)}))
            while (status := simulation.advance(execution, steps)) in GOES_ON:
                pass
            outcome = simulation.end(execution, status)
        found.append((replace(outcome, wall_s=0.0, compilation_s=0.0), simulation.history_digest()))
        trace = simulation.trace
        assert (len(trace), trace.time[-1]) == (71, pytest.approx(0.7))
    assert all(each == found[0] for each in found[1:])


def test_the_digest_distinguishes_trajectories(simulate, fall) -> None:
    digests = set()
    for pose in (0.0, 1e-12):
        simulation = simulate()
        simulation.reset({"rHip": pose})
        simulation.run(fall, timeout=0.2)
        digests.add(simulation.history_digest())
    assert len(digests) == 2


@pytest.mark.parametrize("options", [SOLVERS[0], *slow(SOLVERS[1])], ids=["exact", "quick"])
def test_another_process_simulates_the_same(options, simulate, humanoid, tmp_path) -> None:
    from ctrlgraph.control.script.compiler import compile_script
    from ctrlgraph.control.script.library import ScriptLibrary

    script = tmp_path / "tumble.t"
    script.write_text(TUMBLE)
    code = (
        "import sys, json\n"
        "from pathlib import Path\n"
        "from ctrlgraph.character.yaml_reader import load_character\n"
        "from ctrlgraph.control.script.compiler import compile_script\n"
        "from ctrlgraph.control.script.library import ScriptLibrary\n"
        "from ctrlgraph.simulation.simulation import Simulation, WorldSettings\n"
        "character = load_character('characters/humanoid.yaml')\n"
        f"path = Path({str(script)!r})\n"
        "program = compile_script(ScriptLibrary([path.parent]), path, [], character)\n"
        f"simulation = Simulation(character, settings=WorldSettings(**{options!r}), seed=11)\n"
        "simulation.run(program, timeout=1.0)\n"
        "print(simulation.history_digest(), simulation.state_digest())\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    other = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment, timeout=PATIENCE_S
    )
    simulation = simulate(seed=11, **options)
    program = compile_script(ScriptLibrary([script.parent]), script, [], humanoid)
    simulation.run(program, timeout=1.0)
    assert other.stdout.split() == [simulation.history_digest(), simulation.state_digest()], other.stderr


@pytest.mark.parametrize("options", SOLVERS, ids=["exact", "quick"])
@pytest.mark.parametrize("fresh", [False, True], ids=["same object", "fresh object"])
def test_a_snapshot_in_contact_continues_the_same_motion(options, fresh, simulate, fall) -> None:
    simulation = simulate(seed=3, **options)
    simulation.run(fall, timeout=0.65)
    snapshot = simulation.snapshot()
    assert snapshot.kinematics.contact.any()
    ends, motions = [], []
    for repeat in range(2):
        other = simulate(seed=99, **options) if fresh and repeat else simulation
        other.restore(snapshot)
        other.run(fall, timeout=0.8)
        ends.append((other.history_digest(), other.state_digest(), other.time, other._clock.energy[0]))
        motions.append(other.last_trace)
    assert ends[0] == ends[1]
    np.testing.assert_array_equal(motions[0].position, motions[1].position)
    np.testing.assert_array_equal(motions[0].phase, motions[1].phase)


def test_restoring_cuts_the_trace_and_records_each_moment_once(simulate, fall) -> None:
    simulation = simulate()
    simulation.run(fall, timeout=0.5)
    snapshot = simulation.snapshot()
    simulation.run(fall, timeout=0.5)
    simulation.restore(snapshot)
    simulation.run(fall, timeout=0.3)
    time = simulation.trace.time
    assert (np.diff(time) > 0).all()
    assert time[-1] == pytest.approx(0.8)


def test_two_simulations_in_turn_are_as_each_alone(simulate, fall) -> None:
    """The quick solver's random state is the process's: each simulation keeps its own."""
    alone = simulate(seed=1, solver="quick")
    alone.run(fall, timeout=0.5)
    alone.run(fall, timeout=0.5)
    one, two = simulate(seed=1, solver="quick"), simulate(seed=2, solver="quick")
    one.run(fall, timeout=0.5)
    two.run(fall, timeout=0.3)
    one.run(fall, timeout=0.5)
    assert one.history_digest() == alone.history_digest()


def test_a_rollout_that_is_not_recorded_moves_the_same(simulate, fall) -> None:
    digests = []
    for record in (True, False):
        simulation = simulate()
        execution = simulation.begin(Rollout(fall, timeout=1.0))
        while simulation.advance(execution, 10, record=record) in GOES_ON:
            pass
        digests.append(simulation.history_digest())
        assert (len(simulation.last_trace) > 0) == record
    assert digests[0] == digests[1]
