"""Changes of the text of a script. All choices are drawn from the generator that is passed in."""

from __future__ import annotations

import re
from random import Random

from fuzz.yaml_files import scrambled

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


def _tokens(text: str, random: Random) -> str:
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


def _statement(text: str, random: Random) -> str:
    """Move or repeat a statement."""
    statements = text.split(";")
    statements.insert(random.randrange(len(statements) + 1), random.choice(statements))
    return ";".join(statements)


def _number(text: str, random: Random) -> str:
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


def relaid(text: str, random: Random) -> str:
    """Change the layout and insert comments."""
    gap = random.choice(("\n", " ", "\t", "\r\n", " # note\n", "#\n", "\f", "\r"))
    return re.sub(r"(?<=[-;,()])", lambda match: gap if random.random() < 0.2 else "", text)


def _rename(text: str, random: Random) -> str:
    words = re.findall(r"[A-Za-z_]\w*", text)
    if not words:
        return text
    word = random.choice(words)
    return re.sub(rf"\b{word}\b", random.choice((random.choice(words), random.choice(WORDS), word[:-1] or "a")), text)


CHANGES = (
    *(scrambled, scrambled, scrambled, _tokens, _tokens, _tokens, _statement, _statement),
    *(_number, _number, _number, relaid, _rename),
)
