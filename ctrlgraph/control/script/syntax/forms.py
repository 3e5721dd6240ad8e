"""What every primitive and transition takes: the language's vocabulary as one table.

The parser only knows how statements are put together; `bind_item` and `bind_condition` match what
is written against these forms and say what does not fit. Checker and compiler both go through them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ctrlgraph.control.script.program import ActionKind, TransitionKind
from ctrlgraph.control.script.syntax.quantities import Quantity
from ctrlgraph.control.script.syntax.usages import CONDITION_USAGES, PRIMITIVE_USAGES

Target = Literal["joint", "part", "point"]  # point: a part, a joint or a centre of pressure


@dataclass(frozen=True, slots=True)
class Value:
    """A number that a form takes: its role, its quantity and its operand slot."""

    role: str
    quantity: Quantity
    slot: int


@dataclass(frozen=True, slots=True)
class ModifierForm:
    """`.name(...)`: an optional target, then `values`, of which the first `least` must be given."""

    name: str
    required: bool
    target: Target | None = None
    meaning: Literal["joint", "part", "base", "reference", ""] = ""
    values: tuple[Value, ...] = ()
    counts: tuple[int, ...] = (0,)
    modes: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PrimitiveForm:
    """A primitive: its subject, its values (`counts` says how many may be written) and its modifiers.

    `usage` shows its form: `[ ]` encloses what may be left out, `|` separates alternatives.
    """

    keyword: str
    kind: ActionKind
    subject: Literal["joint", "part"] | None
    values: tuple[Value, ...]
    counts: tuple[int, ...]
    modifiers: tuple[ModifierForm, ...]
    usage: str


@dataclass(frozen=True, slots=True)
class ConditionForm:
    """A transition's condition: a part or a key, or values."""

    word: str
    kind: TransitionKind
    usage: str
    values: tuple[Value, ...] = ()
    takes: Literal["values", "part", "key", "nothing"] = "values"


_ANGLE = Value("angle", "angle", 0)
_KP, _KD = Value("kp", "kp", 1), Value("kd", "kd", 2)
_PD = (_ANGLE, _KP, _KD)
_FEEDBACK = (Value("cd", "cd", 0), Value("cv", "cv", 1))
_BY = ModifierForm("by", True, "joint", "base")
_VECTOR = tuple(Value(axis, "force", i) for i, axis in enumerate("xyz"))
_POINT = tuple(Value(axis, "length", i) for i, axis in enumerate("xyz"))


def _time(required: bool) -> ModifierForm:
    return ModifierForm("time", required, values=(Value("time", "time", 3),), counts=(1,))


