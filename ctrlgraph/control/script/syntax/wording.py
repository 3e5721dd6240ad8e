"""Syntax errors in words of the language, never in names of the grammar's."""

from __future__ import annotations

from collections.abc import Iterable

from lark import Token

from ctrlgraph.errors import suggestion

_VALUE = {"NUMBER", "NAME", "LPAR", "MINUS"}
_OPERATORS = {"PLUS", "MINUS", "STAR", "SLASH", "LESS"}
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
    "FALLEN": "fallen",
    "ANGLERANGE": "anglerange",
    "FAIL": "fail",
    "WHEN": "when",
    "AND": "and",
    "OR": "or",
    "NOT": "not",
    "BELOW": "'<'",
    "AT_MOST": "'<='",
    "AT_LEAST": "'>='",
    "$END": "the end of the file",
}
_PRIMITIVES = ("POSE", "LIPOSE", "MATCH", "POSEFB", "VPD", "VF", "IK", "VFFB", "VFSFB", "VFHFB")
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


def shown(token: Token) -> str:
    """Return the token as a message quotes it."""
    return "the end of the file" if token.type == "$END" else f"'{token.value}'"


def statement_name(statement: Token | None) -> str:
    """Return how a message names the statement that a keyword begins."""
    if statement is None:
        return "this statement"
    names = {"MORE": "this call", "SCRIPTS": "the SCRIPTS list"}
    return names.get(statement.type, f"this {statement.value}")


def unexpected(
    token: Token, accepts: set[str], statement: Token | None, blocks: list[Token], previous: Token | None
) -> tuple[str, str | None]:
    """Return the message and the hint for a token that does not fit, after `previous`."""
    accepts = accepts - {"STATE"}  # a name, as messages have it
    if accepts == {"$END"}:
        return f"nothing may follow ENDSCRIPT, found {shown(token)}", "one file holds one script"
    if not blocks and statement is None and token.type == "$END":
        return "the file holds no script: expected BEGINSCRIPT", None
    words = _keywords(accepts)
    if token.type == "NAME" and words:
        return f"unknown statement '{token.value}'", suggestion(str(token), words) or f"expected {_list(words)}"
    if words:
        if token.type in _PLACES:
            return f"{token.value} stands only {_PLACES[token.type]}", None
        if token.type in _OPENERS:
            return f"{token.value} without {_OPENERS[token.type]}", None
        if token.type == "SEMICOLON":
            return "no ';' belongs here", None
    expected = "'<', '>' or x" if accepts == {"LESS", "MORE", "NAME"} else _list(_expected(accepts))
    where = ""
    if statement is not None:
        where = f" in {statement_name(statement)}"
    elif not words and blocks:
        where = f" after {blocks[-1].value}"
    return f"expected {expected}, found {shown(token)}{where}", _hint(token, accepts, previous)


def _hint(token: Token, accepts: set[str], previous: Token | None) -> str | None:
    same_line = previous is not None and previous.line == token.line
    if same_line and "NAME" in accepts and "NUMBER" not in accepts and str(token).isupper():
        return f"{token.value} is a keyword and cannot be a name"
    return None


def _keywords(accepts: Iterable[str]) -> list[str]:
    """The keywords that may stand here, as written."""
    words: list[str] = []
    for kind in sorted(accepts):
        if kind == "PRIMITIVE":
            words += _PRIMITIVES
        elif kind not in _SIGNS and kind not in _OPERATORS:
            words.append(kind)
    return words


def _expected(accepts: set[str]) -> list[str]:
    kinds = set(accepts)
    parts: list[str] = []
    if kinds >= _VALUE:
        parts.append("a value")
        kinds -= _VALUE
    if kinds - _OPERATORS:
        kinds -= _OPERATORS
    order = ["NAME", "NUMBER", "LPAR", "COMMA", "RPAR", "DOT", "SEMICOLON"]
    ranked = sorted(kinds, key=lambda kind: (order.index(kind) if kind in order else len(order), kind))
    named = [_SIGNS.get(kind, "an operator" if kind in _OPERATORS else kind) for kind in ranked]
    return parts + list(dict.fromkeys(named))


def _list(parts: list[str]) -> str:
    if len(parts) > 1:
        return ", ".join(parts[:-1]) + " or " + parts[-1]
    return parts[0] if parts else "something else"
