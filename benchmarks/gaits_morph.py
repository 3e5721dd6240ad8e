"""The section of docs/results/gaits.md about bodies between a quadruped and a biped; `benchmarks/gaits.py --morph`."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ctrlgraph.character.files import load_character
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.control.gait.gait import Gait
from ctrlgraph.control.gait.gait_file import gait_of
from ctrlgraph.control.gait.legged_body import legged_body
from ctrlgraph.simulation.rollout import Rollout
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.yaml_source import parse_yaml

TITLE = "## From a quadruped to a biped"
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.7, 0.8, 0.9, 1.0)
SWITCH = 0.5
"""Share above which the fore limbs are arms."""
ARM_M = 0.6
SECONDS = 20.0
SPEED_MPS = 0.3
HIP_M, KNEE_M, ANKLE_M = 0.9175, 0.4935, 0.0675
SHOULDER_M, TRUNK_COM_M = 0.497, 0.299
"""Distances from the hips along the trunk."""
BEND = 0.25
FOUR = """\
period: 0.7
swing:
  front left: [0, 0.45]
  hind right: [0, 0.45]
  front right: [0.5, 0.45]
  hind left: [0.5, 0.45]
"""
TWO = """\
period: 0.8
width: -0.045
advance: 0.03
arrival: 1
speed_gain: 2
speed_integral: 0.3
placement_forward: 0.05
friction: 0.7
swing:
  left: [0, 0.46]
  right: [0.5, 0.46]
"""
LEG = """\
  {s}_hip_rotation: {{parent: trunk, child: {s}_thigh, at: [0, {y}, .9175], axis: [0, 0, 1], limits: [-.7, .7], torque: [60, 80], {passive}}}
  {s}_hip_abduction: {{parent: trunk, child: {s}_thigh, at: [0, {y}, .9175], axis: [1, 0, 0], limits: [-.8, .8], torque: [120, 150], {passive}}}
  {s}_hip_flexion: {{parent: trunk, child: {s}_thigh, at: [0, {y}, .9175], axis: [0, -1, 0], limits: [-1.2, 2.4], torque: {{limit: [-240, 150], hard: [-330, 200]}}, {passive}}}
  {s}_knee: {{parent: {s}_thigh, child: {s}_shank, at: [0, {y}, .4935], axis: [0, -1, 0], limits: [-2.75, .05], torque: {{limit: [-115, 240], hard: [-160, 310]}}, {passive}}}
  {s}_ankle_flexion: {{parent: {s}_shank, child: {s}_foot, at: [0, {y}, .0675], axis: [0, -1, 0], limits: [-.95, .75], torque: {{limit: [-170, 45], hard: [-230, 60]}}, {passive}}}
  {s}_ankle_inversion: {{parent: {s}_shank, child: {s}_foot, at: [0, {y}, .0675], axis: [1, 0, 0], limits: [-.5, .5], torque: [40, 60], {passive}}}
  {s}_shoulder_abduction: {{parent: trunk, child: {s}_upper_arm, at: [{x}, {a}, {z}], axis: [1, 0, 0], limits: [-.8, .8], torque: [100, 120], {passive}}}
  {s}_shoulder_flexion: {{parent: trunk, child: {s}_upper_arm, at: [{x}, {a}, {z}], axis: [0, -1, 0], limits: [-1.5, 3], torque: [150, 200], {passive}}}
  {s}_elbow: {{parent: {s}_upper_arm, child: {s}_forearm, at: [{x}, {a}, {elbow}], axis: [0, -1, 0], limits: [-.05, 2.6], torque: [150, 200], {passive}}}
"""  # noqa: E501
LINKS = """\
  {s}_thigh: {{at: [0, {y}, .7339], mass: 7, inertia: [.1313, .1313, .0279, 0, 0, 0], shapes: [{{kind: capsule, size: [.065, .17]}}]}}
  {s}_shank: {{at: [0, {y}, .309], mass: 3.255, inertia: [.0539, .0539, .0063, 0, 0, 0], shapes: [{{kind: capsule, size: [.045, .17]}}]}}
  {s}_foot: {{at: [.05, {y}, .034], mass: 1.015, inertia: [.0013, .0039, .0046, 0, 0, 0], shapes: [{{kind: box, size: [.13, .0475, .012], at: [0, 0, -.022]}}]}}
  {s}_upper_arm: {{at: [{x}, {a}, {upper}], mass: 1.96, shapes: [{{kind: capsule, size: [.04, {long}]}}]}}
  {s}_forearm: {{at: [{x}, {a}, {lower}], mass: 1.54, shapes: [{{kind: capsule, size: [.03, {half}]}}]}}
