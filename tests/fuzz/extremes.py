"""Extreme but valid input for simulations: scripts, bodies, grounds, worlds and disturbances at their bounds."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

Rng = np.random.Generator

HUMANOID_JOINTS = ("waist", "rShoulder", "lElbow", "rHip", "lHip", "rKnee", "lKnee", "rAnkle", "lAnkle", "rWrist")
HUMANOID_PARTS = ("head", "uTorso", "pelvis", "rHand", "lForearm", "rThigh", "lShin", "rFoot", "lFoot")

# The language's bounds (docs/reference/language.md, "What is checked"), their neighbourhoods, and what is usual.
GAINS = (0, 1e-12, 30, 300, 1e4, 1e6)
ANGLES = (0, 1e-12, 0.5, -0.5, 3.14159265358979, -7, 100, -100)
FORCES = (0, 1e-9, 500, -500, 1e6, -1e6)
TIMES = (0, 1e-12, 1e-5, 0.01, 0.1, 0.5, 3600)
LENGTHS = (0, 1e-9, 0.3, -0.5, 1e4, -1e4)
FEEDBACKS = (0, 0.2, -2, 3000, 1e6, -1e6)
SPEEDS = (0, 1, 100, -100)
TOLERANCES = (0, 1e-12, 0.01, 1e3)
MOST_YIELDING = 1e8  # as ctrlgraph.character.conditioning has it
TORQUE_LIMITS = (1e-9, 1, 370, 1e5)


@dataclass(frozen=True)
class Case:
    """One simulation: all that it needs, as plain data.

    scripts: texts by file name, `main.t` is run; character: text of a character file, None for the shipped
    humanoid; pushes: rows of start, duration, link, x, y; noise: (samples, seed, share) of torque noise.
    """

    kind: str
    scripts: dict[str, str]
    engine: str = "ode"
    character: str | None = None
    terrain: str = "flat"
    friction: float = 1.0
    settings: dict[str, Any] = field(default_factory=dict)
    pushes: tuple[tuple[float, float, str, float, float], ...] = ()
    noise: tuple[int, int, float] | None = None
    delay: float = 0.0
    pose: dict[str, float] = field(default_factory=dict)
    bounds: dict[str, tuple[float, float]] = field(default_factory=dict)
    cycles: int = 1
    steps: int = 400


def case(seed: int, number: int) -> Case:
    """The case of this number: the same for the same seed. Each kind comes on one engine and then on the other."""
    rng = np.random.default_rng([seed, number])
    kind = KINDS[number % len(KINDS)]
    made = _MAKERS[kind](rng)
    if number // len(KINDS) % 2 == 0:
        return made
    return replace(made, engine="mujoco", settings=_of_mujoco(made.settings, rng) if made.settings else {})


def _of_mujoco(settings: dict[str, Any], rng: Rng) -> dict[str, Any]:
    """Settings that all engines have, and some of MuJoCo's at their bounds."""
    common = {name: settings[name] for name in ("dt", "solver", "iterations", "gravity")}
    return common | {
        "cone": _pick(rng, ("pyramidal", "elliptic")),
        "contact_time": float(_pick(rng, (1e-300, 1e-6, 0.005, 1, 1e5))),
        "contact_damping": float(_pick(rng, (1e-300, 1, 1e5))),
        "impedance": float(_pick(rng, (1e-300, 0.5, 0.95))),
        "impedance_width": float(_pick(rng, (1e-300, 0.001, 1e5))),
    }


def _pick(rng: Rng, values: Any) -> Any:
    return values[int(rng.integers(len(values)))]


def _number(rng: Rng, values: Any) -> str:
    """One of the values, or one between the outermost, as a script spells it."""
    value = float(_pick(rng, values))
    if rng.random() < 0.3:
        value *= float(rng.random())
    return f"{value:.17g}"


