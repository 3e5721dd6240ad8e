"""Forms of primitives, conditions and quantities of the state: the language's vocabulary as tables.

The grammar defines only the structure of statements. A form lists the values and names that one statement takes, and
`checks.binding` matches statements to the forms. In the texts `usage`, which messages and documentation show, `[ ]`
encloses optional parts and `|` separates alternatives.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ctrlgraph.control.script.codes import FIRST_QUANTITY, TapeOp, TransitionKind

Target = Literal["joint", "part", "point"]
"""Kind of object to which a name refers: a joint, a part (a link), or a point (a part, a joint or a centre of
pressure)."""


@dataclass(frozen=True, slots=True)
class Value:
    """A number that a statement takes, such as the stiffness kp of a POSE."""

    role: str
    """Name of the value in messages and parameter ids, such as "kp"."""
    quantity: str
    """Physical quantity, such as "angle" or "force"; "argument" if it is not known."""
    slot: int
    """Index of the number among the operands of the action or transition, from 0; see `codes.ActionKind`."""


@dataclass(frozen=True, slots=True)
class ModifierForm:
    """Form of a modifier of a primitive: `.name(...)` with an optional name of a joint or part, then values."""

    name: str
    """Word after the dot."""
    required: bool
    """Whether the modifier must be given with each primitive that allows it."""
    target: Target | None = None
    """Kind of object to which the name in the parentheses refers; None if there is no name in them."""
    meaning: Literal["joint", "part", "reference"] = "joint"
    """Field of `BoundAction` that the name fills."""
    values: tuple[Value, ...] = ()
    """Values that the modifier takes, in order."""
    counts: tuple[int, ...] = ()
    """Allowed numbers of values; empty if exactly all of `values` must be given."""
    modes: tuple[str, ...] = ()
    """Words of which one must precede the parenthesis, as in `.target local (...)`; empty if there is no such word."""


@dataclass(frozen=True, slots=True)
class PrimitiveForm:
    """Form of a primitive such as POSE: the names, values and modifiers that it takes."""

    usage: str
    """The form as text, such as "VFSFB part(kd).by(joint).speed(v)"."""
    subject: Literal["joint", "part"] | None
    """Kind of object to which the name before the values refers; None if no name is before them."""
    modifiers: tuple[ModifierForm, ...]
    """Modifiers that the primitive can have."""
    values: tuple[Value, ...] = ()
    """Values in the parentheses, in order."""
    counts: tuple[int, ...] = ()
    """Allowed numbers of values; empty if exactly all of `values` must be given."""

    @property
    def keyword(self) -> str:
        """Return the keyword of the primitive, the first word of `usage`."""
        return self.usage.split()[0]


@dataclass(frozen=True, slots=True)
class ConditionForm:
    """Form of a condition of a transition: what follows its first word."""

    usage: str
    """The form as text, such as "contact part"."""
    values: tuple[Value, ...] = ()
    """Values that the condition takes, in order."""
    takes: Literal["values", "part", "nothing"] = "values"
    """Whether `values`, the name of a part, or nothing follows the first word."""

    @property
    def word(self) -> str:
        """Return the word that identifies the condition, the first word of `usage`."""
        return self.usage.split()[0]


def _number(name: str, quantity: str, slot: int, required: bool = True) -> ModifierForm:
    return ModifierForm(name, required, values=(Value(name, quantity, slot),))


_ANGLE = Value("angle", "angle", 0)
_KP, _KD = Value("kp", "kp", 1), Value("kd", "kd", 2)
_PD = (_ANGLE, _KP, _KD)
_FEEDBACK = (Value("cd", "cd", 0), Value("cv", "cv", 1))
_HEIGHT_FEEDBACK = (Value("cp", "cd", 0), Value("cv", "cv", 1))
_FORCE = tuple(Value(axis, "force", i) for i, axis in enumerate("xyz"))
_POINT = tuple(Value(axis, "length", i) for i, axis in enumerate("xyz"))
_TIME = _number("time", "time", 3, required=False)
_BY = ModifierForm("by", True, "joint")
_BASE = ModifierForm("base", True, "joint")
_JOINT = ModifierForm("joint", True, "joint")
_ON_POINT = ModifierForm("on", True, "point", "reference")
_ON_PART = ModifierForm("on", True, "part", "part")
_OVER = ModifierForm("over", True, "point", "reference")
_TO = ModifierForm("to", True, "joint", "reference", (_KP, _KD), (0, 2))
_TARGET = ModifierForm("target", True, values=_POINT, counts=(2, 3), modes=("local", "global"))
_TOLERANCE = _number("tolerance", "tolerance", 3, required=False)
FLAGS = ModifierForm("flags", False)

_FORMS = (
    PrimitiveForm("POSE joint(angle[, kp, kd])", "joint", (_TIME,), _PD, (1, 3)),
    PrimitiveForm("LIPOSE joint(angle[, kp, kd]).time(T)", "joint", (replace(_TIME, required=True),), _PD, (1, 3)),
    PrimitiveForm("MATCH joint.to(joint[, kp, kd])[.time(T)]", "joint", (_TO, _TIME)),
    PrimitiveForm("POSEFB joint(cd, cv).on(part X|joint X|X)", "joint", (_ON_POINT,), _FEEDBACK),
    PrimitiveForm("VPD part(angle[, kp, kd]).joint(joint)[.flags(s)]", "part", (_JOINT, FLAGS), _PD, (1, 3)),
    PrimitiveForm("VF (x, y, z).on(part).by(joint)", None, (_ON_PART, _BY), _FORCE, (2, 3)),
    PrimitiveForm(
        "IK part.target local|global (x, y, z).base(joint)[.tolerance(t)]", "part", (_TARGET, _BASE, _TOLERANCE)
    ),
    PrimitiveForm("VFFB part(cd, cv).by(joint).over(part X|joint X|X|cop|copf)", "part", (_BY, _OVER), _FEEDBACK),
    PrimitiveForm(
        "VFSFB part(kd).by(joint).speed(v)", "part", (_BY, _number("speed", "speed", 1)), (Value("kd", "kd", 0),)
    ),
    PrimitiveForm(
        "VFHFB part(cp, cv).by(joint).height(h)", "part", (_BY, _number("height", "length", 2)), _HEIGHT_FEEDBACK
    ),
)
PRIMITIVES = tuple(form.keyword for form in _FORMS)
PRIMITIVE_FORMS = {form.keyword: form for form in _FORMS}
PRIMITIVE_FORMS["VSFSB"] = PRIMITIVE_FORMS["VFSFB"]  # the source uses both spellings

FEEDBACK_USAGE = "COMFB2 cd cv j joint | COMFB2 cd cv p part"
FEEDBACK_VALUES = (Value("cd", "cd", 3), Value("cv", "cv", 4))
CENTRES_OF_PRESSURE = ("cop", "copf")

_CONDITIONS = (
    ConditionForm("time T", (Value("time", "time", 0),)),
    ConditionForm("contact part", takes="part"),
    ConditionForm("nocontact part", takes="part"),
    ConditionForm("stable tolerance", (Value("tolerance", "tolerance", 0),)),
    ConditionForm("fallen > r | fallen < r | fallen x r", (_ANGLE,)),
    ConditionForm("anglerange lower upper", (Value("lower", "angle", 0), Value("upper", "angle", 1))),
    ConditionForm("when a > b | when a < b | when a >= b | when a <= b"),
    ConditionForm("iterations N", (Value("count", "count", 0),)),
    ConditionForm("complete", takes="nothing"),
    ConditionForm("failed", takes="nothing"),
)
CONDITION_FORMS = {form.word: form for form in _CONDITIONS}
FALLEN_KINDS = {">": TransitionKind.FALLEN_ABOVE, "<": TransitionKind.FALLEN_BELOW, "x": TransitionKind.FALLEN_OUTSIDE}
COMPARISONS = {
    ">": TransitionKind.ABOVE,
    "<": TransitionKind.BELOW,
    ">=": TransitionKind.AT_LEAST,
    "<=": TransitionKind.AT_MOST,
}

TORQUE_LIMIT = Value("TORQUELIMIT", "torque", 0)
SUCCESS = "SUCCESS"


@dataclass(frozen=True, slots=True)
class StateForm:
    """Form of a quantity of the state in an expression, such as `angle(rKnee)` or `com_x`."""

    word: str
    """Name of the quantity."""
    quantity: str
    """Physical quantity, such as "angle" or "length"."""
    takes: Literal["joint", "part", "value", "nothing"] = "nothing"
    """Contents of the parentheses: the name of a joint or part, or an expression; "nothing" means no parentheses."""
    counted: bool = False
    """Whether a second argument, a number from 1, selects an edge of the ground ahead of the part."""

    @property
    def op(self) -> TapeOp:
        """Return the operation of the tape that reads the quantity."""
        return TapeOp[self.word.upper()]

    @property
    def usage(self) -> str:
        """Return the form as text for messages, such as "angle(joint)"."""
        if self.takes == "nothing":
            return self.word
        return f"{self.word}({'x' if self.takes == 'value' else self.takes}{'[, k]' if self.counted else ''})"


_STATE = (
    StateForm("angle", "angle", "joint"),
    StateForm("velocity", "rate", "joint"),
    StateForm("orientation", "angle", "part"),
    StateForm("spin", "rate", "part"),
    StateForm("x", "length", "part"),
    StateForm("height", "length", "part"),
    StateForm("load", "force", "part"),
    StateForm("edge_distance", "length", "part", counted=True),
    StateForm("edge_rise", "length", "part", counted=True),
    StateForm("ground", "length", "value"),
    StateForm("slope", "angle", "value"),
    StateForm("edge_after", "length", "value"),
    StateForm("com_x", "length"),
    StateForm("com_height", "length"),
    StateForm("com_vx", "speed"),
    StateForm("com_vy", "speed"),
    StateForm("phase_time", "time"),
)
STATE_QUANTITIES = {form.word: form for form in _STATE}
STATE_FORMS = {form.word: form for form in _STATE if form.takes != "nothing"}
"""Quantities with parentheses, by word."""
STATE_VARIABLES = {form.word: form for form in _STATE if form.takes == "nothing"}
"""Quantities without parentheses, by word."""

OF_JOINTS = frozenset(form.op for form in _STATE if form.takes == "joint")
"""Operations with a joint as left operand."""

OF_LINKS = frozenset(form.op for form in _STATE if form.takes == "part")
"""Operations with a link as left operand."""


def is_of_slots(op: int) -> bool:
    """Return whether the operands of an operation (a `TapeOp`) are slots, which are indices of the program's numbers.

    If not, they are indices of joints or links, levels of the call stack, or numbers of edges of the ground.
    """
    return op < FIRST_QUANTITY or op in (TapeOp.GROUND, TapeOp.SLOPE, TapeOp.EDGE_AFTER)
