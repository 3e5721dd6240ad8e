"""The states of a dozen motions on both engines stay the same, bit for bit, until a change is intended.

After an intended change: `python benchmarks/oracle.py record tests/data/golden_digests.json --only sample`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import oracle

RECORDED = Path(__file__).parents[1] / "data" / "golden_digests.json"


@pytest.mark.slow
def test_a_dozen_motions_on_both_engines_have_the_recorded_states(tmp_path: Path) -> None:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    if recorded["machine"] != oracle.machine():
        pytest.skip("the digests were recorded with other libraries or another processor")
    found = oracle.answers(["sample"], jobs=1, partial=tmp_path / "answers")
    assert oracle.differences(recorded["digests"], found) == []


def test_a_digest_that_changed_disappeared_or_is_new_is_a_difference() -> None:
    found = oracle.differences({"same": "1", "changed": "2", "gone": "3"}, {"same": "1", "changed": "4", "new": "5"})
    assert found == [
        "differs: changed (was 2, is 4)",
        "differs: gone (was 3, is missing)",
        "differs: new (was missing, is 5)",
    ]
