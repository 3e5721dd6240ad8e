"""Wording of syntax errors: messages and hints in terms of the language, not of its grammar."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lark import Token

from ctrlgraph.control.script.syntax.forms import (
    CONDITION_FORMS,
    FEEDBACK_USAGE,
    PRIMITIVE_FORMS,
    PRIMITIVES,
    STATE_QUANTITIES,
)
from ctrlgraph.errors import closest

_VALUE = {"NUMBER", "NAME", "LPAR", "MINUS"}
_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "LESS"}
_CONDITION = {"NAME", "LPAR", "FALLEN", "ANGLERANGE", "WHEN", "NOT"}
_SIGNS = {
    "SEMICOLON": "';'",
    "COMMA": "','",
    "LPAR": "'('",
    "RPAR": "')'",
    "DOT": "'.'",
    "EQUAL": "'='",
    "COLON": "':'",
    "LESS": "'<'",
    "MORE": "'>'",
    "NAME": "a name",
    "NUMBER": "a number",
    "PRIMITIVE": "a primitive",
    "BELOW": "'<'",
    "AT_MOST": "'<='",
    "AT_LEAST": "'>='",
    "$END": "the end of the file",
} | {word: f"'{word.lower()}'" for word in ("FALLEN", "ANGLERANGE", "FAIL", "WHEN", "AND", "OR", "NOT")}
_ORDER = ("PRIMITIVE", "COMFB2", "NAME", "NUMBER", "LPAR", "COMMA", "RPAR", "DOT", "SEMICOLON")
_OPENERS = {"ENDACTIONS": "ACTIONS", "ENDPHASE": "PHASE", "ENDSCRIPT": "BEGINSCRIPT"}
_PLACES = {
    "PRIMITIVE": "between ACTIONS and ENDACTIONS",
    "COMFB2": "between ACTIONS and ENDACTIONS",
    "ACTIONS": "in a phase",
    "TRANSITION": "in a phase, outside ACTIONS",
    "SAVE": "in a phase",
    "LOAD": "in a phase",
    "SET": "before BEGINSCRIPT",
    "SCRIPTS": "before BEGINSCRIPT",
    "PHASE": "between BEGINSCRIPT and ENDSCRIPT",
}
KEYWORDS = (*_PLACES, *_OPENERS, "BEGINSCRIPT", *PRIMITIVES)
"""The keywords that begin or end a block or a statement, as written in a script."""

_USAGES = {
    "MORE": "the correct form of a call is > script(values);",
    "TRANSITION": "the correct form of a transition is TRANSITION to(N).after(condition);",
    "SET": "write a setting as SET TORQUELIMIT = 370 or SET SUCCESS com_height = 0.8:1.1",
    "SCRIPTS": "the correct form is SCRIPTS a.t, b.t;",
    "SAVE": "the correct form is SAVE name;",
    "LOAD": "the correct form is LOAD name;",
    "COMFB2": f"the correct form is {FEEDBACK_USAGE}",
    "BEGINSCRIPT": "the correct form is BEGINSCRIPT name(a, b), or BEGINSCRIPT name(void) without parameters",
    "PHASE": "the correct form is PHASE and a whole number",
}
_CONTROL_FLOW = ("if", "else", "elif", "while", "for")
FOREIGN_HINTS = {
    "&": "write 'and'",
    "&&": "write 'and'",
    "|": "write 'or'",
    "||": "write 'or'",
    "!": "write 'not'",
    "!=": "there is no '!=': compare with '>', '<', '>=' or '<='",
    "\u00b0": "angles are in radians",
    "[": "write '('",
    "]": "write ')'",
}
FOREIGN_HINTS |= dict.fromkeys("{}", "a phase ends with ENDPHASE, not with a brace")
FOREIGN_HINTS |= dict.fromkeys("\"'", "names are written without quotes")


@dataclass(frozen=True, slots=True)
class Context:
    """Context of an unexpected token, from which a message about it is made.

    Attributes:
        accepts: Types of the tokens that would fit in place of the unexpected one.
        opened: Earlier tokens of the same statement, from the keyword on; empty between statements.
        blocks: Tokens that began the blocks around the unexpected one, such as PHASE, the innermost last.
        previous: Token before the unexpected one; None if there is none.
        following: Token after the unexpected one; None if there is none.
    """

    accepts: frozenset[str]
    opened: tuple[Token, ...]
    blocks: tuple[Token, ...]
    previous: Token | None
    following: Token | None

    @property
    def statement(self) -> Token | None:
        """Return the keyword of the incomplete statement; None if the unexpected token is between statements."""
        return self.opened[0] if self.opened else None


def shown(token: Token) -> str:
    """Return a token as it is quoted in a message, such as `'PHASE'` or `the end of the file`."""
    return "the end of the file" if token.type == "$END" else f"'{token.value}'"


def statement_name(statement: Token | None) -> str:
    """Return the name of a statement in messages, such as "this POSE", for the keyword of the statement."""
    if statement is None:
        return "this statement"
    names = {"MORE": "this call", "SCRIPTS": "the SCRIPTS list"}
    return names.get(statement.type, f"this {statement.value}")


def misspelt_keyword(token: Token, context: Context) -> tuple[str, int] | None:
    """Return the keyword that a misspelt name probably means, and the number of tokens to replace; otherwise None.

    The keyword is the most similar of all keywords if it fits here, otherwise the most similar of those that fit.

    Args:
        token: the name. Together with the token after it, it can be one keyword: `END PHASE`.
        context: what fits in the place of the name.
    """
    words, following = _keywords(context.accepts), context.following
    if token.type != "NAME" or not words:
        return None
    if "MORE" in context.accepts and following is not None and following.type in ("LPAR", "DOT"):
        return None  # a call without its '>'
    text = str(token).upper()
    if text in ("BEGIN", "END"):
        if following is not None and following.line == token.line and text + str(following).upper() in words:
            return text + str(following).upper(), 2
        closer = next((word for word in _OPENERS if context.blocks and _OPENERS[word] == context.blocks[-1].type), "")
        if text == "END" and closer in words:
            return closer, 1
    for known in (KEYWORDS, words):
        word = closest(str(token), known)
        if word in words:
            return word, 1
    return None


def unexpected(token: Token, context: Context) -> tuple[str, str | None]:
    """Return the message about a token that does not fit in its place, and a hint, which can be None.

    Args:
        token: the token.
        context: what would fit in its place, and what is around it.
    """
    accepts = context.accepts - {"STATE"}  # a name, for messages
    statement, blocks = context.statement, context.blocks
    if accepts == {"$END"}:
        return f"nothing may follow ENDSCRIPT, found {shown(token)}", "a file can contain only one script"
    if not blocks and statement is None and token.type == "$END":
        return "the file contains no script: a script begins with BEGINSCRIPT", None
    words = _keywords(accepts)
    if token.type == "NAME" and words:
        return f"unknown statement '{token.value}'", _statement_hint(token, context, words)
    if words:
        if token.type in _PLACES:
            return f"{token.value} is only allowed {_PLACES[token.type]}", None
        if token.type in _OPENERS:
            return f"{token.value} has no matching {_OPENERS[token.type]}", None
        if token.type in ("SEMICOLON", "COLON"):
            return f"unexpected {shown(token)}: there is no statement that it ends", None
    expected = "'<', '>' or 'x'" if accepts == {"LESS", "MORE", "NAME"} else _list(_expected(accepts))
    where = ""
    if statement is not None:
        where = f" in {statement_name(statement)}"
    elif not words and blocks:
        where = f" after {blocks[-1].value}"
    return f"expected {expected}, found {shown(token)}{where}", _hint(token, context, words)


def _statement_hint(token: Token, context: Context, words: list[str]) -> str:
    following = context.following
    if token.lower() in _CONTROL_FLOW:
        return f"the language has no '{token.value}': the conditions of transitions decide which phase comes next"
    if following is not None and following.type == "EQUAL":
        return "the language has no variables: use the parameters of the script"
    if following is not None and following.type in ("LPAR", "DOT") and "MORE" in context.accepts:
        return f"a call begins with '>': > {token.value}(...);"
    return f"expected {_list(words)}"


def _hint(token: Token, context: Context, words: list[str]) -> str | None:
    """Return a hint: how to correct the unexpected token, or the form of the statement; None if there is neither.

    Args:
        token: the unexpected token.
        context: context of the token.
        words: keywords that would fit in its place.
    """
    accepts, statement, previous = context.accepts, context.statement, context.previous
    text, following = str(token), context.following
    same_line = previous is not None and previous.line == token.line
    if token.type == "SLASH" and following is not None and following.type in ("SLASH", "STAR"):
        return "a comment begins with '#'"
    if same_line and "NAME" in accepts and "NUMBER" not in accepts and text in KEYWORDS:
        return f"{text} is a keyword and cannot be a name"
    if words:
        return None
    if statement is None:
        return _USAGES.get(context.blocks[-1].type) if context.blocks else None
    if statement.type == "TRANSITION":
        return _transition_hint(token, context)
    if statement.type == "MORE" and "LPAR" in accepts and (token.type == "SEMICOLON" or not same_line):
        name = "".join(str(each) for each in context.opened[1:])
        return f"write a call without arguments as > {name}();"
    usage = _USAGES.get(statement.type)
    if usage is None:
        usage = f"the correct form is {PRIMITIVE_FORMS[str(statement)].usage}"
    return f"values are given without names: {usage}" if token.type == "EQUAL" and "EQUAL" not in accepts else usage


def _transition_hint(token: Token, context: Context) -> str:
    accepts = context.accepts
    if "FAIL" in accepts:
        return "to(N) leads to phase N, to(-1) ends the script, to(fail) ends it as failed"
    if token.lower() in ("and", "or", "not") and token.type == "NAME":
        return f"write '{token.lower()}'"
    if token in STATE_QUANTITIES and "WHEN" in accepts:
        return f"a comparison begins with 'when', as in: when {token.value}... > VALUE"
    conditions = [str(each) for each in context.opened if str(each) in CONDITION_FORMS]
    return f"the correct form is {CONDITION_FORMS[conditions[-1]].usage}" if conditions else _USAGES["TRANSITION"]


def _keywords(accepts: Iterable[str]) -> list[str]:
    """Return the keywords that would fit in place of an unexpected token, as written in a script, primitives first.

    Args:
        accepts: types of the tokens that would fit.
    """
    kinds = set(accepts)
    words = [kind for kind in _ranked(kinds) if kind not in _SIGNS and kind not in _OPERATORS]
    if "PRIMITIVE" in kinds:  # then the grammar accepts SAVE and LOAD only for a better message
        words = [*PRIMITIVES, *(word for word in words if word not in ("SAVE", "LOAD"))]
    return words


def _expected(accepts: Iterable[str]) -> list[str]:
    kinds = set(accepts)
    parts: list[str] = []
    if "PRIMITIVE" in kinds:
        kinds -= {"SAVE", "LOAD"}
    if kinds >= _CONDITION:
        parts.append("a condition")
        kinds -= _CONDITION
    if "STAR" in kinds:  # after a value; another value can follow only after a missing comma
        kinds -= _VALUE
    elif kinds >= _VALUE:
        parts.append("a value")
        kinds -= _VALUE
    if "AND" in kinds and "AT_MOST" not in kinds:
        kinds -= {"LESS", "MORE"}  # the grammar accepts `time > 1` only for the message that it is not a comparison
    if kinds - _OPERATORS:
        kinds -= _OPERATORS
    named = [_SIGNS.get(kind, "an operator" if kind in _OPERATORS else kind) for kind in _ranked(kinds)]
    return parts + list(dict.fromkeys(named))


def _ranked(kinds: Iterable[str]) -> list[str]:
    return sorted(kinds, key=lambda kind: (_ORDER.index(kind) if kind in _ORDER else len(_ORDER), kind))


def _list(parts: list[str]) -> str:
    if len(parts) > 1:
        return ", ".join(parts[:-1]) + " or " + parts[-1]
    return parts[0] if parts else "something else"
