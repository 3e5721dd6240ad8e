"""The environments simulate characters in space, in the frame of their heading."""

from __future__ import annotations

import math
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from box_quadruped import product, turns
from gymnasium.utils.env_checker import check_env, data_equivalence
from spatial_files import ARM

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.gym import JOINTS, WALKTHROUGH
from ctrlgraph.gym.environment import GroundPosition
from ctrlgraph.gym.joints import Joints, JointStep
from ctrlgraph.gym.walkthrough import Walkthrough
from ctrlgraph.kernels.arrays import copy_arrays
from ctrlgraph.project.project import Project
from ctrlgraph.robustness.basins.features import feature_names, features
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.spatial import parse_spatial

QUADRUPED = Path(__file__).parents[2] / "projects" / "quadruped"


@pytest.fixture(scope="module")
def robot() -> Project:
    return Project(QUADRUPED, engine="mujoco")


def named(env: gymnasium.Env, observation: np.ndarray) -> dict[str, float]:
    return dict(zip(env.observation_names, observation.tolist(), strict=True))


@pytest.mark.parametrize("engine", ["ode", "mujoco"])
@pytest.mark.parametrize(
    ("name", "settings"), [(JOINTS, {"terrain": "rough=0.03"}), (JOINTS, {"observation": "scaled"}), (WALKTHROUGH, {})]
)
def test_the_checker_of_gymnasium_finds_nothing(name: str, settings: dict, engine: str) -> None:
    env = gymnasium.make(name, project=str(QUADRUPED), engine=engine, render_mode="rgb_array", **settings)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        check_env(env.unwrapped)
    assert [str(warning.message) for warning in found] == []
    env.close()


@pytest.mark.parametrize("engine", ["ode", "mujoco"])
def test_a_seed_determines_an_episode_bit_for_bit(engine: str) -> None:
    one, other = (Joints(QUADRUPED, engine=engine) for _ in range(2))
    one.action_space.seed(4)
    actions = [one.action_space.sample() for _ in range(8)]
    episodes = [
        [env.reset(seed=seed), *(env.step(action) for action in actions)]
        for env, seed in ((one, 7), (one, 7), (other, 7), (other, 8))
    ]
    assert data_equivalence(episodes[0], episodes[1], exact=True)
    assert data_equivalence(episodes[0], episodes[2], exact=True)
    assert not data_equivalence(episodes[0], episodes[3], exact=True)
    one.close()
    other.close()


def test_environments_in_worker_processes_equal_single_ones() -> None:
    settings = {"project": str(QUADRUPED), "engine": "mujoco"}
    both = gymnasium.make_vec(JOINTS, num_envs=2, vectorization_mode="async", **settings)
    both.action_space.seed(2)
    actions = both.action_space.sample()
    observations, _ = both.reset(seed=[3, 4])
    onward, rewards, *_ = both.step(actions)
    both.close()
    for i, seed in enumerate((3, 4)):
        alone = gymnasium.make(JOINTS, **settings)
        assert np.array_equal(alone.reset(seed=seed)[0], observations[i])
        observation, reward, *_ = alone.step(actions[i])
        assert np.array_equal(observation, onward[i])
        assert reward == pytest.approx(float(rewards[i]))
        alone.close()


@pytest.mark.parametrize("name", [JOINTS, WALKTHROUGH])
def test_a_character_that_is_fixed_to_the_world_has_an_environment(name: str, tmp_path: Path) -> None:
    (tmp_path / "characters").mkdir()
    (tmp_path / "characters" / "arm.yaml").write_text(ARM)
    (tmp_path / "hold.yaml").write_text("joints: [elbow]\nframes:\n  - [0, 0.1]\n  - [1, 0.1]\n")
    nodes = "nodes:\n  hold: {keyframes: hold.yaml, kind: static}\nedges:\n  - {from: [hold], to: hold}\n"
    (tmp_path / "graph.yaml").write_text(f"character: arm\nstart: hold\n{nodes}")
    env = gymnasium.make(name, project=str(tmp_path), engine="mujoco", render_mode="rgb_array")
    check_env(env.unwrapped)  # raises an error if the environment breaks the protocol
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert info["heading"] == 0.0
    env.close()


