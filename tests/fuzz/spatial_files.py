"""Hostile files of a project with a character in space, through the command line.

Characters (YAML, MuJoCo models with files of roles and meshes), graphs, key frames, courses and descriptions of terrain
are changed: half of them at random, half in ways that are wrong on purpose. The laws: a command ends with 0 or 1; if
it fails, it prints sentences with the place of each error, and no traceback; a character that is accepted can be
simulated by both engines and drawn, or a sentence says why not; no file outside the project is opened; each case takes
at most seconds.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import random
import re
import shutil
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np
from fuzz import mjcf_files, yaml_files
from fuzz.harness import Limits, Verdict
from fuzz.yaml_files import SECRET, mutated, opened_outside
from spatial_files import ARM, MODEL, QUADRUPED

from ctrlgraph.character.files import load_character
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.cli.main import main
from ctrlgraph.control.keyframes.keyframes import new_keyframes
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.pictures.spatial.spatial_figure import SpatialFigure
from ctrlgraph.simulation.simulation import Simulation

COUNT = 5_000
LIMITS = Limits(memory=6 << 30)
LONGEST_S = 10.0
LONGEST_TEXT = 200_000
ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "projects" / "quadruped"

BOX = "".join(f"v {x} {y} {z}\n" for x in (-0.1, 0.1) for y in (-0.05, 0.05) for z in (-0.05, 0.05))
BOX += "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"
_MESHES = '<asset><mesh name="box" file="box.obj" scale="1 1 1"/><mesh name="stl" file="box.stl"/></asset>'
_TENDON = (
    '<tendon><fixed name="t"><joint joint="FL_knee" coef=".5"/><joint joint="FR_knee" coef="-.5"/></fixed></tendon>'
)
_GEOM = '<geom type="mesh" mesh="{}" contype="0" conaffinity="0" mass="0"/>'
MESHED = (
    MODEL.replace('<freejoint name="root"/>', "<freejoint/>")
    .replace("<worldbody>", f"{_MESHES}{_TENDON}<worldbody>", 1)
    .replace("<freejoint/>", f"<freejoint/>{_GEOM.format('box')}{_GEOM.format('stl')}", 1)
    .replace("<actuator>", '<actuator><motor tendon="t" forcerange="-5 5"/>', 1)
)
_HEAVY = _GEOM.replace('mass="0"', 'density="500"')
HEAVY = MESHED.replace(
    "<freejoint/>",
    f'<freejoint/><body name="pack"><joint name="pack"/>{_HEAVY.format("box")}{_HEAVY.format("stl")}</body>',
    1,
)
"""A model with a link whose mass MuJoCo computes from its meshes."""
COURSE = """\
obstacles:
  - {after: 1, stairs: {count: 3, run: 0.3, rise: 0.05}}
  - {after: 1, rough: {length: 2, amplitude: 0.02}}
  - {after: 2, gap: {width: 0.2}}
