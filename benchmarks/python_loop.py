"""Compare the compiled loop of the biped's walk on MuJoCo with a Python loop around `mj_step`.

    python benchmarks/python_loop.py [--seconds S] [--repetitions N]

The Python loop is typical of programs that control MuJoCo from Python: it reads `data.qpos`, computes SIMBICON's
torques with Python numbers, sets the motors and calls `mujoco.mj_step`. Model, time step, constants (from the
project's script) and motor law are the same. Both start from the same pose and take turns; the result is the median
of the ratios of neighbouring repetitions.
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
import time
from pathlib import Path

import numpy as np

from ctrlgraph.engine.mujoco import library
from ctrlgraph.engine.mujoco.model import build
from ctrlgraph.engine.mujoco.mujoco_settings import MujocoSettings
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.terrain import flat

ROOT = Path(__file__).resolve().parents[1]
FRICTION = 0.8


class PythonWalk:
    """SIMBICON for the biped as a Python loop."""

    def __init__(self, project: Project) -> None:
        self._mujoco = library.load()
        self._character = character = project.character
        self._settings = MujocoSettings()
        built = build(character, self._settings, flat(FRICTION))
        self._model, self._data = built.model, self._mujoco.MjData(built.model)
        self._dof = {joint.name: int(built.dof[j]) for j, joint in enumerate(character.joints)}
        self._motor = {joint.name: j for j, joint in enumerate(character.joints)}
        self._limit = {joint.name: joint.torque_limit.upper for joint in character.joints}
        self._gains = {joint.name: (joint.kp, joint.kd) for joint in character.joints}
        self._body = {link.name: int(built.body[i]) for i, link in enumerate(character.links)}
        self._geoms = {name: set(self._spheres(body)) for name, body in self._body.items()}
        text = (project.directory / "controllers" / "gaits" / "walk.t").read_text(encoding="utf-8")
        found = re.search(r"simbicon\.t\(([^)]*)\)", text)
        assert found is not None
        self._constants = tuple(float(number) for number in found.group(1).split(","))

    def _spheres(self, body: int) -> range:
        first = int(self._model.body_geomadr[body])
        return range(first, first + int(self._model.body_geomnum[body])) if first >= 0 else range(0)

    def run(self, qpos: np.ndarray, seconds: float) -> float:
        """Walk from a pose; return the distance, m."""
        data, model, dt = self._data, self._model, self._settings.dt
        self._mujoco.mj_resetData(model, data)
        data.qpos[:] = qpos
        self._mujoco.mj_kinematics(model, data)
        self._mujoco.mj_comPos(model, data)
        began, phase, since = float(data.subtree_com[1][0]), 0, 0.0
        targets = {name: (0.0, 0.0, 0.0) for name in self._dof}
        for step in range(round(seconds / dt)):
            now = step * dt
            phase, since = self._next(phase, since, now, step)
            self._tick(phase, targets)
            self._mujoco.mj_step(model, data)
        return float(data.subtree_com[1][0]) - began

    def _next(self, phase: int, since: float, now: float, step: int) -> tuple[int, float]:
        swing_time = self._constants[0]
        if phase % 2 == 0:
            over = now - since >= swing_time
        else:
            over = step > 0 and self._touches("rFoot" if phase == 1 else "lFoot")
        return ((phase + 1) % 4, now) if over else (phase, since)

    def _touches(self, link: str) -> bool:
        spheres, contact = self._geoms[link], self._data.contact
        return any(int(g) in spheres for g in contact.geom[: self._data.ncon, 1])

    def _tick(self, phase: int, targets: dict[str, tuple[float, float, float]]) -> None:
        _, cde, cdo, cve, cvo, lean, swhe, swho, swke, swko, stke, stko, swa, sta = self._constants
        swing, stance = ("r", "l") if phase < 2 else ("l", "r")
        early = phase % 2 == 0
        targets[f"{swing}Knee"] = (swke if early else swko, *self._gains[f"{swing}Knee"])
        targets[f"{stance}Knee"] = (stke if early else stko, *self._gains[f"{stance}Knee"])
        if early:
            targets[f"{swing}Ankle"] = (swa, *self._gains[f"{swing}Ankle"])
            targets[f"{stance}Ankle"] = (sta, *self._gains[f"{stance}Ankle"])
        qpos, qvel = self._data.qpos, self._data.qvel
        trunk, spin = float(qpos[2]), float(qvel[2])
        hip = self._dof[f"{swing}Hip"]
        com_x, com_v = self._centre_of_mass()
        d = com_x - self._ankle_x(stance)
        cd, cv = (cde, cve) if early else (cdo, cvo)
        wanted = (swhe if early else swho) + cd * d + cv * com_v
        torso = 600.0 * (lean - trunk) - 60.0 * spin
        thigh = 400.0 * (wanted - trunk - float(qpos[hip])) - 40.0 * (spin + float(qvel[hip]))
        limit = self._limit[f"{swing}Hip"]
        torso, thigh = max(-limit, min(limit, torso)), max(-limit, min(limit, thigh))
        self._torque(f"{swing}Hip", thigh)
        self._torque(f"{stance}Hip", max(-limit, min(limit, -torso - thigh)))
        for side in "rl":
            for joint in (f"{side}Knee", f"{side}Ankle"):
                self._drive(joint, *targets[joint])

    def _centre_of_mass(self) -> tuple[float, float]:
        self._mujoco.mj_subtreeVel(self._model, self._data)
        return float(self._data.subtree_com[1][0]), float(self._data.subtree_linvel[1][0])

    def _ankle_x(self, side: str) -> float:
        return float(self._data.xanchor[self._model.dof_jntid[self._dof[f"{side}Ankle"]]][0])

    def _torque(self, joint: str, torque: float) -> None:
        self._data.ctrl[self._motor[joint]] = torque
        self._model.dof_armature[self._dof[joint]] = 0.0

    def _drive(self, joint: str, target: float, kp: float, kd: float) -> None:
        """Implicit PD law: a force, and an inertia on the joint's axis."""
        dof, dt = self._dof[joint], self._settings.dt
        damping = dt * kp + kd
        force = kp * (target - float(self._data.qpos[dof])) - damping * float(self._data.qvel[dof])
        limit = self._limit[joint]
        if abs(force) > limit:
            self._torque(joint, math.copysign(limit, force))
        else:
            self._data.ctrl[self._motor[joint]] = force
            self._model.dof_armature[dof] = dt * damping


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--repetitions", type=int, default=5)
    given = parser.parse_args()
    project = Project(ROOT / "projects" / "biped", engine="mujoco")
    walk = PythonWalk(project)
    controller = project.controller("walk")
    with Simulation(project.character, flat(FRICTION), engine="mujoco") as simulation:
        simulation.run(project.controller("stand"), timeout=15.0)
        start = simulation.snapshot()
        qpos = start.bodies[0]
        pairs, ways = [], []
        for n in range(given.repetitions + 1):
            simulation.restore(start)
            began = time.perf_counter()
            outcome = simulation.run(controller, cycles=10**6, timeout=given.seconds)
            between = time.perf_counter()
            way = walk.run(qpos, given.seconds)
            ended = time.perf_counter()
            if n > 0:  # the first one compiles
                pairs.append((between - began, ended - between))
                ways.append((outcome.measures["distance"], way))
    for name, k in (("compiled loop", 0), ("plain Python loop", 1)):
        rate = statistics.median(given.seconds / pair[k] for pair in pairs)
        print(f"{name}: {rate:.1f} simulated seconds a second, {ways[-1][k]:.1f} m in {given.seconds:g} s")
    print(f"ratio: {statistics.median(python / ours for ours, python in pairs):.1f}")


if __name__ == "__main__":
    main()
