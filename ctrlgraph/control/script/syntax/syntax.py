"""The syntax tree of a script: immutable nodes. The field `span` of a node is its position in the text.

The tree represents the text without its meaning. `checks.binding` matches statements to their forms, and `checks.names`
looks up names in the character. With the spans, the formatter and `rewrite` can change a text without printing the
tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any

from ctrlgraph.errors import Span


@dataclass(frozen=True, slots=True)
class Name:
    """A word that is not a keyword: the name of a parameter, a joint, a part or a modifier."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Number:
    """A number with its sign and, if there is one, the search range after it: `1.3 <1, 1.6>`.

    `text` is the number as written. `low` and `high` are the bounds of the search range, and `range_span` is its
    position.
    """

    text: str
    value: float
    span: Span
    low: float | None = None
    high: float | None = None
    range_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Negation:
    """A minus sign before an expression that is not a number."""

    operand: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """Two expressions joined by an operator (+ - * or /), whose position is `operator_span`."""

    operator: str
    left: Expression
    right: Expression
    operator_span: Span
    span: Span


@dataclass(frozen=True, slots=True)
class Group:
    """An expression in parentheses."""

    inner: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class State:
    """A quantity of the state in an expression, such as `angle(rKnee)` or `com_x`.

    `word` is the quantity, and `target` the joint or part in parentheses; None for other quantities. `index` is the
    second argument of `edge_distance(part, k)` and `edge_rise(part, k)`. `value` is the argument of `ground(x)`,
    `slope(x)` and `edge_after(x)`.
    """

    word: Name
    target: Name | None
    span: Span
    index: int = 1
    value: Expression | None = None


Expression = Number | Name | Negation | Binary | Group | State