"""
TERRAINS = (
    "flat", "slope=4 bank=2", "rough=0.03 seed=5", "hills=0.3 seed=2", "block=2:0:1:0.5:0.1,3:1:1:1:0.2:30",
    "course=1.2:gap:0.3:1", "stairs=1:3:0.3:0.05 block=1:0:1:1:0.1", "box=1:0.4:0.1",
)  # fmt: skip
_NUMBERS = (
    "nan", ".nan", "inf", "-.inf", "1e400", "1e308", "-1e308", "1e-320", "0", "-1", "1e9", "1e15", "9" * 120, "abc", "",
    "[1]", "{a: 1}", "null", "true", "0x10", "1_0", "1e",
)  # fmt: skip
_NAMES = (
    "trunk", "FL_calf", "FL_knee", "''", "a/b", "../x", "-x", ".x", "x" * 300, "é", "'\\e[2J'", "world", "*", "a->b",
    "nobody", "stand", "\u202e", "null", "1", "[a]", "{b: c}",
)  # fmt: skip

Change = Callable[[str, random.Random], str]

_NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*|\.\d+)(?![\w.])")
_WORD = re.compile(r"\b[A-Za-z][A-Za-z_]{2,}\b")


# --- changes ---


def _replaced(pattern: re.Pattern[str], new: tuple[str, ...], text: str, rng: random.Random) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text + rng.choice(new)
    match = rng.choice(found)
    return text[: match.start()] + rng.choice(new) + text[match.end() :]


def _by(*pairs: tuple[str, str]) -> list[Change]:
    """Return changes that replace one place of a pattern each. `\\g<0>` in the new text is the old one."""
    return [partial(_substituted, re.compile(old), new) for old, new in pairs]


def _substituted(pattern: re.Pattern[str], new: str, text: str, rng: random.Random) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text
    match = rng.choice(found)
    return text[: match.start()] + match.expand(new) + text[match.end() :]


NUMBERS: Change = partial(_replaced, _NUMBER, _NUMBERS)
NAMES: Change = partial(_replaced, _WORD, _NAMES)

YAML_WRONG = _by(
    (r"inertia: \[[^]]*\]", "inertia: [1, 1, 3, 0, 0, 0]"),
    (r"inertia: \[[^]]*\]", "inertia: [.01, .01, .01, .02, 0, 0]"),
    (r"inertia: \[[^]]*\]", "inertia: [0, 0, 0, 0, 0, 0]"),
    (r"inertia: \[[^]]*\]", "inertia: [-1, 1, 1, 0, 0, 0]"),
    (r"inertia: \[[^]]*\]", "inertia: [1e4, 1e4, 1e4, 0, 0, 0]"),
    (r"inertia: \[[^]]*\]", "inertia: [1e-30, 1e-30, 1e-30, 0, 0, 0]"),
    (r"size: \[[^]]*\]", "size: [0]"),
    (r"size: \[[^]]*\]", "size: [1e-9, 1e-9]"),
    (r"size: \[[^]]*\]", "size: [1, 1, 1, 1]"),
    (r"size: \[[^]]*\]", "size: []"),
    (r"mass: [\d.]+", "mass: 0"),
    (r"mass: [\d.]+", "mass: 1e-12"),
    (r"mass: [\d.]+", "mass: 1e12"),
    (r"mass: [\d.]+", "density: 1e9"),
    (r"at: \[[^]]*\]", r"\g<0>, orientation: [0, 0, 0, 0]"),
    (r"at: \[[^]]*\]", r"\g<0>, orientation: [2, 3, 4, 5]"),
    (r"at: \[[^]]*\]", r"\g<0>, orientation: [1e-200, 0, 0, 0]"),
    (r"at: \[[^]]*\]", "at: [1e9, 0, 0]"),
    (r"axis: \[[^]]*\]", "axis: [0, 0, 0]"),
    (r"axis: \[[^]]*\]", "axis: [1e-300, 0, 0]"),
    (r"limits: \[-?[\d.]+, -?[\d.]+\]", "limits: [1, -1]"),
    (r"limits: \[-?[\d.]+, -?[\d.]+\]", "limits: [0, 0]"),
    (r"limits: \[-?[\d.]+, -?[\d.]+\]", "limits: [-1e9, 1e9]"),
    (r"torque: \[[^]]*\]", "torque: [30, 20]"),
    (r"torque: \[[^]]*\]", "torque: [0, 0]"),
    (r"torque: \[[^]]*\]", "torque: [1e9, 1e9]"),
    (r"parent: \w+", "parent: nobody"),
    (r"child: \w+", "child: trunk"),
    (r"parent: \w+, child: (\w+)", r"parent: \1, child: \1"),
    (r"child: \w+_hip", "child: FL_calf"),
    (r"kind: \w+", "kind: mesh"),
    (r"kind: capsule", "kind: sphere"),
    (r"\n  FR_hip:", "\n  FL_hip:"),
    (r"\n  FR_hip:", "\n  fl_hip:"),
    (r"\njoints:", "\naliases: {FL_hip: FR_hip, x: y}\njoints:"),
    (r"\njoints:", "\nroles: {feet: [nobody], legs: [{name: a, hip: [FL_knee], knee: x, foot: trunk}]}\njoints:"),
    (r"\njoints:", "\nroles: {feet: [trunk, trunk], head: 3, spine: [FL_knee], tail: FL_knee}\njoints:"),
    (r"\njoints:", "\nroles: {legs: [{name: a, hip: [FR_pitch], knee: FL_knee, foot: FL_calf}]}\njoints:"),
    (r"\njoints:", "\npairs: [[FL_hip, FL_hip], [FL_hip, FR_calf], [a, b]]\njoints:"),
    (r"\njoints:", "\nexcludes: [[trunk, trunk], [a, b]]\njoints:"),
    (r"angles: \{", "angles: {nobody: 1, FL_pitch: 1e9, "),
    (r"planar: false", "planar: true"),
    (r"planar: false", "planar: 7"),
    (r"floating: false", "floating: maybe"),
    (r"gains|limits", "nonsense"),
    (r"shapes: \[", "shapes: [" + "{kind: sphere, size: [.01]}, " * 150),
)  # fmt: skip

XML_WRONG = _by(
    (r'diaginertia="[^"]*"', 'diaginertia="1 1 3"'),
    (r'diaginertia="[^"]*"', 'diaginertia="0 0 0"'),
    (r'diaginertia="[^"]*"', 'diaginertia="-1 1 1"'),
    (r'diaginertia="[^"]*"', 'fullinertia="1 1 1 2 2 2"'),
    (r'diaginertia="[^"]*"', 'diaginertia="1e9 1e9 1e9"'),
    (r'mass="[^"]*"', 'mass="0"'),
    (r'mass="[^"]*"', 'mass="1e15"'),
    (r'quat="[^"]*"', 'quat="0 0 0 0"'),
    (r'quat="[^"]*"', 'quat="2 3 4 5"'),
    (r'quat="[^"]*"', 'quat="nan 0 0 0"'),
    (r'fromto="[^"]*"', 'fromto="0 0 0 0 0 0"'),
    (r'fromto="[^"]*"', 'fromto="0 0 0 0 0 1e9"'),
    (r'size="[^"]*"', 'size="0 0 0"'),
    (r'size="[^"]*"', 'size="-1"'),
    (r'axis="[^"]*"', 'axis="0 0 0"'),
    (r'range="[^"]*"', 'range="1 -1"'),
    (r'range="[^"]*"', 'range="nan 1"'),
    (r'file="[^"]*"', 'file="missing.stl"'),
    (r'file="[^"]*"', 'file="../../../etc/passwd"'),
    (r'file="[^"]*"', 'file="link.obj"'),
    (r'file="[^"]*"', 'file="."'),
    (r'file="[^"]*"', 'file="pipe.stl"'),
    (r'file="[^"]*"', 'file="huge.stl"'),
    (r'file="[^"]*"', f'file="{"x" * 5000}.obj"'),
    (r'scale="[^"]*"', 'scale="0 0 0"'),
    (r'scale="[^"]*"', 'scale="1e300 nan 1"'),
    (r'scale="[^"]*"', 'refquat="0 0 0 0" refpos="inf 0 0"'),
    (r'mesh="box"', 'mesh="nothing"'),
    (r'type="mesh"', 'type="sdf"'),
    (r'mass="0"/>', 'mass="3"/>'),
    (r'coef="[^"]*"', 'coef="nan"'),
    (r'coef="[^"]*"', 'coef="1e200"'),
    (r'joint joint="\w+"', 'joint joint="nothing"'),
    (r'tendon="t"', 'tendon="missing"'),
    (r'joint="FL_\w+"', 'joint="nothing"'),
    (r'name="FR_(\w+)"', r'name="FL_\1"'),
    (r'name="\w+"', 'name="a/b"'),
    (r'name="\w+"', 'name=""'),
    (r"<worldbody>", '<asset><hfield name="h" nrow="100000" ncol="100000" size="1 1 1 1"/></asset><worldbody>'),
    (r"<worldbody>", '<worldbody><geom type="hfield" hfield="h"/>'),
    (r"<freejoint/>", '<freejoint/><geom type="hfield" hfield="h"/>'),
    (r"<freejoint/>", "<freejoint/><freejoint/>"),
    (r"<freejoint/>", '<joint type="slide" axis="1 0 0"/>'),
    (r"<freejoint/>", ""),
    (r"<freejoint/>", '<freejoint/><body name="b"><joint type="ball"/><geom type="sphere" size=".1"/></body>'),
    (r"<freejoint/>", "<freejoint/>" + "<body>" * 300),
    (r"<freejoint/>", "<freejoint/>" + '<body><joint/><geom type="sphere" size=".1"/>' * 120 + "</body>" * 120),
    (r"<freejoint/>", "<freejoint/>" + '<geom type="sphere" size=".1"/>' * 3000),
    (r'qpos="[^"]*"', 'qpos="0 0 0"'),
    (r'qpos="([^"]*)"', r'qpos="nan \1"'),
    (r'qpos="0 0 .3 1 0 0 0', 'qpos="0 0 .3 0 0 0 0'),
    (r'qpos="0 0 .3', 'qpos="0 0 1e300'),
    (r"<worldbody>", '<include file="/etc/passwd"/><worldbody>'),
    (r"<worldbody>", '<compiler meshdir="/etc" angle="x"/><worldbody>'),
    (r"<worldbody>", '<compiler meshdir="../.."/><worldbody>'),
    (r"<worldbody>", '<compiler settotalmass="1e-12"/><worldbody>'),
    (r"<worldbody>", '<default><default class="main"/></default><worldbody>'),
    (r"<worldbody>", '<equality><connect body1="trunk" body2="FL_calf" anchor="0 0 0"/></equality><worldbody>'),
    (r"<worldbody>", '<option gravity="nan 0 0" timestep="-1"/><worldbody>'),
    (r"^", '<!DOCTYPE x [<!ENTITY a "b">]>'),
    (r"</mujoco>", "</mujoco><mujoco/>"),
    (r"</mujoco>", ""),
    (r'fullinertia="[^"]*"', 'fullinertia="1 1 3 0 0 0"'),
    (r'fullinertia="[^"]*"', 'fullinertia="1 1 1 2 2 2"'),
    (r'kp="[^"]*"', 'kp="-1"'),
    (r'forcerange="[^"]*"', 'forcerange="5 -5"'),
    (r'forcerange="[^"]*"', 'forcerange="0 0"'),
    (r"<position ", "<muscle "),
)  # fmt: skip

GRAPH_WRONG = _by(
    (r"start: stand", "start: nobody"),
    (r"character: quadruped", "character: ../../etc/passwd"),
    (r"character: quadruped", "character: missing"),
    (r"character: quadruped", "character: [quadruped]"),
    (r"controllers/\w+\.yaml", "controllers/missing.yaml"),
    (r"controllers/\w+\.yaml", "../../../secret.yaml"),
    (r"controllers/\w+\.yaml", "characters/quadruped.xml"),
    (r"controllers/\w+\.yaml", "."),
    (r"keyframes: [\w/]+\.yaml", "script: controllers/walk.t"),
    (r"keyframes: [\w/]+\.yaml", "tracking: controllers/stand.yaml"),
    (r"kind: static", "kind: moving"),
    (r"kind: dynamic", "kind: static"),
    (r"cycles: \[\d+, \d+\]", "cycles: [5, 2]"),
    (r"cycles: \[\d+, \d+\]", "cycles: [0, 1e9]"),
    (r"cycles: \[\d+, \d+\]", "cycles: [.nan, 3]"),
    (r"tilt: \[[^]]*\]", "tilt: [1, 0]"),
    (r"tilt: \[[^]]*\]", "tilt: [.nan, .inf]"),
    (r"tilt: \[[^]]*\]", "nonsense: [0, 1]"),
    (r"tilt: \[[^]]*\]", "torso: [0, 1], balance: [0, 1]"),
    (r"&upright", "&upright &upright"),
    (r"\*upright", "*nowhere"),
    (r"success: \*upright", "success: &loop {a: *loop}"),
    (r"to: \w+", "to: nobody"),
    (r"to: \w+", "to: [stand, stand]"),
    (r"from: \[", "from: [nobody, "),
    (r"from: \[", "from: [" + "stand, " * 500),
    (r"- \{from: \[stand\], to: sit\}", "- {from: '*', to: '*'}"),
    (r"\n  tall:", "\n  stand:"),
    (r"\n  tall:", "\n  'a->b':"),
    (r"\nedges:", "\nnodes:"),
    (r"\nedges:", "\nedges: []\nedges2:"),
    (r"\nedges:", "\nbounds: {com_height: [1, 2], x: [0, 1]}\nplausible: {power: [3, 1]}\nedges:"),
)  # fmt: skip

FRAMES_WRONG = _by(
    (r"joints: \[", "joints: [nobody, "),
    (r"joints: \[FL_abduction, FL_hip", "joints: [FL_hip, FL_hip"),
    (r"  - \[[^]]*\]\n", "  - [0]\n"),
    (r"  - \[[^]]*\]\n", "  - []\n"),
    (r"  - \[0\.\d+, ", "  - [-1, "),
    (r"  - \[0\.\d+, ", "  - [1e9, "),
    (r"  - \[0\.\d+, ", "  - [.nan, "),
    (r"interpolation: \w+", "interpolation: magic"),
    (r"blend: [\d.]+", "blend: -1"),
    (r"blend: [\d.]+", "blend: 1e300"),
    (r"frames:\n", "frames: 3\nothers:\n"),
    (r"frames:\n", "gains: {kp: -1, kd: .inf, joints: {nobody: {kp: 1}}}\nframes:\n"),
    (r"frames:\n", "loop: maybe\nframes:\n"),
)  # fmt: skip

COURSE_WRONG = _by(
    (r"count: \d+", "count: 100000000"),
    (r"count: \d+", "count: 1.5"),
    (r"run: [\d.]+", "run: 0"),
    (r"rise: [\d.]+", "rise: 1e9"),
    (r"width: [\d.]+", "width: -1"),
    (r"amplitude: [\d.]+", "amplitude: 1e6"),
    (r"length: [\d.]+", "length: 1e12"),
    (r"after: \d+", "after: -1"),
    (r"after: \d+", "at: 0, after: 1"),
    (r"after: \d+, ", ""),
    (r"stairs: \{", "gap: {width: 1}, stairs: {"),
    (r"obstacles:\n", "random: {seed: -1, length: 1e9, kinds: [moon]}\nobstacles:\n"),
    (r"^[\s\S]*$", "random: {seed: 1, length: 100, kinds: [stairs, gap]}\n"),
    (r"^[\s\S]*$", "random: {seed: 99999999999999999999}\n"),
    (r"^[\s\S]*$", "{}\n"),
    (r"^[\s\S]*$", "obstacles: [" + "{after: 1, gap: {width: .1}}, " * 2000 + "]\n"),
)  # fmt: skip

TERRAIN_WRONG = _by(
    (r"^.*$", "rough=1e9"),
    (r"^.*$", "rough=0.5 hills=2 seed=9223372036854775807"),
    (r"^.*$", "hills=nan"),
    (r"^.*$", "bank=90"),
    (r"^.*$", "bank=2 stairs=1:3:0.3:0.05"),
    (r"^.*$", "block=" + ",".join(["1:1:1:1:1"] * 600)),
    (r"^.*$", "block=1:1:0:0:0"),
    (r"^.*$", "block=1e9:1:1:1:1:400"),
    (r"^.*$", "block=1:1:1:1:nan"),
    (r"^.*$", "stairs=1:100000000:0.3:0.1"),
    (r"^.*$", "slope=4 slope=5"),
    (r"^.*$", "seed=" + "9" * 400),
    (r"^.*$", "heights=" + ",".join(f"{i}:0" for i in range(20_000))),
    (r"^.*$", "random:1:1e12"),
    (r"^.*$", "missing.yaml"),
    (r"^.*$", "../../secret.yaml"),
)  # fmt: skip

ROLES = "roles: {trunk: trunk, feet: [FL_calf, FR_calf, RL_calf, RR_calf]}\ngains: {kp: 60, kd: 3}\n"
ROLES_WRONG = _by(
    (r"trunk: trunk", "trunk: nobody"),
    (r"trunk: trunk", "trunk: [trunk]"),
    (r"trunk: trunk", "legs: [{name: a, hip: [], knee: x, foot: trunk}]"),
    (r"trunk: trunk", "legs: [{name: a, hip: [FL_abduction], knee: FR_knee, foot: RL_calf}]"),
    (r"trunk: trunk", "spine: [FL_knee], neck: [FL_knee], tail: [nobody]"),
    (r"FL_calf", "FL_hip"),
    (r"FL_calf, FR_calf", "FL_calf, FL_calf"),
    (r"gains: .*", "gains: {kp: -1, kd: .nan, joints: {nobody: {kp: 1, kd: 1}}}"),
    (r"gains: .*", "torque: {FL_knee: [5, 1], nobody: [1, 2], FR_knee: 0}"),
    (r"gains: .*", "aliases: {FL_knee: FR_knee, a/b: trunk}\npairs: [[FL_knee, FL_knee]]"),
)  # fmt: skip


def _stl(rng: random.Random, triangles: int) -> bytes:
    """Return a binary STL file."""
    points = np.random.default_rng(rng.randrange(2**32)).uniform(-0.1, 0.1, (triangles, 9)).astype("<f4")
    rows = np.zeros((triangles, 50), np.uint8)
    rows[:, 12:48] = points.view(np.uint8)
    return b"\0" * 80 + triangles.to_bytes(4, "little") + rows.tobytes()


def _mesh_bytes(rng: random.Random) -> tuple[str, bytes]:
    """Return the name and the bytes of a mesh file, which are mostly not valid."""
    if rng.random() < 0.5:
        return "box.obj", mutated(BOX, rng, (NUMBERS, NUMBERS, NAMES, yaml_files.scrambled))
    data = bytearray(_stl(rng, rng.choice([1, 3, 60])))
    for _ in range(rng.choice([0, 1, 3])):
        data[rng.randrange(80, len(data))] = rng.choice((0, 127, 255))
    if rng.random() < 0.3:
        del data[rng.randrange(len(data)) :]
    return "box.stl", bytes(data)


# --- the project ---


@cache
def project_directory() -> Path:
    """Return a copy of the shipped project beside a secret, with links out of it; one for each process."""
    above = Path(tempfile.mkdtemp(prefix="ctrlgraph-fuzz-")).resolve()
    atexit.register(shutil.rmtree, above, ignore_errors=True)
    directory = above / "project"
    shutil.copytree(SHIPPED, directory)
    (above / "secret.yaml").write_text(f"{SECRET}: [\n")
    (above / "secret.obj").write_text(f"{BOX}# {SECRET}\n")
    characters = directory / "characters"
    (characters / "link.obj").symlink_to(above / "secret.obj")
    os.mkfifo(characters / "pipe.stl")
    with open(characters / "huge.stl", "wb") as file:
        file.truncate(26_000_000)
    yaml_files.project_directory()  # watches the files that are opened
    yaml_files.allow(directory)
    return directory


def _restore() -> None:
    directory = project_directory()
    for name in ("graph.yaml", "controllers/hop.yaml"):
        shutil.copy(SHIPPED / name, directory / name)
    characters = directory / "characters"
    for name in ("dog.yaml", "dog.xml", "dog.roles.yaml"):
        (characters / name).unlink(missing_ok=True)
    (characters / "box.obj").write_text(BOX)
    (characters / "box.stl").write_bytes(_stl(random.Random(1), 2))


# --- cases ---


def _changed(text: str, rng: random.Random, wrong: list[Change], others: tuple[Change, ...]) -> bytes:
    """Return another text: with one or two changes that are wrong on purpose, or with random ones."""
    data = original = text.encode("utf-8")
    while data == original:
        if rng.random() < 0.5:
            changed = rng.choice([*wrong, NUMBERS, NUMBERS, NAMES])(text, rng)
            changed = changed if rng.random() < 0.7 else rng.choice([*wrong, NUMBERS, NAMES])(changed, rng)
            data = changed.encode("utf-8", "surrogatepass")
        else:
            data = mutated(text, rng, others)
    return data


KINDS = ("character", "model", "model", "roles", "mesh", "graph", "key frames", "course", "terrain")


def case(kind: str, rng: random.Random) -> tuple[dict[str, bytes], list[str]]:
    """Return the files of a case by name, and the words of the command that reads them."""
    yaml_changes = tuple(yaml_files.CHANGES)
    if kind == "character":
        return {"characters/dog.yaml": _changed(rng.choice([QUADRUPED, ARM]), rng, YAML_WRONG, yaml_changes)}, [
            "check", "characters/dog.yaml"
        ]  # fmt: skip
    if kind == "model":
        text = rng.choice([MESHED, MESHED, (SHIPPED / "characters/quadruped.xml").read_text()])
        return {"characters/dog.xml": _changed(text, rng, XML_WRONG, mjcf_files.CHANGES)}, [
            "check",
            "characters/dog.xml",
        ]
    if kind == "roles":
        data = _changed(ROLES, rng, ROLES_WRONG, yaml_changes)
        return {"characters/dog.xml": MESHED.encode(), "characters/dog.roles.yaml": data}, [
            "check",
            "characters/dog.xml",
        ]
    if kind == "mesh":
        name, data = _mesh_bytes(rng)
        inertia = rng.choice(("convex", "exact", "legacy", "shell"))
        text = rng.choice([MESHED, MESHED, HEAVY]).replace("<mesh name", f'<mesh inertia="{inertia}" name')
        return {"characters/dog.xml": text.encode(), f"characters/{name}": data}, ["check", "characters/dog.xml"]
    if kind == "graph":
        text = (SHIPPED / "graph.yaml").read_text()
        return {"graph.yaml": _changed(text, rng, GRAPH_WRONG, yaml_changes)}, ["check"]
    if kind == "key frames":
        text = (SHIPPED / "controllers/hop.yaml").read_text()
        return {"controllers/hop.yaml": _changed(text, rng, FRAMES_WRONG, yaml_changes)}, ["check"]
    run = ["run", "stand", "--seconds", "0.02", "--engine", "mujoco", "--with"]
    if kind == "course":
        return {"course.yaml": _changed(COURSE, rng, COURSE_WRONG, yaml_changes)}, [*run, "terrain=course.yaml"]
    text = _changed(rng.choice(TERRAINS), rng, TERRAIN_WRONG, (NUMBERS, NAMES, yaml_files.scrambled))
    return {}, [*run, f"terrain={text.decode('utf-8', 'replace')}".replace("\0", "")[:100_000]]


def attempt(seed: int, number: int) -> Verdict:
    """Try the case of this number; the kinds alternate."""
    return run(KINDS[number % len(KINDS)], random.Random(f"{seed} {number}"))


def run(kind: str, rng: random.Random) -> Verdict:
    """Run the command of a case, and simulate and draw the character if it is accepted."""
    directory = project_directory()
    _restore()
    files, words = case(kind, rng)
    for name, data in files.items():
        (directory / name).write_bytes(data)
    material = {**files, "words": " ".join(words).encode()}
    opened_outside()
    code, said, began = -1, "", time.process_time()
    try:
        with contextlib.chdir(directory):
            code, said = command(words)
            broken = broken_law(code, said, words)
            if not broken and code == 0 and words[-1].startswith("characters/"):
                simulated(directory / words[-1])
    except Exception:
        broken = traceback.format_exc(limit=-6)[-3000:]
    outside, took = opened_outside(), time.process_time() - began
    broken = broken or (f"opened {outside}" if outside else "") or (f"took {took:.1f} s" if took > LONGEST_S else "")
    outcome = (
        "refused"
        if code and not said.startswith(_RAN)
        else "accepted with a warning"
        if ": warning: the mesh" in said
        else "accepted"
    )
    return Verdict(f"{kind}: {'broken' if broken else outcome}", broken or None, material)


def command(words: list[str]) -> tuple[int, str]:
    """Run a command line in this process; return its exit code and all that it prints."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), warnings.catch_warnings():
        warnings.simplefilter("error")
        code = main(words)
    return code, said.getvalue()