@pytest.mark.parametrize("engine", ["ode", "mujoco"])
def test_the_robot_stands_with_the_action_of_the_pose_at_rest(engine: str) -> None:
    env = Joints(QUADRUPED, engine=engine, seconds=2.0)
    observation, info = env.reset(seed=1)
    start = named(env, observation)
    assert start["angle FL_hip"] == pytest.approx(0.75, abs=0.021)  # that of the key frame
    assert env.observation_space.contains(observation)
    assert (info["heading"], info["fallen"]) == (pytest.approx(0.0, abs=1e-6), False)
    terminated = truncated = False
    while not terminated and not truncated:
        observation, reward, terminated, truncated, info = env.step(env.action_of({}))
    end = named(env, observation)
    assert not terminated
    assert reward == pytest.approx(1.0, abs=0.01)  # upright and still
    assert end["up up"] == pytest.approx(1.0, abs=0.01)
    assert [end[f"contact {leg}_shank"] for leg in ("FL", "FR", "HL", "HR")] == [1.0] * 4
    assert end["target FL_hip"] == pytest.approx(0.75)
    assert env.action_of({"FL_hip": 0.5})[1] < env.action_of({})[1]
    env.close()


def test_a_fall_is_a_tilt_or_a_low_centre_of_mass_as_everywhere(robot: Project) -> None:
    seen: list[JointStep] = []
    env = Joints(robot, reward=lambda step: seen.append(step) or 0.0)
    observation, _ = env.reset(seed=1)
    height, terminated = named(env, observation)["com height"], False
    while not terminated:
        observation, _, terminated, truncated, info = env.step(np.ones(12, np.float32))
        assert not truncated
    assert info["fallen"]
    assert seen[-1].lean >= 0.8 or named(env, observation)["com height"] < 0.61 * height
    assert not any(step.fallen for step in seen[:-1])
    env.close()


def test_observations_do_not_depend_on_place_and_heading(robot: Project) -> None:
    with Simulation(robot.character, engine="mujoco") as simulation:
        simulation.run(robot.controller("step"), timeout=0.7)
        here = simulation.snapshot().kinematics
    turned = copy_arrays(here)
    angle = 1.1
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    turned.pose[:, :3] = here.pose[:, :3] @ turn.T + (3.0, -2.0, 0.0)
    turned.pose[:, 3:] = product(turns(yaw=angle), here.pose[:, 3:])
    for part in (slice(0, 3), slice(3, 6)):
        turned.twist[:, part] = here.twist[:, part] @ turn.T
    turned.com[:3] = turn @ here.com[:3] + (3.0, -2.0, 0.0)
    turned.com[3:] = turn @ here.com[3:]
    ground = parse_spatial("flat")
    found, before = (features(state, robot.character, ground) for state in (turned, here))
    assert found == pytest.approx(before, abs=1e-9)
    told = dict(zip(feature_names(robot.character), before, strict=True))
    assert math.hypot(told["up forward"], told["up left"], told["up up"]) == pytest.approx(1.0)
    assert told["com height"] == pytest.approx(here.com[2])


def test_the_way_is_along_the_heading() -> None:
    assert GroundPosition(1.0, 2.0, 0.0).way_to(GroundPosition(1.5, 7.0, 0.3)) == 0.5
    assert GroundPosition(1.0, 2.0, math.pi / 2).way_to(GroundPosition(1.5, 7.0, 0.3)) == pytest.approx(5.0)


def test_a_transition_is_that_of_the_library(robot: Project) -> None:
    env = Walkthrough(robot)
    _, info = env.reset(seed=1)
    before = GroundPosition(info["x"], info["y"], info["heading"])
    _, reward, terminated, _, info = env.step([edge.target for edge in env.edges].index("leap"))
    with Simulation(robot.character, engine="mujoco") as simulation:
        assert simulation.run_rollout(robot.rollout(None, "stand", 1)).succeeded
        edge = robot.graph.planned_edge("stand", "leap")
        assert simulation.run_rollout(robot.rollout(edge, "leap", 1, simulation.preview)).succeeded
        assert (info["x"], info["y"]) == (simulation.x, simulation.y)
    assert not terminated
    assert reward == before.way_to(GroundPosition(info["x"], info["y"], info["heading"])) > 0.1
    env.close()


def test_a_picture_shows_the_character_and_changes_with_it(robot: Project) -> None:
    env = Joints(robot, render_mode="rgb_array", size=(320, 180))
    env.reset(seed=1)
    first = env.render()
    assert (first.shape, first.dtype) == ((180, 320, 3), np.uint8)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 100
    for _ in range(20):
        env.step(env.action_of({"FL_hip": 0.2}))
    assert (env.render() != first).any()
    env.close()


def test_the_root_of_a_spatial_character_has_no_angle(robot: Project) -> None:
    env = Joints(robot)
    with pytest.raises(CtrlGraphError, match="the character quadruped has no joint 'root'"):
        env.reset(options={"pose": {"root": 0.0}})
    observation, _ = env.reset(options={"pose": {"FL_knee": -1.2}})
    assert named(env, observation)["angle FL_knee"] == pytest.approx(-1.2, abs=1e-6)
    assert named(env, observation)["angle FR_knee"] == pytest.approx(-1.5, abs=1e-6)
    env.close()
