"""When phases began, and what pictures call them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.project.project import Project
from ctrlgraph.robustness.usual_motion import usual_motion
from ctrlgraph.simulation.environment import Environment


@pytest.mark.slow
def test_captions_of_phases_have_number_comment_and_called_script() -> None:
    motion = usual_motion(Project(Path(__file__).parents[2]), "kip", Environment())
    assert motion is not None and motion.outcome.succeeded
    assert [phase.caption for phase in motion.phases] == [
        "0 draw in the legs, hands beside the head",
        "1 throw the feet up",
        "2 throw the legs over and push off with the hands",
        "3 bring the trunk over the feet",
        "squat 0",
        "squat 1",
    ]
    assert motion.phases[0].time == motion.began[-1]
