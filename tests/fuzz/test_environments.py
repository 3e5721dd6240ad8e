"""A small share of the odd environments; `python tests/fuzz/environments.py` has them all."""

from __future__ import annotations

import random

import pytest
from fuzz import environments
from fuzz.environments import Case, draw, run
from sampling import slow


@pytest.mark.parametrize("number", [0, *slow(*range(1, 6))])
def test_no_law_breaks_in_an_odd_environment(number: int) -> None:
    assert run(draw(random.Random(f"test/{number}"))) == []


def test_the_laws_can_be_broken() -> None:
    case = Case(("graph",))
    found = environments._judge(
        case, 70, b"\x1b[2J", b"Traceback\nerror: a fault in ctrlgraph itself\nException ignored"
    )
    assert len(found) == 5
    assert [finding.law for finding in environments._judge(case, None, b"", b"")] == ["ends in time"]
