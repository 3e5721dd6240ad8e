"""Mutated MuJoCo models, with files of roles beside them, through the reader and the writer.

The laws: an invalid model raises a CtrlGraphError whose findings lie inside the text and are printable and short; an
accepted model is a character that can be written and read back unchanged; no file outside the project is opened; each
file takes at most seconds.
"""

from __future__ import annotations

import math
import random
import re
import warnings
from functools import cache
from pathlib import Path

from fuzz.harness import Limits, Verdict
from fuzz.yaml_files import judged, mutated, project_directory, scrambled, text_of
from planar_models import GYMNASIUM

from ctrlgraph.character.mjcf import check_mjcf, load_mjcf, parse_mjcf, write_mjcf, write_sidecar
from ctrlgraph.character.model import Character
from ctrlgraph.character.yaml_reader import load_character

COUNT = 20_000
LIMITS = Limits(memory=6 << 30)
LONGEST_S = 5.0
ROOT = Path(__file__).resolve().parents[2]

MODELS = ROOT / "tests" / "data" / "models"

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
_NO_LINE_END = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")  # line ends in Python and YAML, not in XML
_TAG = re.compile(r"<[^<>]+>")


@cache
def samples() -> list[tuple[str, str]]:
    """Return valid models with their files of roles."""
    humanoid = load_character(ROOT / "characters" / "humanoid.yaml")
    of_others = [(GYMNASIUM / name).read_text(encoding="utf-8") for name in ("hopper.xml", "half_cheetah.xml")]
    rich = tuple((MODELS / name).read_text(encoding="utf-8") for name in ("rich.xml", "rich.roles.yaml"))
    return [rich, rich, (write_mjcf(humanoid), write_sidecar(humanoid)), *((text, "pairs: []\n") for text in of_others)]


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
    """Copy an attribute from elsewhere."""
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
    """Repeat or remove a part."""
    first, second = sorted((_found(_TAG, text, rng)[0], _found(_TAG, text, rng)[1]))
    return _put(text, (first, second), text[first:second] * rng.choice([0, 2, 2, 3]))


CHANGES = (_value, _value, _value, _digit, _digit, _borrowed, _without, _element, _element, _block, scrambled)


# --- laws ---


def broken_character(character: Character) -> str:
    """Return which law an accepted character breaks, or an empty text."""
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
    """Try the case of this number."""
    return run(random.Random(f"{seed} {number}"))


def run(rng: random.Random) -> Verdict:
    """Read a mutated model, or sometimes a model with a mutated file of roles."""
    path = project_directory() / "characters" / "fuzzed.xml"
    roles = path.with_suffix(".roles.yaml")
    model, beside = rng.choice(samples())
    data = model.encode() if (of_roles := rng.random() < 0.1) else mutated(model, rng, CHANGES)
    path.write_bytes(data)
    roles.write_bytes(mutated(beside, rng) if of_roles else beside.encode())

    def read() -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            broken = broken_character(load_mjcf(path))
            if any(finding.severity == "error" for finding in check_mjcf(path)):
                broken = broken or "checked otherwise than loaded"
            return broken

    outcome, broken = judged(read, path, _NO_LINE_END.sub(".", text_of(data)), LONGEST_S)
    return Verdict(outcome, broken or None, {"fuzzed.xml": data, "fuzzed.roles.yaml": roles.read_bytes()})
