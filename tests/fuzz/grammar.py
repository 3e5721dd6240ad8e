"""Scripts made up by a grammar: mostly right, so that checker, compiler and formatter are reached."""

from __future__ import annotations

from random import Random

_JOINTS = "neck2head waist rShoulder lShoulder rElbow rHip lHip rKnee lKnee rAnkle lAnkle lTorso2uTorso bHip bKnee"
JOINTS = _JOINTS.split()
PARTS = ["head", "uTorso", "pelvis", "rHand", "lFoot", "rFoot", "rThigh", "lThigh", "lShin", "bHand"]
MEASURES = ["flight", "torso", "com_height", "com_speed", "feet_contact", "no_such_measure"]
CALLS = {"walk": 0, "stand": 2, "squat": 1, "hop": 0, "missing": 1}


class Maker:
    """Makes one script."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._parameters = random.sample(["dt", "a", "b", "time", "x"], random.randint(0, 3))

    def script(self) -> str:
        """The whole text."""
        random = self._random
        count = random.choice((1, 1, 2, 3, 5, 20))
        numbers = random.sample(range(count + 5), count) if random.random() < 0.3 else list(range(count))
        phases = [self._phase(number, numbers) for number in numbers]
        prelude = random.choice(("", "", "SCRIPTS walk.t, stand.s;", f"SET TORQUELIMIT = {self._value()};"))
        success = self._successes() if random.random() < 0.4 else []
        header = f"BEGINSCRIPT made({', '.join(self._parameters) or 'void'})"
        return "\n".join([prelude, *success, header, *phases, "ENDSCRIPT  # end"])

    def _successes(self) -> list[str]:
        """What the script says of its own success: a measure now and then that there is not, an end open or both, a
        range now and then empty or said twice."""
        random = self._random
        lines = []
        for measure in random.choices(MEASURES, k=random.randint(1, 4)):
            ends = [f"{random.uniform(-1, 2):.{random.randint(0, 3)}f}" if random.random() < 0.8 else "" for _ in "lh"]
            lines.append(f"SET SUCCESS {measure} = {':'.join(ends)}{random.choice(('', '', ';'))}")
        return lines

    def _phase(self, number: int, numbers: list[int]) -> str:
        random = self._random
        target = random.choice([*numbers, -1, -1])
        ends = [f"TRANSITION to({target}).after({self._condition()});" for _ in range(random.randint(0, 3))]
        kind = random.random()
        if kind < 0.15:
            stem = random.choice(list(CALLS))
            extension, mirrored = random.choice(("", ".t", ".s")), random.choice(("", "", ".mirrored"))
            body = [f"> {stem}{extension}({self._values(CALLS[stem])}){mirrored};"]
        elif kind < 0.25:
            body = [random.choice(("SAVE here;", "LOAD here;", "SAVE a.b;"))]
        else:
            body = ["ACTIONS", *(self._action() for _ in range(random.randint(0, 6))), "ENDACTIONS"]
        members = [*body, *ends] if random.random() < 0.7 else [*ends, *body]
        return "\n".join([f"PHASE {number}", *members, "ENDPHASE"])

    def _action(self) -> str:
        random = self._random
        joint, other, part = random.choice(JOINTS), random.choice(JOINTS), random.choice(PARTS)
        pd = random.choice((self._value(), f"{self._value()}, {self._value(100)}, {self._value(10)}"))
        point = random.choice((f"part {part}", f"joint {joint}", part))
        return random.choice(
            [
                f"POSE {joint}({pd}), {other}({pd});",
                f"LIPOSE {joint}({pd}).time({self._value()});",
                f"MATCH {joint}.to({other});",
                f"MATCH {joint}.to({other}, 300, 30).time({self._value()});",
                f"POSEFB {joint}({self._value()}, {self._value()}).on({point});",
                f"VPD {part}({pd}).joint({joint});",
                f"COMFB2 .1 -0.2 j {other}\nVPD {part}({pd}).joint({joint}).flags(s);",
                f"VF ({self._value(500)}, {self._value(500)}, 0).on({part}).by({joint});",
                f"IK {part}.target{random.choice((' local', ' global', '_local', 'global'))}"
                f"({self._value()}, {self._value()}).base({joint});",
                f"VFFB {part}({self._value(1000)}, {self._value(100)}).by({joint})"
                f".over({random.choice(('cop', 'copf', point))});",
                f"VFHFB {part}({self._value(1000)}, {self._value(100)}).by({joint}).height({self._value()});",
                f"VFSFB {part}({self._value(100)}).by({joint}).speed({self._value()});",
            ]
        )

    def _condition(self) -> str:
        random = self._random
        kind = random.random()
        if kind < 0.1:
            return f"{self._condition()} {random.choice(('and', 'or'))} {self._condition()}"
        if kind < 0.15:
            return f"not ({self._condition()})"
        return random.choice(
            [
                f"time {self._value()}",
                f"{random.choice(('contact', 'nocontact'))} {random.choice(PARTS)}",
                f"stable {self._value(0.01)}",
                f"fallen {random.choice('<>x')} {self._value()}",
                f"anglerange {-abs(random.random()):.2f} {random.random():.2f}",
                f"iterations {random.randint(1, 5)}",
                f"when {self._value()} {random.choice(('<', '>', '<=', '>='))} {self._quantity()}",
                "complete",
            ]
        )

    def _quantity(self) -> str:
        random = self._random
        joint, part = random.choice(JOINTS[:-2]), random.choice(PARTS[:-1])
        of_joint, of_part = random.choice(("angle", "velocity")), random.choice(("x", "height", "orientation", "load"))
        return random.choice((f"{of_joint}({joint})", f"{of_part}({part})", "com_height", "com_vx", "phase_time"))

    def _values(self, count: int) -> str:
        return ", ".join(self._value() for _ in range(count)) or "void"

    def _value(self, size: float = 1.0, depth: int = 0) -> str:
        random = self._random
        kind = random.random()
        if kind < 0.15 and self._parameters:
            return random.choice(self._parameters)
        if kind < 0.25 and depth < 4:
            operator = random.choice("+-*/")
            return f"({self._value(size, depth + 1)} {operator} {self._value(size, depth + 1)})"
        if kind < 0.3 and depth < 4:
            return f"-{self._value(size, depth + 1)}"
        if kind < 0.35:
            return self._quantity()
        number = f"{random.uniform(0, 2 * size):.{random.randint(0, 4)}f}"
        return number if random.random() < 0.9 else f"{number} <0, {3 * size:g}>"
