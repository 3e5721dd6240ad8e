"""Formatting and rewriting change the layout or one number, never the meaning."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from fuzz.grammar import Maker
from fuzz.mutation import relaid
from hypothesis import assume, given
from hypothesis import strategies as st
from published import published_scripts

from ctrlgraph.control.script.rewrite import literals_of, with_constants
from ctrlgraph.control.script.syntax.formatter import format_script
from ctrlgraph.control.script.syntax.parser import comments_in, parse_script
from ctrlgraph.control.script.syntax.syntax import Script, outline
from ctrlgraph.errors import SourceError

ROOT = Path(__file__).parents[3]
SHIPPED = [*sorted((ROOT / "controllers").rglob("*.t")), ROOT / "tests" / "data" / "peculiar.t"]
TEXTS = {f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8") for path in SHIPPED}
TEXTS |= {f"published/{name}": text for name, text in published_scripts().items()}

SPELLINGS = ["0", ".2", "1.", "0500.", "12.75E+1", "2 <-3, 1.>", ".5 <0,1>"]


@st.composite
def scripts(draw: st.DrawFn) -> str:
    """A script of the fuzzers' grammar without syntax errors, with odd numbers, layout and comments."""
    random = Random(draw(st.integers(0, 10_000)))
    text = Maker(random).script()
    odd = re.sub(r"\b\d+\.\d+\b", lambda n: random.choice(SPELLINGS) if random.random() < 0.2 else n.group(), text)
    found: str = next((each for each in (odd, text) if parse_script(each, "x.t").findings == ()), "")
    assume(found)
    return relaid(found, random)


def tree(text: str) -> Script:
    parsed = parse_script(text, "x.t")
    assert parsed.findings == ()
    assert parsed.script is not None
    return parsed.script


def comments(text: str) -> list[str]:
    return [match.group().rstrip() for match in comments_in(text)]


@given(scripts())
def test_formatting_changes_neither_meaning_nor_comments_and_is_stable(text: str) -> None:
    formatted = format_script(text)
    assert outline(tree(formatted)) == outline(tree(text))
    assert comments(formatted) == comments(text)
    assert format_script(formatted) == formatted


@given(scripts(), st.data())
def test_rewriting_changes_exactly_the_numbers_named(text: str, data: st.DataObject) -> None:
    literals = list(literals_of(tree(text)))
    values = st.floats(allow_nan=False, allow_infinity=False)
    chosen = data.draw(st.dictionaries(st.integers(0, max(0, len(literals) - 1)), values, max_size=3))
    chosen = {index: value for index, value in chosen.items() if index < len(literals)}
    places = {(literals[i].span.line, literals[i].span.column): value for i, value in chosen.items()}
    changed = with_constants(text, places)
    assert comments(changed) == comments(text)
    found = list(literals_of(tree(changed)))
    assert len(found) == len(literals)
    for index, literal in enumerate(found):
        assert literal.value == chosen.get(index, literals[index].value)
        assert (literal.low, literal.high) == (literals[index].low, literals[index].high)


@pytest.mark.parametrize("written", ["--0.9", "- # note\n-0.9", "--0.9 <-1, 2>", "(1.5 - -0.9)"])
def test_a_minus_before_a_number_does_not_become_its_sign(written: str) -> None:
    text = f"BEGINSCRIPT m(void)\nPHASE 0\nACTIONS\nPOSE head({written});\nENDACTIONS\nENDPHASE\nENDSCRIPT\n"
    before = list(literals_of(tree(text)))
    changed = list(literals_of(tree(with_constants(text, {(before[-1].span.line, before[-1].span.column): 1.0}))))
    assert [n.value for n in changed] == [*(n.value for n in before[:-1]), 1.0]
    assert (changed[-1].low, changed[-1].high) == (before[-1].low, before[-1].high)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_script_of_the_repository_formats_stably(text: str) -> None:
    formatted = format_script(text)
    assert outline(tree(formatted)) == outline(tree(text))
    assert format_script(formatted) == formatted
    assert comments(formatted) == comments(text)