_RAN = "stand: "
"""Beginning of what a command prints that has run the motion, even if it has failed on the ground."""
_PLACE = re.compile(r"^\S.*?(:\d+:\d+)?: error: \S", re.MULTILINE)


def broken_law(code: int, said: str, words: list[str]) -> str:
    """Return which law the end of a command breaks, or an empty text."""
    if code not in (0, 1) or "Traceback" in said:
        return f"ended with {code}: {said[-3000:]}"
    if SECRET in said:
        return f"shows a line from outside the project: {said[:500]}"
    if len(said) > LONGEST_TEXT:
        return f"prints {len(said)} characters: {said[:300]}"
    if printable(said) != said:
        return f"prints control characters: {said[:500]!r}"
    if code == 0:
        return ""
    if words[0] == "run" and (said.startswith(_RAN) or said.startswith("error: ")):
        return ""  # a text on the command line has no place in a file
    return "" if _PLACE.search(said) else f"has no error with a place: {said[:500]}"


def simulated(path: Path) -> None:
    """Draw a character, and simulate it for 20 steps on each engine. An error about it is a sentence."""
    character = load_character(path)
    if not isinstance(character, SpatialCharacter):
        return
    SpatialFigure.of(character)
    joints = len(character.joints)
    gains = np.array([(joint.kp, joint.kd) for joint in character.joints])
    start = np.zeros(joints) if character.start_pose is None else np.array(character.start_pose.angles)
    hold = new_keyframes(
        "hold", character.joint_names, np.arange(joints), np.zeros(1), start[None], gains, duration=1.0
    )
    for engine in ("ode", "mujoco"):
        try:
            with Simulation(character, engine=engine) as simulation:
                simulation.run(hold, timeout=0.04)
        except CtrlGraphError as error:
            if not str(error) or "\n" in str(error):
                raise AssertionError(f"no sentence: {str(error)[:300]!r}") from None
