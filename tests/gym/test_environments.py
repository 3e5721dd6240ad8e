"""The environments keep Gymnasium's contract and simulate what the library simulates."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from sampling import slow

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.gym import JOINTS, WALKTHROUGH
from ctrlgraph.gym.joints import Joints, JointStep
from ctrlgraph.gym.walkthrough import FALL, EdgeStep, Walkthrough, metres_forward
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.simulation import Simulation

ROOT = Path(__file__).parents[2]
HARD = {"terrain": "random:{seed}:20", "noise": 0.03, "cycles": "drawn", "recover": True}
"""All that is drawn, at once."""


@pytest.fixture(scope="module")
def few(still: Project) -> str:
    """The directory of a project of three nodes."""
    return str(still.directory)


@pytest.mark.parametrize(("name", "settings"), [(JOINTS, {}), (WALKTHROUGH, HARD), *slow((WALKTHROUGH, {}))])
def test_gymnasium_s_checker_finds_nothing(name: str, settings: dict, few: str) -> None:
    env = gymnasium.make(name, project=few, **settings)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        check_env(env.unwrapped)
    assert [str(warning.message) for warning in found] == []
    env.close()


def episode(env: gymnasium.Env, seed: int, actions: list) -> list:
    """Everything that an agent is told, as it was then."""
    told = [env.reset(seed=seed)]
    for action in actions:
        told.append(env.step(action))
        if told[-1][2]:
            break
    return told


@pytest.mark.parametrize(("name", "settings", "n"), [(JOINTS, {}, 8), (WALKTHROUGH, HARD, 3)])
def test_a_seed_decides_an_episode_in_this_environment_and_in_another(name, settings, n, few: str) -> None:
    one, other = (gymnasium.make(name, project=few, **settings).unwrapped for _ in range(2))
    one.action_space.seed(4)
    actions = [one.action_space.sample() if name == JOINTS else k % 2 for k in range(n)]
    first = episode(one, 7, actions)
    assert data_equivalence(first, episode(one, 7, actions), exact=True)
    assert data_equivalence(first, episode(other, 7, actions), exact=True)
    assert not data_equivalence(first, episode(other, 8, actions), exact=True)
    one.close()
    other.close()


@pytest.mark.parametrize("name", [JOINTS, WALKTHROUGH])
def test_several_at_once_are_those_one_by_one(name: str, few: str) -> None:
    both = gymnasium.make_vec(name, num_envs=2, vectorization_mode="async", project=few)
    both.action_space.seed(2)
    actions = both.action_space.sample() if name == JOINTS else np.array([0, 1])
    observations, _ = both.reset(seed=[3, 4])
    onward, rewards, *_ = both.step(actions)
    for i, seed in enumerate((3, 4)):
        alone = gymnasium.make(name, project=few)
        assert np.array_equal(alone.reset(seed=seed)[0], observations[i])
        observation, reward, *_ = alone.step(actions[i])
        assert np.array_equal(observation, onward[i])
        assert reward == pytest.approx(float(rewards[i]))
        alone.close()
    both.close()


def test_a_transition_is_the_library_s_own(project: Project) -> None:
    env = Walkthrough(project)
    env.reset(seed=1)
    action = [edge.target for edge in env.edges].index("squat")
    _, reward, *_, info = env.step(action)
    with Simulation(project.character) as simulation:
        assert simulation.run_rollout(project.rollout(None, "stand", 1)).succeeded
        x = simulation.x
        edge = project.graph.planned_edge("stand", "squat")
        assert simulation.run_rollout(project.rollout(edge, "squat", 1, simulation.preview)).succeeded
        assert (info["x"], reward, info["node"]) == (simulation.x, simulation.x - x, "squat")
    env.close()


def test_what_is_told_has_a_name_and_lies_within_bounds(project: Project) -> None:
    for env in (Walkthrough(project), Joints(project)):
        observation, _ = env.reset(seed=2)
        assert len(env.observation_names) == len(set(env.observation_names)) == len(observation)
        assert env.observation_space.contains(observation)
        told = dict(zip(env.observation_names, observation.tolist(), strict=True))
        assert told["com height"] == pytest.approx(0.97, abs=0.1)
        if isinstance(env, Walkthrough):
            assert told["contact rFoot"] == told["at stand"] == 1.0
        assert (told["distance"], told["gap ahead"]) == (10.0, 0.0)
        env.close()


def test_the_obstacle_ahead_is_told_and_decides_what_may_be_taken(project: Project) -> None:
    masks = {}
    for terrain in ("flat", "course=1.2:gap:0.3:1"):
        env = Walkthrough(project, terrain=terrain)
        observation, info = env.reset(seed=2)
        masks[terrain] = {e.target for e, ok in zip(env.edges, info["action_mask"], strict=False) if ok}
        told = dict(zip(env.observation_names, observation.tolist(), strict=True))
        assert told["gap ahead"] == (terrain != "flat")
        env.close()
    assert told["size"] == pytest.approx(0.3)
    assert told["distance"] == pytest.approx(1.2, abs=0.15)
    assert "step_over" in masks[terrain]
    assert "step_over" not in masks["flat"]


def test_an_action_that_may_not_be_taken_does_nothing_but_counts(project: Project) -> None:
    env = Walkthrough(project, transitions=2)
    _, info = env.reset(seed=1)
    masked = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, truncated, after = env.step(masked)
    assert (reward, terminated, truncated, after["taken"]) == (0.0, False, False, False)
    assert after["x"] == info["x"]
    with pytest.raises(CtrlGraphError, match=f"from 0 to {env.action_space.n - 1}, not {env.action_space.n}"):
        env.step(int(env.action_space.n))
    assert env.step(0)[3]  # the second of two
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.close()


def test_who_falls_is_terminated_unless_the_corrective_edges_help(project: Project) -> None:
    ends = {}
    for recover in (False, True):
        env = Walkthrough(project, terrain="box=1:3:0.6", recover=recover)
        _, info = env.reset(seed=5)
        _, reward, terminated, _, info = env.step([edge.target for edge in env.edges].index("run"))
        assert not info["succeeded"]
        ends[recover] = terminated, project.graph.node(info["node"]).is_static, reward
        env.close()
    assert ends[False][0]
    assert ends[False][2] < -FALL + 3.0
    if not ends[True][0]:
        assert ends[True][1]  # at rest


def test_rewards_are_documented_and_replaceable(project: Project) -> None:
    assert metres_forward(EdgeStep(None, False, True, 2.0, 1.0)) == 2.0 - FALL
    env = Walkthrough(project, reward=lambda transition: -transition.seconds)
    env.reset(seed=1)
    _, reward, *_ = env.step(0)
    assert reward < -1.0
    env.close()
    seen: list[JointStep] = []
    joints = Joints(project, reward=lambda step: seen.append(step) or 3.0, seconds=0.1)
    joints.reset(seed=1)
    results = [joints.step(np.zeros(len(project.character.joints), np.float32)) for _ in range(5)]
    assert [result[1] for result in results] == [3.0] * 5
    assert [result[3] for result in results] == [False] * 4 + [True]
    assert {step.seconds for step in seen} == {0.02}
    joints.close()


def test_joints_go_where_they_are_driven_to(project: Project) -> None:
    character = project.character
    lower, upper = (np.array([getattr(joint, end) for joint in character.joints]) for end in ("lower", "upper"))
    env = Joints(project)
    env.reset(seed=1)
    j = character.joint_names.index("rElbow")
    wanted = np.zeros(len(lower))
    wanted[j] = (lower[j] + upper[j]) / 2
    action = (2 * (wanted - lower) / (upper - lower) - 1).astype(np.float32)
    for _ in range(20):
        observation, _, terminated, *_ = env.step(action)
        assert not terminated
    told = dict(zip(env.observation_names, observation.tolist(), strict=True))
    assert told["target rElbow"] == pytest.approx(wanted[j], abs=1e-4)
    assert told["angle rElbow"] == pytest.approx(wanted[j], abs=0.1)
    fallen = False
    for _ in range(200):  # limp at the lower limits: nobody stands so
        _, _, fallen, _, info = env.step(-np.ones(len(lower), np.float32))
        if fallen:
            break
    assert fallen and info["fallen"]
    env.close()


def test_scaled_observations_are_about_one_and_their_targets_are_the_action(still: Project) -> None:
    plain, scaled = Joints(still), Joints(still, observation="scaled")
    scaled.action_space.seed(1)
    for env in (plain, scaled):
        env.reset(seed=1)
    for _ in range(10):
        action = scaled.action_space.sample()
        (metric, *before), (observation, *after) = plain.step(action), scaled.step(action)
        assert before == after
        assert scaled.observation_space.contains(observation)
        assert abs(observation).max() < 3.0
    assert observation[-len(action) :] == pytest.approx(action, abs=1e-6)
    told = dict(zip(scaled.observation_names, observation.tolist(), strict=True))
    same = dict(zip(plain.observation_names, metric.tolist(), strict=True))
    knee = next(joint for joint in still.character.joints if joint.name == "rKnee")
    assert told["angle rKnee"] == pytest.approx(2 * (same["angle rKnee"] - knee.lower) / (knee.upper - knee.lower) - 1)
    assert told["com vx"] == pytest.approx(same["com vx"] / 2.0)
    plain.close()
    scaled.close()


def test_the_action_of_a_pose_drives_the_joints_to_it(still: Project) -> None:
    env = Joints(still)
    env.reset(seed=1)
    observation, *_ = env.step(env.action_of({"rKnee": 0.3}))
    told = dict(zip(env.observation_names, observation.tolist(), strict=True))
    assert told["target rKnee"] == pytest.approx(0.3, abs=1e-6)
    assert told["target lKnee"] == pytest.approx(0.0, abs=1e-6)
    with pytest.raises(ValueError, match="the angle of 'rKnee' in a pose must be a number"):
        env.action_of({"rKnee": 7.0})
    env.close()


def test_an_action_of_zeros_falls_and_the_reference_pose_stands_for_a_while(still: Project) -> None:
    env = Joints(still, seconds=2.0)
    ends = {}
    for name, action in (("zeros", np.zeros(env.action_space.shape)), ("reference", env.action_of({}))):
        env.reset(seed=1)
        while True:
            *_, terminated, truncated, info = env.step(action)
            if terminated or truncated:
                break
        ends[name] = info["seconds"], terminated
    assert ends["zeros"] == (pytest.approx(0.72, abs=0.1), True)
    assert ends["reference"] == (pytest.approx(2.0), False)
    env.close()


def test_pictures_are_drawn_by_our_own_renderer(few: str) -> None:
    env = gymnasium.make(WALKTHROUGH, project=few, render_mode="rgb_array", size=(320, 180))
    env.reset(seed=1)
    first = env.render()
    assert (first.shape, first.dtype) == ((180, 320, 3), np.uint8)
    env.step(0)
    assert (env.render() != first).any()
    env.close()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"transitions": 0}, "transitions must be a whole number from 1 to 100000, not 0"),
        ({"noise": 2.0}, "noise must be a share of the torque limits from 0 to 1, not 2.0"),
        ({"friction": -1.0}, "friction must be a number from 0 to 10, not -1.0"),
        ({"terrain": "moon"}, "terrain 'moon' is not one of"),
        ({"project": "nowhere"}, "nowhere is not a project"),
    ],
)
def test_what_cannot_be_made_is_told_in_a_sentence(settings: dict, sentence: str) -> None:
    with pytest.raises(CtrlGraphError) as refused:
        Walkthrough(**{"project": ROOT, **settings})
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("kind", "settings", "sentence"),
    [
        (Walkthrough, {"transitions": 1.5}, "'transitions' must be an integer, not the float 1.5"),
        (Walkthrough, {"cycles": "many"}, "'cycles' must be 'least' or 'drawn', not the str 'many'"),
    ],
)
def test_arguments_of_wrong_types_are_refused(kind, settings: dict, sentence: str) -> None:
    with pytest.raises(TypeError, match=re.escape(sentence)):
        kind(**{"project": ROOT, **settings})


@pytest.mark.parametrize("seconds", [0.0, float("inf")], ids=str)
def test_an_episode_of_no_length_is_refused(seconds, still: Project) -> None:
    with pytest.raises(ValueError, match=r"seconds must be a number from 0\.02 to \d+, not "):
        Joints(still, seconds=seconds)


def test_an_engine_beside_a_project_that_has_another_is_refused(still: Project) -> None:
    with pytest.raises(ValueError, match="'project' uses the engine ode: create the Project with engine='mujoco'"):
        Joints(still, engine="mujoco")


@pytest.mark.parametrize(
    "wrong", [None, "x", 1.5, np.zeros(3), np.zeros((1, 17)), [[1.0], [1.0, 2.0]], {"rKnee": 1.0}], ids=str
)
def test_joints_are_driven_by_a_number_for_each_alone(still: Project, wrong) -> None:
    env = Joints(still)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"'action' must consist of \d+ finite numbers"):
        env.step(wrong)
    env.close()


def test_nothing_comes_of_an_action_that_is_not_finite(still: Project) -> None:
    env = Joints(still)
    env.reset(seed=1)
    rest = np.zeros(env.action_space.shape[0], np.float32)
    for bad in (np.nan, np.inf, -np.inf):
        wrong = rest.copy()
        wrong[-1] = bad
        with pytest.raises(
            ValueError, match=rf"finite numbers, but the number with the index {len(rest) - 1} is {bad:g}"
        ):
            env.step(wrong)
    calm = env.step(rest)
    env.reset(seed=1)
    assert data_equivalence(calm, env.step(rest), exact=True)  # nothing came of the others
    env.close()


@pytest.mark.parametrize("action", [1.5, float("nan"), None, "x", -1, 10**30, np.array([0, 1])], ids=str)
def test_edges_are_chosen_by_whole_numbers_alone(still: Project, action) -> None:
    env = Walkthrough(still)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"'action' must be a whole number from 0 to \d+, not "):
        env.step(action)
    assert env.step(np.int64(0))[4]["taken"]
    env.close()


@pytest.mark.parametrize("kind", [Joints, Walkthrough])
@pytest.mark.parametrize("size", [(0, 0), (10**6, 10**6)], ids=str)
def test_a_size_that_no_picture_has_is_refused(kind, size, still: Project) -> None:
    with pytest.raises(ValueError, match="a width and a height of 16 to 4096 pixels, not "):
        kind(still, render_mode="rgb_array", size=size)


@pytest.mark.parametrize("kind", [Joints, Walkthrough])
def test_unknown_modes_and_options_are_refused(kind, still: Project) -> None:
    with pytest.raises(ValueError, match="'render_mode' must be None or 'rgb_array', not 'human'"):
        kind(still, render_mode="human")
    env = kind(still)
    with pytest.raises(ValueError, match=r"reset\(\) has no option 'posture'"):
        env.reset(options={"posture": {}})
    with pytest.raises(ValueError, match="a dictionary, not 7"):
        env.reset(options=7)
    env.close()


@pytest.mark.parametrize(
    "pose", [{"rKnee": 1e9}, {"rKnee": float("nan")}, {"rKnee": "x"}, {"root": 1e9}, {"tail": 0.0}, [1.0]], ids=str
)
def test_a_pose_that_no_body_has_is_refused(pose, still: Project) -> None:
    env = Joints(still)
    with pytest.raises(
        ValueError, match=r"the angle of '(rKnee|root)' in a pose|no joint 'tail'|'pose' must be a dict"
    ):
        env.reset(options={"pose": pose})
    env.reset(options={"pose": {"rKnee": 0.3}})
    env.close()


def test_without_gymnasium_it_is_told_what_to_install() -> None:
    code = "import sys; sys.modules['gymnasium'] = None\ntry:\n import ctrlgraph.gym\nexcept Exception as e:\n print(e)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert said == "ctrlgraph.gym needs the package gymnasium: pip install 'ctrlgraph[gym]'\n"


def test_the_example_of_the_page_runs(still: Project, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    page = (ROOT / "docs" / "reference" / "gym.md").read_text(encoding="utf-8")
    example = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    monkeypatch.chdir(still.directory)
    exec(compile(example, "docs/reference/gym.md", "exec"), {})
    assert re.fullmatch(r"-?\d+\.\d m, at (stand|squat|spring)\n", capsys.readouterr().out)
