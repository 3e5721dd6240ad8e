"""Impostors: altered motions, which the conditions of their node must reject."""

from __future__ import annotations

import json

import pytest
from small_project import GRAPH, ROOT, make_small

from ctrlgraph.cli.main import main
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.evaluator import Evaluator
from ctrlgraph.robustness.examples import entries, run_example, starts
from ctrlgraph.robustness.impostors import impostors


@pytest.fixture
def project_with(tmp_path):
    """The small project with other text in its graph file."""

    def make(old: str = "", new: str = "") -> Project:
        directory = make_small(tmp_path / "small")
        assert old in GRAPH
        (directory / "graph.yaml").write_text(GRAPH.replace(old, new, 1))
        return Project(directory)

    return make


def accepted(project: Project, node: str) -> set[str]:
    return {each.alteration for each in impostors(project, [node]) if each.accepted}


def test_conditions_that_do_not_speak_of_arms_accept_raised_arms(project_with) -> None:
    assert {"arms_up", "head_back"} <= accepted(project_with(), "stand")


def test_a_range_of_the_arms_rejects_raised_arms_but_not_another_head(project_with) -> None:
    found = impostors(
        project_with("com_speed: [0, 0.1]}}\n  squat", "com_speed: [0, 0.1], arm_flexion: [-.3, .3]}}\n  squat")
    )
    rejected = {each.alteration: each.rejected_by for each in found if each.node == "stand" and not each.accepted}
    assert rejected["arms_up"].startswith("arm_flexion 2.8")
    assert "head_back" not in rejected


def test_exchanged_arms_of_a_symmetric_motion_are_no_impostor(project_with) -> None:
    assert "arms_exchanged" not in {each.alteration for each in impostors(project_with(), ["stand"])}


def test_the_command_fails_until_the_graph_file_has_a_reason(project_with, capsys, monkeypatch) -> None:
    arguments, directory = ["gate", "confusion", "--impostors", "stand", "--json"], project_with().directory
    monkeypatch.chdir(directory)
    assert main(arguments) == 1
    found = json.loads(capsys.readouterr().out)
    names = [each["alteration"] for each in found["impostors"] if each["accepted"]]
    also = ", ".join(f"{name}: it may stand so" for name in names)
    (directory / "graph.yaml").write_text(GRAPH.replace("stand: {", f"stand: {{also: {{{also}}}, ", 1))
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out)["passed"]


def test_the_number_of_trials_is_refused_as_it_has_no_effect(project_with, monkeypatch, capsys) -> None:
    monkeypatch.chdir(project_with().directory)
    assert main(["gate", "confusion", "--impostors", "stand", "--trials", "2"]) == 2
    assert "omit --trials" in capsys.readouterr().err


@pytest.mark.slow
def test_no_node_of_the_shipped_graph_accepts_an_impostor() -> None:
    found = impostors(Project(ROOT))
    assert len(found) >= 60
    assert [(each.node, each.alteration) for each in found if each.accepted and not each.because] == []


