"""Mutated MuJoCo models, with files of roles beside them, through the reader and the writer.

    python tests/fuzz/mjcf_files.py --count 10000 --seed 1 --jobs 2

The laws: what cannot be is a CtrlGraphError, whose findings stand inside their text and render printable and short;
what is accepted is a character that can be built and written, and that reads back as itself; nothing outside the
project is opened; each file takes seconds at most.
"""

from __future__ import annotations

import math
import random
import re
import sys
import warnings
from functools import cache
from pathlib import Path

if __name__ == "__main__":
    # As pytest has it, so that this directory's names hide no modules.
    sys.path[:1] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parents[1])]

from fuzz import yaml_files
from fuzz.harness import Limits, Verdict, main
from fuzz.yaml_files import judged, project_directory, text_of
from planar_models import GYMNASIUM

from ctrlgraph.character.mjcf import check_mjcf, load_mjcf, parse_mjcf, write_mjcf, write_sidecar
from ctrlgraph.character.model import Character
from ctrlgraph.character.yaml_reader import load_character

LONGEST_S = 5.0
ROOT = Path(__file__).resolve().parents[2]

RICH = """<?xml version="1.0"?>
<mujoco model="rich">
  <compiler angle="radian" eulerseq="XYZ" boundmass=".01" boundinertia="1e-4" inertiagrouprange="0 3"/>
  <option timestep=".01" gravity="0 0 -9.81"><flag contact="enable"/></option>
  <default>
    <joint damping="1" armature=".1" axis="0 -1 0" range="-1 1"/>
    <geom density="900" contype="1" conaffinity="0"/>
    <motor gear="20" ctrlrange="-1 1"/>
    <default class="limb"><geom type="capsule" size=".05"/><default class="box"><geom type="box"/></default></default>
  </default>
  <asset><mesh name="m" file="m.obj"/><texture type="2d" builtin="flat" width="2" height="2"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="9 9 .1" conaffinity="1" contype="0"/>
    <body name="post" pos="2 0 0"><geom type="cylinder" size=".1 .4"/></body>
    <frame pos="0 0 1" euler="0 0.1 0">
      <body name="trunk" childclass="limb" axisangle="0 1 0 -0.1">
        <joint name="rz" type="slide" axis="0 0 1" range="0 0"/>
        <joint name="rx" type="slide" axis="-1 0 0" limited="false"/>
        <joint name="ry" limited="false" ref=".2"/>
        <geom fromto="0 0 -.3 0 0 .3"/>
        <geom name="nose" type="ellipsoid" size=".1 .03 .04" pos=".2 .1 .3" xyaxes="1 .1 0 0 1 0"/>
        <body name="pack" pos="-.1 .2 .1" zaxis="1 0 1"><geom class="box" size=".1 .1 .05" mass="2"/></body>
        <body name="thigh_left" pos="0 .1 -.3">
          <joint name="hip_left" stiffness="3" springref=".1" actuatorfrcrange="-90 80"/>
          <inertial pos="0 0 -.2" mass="4" fullinertia=".1 .2 .15 .01 .02 .03"/>
          <geom fromto="0 0 0 .05 0 -.4"/>
          <body name="foot_left" pos=".05 0 -.4" quat=".9 0 .1 0">
            <joint name="ankle_left" pos="0 0 .02" range="-.3 .6" ref=".1"/>
            <geom class="box" size=".1 .05 .02" pos=".05 0 0"/>
            <site name="toe" pos=".1 0 0"/>
          </body>
        </body>
        <body name="thigh_right" pos="0 -.1 -.3">
          <joint name="hip_right" axis="0 1 0"/>
          <geom fromto="0 0 0 .05 0 -.4" group="4"/><geom type="sphere" size=".1"/>
        </body>
      </body>
    </frame>
  </worldbody>
  <contact><exclude body1="world" body2="pack"/><pair geom1="nose" geom2="floor"/></contact>
  <actuator>
    <motor joint="hip_left"/><position joint="hip_right" kp="50" forcerange="-30 30"/>
    <general joint="ankle_left" gainprm="7" forcelimited="true" forcerange="-3 3"/>
  </actuator>
  <sensor><jointpos joint="hip_left"/></sensor>
</mujoco>
"""
RICH_ROLES = """\
roles: {trunk: trunk, axial: [trunk], feet: [foot_left]}
pairs: [[thigh_right, thigh_left], [hip_right, hip_left]]
aliases: {knee: ankle_left}
gains: {kp: 50, kd: 5, joints: {hip_left: {kp: 60, kd: 6}}}
torque: {ankle_left: [3, 9]}
"""

