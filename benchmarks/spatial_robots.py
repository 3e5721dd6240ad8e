"""Measure robots with four legs: standing, cycles between stand and crouch, sideways pushes, and exact repetition."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from ctrlgraph.character.files import check_character, load_character
from ctrlgraph.character.model import TorqueRange
from ctrlgraph.character.spatial_model import SpatialCharacter, SpatialLeg
from ctrlgraph.control.keyframes.keyframes import Keyframes, new_keyframes
from ctrlgraph.engine.spatial_pushes import SpatialPush
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.kernels.spatial.spatial_rotation import rotate
from ctrlgraph.simulation.measures import Conditions
from ctrlgraph.simulation.outcome import Outcome
from ctrlgraph.simulation.simulation import Simulation

ROOT = Path(__file__).resolve().parents[1]
ENGINES = ("ode", "mujoco")

STAND_S, CYCLES_S, CYCLE_S = 20.0, 60.0, 3.0
"""Durations of the stand, of all cycles between stand and crouch, and of one cycle, s."""

CROUCH = 0.7
"""Height of the centre of mass in the crouch, as a fraction of that in the stand."""

FALL_TILT, FALL_HEIGHT = 0.8, 0.6
"""A robot falls if the tilt of its trunk exceeds this angle, rad, or its height this fraction of that in the stand."""

PUSH_S, PUSH_STEP = 0.1, 10.0
"""Duration of a push, s, and precision of the largest one, N."""

_SETTLED_S, _AFTER_S = 2.0, 4.0  # time before a push, and from its beginning to the verdict
_KP_TO_KD = 20.0
_MOST_BENT = 1.5  # angle by which the knees turn at most in a crouch, rad


@dataclass(frozen=True)
class Robot:
    """A character, and where it comes from."""

    path: Path
    character: SpatialCharacter
    added: tuple[str, ...] = ()
    """Names of the joints that got a motor because the model has none."""

    @property
    def name(self) -> str:
        """Return the name of the model and of the package that contains it, without the rest of its path."""
        path = self.path.resolve()
        parts = path.parts
        if "site-packages" in parts:
            return f"{path.stem} ({parts[parts.index('site-packages') + 1]})"
        return f"{path.stem} (shipped)" if path.is_relative_to(ROOT) else path.stem

    @property
    def limp(self) -> tuple[int, ...]:
        """Return the indices of the joints of legs that have no motor."""
        legs = {j for leg in self.character.roles.legs for j in (*leg.hip, leg.knee, *leg.ankles)}
        return tuple(j for j in sorted(legs) if self.character.joints[j].torque_limit.upper == 0.0)

    @property
    def start(self) -> Floats:
        """Return the joint angles of the key frame in which simulations begin, rad; without one, those nearest to 0."""
        pose = self.character.start_pose
        limits = np.array([(joint.lower, joint.upper) for joint in self.character.joints])
        return np.clip(np.zeros(len(limits)), *limits.T) if pose is None else np.array(pose.angles)

    @cached_property
    def crouch(self) -> tuple[Floats, float]:
        """Return the joint angles of the crouch, rad, and its height as a fraction of that of the start.

        The knees flex, the hips turn by half as much in the other direction, and ankles keep the directions of the
        feet. The angle is found by bisection. If limits of joints prevent the height, which is so for legs that point
        outward, only the knees and ankles turn, and the knees extend.
        """
        limits = np.array([(joint.lower, joint.upper) for joint in self.character.joints])
        with Simulation(self.character, engine="mujoco") as simulation:

            def posed(offsets: Floats) -> tuple[Floats, float]:
                angles = np.clip(self.start + offsets, *limits.T)
                self._place(simulation, angles)
                return angles, simulation.height

            full = posed(np.zeros(len(limits)))[1]
            directions = (self._directions(1.0, -0.5), self._directions(-1.0, 0.0))
            way = next((way for way in directions if posed(_MOST_BENT * way)[1] < CROUCH * full), directions[0])
            low, high = 0.0, _MOST_BENT
            for _ in range(16):
                middle = 0.5 * (low + high)
                low, high = (low, middle) if posed(middle * way)[1] < CROUCH * full else (middle, high)
            angles, height = posed(high * way)
        return angles, height / full

    def _place(self, simulation: Simulation, angles: Floats) -> None:
        simulation.reset(dict(zip([joint.name for joint in self.character.joints], angles.tolist(), strict=True)))

    def _directions(self, knee: float, hip: float) -> Floats:
        """Return by how much each joint turns in a crouch, (J,).

        Args:
            knee: flexion of the knees.
            hip: flexion of the hips, in the sense of the knees.
        """
        turns = np.zeros(len(self.character.joints))
        with Simulation(self.character, engine="mujoco") as simulation:
            self._place(simulation, self.start)
            kin = simulation.kinematics
            for leg in self.character.roles.legs:
                axis = kin.axis[leg.knee].copy()
                parallel = {j: float(kin.axis[j] @ axis) for j in (*leg.hip, *leg.ankles)}
                pitch = max(leg.hip, key=lambda j: abs(parallel[j]))
                thigh = kin.place[leg.knee] - kin.place[pitch]
                # flexion moves the foot towards the hip
                moved = np.cross(axis, self._tip(simulation, leg) - kin.place[leg.knee])
                sense = 1.0 if moved @ thigh < 0.0 else -1.0
                turns[leg.knee] = sense * knee
                turns[pitch] = sense * hip * np.sign(parallel[pitch])
                for ankle in leg.ankles[:1]:
                    turns[ankle] = -sense * (knee + hip) * np.sign(parallel[ankle])
        return turns

    def _tip(self, simulation: Simulation, leg: SpatialLeg) -> Floats:
        """Return the lowest centre of a colliding shape of the foot, m."""
        pose = simulation.kinematics.pose[leg.foot]
        shapes = [shape for shape in self.character.links[leg.foot].shapes if shape.collides]
        points = [pose[:3] + rotate(tuple(pose[3:]), shape.position) for shape in shapes]
        return min(points, key=lambda point: float(point[2]))


def read_robots(path: Path) -> list[Robot]:
    """Return the robot of a file. If joints of its legs have no motors, return it with such motors as well.

    An added motor has a torque limit of half the weight times the height of the centre of mass.
    """
    character = load_character(path)
    assert isinstance(character, SpatialCharacter)
    robot = Robot(path, character)
    limp = robot.limp
    if not limp:
        return [robot]
    with Simulation(character, engine="mujoco") as simulation:
        torque = round(0.5 * mass(character) * 9.81 * simulation.height, -1)
    limits, kp = TorqueRange.symmetric(torque), 4.0 * torque
    motor = {"torque_limit": limits, "hard_torque_limit": limits, "kp": kp, "kd": kp / _KP_TO_KD}
    joints = tuple(replace(joint, **motor) if j in limp else joint for j, joint in enumerate(character.joints))
    names = tuple(character.joints[j].name for j in limp)
    return [robot, Robot(path, replace(character, joints=joints), names)]


def mass(character: SpatialCharacter) -> float:
    """Return the mass of a character, kg."""
    return sum(link.mass for link in character.links)


def hold(robot: Robot) -> Keyframes:
    """Return the controller that holds the start pose."""
    return _frames(robot, "stand", [0.0, 1.0], [robot.start, robot.start])


def cycle(robot: Robot) -> Keyframes:
    """Return the controller that lowers the robot from the start pose into a crouch and raises it again, in a loop."""
    stand, crouch = robot.start, robot.crouch[0]
    return _frames(robot, "cycle", [0.0, 1.0, 1.5, 2.5, CYCLE_S], [stand, crouch, crouch, stand, stand])


def _frames(robot: Robot, name: str, times: Sequence[float], angles: Sequence[Floats]) -> Keyframes:
    joints = robot.character.joints
    return new_keyframes(
        name,
        tuple(joint.name for joint in joints),
        np.arange(len(joints)),
        np.array(times),
        np.array(angles),
        np.array([(joint.kp, joint.kd) for joint in joints]),
        loop=name == "cycle",
    )


@dataclass(frozen=True)
class Stand:
    """Result of holding the start pose."""

    fall: float | None
    """Time of the fall, s; None for none."""
    drift: float
    """Horizontal displacement of the trunk from 1 s to the end, mm."""
    tilt: float
    """Tilt of the trunk at the end, degrees."""
    saturation: float
    """Fraction of the time at which motors are at a torque limit, mean of all joints."""


def bounds(robot: Robot, engine: str) -> Conditions:
    """Return the bounds that a robot leaves when it falls."""
    with Simulation(robot.character, engine=engine) as simulation:
        simulation.reset()
        lowest = FALL_HEIGHT * simulation.height
    return {"tilt": (0.0, FALL_TILT), "com_height": (lowest, np.inf)}


def stand(robot: Robot, engine: str) -> Stand:
    """Hold the start pose for `STAND_S` seconds, and return the result."""
    limits, trunk = bounds(robot, engine), robot.character.trunk
    with Simulation(robot.character, engine=engine) as simulation:
        outcome = simulation.run(hold(robot), cycles=1000, timeout=1.0, bounds=limits)
        place = simulation.kinematics.pose[trunk, :2].copy()
        fall = _fall(outcome, 0.0)
        if fall is None:
            outcome = simulation.run(hold(robot), cycles=1000, timeout=STAND_S - 1.0, bounds=limits, resume=True)
            fall = _fall(outcome, 1.0)
        moved = float(np.linalg.norm(simulation.kinematics.pose[trunk, :2] - place))
        return Stand(fall, 1e3 * moved, float(np.degrees(simulation.tilt)), outcome.saturation)


def _fall(outcome: Outcome, before: float) -> float | None:
    """Return the time at which a bound was left, s, after a run that began at the time `before`."""
    return None if outcome.status in ("completed", "timeout") else before + outcome.simulated_s


def cycle_fall(robot: Robot, engine: str) -> float | None:
    """Return the time of the fall in cycles between stand and crouch, s; None for none in `CYCLES_S` seconds."""
    with Simulation(robot.character, engine=engine) as simulation:
        limits, cycles = bounds(robot, engine), round(CYCLES_S / CYCLE_S)
        # the crouch is low
        limits["com_height"] = (limits["com_height"][0] * robot.crouch[1], np.inf)
        return _fall(simulation.run(cycle(robot), cycles=cycles, timeout=2 * CYCLES_S, bounds=limits), 0.0)


def largest_push(robot: Robot, engine: str) -> float:
    """Return the largest sideways force on the trunk, N, at which the stand does not fall, to `PUSH_STEP`."""
    trunk, limits = robot.character.links[robot.character.trunk].name, bounds(robot, engine)
    with Simulation(robot.character, engine=engine) as simulation:
        simulation.run(hold(robot), cycles=1000, timeout=_SETTLED_S)
        start = simulation.snapshot()

        def stands(force: float) -> bool:
            simulation.restore(start)
            simulation.disturb([SpatialPush(simulation.time, PUSH_S, trunk, (0.0, force, 0.0))])
            outcome = simulation.run(hold(robot), cycles=1000, timeout=_AFTER_S, bounds=limits, resume=True)
            return _fall(outcome, 0.0) is None

        low, high = 0.0, 16 * PUSH_STEP
        while stands(high):
            low, high = high, 2 * high
        while high - low > PUSH_STEP:
            middle = PUSH_STEP * round(0.5 * (low + high) / PUSH_STEP)
            low, high = (middle, high) if stands(middle) else (low, middle)
        return low


def digests(robot: Robot, engine: str) -> tuple[str, str]:
    """Return the digest of the history of two cycles, and that after a snapshot in the first cycle was restored."""
    with Simulation(robot.character, engine=engine) as simulation:
        controller = cycle(robot)
        simulation.run(controller, cycles=2, timeout=0.5 * CYCLE_S)
        middle = simulation.snapshot()
        found = []
        for _ in range(2):
            simulation.restore(middle)
            simulation.run(controller, cycles=2, timeout=2 * CYCLE_S, resume=True)
            found.append(simulation.history_digest())
    with Simulation(robot.character, engine=engine) as simulation:
        simulation.restore(middle)  # another simulation
        simulation.run(controller, cycles=2, timeout=2 * CYCLE_S, resume=True)
        found.append(simulation.history_digest())
    return found[0], found[1] if found[1] == found[2] else "different"


def digests_of_another_process(robot: Robot, number: int) -> dict[str, str]:
    """Return the digest of two cycles by engine, in another process.

    Args:
        robot: the robot.
        number: index of the robot in the list that `read_robots` returns.
    """
    words = [sys.executable, "-m", "benchmarks.spatial_robots", str(robot.path), str(number)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise CtrlGraphError(f"the other process has failed:\n{done.stderr}")
    answer: dict[str, str] = json.loads(done.stdout)
    return answer


def findings(path: Path) -> dict[str, int]:
    """Return the numbers of elements of a model about which there are warnings, by kind of warning."""
    counts: dict[str, int] = {}
    for finding in check_character(path):
        places = re.search(r"\((\d+) places in all\)", finding.message)  # warnings of a kind are reported once
        counts[finding.code] = counts.get(finding.code, 0) + (int(places[1]) if places else 1)
    return counts


if __name__ == "__main__":
    chosen = read_robots(Path(sys.argv[1]))[int(sys.argv[2])]
    print(json.dumps({engine: digests(chosen, engine)[0] for engine in ENGINES}))
