"""Ways to damage a script's text, and a grammar to make up new ones; everything is drawn from the generator given."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

TOKEN = re.compile(r"#[^\n]*|[A-Za-z_]\w*|[0-9]*\.?[0-9]+|\s+|.", re.DOTALL)
NUMBER = re.compile(r"[0-9]*\.[0-9]+|[0-9]+\.?")

_WORDS = """BEGINSCRIPT ENDSCRIPT PHASE ENDPHASE ACTIONS ENDACTIONS TRANSITION POSE LIPOSE MATCH POSEFB VPD VF
    IK VFFB VFSFB VSFSB COMFB2 SET SCRIPTS SAVE LOAD TORQUELIMIT SUCCESS flight torso rKnee lHip waist rShoudler uTorso
    rFoot cop copf dt x j p s void to after time contact nocontact stable fallen anglerange
    iterations complete on by over joint part target local global
    base tolerance flags speed walk.t squat stand missing"""
WORDS = _WORDS.split()
SIGNS = ["(", ")", ";", ",", ".", "<", ">", "=", "+", "-", "*", "/", "#", "\n", "\r\n", "\t", " "]
NUMBERS = ["0", "-0.", "1", ".5", "1e9", "1e308", "1e309", "1e-320", "9" * 20, "0x10", "1.2.3", "1e", "-1"]
FOREIGN = ["\0", "\x1b[31m", "\x07", "\u202e", "\ufeff", "\u2212", "\u00a0", "\u2028", "\x85", "e\u0301", "\x7f", "'"]
FOREIGN += ["\U0001f600"]

Mutation = Callable[[Random, str, list[str]], str]


def _bytes(random: Random, text: str, corpus: list[str]) -> str:
    data = bytearray(text.encode("utf-8", "surrogateescape"))
    for _ in range(random.randint(1, 8)):
        at = random.randrange(len(data) + 1)
        new = random.randbytes(random.randint(0, 3))
        ascii_only = random.random() < 0.8
        data[at : at + random.randint(0, 3)] = bytes(byte & 127 for byte in new) if ascii_only else new
    return data.decode("utf-8", "surrogateescape")


def _cut(random: Random, text: str, corpus: list[str]) -> str:
    at = random.randrange(len(text) + 1)
    length = random.choice((int(random.paretovariate(0.7)), len(text)))
    return text[:at] + text[at + length :]


def _tokens(random: Random, text: str, corpus: list[str]) -> str:
    tokens = TOKEN.findall(text)
    for _ in range(random.randint(1, 5)):
        at = random.randrange(len(tokens) + 1)
        kind = random.randrange(5)
        if kind == 0:
            tokens[at : at + 1] = []
        elif kind == 1:
            tokens[at:at] = tokens[at : at + random.randint(1, 4)]
        elif kind == 2:
            tokens[at : at + 2] = reversed(tokens[at : at + 2])
        else:
            tokens[at : at + kind - 3] = [" ", _word(random), " "]
    return "".join(tokens)


def _word(random: Random) -> str:
    return random.choice(random.choice((WORDS, WORDS, SIGNS, NUMBERS)))


def _statement(random: Random, text: str, corpus: list[str]) -> str:
    """A statement moved, doubled or brought in from elsewhere."""
    mine, other = text.split(";"), random.choice(corpus).split(";")
    mine.insert(random.randrange(len(mine) + 1), random.choice(random.choice((mine, other))))
    return ";".join(mine)


def _splice(random: Random, text: str, corpus: list[str]) -> str:
    other = random.choice(corpus)
    return text[: random.randrange(len(text) + 1)] + other[random.randrange(len(other) + 1) :]


def _repeat(random: Random, text: str, corpus: list[str]) -> str:
    start = random.randrange(len(text) + 1)
    part = text[start : start + random.randint(1, 200)]
    times = min(random.choice((2, 3, 10, 100, 1000)), random.choice((3000, 3000, 3000, 30_000)) // max(1, len(part)))
    return text[:start] + part * times + text[start + len(part) :]


def _number(random: Random, text: str, corpus: list[str]) -> str:
    found = list(NUMBER.finditer(text))
    if not found:
        return text + random.choice(NUMBERS)
    match = random.choice(found)
    depth = random.choice((1, 2, 10, 59, 60, 61, 100, 1000))
    made = random.choice(
        [
            *NUMBERS,
            "9" * random.choice((10, 100, 400, 401)),
            "(" * depth + match[0] + ")" * depth,
            "(" * depth + match[0],
            "- " * depth + match[0],
            "-#\n" * depth + match[0],
            "+".join([match[0]] * depth),
            "(1-" * depth + match[0] + ")" * depth,
            f"{match[0]} / 0",
            f"{match[0]} <0, 1>",
            f"{match[0]} <-1e309, 5>",
            "dt",
            "x" * depth,
        ]
    )
    return text[: match.start()] + made + text[match.end() :]


def _foreign(random: Random, text: str, corpus: list[str]) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(FOREIGN) * random.choice((1, 1, 3, 50)) + text[at:]


def _spaces(random: Random, text: str, corpus: list[str]) -> str:
    """Another layout, comments in odd places."""
    gap = random.choice(("\n", " ", "\t", "\r\n", " # note\n", "#\n", "\f", "\r"))
    return re.sub(r"(?<=[;,()])", lambda match: gap if random.random() < 0.2 else "", text)


def _rename(random: Random, text: str, corpus: list[str]) -> str:
    words = re.findall(r"[A-Za-z_]\w*", text)
    if not words:
        return text
    word = random.choice(words)
    return re.sub(rf"\b{word}\b", random.choice((random.choice(words), random.choice(WORDS), word[:-1] or "a")), text)


MUTATIONS: list[Mutation] = [
    *(_bytes, _cut, _cut, _tokens, _tokens, _tokens, _statement, _statement, _splice),
    *(_repeat, _number, _number, _number, _foreign, _spaces, _rename),
]


def mutated(random: Random, text: str, corpus: list[str]) -> bytes:
    """The text after one to five mutations."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 5))):
        text = random.choice(MUTATIONS)(random, text, corpus)
    return text.encode("utf-8", "surrogateescape")