def _action(rng: Rng, joints: Any, parts: Any) -> str:
    first, part, base = int(rng.integers(len(joints))), _pick(rng, parts), _pick(rng, joints)
    joint, other = joints[first], joints[first - 1]  # another one, where there are two: none matches itself
    gains = f", {_number(rng, GAINS)}, {_number(rng, GAINS)}" if rng.random() < 0.8 else ""
    angle, time = _number(rng, ANGLES), _number(rng, TIMES)
    x, y = _number(rng, LENGTHS), _number(rng, LENGTHS)
    over = _pick(rng, (f"part {part}", f"joint {other}", "cop", "copf"))
    match int(rng.integers(9)):
        case 0:
            return f"POSE {joint}({angle}{gains});"
        case 1:
            return f"LIPOSE {joint}({angle}{gains}).time({time});"
        case 2 if joint != other:
            return f"MATCH {joint}.to({other}{gains}).time({time});"
        case 3:
            cd, cv = _number(rng, FEEDBACKS), _number(rng, FEEDBACKS)
            return f"POSEFB {joint}({cd}, {cv}).on({_pick(rng, (f'part {part}', f'joint {other}'))});"
        case 4:
            flags = ".flags(s)" if rng.random() < 0.3 else ""
            before = f"COMFB2 {_feedback(rng)} {_feedback(rng)} p {part}\n      " if rng.random() < 0.3 else ""
            return f"{before}VPD {part}({angle}{gains}).joint({joint}){flags};"
        case 5:
            return f"VF ({_number(rng, FORCES)}, {_number(rng, FORCES)}, 0).on({part}).by({base});"
        case 6:
            where, tolerance = _pick(rng, ("local", "global")), _number(rng, TOLERANCES)
            return f"IK {part}.target {where} ({x}, {y}, 0).base({base}).tolerance({tolerance});"
        case 7:
            return f"VFFB {part}({_number(rng, FEEDBACKS)}, {_number(rng, FEEDBACKS)}).by({base}).over({over});"
        case _:
            return f"VFSFB {part}({_number(rng, FEEDBACKS)}).by({base}).speed({_number(rng, SPEEDS)});"


def _feedback(rng: Rng) -> str:
    """An operand of COMFB2: a sign and a number, without arithmetic."""
    return _number(rng, FEEDBACKS)


def _transition(rng: Rng, target: int, part: str) -> str:
    condition = _pick(
        rng,
        (
            f"time {_number(rng, TIMES)}",
            "time 0",
            "complete",
            f"contact {part}",
            f"nocontact {part}",
            f"stable {_number(rng, TOLERANCES)}",
            f"fallen x {abs(float(_pick(rng, ANGLES))):g}",
            "anglerange -100 100",
        ),
    )
    return f"TRANSITION to({target}).after({condition});"


def script(rng: Rng, name: str, joints: Any, parts: Any, callee: str | None = None) -> str:
    """A valid script of random phases; one of its phases calls `callee`."""
    phases = int(_pick(rng, (1, 2, 3, 5, 8, 8, 1000)))
    lines = [f"SET TORQUELIMIT = {_number(rng, TORQUE_LIMITS[1:])}"] if rng.random() < 0.5 else []
    lines.append(f"BEGINSCRIPT {name}(void)")
    calling = int(rng.integers(phases)) if callee else -1
    for phase in range(phases):
        lines.append(f"  PHASE {phase}")
        if phase == calling:
            lines.append(f"    > {callee}.t();")
        else:
            actions = [_action(rng, joints, parts) for _ in range(int(rng.integers(1, 8 if phases < 100 else 2)))]
            lines += ["    ACTIONS", *(f"      {action}" for action in actions), "    ENDACTIONS"]
        # onward, round in a circle, or out: circles of no time at all are what is looked for
        targets = (phase + 1 if phase + 1 < phases else 0, int(rng.integers(phases)), -1)
        for target in targets[: int(rng.integers(1, 4))]:
            lines.append(f"    {_transition(rng, target, _pick(rng, parts))}")
        lines.append("  ENDPHASE")
    return "\n".join([*lines, "ENDSCRIPT", ""])


def scripts(rng: Rng, joints: Any = HUMANOID_JOINTS, parts: Any = HUMANOID_PARTS) -> dict[str, str]:
    """`main.t` and, often, a script that it calls."""
    callee = "inner" if rng.random() < 0.4 else None
    texts = {"main.t": script(rng, "main", joints, parts, callee)}
    return texts | ({"inner.t": script(rng, "inner", joints, parts)} if callee else {})


def _steps(rng: Rng) -> int:
    return int(_pick(rng, (1, 2, 50, 400, 1500)))


def _of_script(rng: Rng) -> Case:
    pose = {}
    if rng.random() < 0.3:  # most of these throw the body apart at once
        pose = {joint: float(rng.uniform(-7, 7)) for joint in HUMANOID_JOINTS[1:] if rng.random() < 0.3}
    return Case("script", scripts(rng), pose=pose, cycles=int(_pick(rng, (1, 2, 10**6))), steps=_steps(rng))