_FORMS = (
    PrimitiveForm("POSE", ActionKind.POSE, "joint", _PD, (1, 3), (_time(False),), PRIMITIVE_USAGES["POSE"]),
    PrimitiveForm("LIPOSE", ActionKind.LIPOSE, "joint", _PD, (1, 3), (_time(True),), PRIMITIVE_USAGES["LIPOSE"]),
    PrimitiveForm(
        "MATCH",
        ActionKind.MATCH,
        "joint",
        (),
        (0,),
        (ModifierForm("to", True, "joint", "reference", (_KP, _KD), (0, 2)), _time(False)),
        PRIMITIVE_USAGES["MATCH"],
    ),
    PrimitiveForm(
        "POSEFB",
        ActionKind.POSEFB,
        "joint",
        _FEEDBACK,
        (2,),
        (ModifierForm("on", True, "point", "reference"),),
        PRIMITIVE_USAGES["POSEFB"],
    ),
    PrimitiveForm(
        "VPD",
        ActionKind.VPD,
        "part",
        _PD,
        (1, 3),
        (ModifierForm("joint", True, "joint", "joint"), ModifierForm("flags", False, flags=("s",))),
        PRIMITIVE_USAGES["VPD"],
    ),
    PrimitiveForm(
        "VF",
        ActionKind.VF,
        None,
        _VECTOR,
        (2, 3),
        (ModifierForm("on", True, "part", "part"), _BY),
        PRIMITIVE_USAGES["VF"],
    ),
    PrimitiveForm(
        "IK",
        ActionKind.IK,
        "part",
        (),
        (0,),
        (
            ModifierForm("target", True, values=_POINT, counts=(2, 3), modes=("local", "global")),
            ModifierForm("base", True, "joint", "base"),
            ModifierForm("tolerance", False, values=(Value("tolerance", "tolerance", 3),), counts=(1,)),
        ),
        PRIMITIVE_USAGES["IK"],
    ),
    PrimitiveForm(
        "VFFB",
        ActionKind.VFFB,
        "part",
        _FEEDBACK,
        (2,),
        (_BY, ModifierForm("over", True, "point", "reference")),
        PRIMITIVE_USAGES["VFFB"],
    ),
    PrimitiveForm(
        "VFSFB",
        ActionKind.VFSFB,
        "part",
        (Value("kd", "kd", 0),),
        (1,),
        (_BY, ModifierForm("speed", True, values=(Value("speed", "speed", 1),), counts=(1,))),
        PRIMITIVE_USAGES["VFSFB"],
    ),
    PrimitiveForm(
        "VFHFB",
        ActionKind.VFHFB,
        "part",
        (Value("cp", "cd", 0), Value("cv", "cv", 1)),
        (2,),
        (_BY, ModifierForm("height", True, values=(Value("height", "length", 2),), counts=(1,))),
        PRIMITIVE_USAGES["VFHFB"],
    ),
)
PRIMITIVE_FORMS = {form.keyword: form for form in _FORMS}
PRIMITIVE_FORMS["VSFSB"] = PRIMITIVE_FORMS["VFSFB"]  # the source spells it both ways

FEEDBACK_VALUES = (Value("cd", "cd", 3), Value("cv", "cv", 4))
CENTRES_OF_PRESSURE = ("cop", "copf")

_CONDITIONS = (
    ConditionForm("time", TransitionKind.TIME, CONDITION_USAGES["time"], (Value("time", "time", 0),)),
    ConditionForm("contact", TransitionKind.CONTACT, CONDITION_USAGES["contact"], takes="part"),
    ConditionForm("nocontact", TransitionKind.NOCONTACT, CONDITION_USAGES["nocontact"], takes="part"),
    ConditionForm("stable", TransitionKind.STABLE, CONDITION_USAGES["stable"], (Value("tolerance", "tolerance", 0),)),
    ConditionForm("fallen", TransitionKind.FALLEN_OUTSIDE, CONDITION_USAGES["fallen"], (Value("angle", "angle", 0),)),
    ConditionForm(
        "anglerange",
        TransitionKind.ANGLERANGE,
        CONDITION_USAGES["anglerange"],
        (Value("lower", "angle", 0), Value("upper", "angle", 1)),
    ),
    ConditionForm("when", TransitionKind.ABOVE, CONDITION_USAGES["when"]),
    ConditionForm(
        "iterations", TransitionKind.ITERATIONS, CONDITION_USAGES["iterations"], (Value("count", "count", 0),)
    ),
    ConditionForm("complete", TransitionKind.COMPLETE, CONDITION_USAGES["complete"], takes="nothing"),
    ConditionForm("failed", TransitionKind.FAILED, CONDITION_USAGES["failed"], takes="nothing"),
    ConditionForm("keypress", TransitionKind.KEYPRESS, CONDITION_USAGES["keypress"], takes="key"),
    ConditionForm("keyrelease", TransitionKind.KEYRELEASE, CONDITION_USAGES["keyrelease"], takes="key"),
)
CONDITION_FORMS = {form.word: form for form in _CONDITIONS}
FALLEN_KINDS = {
    ">": TransitionKind.FALLEN_ABOVE,
    "<": TransitionKind.FALLEN_BELOW,
    "x": TransitionKind.FALLEN_OUTSIDE,
}
COMPARISONS = {
    ">": TransitionKind.ABOVE,
    "<": TransitionKind.BELOW,
    ">=": TransitionKind.AT_LEAST,
    "<=": TransitionKind.AT_MOST,
}

TORQUE_LIMIT = Value("TORQUELIMIT", "torque", 0)
SUCCESS = "SUCCESS"