@pytest.mark.parametrize(
    ("node", "changes", "rejected_by"),
    [
        pytest.param(
            "sit_up",
            {
                "controllers/recovery/sit_up.t": {
                    "bHip(-0.2, 300, 50)": "bHip(-0.55, 300, 50)",
                    "lTorso2uTorso(0.5, 800, ": "lTorso2uTorso(0.7, 800, ",
                    "waist(0.5, 850, ": "waist(0.68, 850, ",
                    "VPD bThigh(-1.8 - slope(com_x), -300, -40).joint(bHip);": "LIPOSE bHip(-0.55, 300, 50).time(0.2);",
                }
            },
            "max_foot_clearance",
            id="the legs lifted off the ground",
        ),
        pytest.param(
            "walkover",
            {
                "controllers/stunts/walkover_over.t": {
                    "waist(0.1807 - 0.3759 * (com_x - x(rFoot) + com_vx / 4)": "waist(0.6",
                    "lTorso2uTorso(-0.2119, ": "lTorso2uTorso(0.2, ",
                    "bShoulder(-0.1278, ": "bShoulder(-3, ",
                }
            },
            "landing_to_upright",
            id="the trunk bent forward after the landing",
        ),
        pytest.param(
            "walkover",
            {
                "controllers/stunts/walkover_over.t": {
                    "bShoulder(-2.842, 189.8, 19.67)": "bShoulder(-1.2, 189.8, 19.67)",
                    "bShoulder(-2.978, 235.9, 8.798)": "bShoulder(-1.2, 235.9, 8.798)",
                }
            },
            "rising_arm_flexion",
            id="the arms forward while the trunk rises",
        ),
        pytest.param(
            "walkover",
            {"controllers/stunts/walkover_over.t": {"POSE bElbow(0.006455)": "POSE bElbow(-1)"}},
            "rising_elbow_flexion",
            id="the elbows bent while the trunk rises",
        ),
        pytest.param(
            "walkover",
            {"controllers/stunts/walkover_over.t": {"POSE rKnee(0.379)": "POSE rKnee(1.5)"}},
            "rising_knee_flexion",
            id="the right knee tucked after the hands",
        ),
        pytest.param(
            "one_leg_stand",
            {
                "controllers/gestures/one_leg_stand.t": {
                    "rKnee(1.6).time(.8)": "rKnee(1.6).time(.8), bShoulder(-1.2).time(.5)",
                    "LIPOSE rHip(0).time(1)": "LIPOSE bShoulder(0).time(.6), rHip(0).time(1)",
                }
            },
            "arm_range",
            id="the arms held forward",
        ),
        pytest.param(
            "walk_up",
            {
                "controllers/obstacles/walk_step_onto.t": {
                    "rKnee(1.123 +": "rKnee(1.623 +",
                    "rThigh(-0.1009 -": "rThigh(-0.6009 -",
                },
                "controllers/obstacles/walk_step_after.t": {
                    "rKnee(1.108 +": "rKnee(1.608 +",
                    "rThigh(-0.4869 -": "rThigh(-0.9869 -",
                },
            },
            "max_swing_clearance",
            id="the knees lifted onto a box",
        ),
        pytest.param(
            "sprint",
            {
                "controllers/gaits/sprint.t": {
                    "sprint_step(slope(com_x));": "sprint_step(slope(com_x), 0, -0.45);",
                    "sprint_step(slope(com_x)).mirrored;": "sprint_step(slope(com_x), 0.9076, 0).mirrored;",
                },
                "controllers/gaits/sprint_step.t": {
                    "sprint_step(slope)": "sprint_step(slope, right, left)",
                    "rShoulder(0.9076, ": "rShoulder(right, ",
                    "lShoulder(-0.45, ": "lShoulder(left, ",
                },
            },
            "arm_swing",
            id="the right arm still",
        ),
        pytest.param(
            "sprint",
            {
                "controllers/gaits/sprint.t": {
                    "sprint_step(slope(com_x));": "sprint_step(slope(com_x), -2.4, -0.4);",
                    "sprint_step(slope(com_x)).mirrored;": "sprint_step(slope(com_x), -0.4, -2.4).mirrored;",
                },
                "controllers/gaits/sprint_step.t": {
                    "sprint_step(slope)": "sprint_step(slope, right, left)",
                    "rElbow(-1.3, ": "rElbow(right, ",
                    "lElbow(-1.75, ": "lElbow(left, ",
                },
            },
            "arm_asymmetry",
            id="one elbow bent and the other straight",
        ),
        pytest.param(
            "run",
            {"controllers/gaits/run_step.t": {"rElbow(-1.628, ": "rElbow(-2.2, ", "lElbow(-1.529, ": "lElbow(-2.2, "}},
            "elbow_flexion",
            id="the elbows bent by 126 degrees",
        ),
        pytest.param(
            "march",
            {
                "controllers/gaits/march_step.t": {
                    "rShoulder(0.35, ": "rShoulder(-0.95, ",
                    "lShoulder(-0.75, ": "lShoulder(-1.75, ",
                }
            },
            "arm_flexion",
            id="the arms swing in front of the trunk",
        ),
        pytest.param(
            "walk",
            {
                "controllers/gaits/walk.t": {
                    "2\n    > walk_step(slope(com_x));": "2\n    > walk_step(slope(com_x), -0.3);",
                    "3\n    > walk_step(slope(com_x)).mirrored;": "3\n    > walk_step(slope(com_x), 0.3).mirrored;",
                    "6  # the second step from the stand can be as slow\n    > walk_step(slope(com_x)).mirrored;": (
                        "6\n    > walk_step(slope(com_x), 0.3).mirrored;"
                    ),
                },
                "controllers/gaits/walk_step.t": {
                    "walk_step(slope)": "walk_step(slope, head)",
                    "neck2head(0)": "neck2head(head)",
                },
            },
            "head_range",
            id="the head nods",
        ),
    ],
)
@pytest.mark.parametrize("engine", ["ode", "mujoco"])
def test_only_one_condition_rejects_changed_scripts(node, changes, rejected_by, engine) -> None:
    project = Project(ROOT, engine=engine)
    for script, texts in changes.items():
        text = (ROOT / script).read_text(encoding="utf-8")
        for shipped, changed in texts.items():
            assert text.count(shipped) == 1
            text = text.replace(shipped, changed)
        project.revise(ROOT / script, text)
    with Evaluator(project) as evaluator:
        plan = entries(project.graph, node)[0]
        ((begun, cycles),) = starts(evaluator, plan, trials=1, seed=1)
        outcome = run_example(evaluator, begun, cycles)
    assert [part.split()[0] for part in outcome.reason.split(", ")] == [rejected_by]
