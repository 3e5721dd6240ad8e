"""Parameters of which `make test` tries some and `make test-all` all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def slow(*cases: Any) -> list[Any]:
    """Return cases of a parametrization that only `make test-all` tries; of several names, a case is a tuple."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow) for case in cases]


def sampled(cases: Iterable[Any], quick: Iterable[Any]) -> list[Any]:
    """Return all cases, of which `make test` tries the quick ones."""
    chosen = list(quick)
    return [each if each in chosen else pytest.param(each, marks=pytest.mark.slow) for each in cases]