"""  # noqa: E501
ROLE = (
    "{{name: {s}, hip: [{s}_hip_rotation, {s}_hip_abduction, {s}_hip_flexion], knee: {s}_knee, "
    "ankles: [{s}_ankle_flexion, {s}_ankle_inversion], foot: {s}_foot}}"
)


def body(share: float) -> str:
    """Return the character file of a body: with a share of 0 on all fours, with 1 an upright man.

    The trunk turns from level to upright. The fore limbs reach the ground up to `SWITCH`; then they shrink to arms.
    """
    tilt = (1.0 - share) * math.pi / 2
    x, z = SHOULDER_M * math.sin(tilt), HIP_M + SHOULDER_M * math.cos(tilt)
    longest = HIP_M + SHOULDER_M * math.cos((1.0 - SWITCH) * math.pi / 2) - 0.03
    grown = (share - SWITCH) / (1.0 - SWITCH)
    length = z - 0.03 if share <= SWITCH else (1.0 - grown) * longest + grown * ARM_M
    half = length / 2
    place = f"{TRUNK_COM_M * math.sin(tilt):.4f}, 0"
    turn = f"orientation: [{math.cos(tilt / 2):.6f}, 0, {math.sin(tilt / 2):.6f}, 0]"
    com = HIP_M + TRUNK_COM_M * math.cos(tilt)
    lower = ANKLE_M + (HIP_M - ANKLE_M) * math.cos(BEND) - HIP_M  # by bent knees
    elbow = 2 * math.acos(min((length + lower) / length, 1.0)) if share <= SWITCH else 0.3
    links, joints, angles = [], [], []
    for side, sign in (("left", 1), ("right", -1)):
        numbers = {"s": side, "y": 0.09 * sign, "a": 0.2 * sign, "x": f"{x:.4f}", "z": f"{z:.4f}"}
        numbers |= {"elbow": f"{z - half:.4f}", "upper": f"{z - half / 2:.4f}", "lower": f"{z - 1.5 * half:.4f}"}
        numbers |= {"long": f"{half / 2 - 0.04:.4f}", "half": f"{half / 2:.4f}"}
        links.append(LINKS.format(**numbers))
        joints.append(LEG.format(**numbers, passive="damping: .5, armature: .01"))
        angles += [f"{side}_hip_flexion: {BEND}", f"{side}_knee: {-2 * BEND}", f"{side}_ankle_flexion: {BEND}"]
        angles += [f"{side}_shoulder_flexion: {-elbow / 2:.4f}", f"{side}_elbow: {elbow:.4f}"]
    legs = ", ".join(ROLE.format(s=side) for side in ("left", "right"))
    return "\n".join(
        [
            "name: morph\nplanar: false\nlinks:",
            f"  trunk: {{at: [{place}, {com:.4f}], {turn}, mass: 40.46, inertia: [2.204, 2.053, .435, 0, 0, 0],",
            "          shapes: [{kind: capsule, size: [.12, .2]}]}",
            "".join(links) + "joints:\n" + "".join(joints).rstrip(),
            f"poses: {{home: {{at: [{place}, {com + lower:.4f}], {turn}, angles: {{{', '.join(angles)}}}}}}}",
            f"roles: {{legs: [{legs}]}}" if share > SWITCH else "",
        ]
    )


def morph(share: float) -> tuple[SpatialCharacter, Gait]:
    """Return a body and its gait: a trot on four legs, or a walk on two."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "morph.yaml"
        path.write_text(body(share))
        character = load_character(path)
    assert isinstance(character, SpatialCharacter)
    height = legged_body(character).height - 0.05
    text = FOUR if len(character.roles.legs) == 4 else TWO
    text += f"height: {height:.3f}\nstep_height: 0.06\nswing_frequency: 45\nforward: {SPEED_MPS}\nacceleration: 0.3\n"
    return character, gait_of(parse_yaml(text, "morph.yaml", "gait"), character)


def morph_section() -> Iterator[str]:
    """Yield the lines of the section about bodies between a quadruped and a biped."""
    yield f"""{TITLE}

Command: `python benchmarks/gaits.py --morph`. The source of the dog proposes to change a quadruped into a biped. Here
its shape changes between simulations, not during one: the trunk of the man of projects/biped-3d turns from level (share
0) to upright (1), and his fore limbs have point feet and reach the ground up to a share of {SWITCH:g}; then they shrink
to arms of {ARM_M:g} m. The hind legs, with soles, are the same. All bodies on four legs have one gait file, all on
two legs another one, except for the height, which is 5 cm below that of the start pose. Desired speed
{SPEED_MPS:g} m/s, reached with 0.3 m/s²; {SECONDS:g} s. A fall is a height below 60 %. No gain was adjusted to a body.

| share | legs | height, m | mean speed, m/s, ODE | mean speed, m/s, MuJoCo |
| --- | --- | --- | --- | --- |"""
    for share in SHARES:
        character, gait = morph(share)
        cells = []
        for engine in ("ode", "mujoco"):
            with Simulation(character, engine=engine, keep_trace=False) as simulation:
                bounds = {"com_height": (0.6 * gait.values.height, math.inf)}
                outcome = simulation.run_rollout(Rollout(gait, 10**6, SECONDS, bounds=bounds))
                has_fallen = outcome.status.value != "timeout"
                speed = outcome.measures["forward_speed"]
                cells.append(f"falls after {simulation.time:.0f} s" if has_fallen else f"{speed:.2f}")
        yield f"| {share:g} | {len(character.roles.legs)} | {gait.values.height:.2f} | {' | '.join(cells)} |"