def character(rng: Rng) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """A character file at the validator's bounds, and its joints and parts.

    Of five characters four are such as the engine takes, often only just; the fifth is not looked after.
    """
    count, wild = int(_pick(rng, (2, 3, 6, 17, 30, 100))), rng.random() < 0.2
    heavy, long = float(_pick(rng, (1, 1e2, 1e4))), float(_pick(rng, (1e-3, 0.3, 3, 100)))
    lines = ["name: odd", "links:"]
    places, reaches = [np.zeros(2)], []
    joints = ["joints:"]
    for i in range(count):
        mass = min(heavy * 10 ** float(rng.uniform(-6, 0)), 1e4)
        size = np.minimum(long * 10 ** rng.uniform(-3, 0, 2), 1e4)
        if not wild:
            size *= max(1.0, float(np.sqrt(12 / mass / MOST_YIELDING / (size**2).sum())) * 1.01)
        reaches.append(float(np.sqrt(max(0.9 * MOST_YIELDING - 1 / mass, 0) * mass * (size**2).sum() / 12)))
        if i > 0:
            joints.append(_joint(rng, i, places, reaches, np.inf if wild else 1.0, long))
        radius = float(min(long * 10 ** rng.uniform(-3, 0), 10.0))
        circles = [[0.0, float(max(-size[0] / 2, -100.0)), radius]] * int(rng.integers(0, 4))
        lines.append(
            f"  {_part(i)}: {{mass: {mass:.17g}, size: [{size[0]:.17g}, {size[1]:.17g}],"
            f" at: [{places[i][0]:.17g}, {places[i][1]:.17g}], contacts: {circles}}}"
        )
    names = tuple(f"j{i}" for i in range(1, count))
    # as far as the links go, so that measures find feet and trunk
    known = [f"{role}: {_part(i)}" for role, i in (("trunk", 0), ("head", 3)) if i < count]
    known += [
        f"{role}: [{', '.join(map(_part, some))}]"
        for role, some in (("feet", (1, 2)), ("hands", (5,)))
        if some[-1] < count
    ]
    joints.append(f"roles: {{{', '.join(known)}}}")
    return "\n".join([*lines, *joints]) + "\n", names, tuple(map(_part, range(count)))


def _joint(rng: Rng, child: int, places: list[Any], reaches: list[float], care: float, long: float) -> str:
    """A joint between a link and one before it; puts the link at its place."""
    parent = int(rng.integers(child))

    def near(place: Any, reach: float) -> Any:
        if rng.random() < 0.2:
            return place
        angle, far = rng.uniform(-np.pi, np.pi), min(long, reach * care) * float(_pick(rng, (1, rng.random())))
        return np.clip(place + far * np.array([np.cos(angle), np.sin(angle)]), -100, 100)

    at = near(places[parent], reaches[parent])
    places.append(near(at, reaches[child]))
    lower, upper = -float(_pick(rng, (0, 1e-9, 1, 7))), float(_pick(rng, (1e-9, 1, 7)))
    (limit, hard), (back, hard_back) = _torques(rng), _torques(rng)
    torque = f"[{limit!r}, {hard!r}]"
    if rng.random() < 0.5:
        torque = f"{{limit: [{-back!r}, {limit!r}], hard: [{-hard_back!r}, {hard!r}]}}"
    gains = f"gains: {{kp: {_number(rng, GAINS)}, kd: {_number(rng, GAINS)}}}"
    return (
        f"  j{child}: {{parent: {_part(parent)}, child: {_part(child)}, at: [{at[0]:.17g}, {at[1]:.17g}],"
        f" limits: [{lower!r}, {upper!r}], torque: {torque}, {gains}}}"
    )


def _torques(rng: Rng) -> tuple[float, float]:
    """A default and a hard torque limit of one direction."""
    limit = float(_pick(rng, (1e-9, 100, 1e4)))
    return limit, float(_pick(rng, (limit, 1e4)))


def _part(i: int) -> str:
    return ("uTorso", "rFoot", "lFoot", "head", "pelvis", "rHand")[i] if i < 6 else f"link{i}"


def _of_character(rng: Rng) -> Case:
    text, joints, parts = character(rng)
    return Case("character", scripts(rng, joints, parts), character=text, steps=_steps(rng))