VALUES = [
    "", " ", "0", "-0", "1", "-1", "1 0 0", "0 1 0", "0 -1 0", "0 0 1", "0 0 0", "1 1 1 1", "0 0 0 0", "nan", "inf",
    "-inf nan inf", "1e308", "1e308 1e308 1e308", "-1e9 1e9", "1e-320", "1e-9 1e-9 1e-9", "1e9", "1e400", "9" * 120,
    "1 " * 5000, "0x10", "1,2,3", "1_0", "true", "false", "auto", "global", "degree", "radian", "xyz", "zZz", "hinge",
    "slide", "ball", "free", "mesh", "plane", "hfield", "sphere", "box", "cylinder", "ellipsoid", "capsule", "limb",
    "main", "trunk", "world", "../../etc/passwd", "/etc/passwd", "a/b", "-x", ".x", "a->b", "x" * 300, "é", "\u202e",
    "&#x1b;", "&#10;", "&lt;b&gt;", "&quot;", "&unknown;", "&#0;", "&#xD800;", "-50 50", "50 -50", "0 5", "3 9", ".1",
    "3.14159", "-7.5 7.5", "1e-4", "100", "101", "-200 200", "0.5 0.5 0.5",
]  # fmt: skip
ELEMENTS = [
    "<joint/>", '<joint axis="0 1 0"/>', '<joint type="slide" axis="1 0 0"/>', "<freejoint/>", "<geom/>",
    '<geom size=".1"/>', '<geom type="mesh" mesh="m"/>', '<body><geom size=".1"/></body>', "<body/>", "<frame/>",
    '<body name="trunk"><joint axis="0 1 0"/><geom size=".1"/></body>', '<include file="/etc/passwd"/>',
    '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>', '<inertial pos="0 0 0" mass="0" diaginertia="0 0 0"/>',
    "<inertial/>", '<replicate count="9999999"><geom/></replicate>', "<composite/>", "<!-- -- -->", "<!-- x -->",
    "<![CDATA[<body>]]>",
    '<default class="limb"/>', '<default class="z"><default/></default>', '<compiler coordinate="global"/>',
    '<compiler settotalmass="1e-9" boundinertia="1e9" balanceinertia="true"/>', "<worldbody/>", "<tendon/>",
    '<equality><connect body1="trunk" body2="foot_left" anchor="0 0 0"/></equality>', "<?php x ?>",
    '<tendon><fixed name="t"/></tendon>', '<option gravity="0 0 0" density="1" wind="1 1 1"/>', "<\u0436/>", "</body>",
    '<!DOCTYPE x [<!ENTITY a "b">]>', "<body>" * 300, '<geom size=".1"/>' * 1500, '<motor joint="hip_left" gear="0"/>',
    '<body><geom size=".1"/></body>' * 200, '<actuator><muscle joint="hip_left"/><plugin/></actuator>', "text",
]  # fmt: skip

_ATTRIBUTE = re.compile(r'[\w]+="[^"]*"')
_NO_LINE_END = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")  # in XML; they are such to Python and to YAML
_TAG = re.compile(r"<[^<>]+>")


@cache
def samples() -> list[tuple[str, str]]:
    """Models and files of roles that are good."""
    humanoid = load_character(ROOT / "characters" / "humanoid.yaml")
    of_others = [(GYMNASIUM / name).read_text(encoding="utf-8") for name in ("hopper.xml", "half_cheetah.xml")]
    return [
        (RICH, RICH_ROLES),
        (RICH, RICH_ROLES),
        (write_mjcf(humanoid), write_sidecar(humanoid)),
        *((text, "pairs: []\n") for text in of_others),
    ]


# --- mutation ---


def _put(text: str, span: tuple[int, int], new: str) -> str:
    return text[: span[0]] + new + text[span[1] :]


def _found(pattern: re.Pattern[str], text: str, rng: random.Random) -> tuple[int, int]:
    spans = [match.span() for match in pattern.finditer(text)]
    return rng.choice(spans) if spans else (0, 0)


def _value(text: str, rng: random.Random) -> str:
    start, end = _found(_ATTRIBUTE, text, rng)
    name = text[start:end].partition("=")[0] or "x"
    return _put(text, (start, end), f'{name}="{rng.choice(VALUES)}"')


