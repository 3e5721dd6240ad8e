"""SAVE and LOAD: a script writes the state of the body and goes back to it."""

from __future__ import annotations

import numpy as np
import pytest

from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.errors import SimulationError

THERE_AND_BACK = """
BEGINSCRIPT there_and_back(void)
  PHASE 0
    TRANSITION to(1).after(time 0.1);
  ENDPHASE
  PHASE 1
    SAVE home;
    TRANSITION to(2).after(time 0.1);
  ENDPHASE
  PHASE 2
    ACTIONS
      POSE rHip(-1), lHip(-1), waist(1);
    ENDACTIONS
    TRANSITION to(3).after(time 0.3);
  ENDPHASE
  PHASE 3
    LOAD home;
    TRANSITION to(-1).after(time 0.01);
  ENDPHASE
ENDSCRIPT
"""


@pytest.fixture
def compiled(tmp_path, humanoid):
    def make(text: str):
        path = tmp_path / "script.t"
        path.write_text(text)
        return compile_script(ScriptLibrary([path.parent]), path, [], humanoid)

    return make


def test_load_restores_the_state_that_save_wrote(compiled, simulate) -> None:
    simulation = simulate(sample_rate=500)
    simulation.run(compiled(THERE_AND_BACK))
    trace = simulation.trace
    saved, before, after = (int(np.argmin(abs(trace.time - t))) for t in (0.102, 0.5, 0.502))
    np.testing.assert_array_equal(trace.position[after], trace.position[saved])
    np.testing.assert_array_equal(trace.com_velocity[after], trace.com_velocity[saved])
    assert abs(trace.angle[before] - trace.angle[saved]).max() > 0.3
    assert trace.time[-1] == pytest.approx(0.51)


def test_a_state_that_was_never_saved_cannot_be_loaded(compiled, simulate) -> None:
    with pytest.raises(SimulationError) as error:
        simulate().run(compiled(THERE_AND_BACK.replace("SAVE home", "SAVE there")))
    assert str(error.value) == "LOAD home needs an earlier SAVE home: add the SAVE or remove the LOAD"


def test_a_phase_that_saves_and_loads_may_act_as_well(compiled, simulate) -> None:
    balance = "ACTIONS VFFB uTorso(2000, 250).by(rAnkle).over(cop); ENDACTIONS"
    simulation = simulate(sample_rate=500)
    acting = THERE_AND_BACK.replace("SAVE home;", f"SAVE home; {balance}").replace(
        "LOAD home;", f"{balance} LOAD home;"
    )
    outcome = simulation.run(compiled(acting))
    assert outcome.succeeded
    trace = simulation.trace
    saved, after = (int(np.argmin(abs(trace.time - t))) for t in (0.102, 0.502))
    np.testing.assert_array_equal(trace.position[after], trace.position[saved])