@dataclass(frozen=True, slots=True)
class Modifier:
    """A modifier of an item: `.name(arguments)`.

    `mode` is a word before the parenthesis (`.target local (...)`). `selector` is a word before the first argument
    (`.on(part lFoot)`).
    """

    name: Name
    mode: Name | None
    selector: Name | None
    arguments: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Item:
    """One element of the list in a primitive: `rKnee(2.3, 1000., 100.).time(1)`.

    `subject` is the name before the values; None if there is no name.
    """

    subject: Name | None
    arguments: tuple[Expression, ...]
    modifiers: tuple[Modifier, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Primitive:
    """A statement between ACTIONS and ENDACTIONS: a keyword and a list of items, as `POSE rKnee(2.3), lKnee(2.3);`."""

    keyword: str
    keyword_span: Span
    items: tuple[Item, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Feedback:
    """`COMFB2 cd cv j X`: balance feedback for the VPD after it, with gains `cd`, `cv` and the reference point X.

    `target` is X. `kind` is the word before it: `j` for a joint, `p` for a part.
    """

    cd: Expression
    cv: Expression
    kind: Name
    target: Name
    keyword_span: Span
    span: Span


@dataclass(frozen=True, slots=True)
class StateCommand:
    """`SAVE name;` or `LOAD name;`: a command to save the simulation's state under a name, or to load it."""

    keyword: str
    keyword_span: Span
    name: str
    span: Span


Action = Primitive | Feedback | StateCommand


@dataclass(frozen=True, slots=True)
class ActionBlock:
    """ACTIONS ... ENDACTIONS: the block with the actions of a phase."""

    actions: tuple[Action, ...]
    keyword_span: Span
    span: Span


@dataclass(frozen=True, slots=True)
class ScriptName:
    """Name of a script in a SCRIPTS list or in a call, such as `walk.t`. Only its stem `walk` identifies the script."""

    stem: str
    extension: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """`> script.t(values);`: a call of a script, which runs during the phase.

    There are no `arguments` if the list of values is empty or `void`. `mirrored` means that right and left are
    exchanged.
    """

    script: ScriptName
    arguments: tuple[Expression, ...]
    span: Span
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """A single condition in `.after(...)`: a word, a comparison sign if it has one, and arguments.

    `comparison` is the sign of a `when` (`<`, `>`, `<=`, `>=`) or of a `fallen` (`<`, `>`, `x`); otherwise None.
    """

    word: Name
    comparison: str | None
    comparison_span: Span | None
    arguments: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Junction:
    """Two conditions joined by the operator `and` or `or`."""

    operator: str
    left: ConditionTree
    right: ConditionTree
    span: Span


@dataclass(frozen=True, slots=True)
class Inversion:
    """`not` before a condition."""

    operand: ConditionTree
    span: Span


@dataclass(frozen=True, slots=True)
class ConditionGroup:
    """A condition in parentheses."""

    inner: ConditionTree
    span: Span


ConditionTree = Condition | Junction | Inversion | ConditionGroup


@dataclass(frozen=True, slots=True)
class Transition:
    """`TRANSITION to(target).after(condition);`: the next phase, and the condition on which it follows.

    The target is the number of a phase. -1 leaves the script, and `fail` leaves it with a failure.
    """

    target: Number
    condition: ConditionTree
    span: Span

    @property
    def fails(self) -> bool:
        """Return whether the transition leaves the script with a failure, by `to(fail)`."""
        return self.target.text == "fail"


Member = Call | ActionBlock | Transition | StateCommand


@dataclass(frozen=True, slots=True)
class Phase:
    """PHASE number ... ENDPHASE. `members` are the statements and blocks in the phase, in the order of the text."""

    number: Number
    members: tuple[Member, ...]
    header_span: Span
    span: Span

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """Return the transitions of the phase in the order of the text."""
        return tuple(m for m in self.members if isinstance(m, Transition))

    @property
    def calls(self) -> tuple[Call, ...]:
        """Return the calls of the phase in the order of the text. More than one is an error."""
        return tuple(m for m in self.members if isinstance(m, Call))

    @property
    def blocks(self) -> tuple[ActionBlock, ...]:
        """Return the ACTIONS blocks of the phase in the order of the text. More than one is an error."""
        return tuple(m for m in self.members if isinstance(m, ActionBlock))

    @property
    def actions(self) -> tuple[Action, ...]:
        """Return all actions of the phase: the contents of its ACTIONS blocks, and its SAVE and LOAD commands."""
        members = [m for m in self.members if isinstance(m, ActionBlock | StateCommand)]
        return tuple(a for m in members for a in (m.actions if isinstance(m, ActionBlock) else (m,)))


@dataclass(frozen=True, slots=True)
class Setting:
    """`SET NAME = value` before BEGINSCRIPT, or `SET NAME joint = value`, with which the setting is for one joint."""

    name: Name
    value: Expression
    span: Span
    joint: Name | None = None


@dataclass(frozen=True, slots=True)
class Success:
    """`SET SUCCESS measure = low:high` before BEGINSCRIPT: a condition for success. An omitted bound is None."""

    name: Name
    measure: Name
    low: Number | None
    high: Number | None
    span: Span


@dataclass(frozen=True, slots=True)
class Uses:
    """`SCRIPTS a.t, b.s;`: the list of the scripts that this one can call."""

    scripts: tuple[ScriptName, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Script:
    """A whole script. `prelude` has the statements before BEGINSCRIPT."""

    name: Name
    parameters: tuple[Name, ...]
    phases: tuple[Phase, ...]
    prelude: tuple[Uses | Setting | Success, ...]
    header_span: Span
    span: Span

    @property
    def settings(self) -> tuple[Setting, ...]:
        """Return the SET statements other than SET SUCCESS."""
        return tuple(p for p in self.prelude if isinstance(p, Setting))

    @property
    def successes(self) -> tuple[Success, ...]:
        """Return the SET SUCCESS statements."""
        return tuple(p for p in self.prelude if isinstance(p, Success))


def _find_fields_below(kind: Any) -> tuple[str, ...] | None:
    """Return the names of the fields of a class of nodes that can contain other nodes; None for other classes."""
    if kind is Span or not is_dataclass(kind):
        return None
    return tuple(field.name for field in fields(kind) if not field.name.endswith("span"))


_fields_below: Callable[[Any], tuple[str, ...] | None] = cache(_find_fields_below)


def walk(node: object) -> Iterator[object]:
    """Return a node and all nodes below it, each before the nodes in its fields, in the order of the fields."""
    waiting: list[Any] = [node]
    while waiting:
        below = waiting.pop()
        if isinstance(below, tuple):
            waiting += reversed(below)
        elif (names := _fields_below(type(below))) is not None:
            yield below
            waiting += [getattr(below, name) for name in reversed(names)]


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a copy of a node in which each direct child `c` is replaced by `change(c)`.

    Children in tuples are not changed.
    """
    below = {name: getattr(node, name) for name in _fields_below(type(node)) or ()}
    nodes = {name: value for name, value in below.items() if _fields_below(type(value)) is not None}
    return replace(node, **{name: change(value) for name, value in nodes.items()})


def outline(node: object) -> object:
    """Return a node as nested tuples without positions, for a comparison of texts that ignores their layout."""
    if isinstance(node, tuple):
        return tuple(outline(child) for child in node)
    names = _fields_below(type(node))
    return node if names is None else (type(node).__name__, *(outline(getattr(node, name)) for name in names))


def addends(expression: Expression) -> Iterator[Number | Name | State]:
    """Return the numbers, parameters and quantities of the state that are added or subtracted in an expression.

    Operands of products and quotients are ignored.
    """
    if isinstance(expression, Number | Name | State):
        yield expression
    elif isinstance(expression, Group):
        yield from addends(expression.inner)
    elif isinstance(expression, Negation):
        yield from addends(expression.operand)
    elif expression.operator in "+-":
        yield from addends(expression.left)
        yield from addends(expression.right)


def names_in(expression: Expression) -> Iterator[Name]:
    """Return the names of parameters in an expression, but not those in a quantity of the state (`angle(rKnee)`)."""
    of_state = {id(name) for node in states_in(expression) for name in (node.word, node.target)}
    return (node for node in walk(expression) if isinstance(node, Name) and id(node) not in of_state)


def states_in(expression: Expression) -> Iterator[State]:
    """Return the quantities of the state that an expression reads."""
    return (node for node in walk(expression) if isinstance(node, State))