def terrain(rng: Rng) -> str:
    """The words of --terrain at their bounds."""
    match int(rng.integers(4)):
        case 0:
            return f"slope={_pick(rng, (60, -60, 45.5, 1e-300, -8))}"
        case 1:
            gaps = (float(_pick(rng, (0.06, 0.3, 1, 300))) for _ in range(int(rng.integers(1, 30))))
            rows = [
                f"{x - 1:.17g}:{_pick(rng, (1e-9, 0.05))}:{_pick(rng, (1e-9, 0.1, 100))}"
                for x in itertools.accumulate(gaps)
            ]
            return f"box={','.join(rows)}"
        case 2:
            run, rise = _pick(rng, (1e-9, 0.3, 9)), _pick(rng, (1e-9, 0.2, -0.2, 1e6, -1e6))
            return f"stairs={_pick(rng, (-9, 0.2, 900))}:{_pick(rng, (1, 30, 1000))}:{run}:{rise}"
        case _:
            xs = np.sort(rng.uniform(-5, 5, int(_pick(rng, (1, 2, 50, 2000)))))
            tall = float(_pick(rng, (0, 1e-9, 0.3, 50, 1e308)))
            return "heights=" + ",".join(f"{x:.17g}:{tall * rng.uniform(-1, 1):.17g}" for x in xs)


def _of_terrain(rng: Rng) -> Case:
    friction = float(_pick(rng, (0, 1e-300, 1, 10)))
    return Case("terrain", scripts(rng), terrain=terrain(rng), friction=friction, steps=_steps(rng))


def _of_push(rng: Rng) -> Case:
    rows = []
    for _ in range(int(_pick(rng, (0, 1, 3, 200)))):
        angle, force = float(rng.uniform(-4, 4)), float(_pick(rng, (0, 1e-9, 500, 99999)))
        when = float(_pick(rng, (0, 0.01, 0.1, -1, 1e300))), float(_pick(rng, (1e-12, 0.1, 1e308)))
        link = _pick(rng, HUMANOID_PARTS)
        rows.append((*when, link, float(force * np.cos(angle)), float(force * np.sin(angle))))
    noise = (int(_pick(rng, (1, 2, 40))), int(rng.integers(2**31)), float(_pick(rng, (0.1, 2, 1e308))))
    delay = float(_pick(rng, (0, 1e-9, 0.003, 0.5)))
    bounds = {"torso": (-0.5, 0.5), "com_height": (0.5, 1.2)} if rng.random() < 0.4 else {}
    return Case(
        "push",
        scripts(rng),
        pushes=tuple(rows),
        noise=noise if rng.random() < 0.7 else None,
        delay=delay,
        bounds=bounds,
        steps=_steps(rng),
    )


def _of_world(rng: Rng) -> Case:
    settings = {
        "dt": float(_pick(rng, (1e-5, 1e-4, 0.002, 0.01, 0.02))),
        "solver": _pick(rng, ("exact", "quick")),
        "iterations": int(_pick(rng, (1, 50, 1000))),
        "gravity": float(_pick(rng, (0, 1e-9, 9.81, 50, 1e6, -9.81))),
        "erp": float(_pick(rng, (0, 0.2, 1))),
        "cfm": float(_pick(rng, (0, 1e-9, 1))),
        "contact_erp": float(_pick(rng, (0, 0.2, 1))),
        "contact_cfm": float(_pick(rng, (0, 1e-5, 1))),
        "pins": _pick(rng, ("distances", "balls", "hinges")),
        "friction_rows": int(_pick(rng, (1, 2))),
        "friction": _pick(rng, ("cone", "box")),
    }
    return Case("world", scripts(rng), settings=settings, steps=min(_steps(rng), 400))


def _of_everything(rng: Rng) -> Case:
    """An extreme character in an extreme world on an extreme ground."""
    text, joints, parts = character(rng)
    world = _of_world(rng)
    return Case(
        "everything",
        scripts(rng, joints, parts),
        character=text,
        terrain=terrain(rng),
        friction=float(_pick(rng, (0, 1, 10))),
        settings=world.settings,
        pushes=((0.0, 1e3, parts[0], float(_pick(rng, (99999, -99999, 1))), 0.0),),
        delay=float(_pick(rng, (0, 0.5))),
        steps=min(_steps(rng), 400),
    )


_MAKERS = {
    "script": _of_script,
    "character": _of_character,
    "terrain": _of_terrain,
    "push": _of_push,
    "world": _of_world,
    "everything": _of_everything,
}
KINDS = tuple(_MAKERS)
