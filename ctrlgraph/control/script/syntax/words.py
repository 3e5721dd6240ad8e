"""Contextual keywords: words that are keywords only in some places, as `and` in a condition, `angle(` in an expression.

So a parameter or a script can still have the name `angle` or `and`. Some scripts used these names before the words
became keywords.
"""

from __future__ import annotations

from collections.abc import Iterable

from lark import Token

from ctrlgraph.control.script.syntax.forms import STATE_FORMS

_OF_CONDITIONS = {"when": "WHEN", "and": "AND", "or": "OR", "not": "NOT"}


def with_words_in_place(tokens: Iterable[Token]) -> list[Token]:
    """Return tokens as a list, in which each name or `<` that is a keyword in its context has the type of this keyword.

    The tokens are changed in place.
    """
    found = list(tokens)
    parameters = _parameters(found)
    in_condition = in_comparison = False
    for index, token in enumerate(found):
        before = found[index - 1].type if index else ""
        if token.type in ("TRANSITION", "SEMICOLON"):
            in_condition, in_comparison = token.type == "TRANSITION", False
        elif token.type == "NAME" and before not in ("DOT", "FALLEN"):
            if in_condition and str(token) == "fail" and before == "LPAR" and str(found[index - 2]) == "to":
                token.type = "FAIL"
            elif in_condition and str(token) in _OF_CONDITIONS:
                token.type = _OF_CONDITIONS[str(token)]
                in_comparison = token.type == "WHEN"
            elif str(token) in STATE_FORMS and _is_quantity(found, index, parameters):
                token.type = "STATE"
        elif token.type == "LESS" and in_comparison and not _begins_range(found, index):
            token.type = "BELOW"
    return found


def _is_quantity(tokens: list[Token], index: int, parameters: set[str]) -> bool:
    """Return whether the token at `index` begins a quantity of the state, as in `x(rFoot)`.

    If `x` and `b` are parameters of the script, `x (b)` are two values instead.
    """
    if not _types(tokens, index + 1, "LPAR"):
        return False
    if str(tokens[index]) not in parameters:
        return True
    return _types(tokens, index + 2, "NAME", "RPAR") and str(tokens[index + 2]) not in parameters


def _parameters(tokens: list[Token]) -> set[str]:
    """Return the names of the parameters in the header of a script, given all tokens."""
    begin = next((i for i, token in enumerate(tokens) if token.type == "BEGINSCRIPT"), len(tokens))
    end = next((i for i, token in enumerate(tokens) if i > begin and token.type in ("RPAR", "PHASE")), begin)
    return {str(token) for token in tokens[begin + 3 : end] if token.type == "NAME"}


def _begins_range(tokens: list[Token], index: int) -> bool:
    """Return whether the token `<` at `index` begins a search range such as `<0.3, 1.1>`."""
    return _types(tokens, index + 1, "NUMBER", "COMMA") or _types(tokens, index + 1, "MINUS", "NUMBER", "COMMA")


def _types(tokens: list[Token], index: int, *types: str) -> bool:
    return [token.type for token in tokens[index : index + len(types)]] == list(types)