def _digit(text: str, rng: random.Random) -> str:
    return _put(text, _found(re.compile(r"\d"), text, rng), rng.choice("0123456789-.e "))


def _borrowed(text: str, rng: random.Random) -> str:
    """With an attribute of elsewhere."""
    other = text[slice(*_found(_ATTRIBUTE, text, rng))]
    at = _found(_ATTRIBUTE, text, rng)
    return _put(text, at, rng.choice([other, f"{text[slice(*at)]} {other}"]))


def _without(text: str, rng: random.Random) -> str:
    return _put(text, _found(_ATTRIBUTE, text, rng), "")


def _element(text: str, rng: random.Random) -> str:
    start, end = _found(_TAG, text, rng)
    new = rng.choice([rng.choice(ELEMENTS), text[slice(*_found(_TAG, text, rng))]])
    return _put(text, rng.choice([(end, end), (end, end), (start, end)]), new)


def _block(text: str, rng: random.Random) -> str:
    """With a piece of it again, or without one."""
    first, second = sorted((_found(_TAG, text, rng)[0], _found(_TAG, text, rng)[1]))
    return _put(text, (first, second), text[first:second] * rng.choice([0, 2, 2, 3]))


def _bytes(text: str, rng: random.Random) -> str:
    at, length = rng.randrange(len(text) + 1), rng.choice([0, 1, 1, 5, 200])
    return _put(
        text, (at, at + length), rng.choice(["", "<", ">", "&", '"', "\x00", "\x1b[2J", "\u2028", "/", "=", "\n"])
    )


CHANGES = (_value, _value, _value, _digit, _digit, _borrowed, _without, _element, _element, _block, _bytes)


def mutated(text: str, rng: random.Random) -> bytes:
    """A model with one to four changes."""
    for _ in range(rng.choice([1, 1, 1, 2, 3, 4])):
        text = rng.choice(CHANGES)(text, rng)[:3_000_000]
    data = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.05 and data:
        at = rng.randrange(len(data))
        data = data[:at] + rng.randbytes(rng.choice([1, 4])) + data[at + 1 :]
    return data


# --- laws ---


def broken_character(character: Character) -> str:
    """Which law a character that was accepted breaks; empty: none."""
    numbers = [
        *(value for link in character.links for value in (link.mass, link.inertia, link.height, link.width)),
        *(-limit.lower for joint in character.joints for limit in (joint.torque_limit, joint.hard_torque_limit)),
        *(limit.upper for joint in character.joints for limit in (joint.torque_limit, joint.hard_torque_limit)),
        *(circle.radius for link in character.links for circle in link.contacts),
    ]
    places = [value for part in (*character.links, *character.joints) for value in (part.x, part.y)]
    if not all(math.isfinite(value) and value > 0.0 for value in numbers) or not all(map(math.isfinite, places)):
        return "a size is not above 0, or a place not finite"
    if not all(joint.lower <= 0.0 <= joint.upper and joint.lower < joint.upper for joint in character.joints):
        return "limits are not around 0"
    if len(character.joints) != len(character.links) - 1 or character.root != 0 or not character.chain.size:
        return "it is no tree"
    again = parse_mjcf(write_mjcf(character), "again.xml", write_sidecar(character))
    if not math.isclose(again.mass, character.mass) or again.link_names != character.link_names:
        return "what is written is another character"
    return ""


def attempt(seed: int, number: int) -> Verdict:
    """The case of this number."""
    return run(random.Random(f"{seed} {number}"))


def run(rng: random.Random) -> Verdict:
    """One mutated model (now and then its file of roles) through the reader."""
    path = project_directory() / "characters" / "fuzzed.xml"
    roles = path.with_suffix(".roles.yaml")
    model, beside = rng.choice(samples())
    data = model.encode() if (of_roles := rng.random() < 0.1) else mutated(model, rng)
    path.write_bytes(data)
    roles.write_bytes(yaml_files.mutated(beside, rng) if of_roles else beside.encode())

    def read() -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            broken = broken_character(load_mjcf(path))
            if any(finding.severity == "error" for finding in check_mjcf(path)):
                broken = broken or "checked otherwise than loaded"
            return broken

    outcome, broken = judged(read, path, _NO_LINE_END.sub(".", text_of(data)), LONGEST_S)
    return Verdict(outcome, broken or None, {"fuzzed.xml": data, "fuzzed.roles.yaml": roles.read_bytes()})


if __name__ == "__main__":
    sys.exit(main("mjcf_files", attempt, limits=Limits(memory=6 << 30)))