UGLY = """\
# head
  SCRIPTS a.t,b.s ; SET TORQUELIMIT=3*(-2+a)  ;


BEGINSCRIPT   foo( a ,b)  # header

  # before phase

PHASE 0   #zero
> bar.t( a , - 3 <-5,-1>, -(a*2),
   1);TRANSITION to(-1).after(anglerange -2 2.8) ;
      # dangling
ENDPHASE
PHASE 1
ACTIONS
 POSE rKnee( 2.3 ,1000., # kp
  100.),

  # own line
  lKnee(2.3) , lAnkle(2.3) ;
 POSEFB rAnkle(2.2 -2.).on(joint lAnkle);
 IK rFoot.target global (1,2,-10)
   .base(rHip)
 .tolerance(0.001);
 VF(1,2,3).on(uTorso).by(rAnkle);
 COMFB2 0. -0.4 j rAnkle ; # feedback
 VPD rThigh(a- -1).joint(rHip).flags(s);
ENDACTIONS
TRANSITION to(1).after(fallen <-.6 <-2,0>);
ENDPHASE
ENDSCRIPT
# tail"""

FORMATTED = """\
# head
SCRIPTS a.t, b.s;
SET TORQUELIMIT = 3 * (-2 + a)

BEGINSCRIPT foo(a, b)  # header
  # before phase

  PHASE 0  #zero
    > bar.t(a, -3 <-5, -1>, -(a * 2),
        1);
    TRANSITION to(-1).after(anglerange -2 2.8);
    # dangling
  ENDPHASE
  PHASE 1
    ACTIONS
      POSE rKnee(2.3, 1000.,  # kp
          100.),
          # own line
          lKnee(2.3), lAnkle(2.3);
      POSEFB rAnkle(2.2 -2.).on(joint lAnkle);
      IK rFoot.target global(1, 2, -10)
          .base(rHip)
          .tolerance(0.001);
      VF (1, 2, 3).on(uTorso).by(rAnkle);
      COMFB2 0. -0.4 j rAnkle  # feedback
      VPD rThigh(a - -1).joint(rHip).flags(s);
    ENDACTIONS
    TRANSITION to(1).after(fallen < -.6 <-2, 0>);
  ENDPHASE
ENDSCRIPT
# tail
"""


def test_the_canonical_layout() -> None:
    assert format_script(UGLY) == FORMATTED


def test_a_text_with_syntax_errors_is_refused() -> None:
    with pytest.raises(SourceError, match="expected '\\)' before ';'"):
        format_script("BEGINSCRIPT x(void) PHASE 0 TRANSITION to(-1).after(time (1; ENDPHASE ENDSCRIPT")


# --- rewriting ---


@pytest.mark.parametrize(
    ("line", "column", "value", "changed"),
    [
        ("TRANSITION  to(-1).after(time  .5 <.1, 1> );", 32, 0.625, "TRANSITION  to(-1).after(time  0.625 <.1, 1> );"),
        ("ACTIONS POSE rHip(- .5); ENDACTIONS", 19, 0.25, "ACTIONS POSE rHip(0.25); ENDACTIONS"),
        ("ACTIONS POSE rHip(- # why\n .5); ENDACTIONS", 19, 0.25, "ACTIONS POSE rHip(  # why\n0.25); ENDACTIONS"),
        ("ACTIONS POSE rHip(- # why\n .5); ENDACTIONS", 19, -0.25, "ACTIONS POSE rHip(- # why\n0.25); ENDACTIONS"),
        ("ACTIONS POSEFB rHip(2.2-2.).on(part lFoot); ENDACTIONS", 24, 3.0,
         "ACTIONS POSEFB rHip(2.2 3.0).on(part lFoot); ENDACTIONS"),
    ],
    ids=["in place", "with its sign", "comment", "comment after a sign", "two gains stay two"],
)  # fmt: skip
def test_a_number_is_replaced_in_place(line: str, column: int, value: float, changed: str) -> None:
    text = "BEGINSCRIPT x(void) # keep\nPHASE 0\n{} ENDPHASE ENDSCRIPT"
    assert with_constants(text.format(line), {(3, column): value}) == text.format(changed)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ((1, 1), 1.0, "the script has no number in line 1, column 1"),
        ((1, 27), 1.0, "the script has no number in line 1, column 27"),
        ((1, 56), float("nan"), "line 1, column 56: the value must be finite, not nan"),
    ],
)
def test_only_constants_can_be_replaced_by_numbers(place: tuple[int, int], value: float, message: str) -> None:
    text = "BEGINSCRIPT x(void) PHASE 0 TRANSITION to(-1).after(time 1); ENDPHASE ENDSCRIPT"
    place = (1, text.index("time 1") + 6) if place == (1, 56) else place
    with pytest.raises(ValueError) as caught:
        with_constants(text, {place: value})
    assert str(caught.value) == message.replace("56", str(place[1]))
