"""What the conditions of shipped motions refuse: other motions, strung together, that end alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.control.script.compiler import compile_script
from ctrlgraph.control.script.library import ScriptLibrary
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.example_measures import accepts
from ctrlgraph.robustness.examples import entries, motion_of
from ctrlgraph.robustness.initial_state import Failed
from ctrlgraph.robustness.perturbation import Perturbations
from ctrlgraph.simulation.measures import measures_of

ROOT = Path(__file__).resolve().parents[2]
KNEELING = ("stand_to_hands_and_knees()", "get_up()", "rise(1)")


def strung(*calls: str) -> str:
    """A script that calls one script after another."""
    used = ", ".join(dict.fromkeys(call.split("(")[0] + ".t" for call in calls))
    last = len(calls) - 1
    phases = "".join(
        f"PHASE {i}\n> {call};\nTRANSITION to({-1 if i == last else i + 1}).after(complete);\nENDPHASE\n"
        for i, call in enumerate(calls)
    )
    return f"SCRIPTS {used};\nBEGINSCRIPT strung(void)\n{phases}ENDSCRIPT\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("burpee", ("jump()", "catch_step_backward()", *KNEELING, "stand(.5, .5)")),
        ("burpee", ("catch_step_backward()", *KNEELING, "jump()", "stand(.5, .5)")),
        ("hop", ("single_step()", "one_leg_hop()", "stand(.5, .5)")),
        ("hop", ("single_step()", "jump()", "stand(.5, .5)")),
    ],
    ids=["jump before kneeling", "jump after kneeling", "step and hop on one leg", "step and jump"],
)
def test_what_ends_alike_is_no_burpee_and_no_hop(name: str, calls: tuple[str, ...]) -> None:
    project = Project(ROOT, engine="ode")
    library, path = ScriptLibrary([ROOT / "controllers"]), Path("strung.t")
    library.put(path, strung(*calls))
    program = compile_script(library, path, (), project.character)
    node = project.graph.node(name)
    with Evaluator(project) as evaluator:
        for way in (way for way in entries(project.graph, name) if way.target.startswith(("stand->", "bow->"))):
            begun = evaluator.begin(way, Perturbations.of(project), np.random.default_rng(0))
            assert not isinstance(begun, Failed)
            begun.simulation.run(program, timeout=node.timeout_for(1))
            motion = motion_of(begun)
            values = measures_of(motion)
            assert values["com_height"] > 0.9, "it ends on its feet"
            assert not accepts(node, values, motion)
