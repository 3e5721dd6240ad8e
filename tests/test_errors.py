"""Text from files is printed without terminal control characters, and errors can be sent between processes."""

from __future__ import annotations

import pickle
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.errors import Finding, SourceError, printable, quoted


def test_characters_that_turn_the_direction_of_text_are_written_out() -> None:
    assert printable("\u202eabc\u2066") == r"\u202eabc\u2066"


def test_tabs_line_feeds_and_letters_of_all_scripts_stay() -> None:
    assert printable("a\tb\nü 走る") == "a\tb\nü 走る"


@given(st.text(st.characters(codec=None)))
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    left = {c for c in printable(text) if unicodedata.category(c) in ("Cc", "Cs")}
    assert left <= {"\t", "\n"}
    printable(text).encode()


def test_what_messages_quote_is_on_one_line_and_cut() -> None:
    assert quoted("a\nb\x1b") == r"'a\nb\x1b'"
    assert quoted("x" * 100) == "'" + "x" * 77 + "...'"
    assert quoted(1.5) == "'1.5'"


def test_a_finding_is_rendered_printable() -> None:
    assert Finding("error", "x", "node '\x1b]0;t\x07'", "a.yaml").render() == r"a.yaml: error: node '\x1b]0;t\x07'"


def test_an_error_of_a_worker_process_keeps_its_findings() -> None:
    error = SourceError([Finding("error", "x", "no phase 7", "a.t")])
    received = pickle.loads(pickle.dumps(error))
    assert received.findings == error.findings
    assert str(received) == str(error)
