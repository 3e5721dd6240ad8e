"""Transition tables: valid arrays, and hostile files."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.policies import ENDED, FAILED, ActionOutcome, StaleFile, TransitionTable

TABLE = TransitionTable.of(
    [
        {
            3: [ActionOutcome(1, 0.75, -1.0, 0.5), ActionOutcome(FAILED, 0.25, -1.0, 0.25)],
            5: [ActionOutcome(0, 1.0, -2.0)],
        },
        {3: [ActionOutcome(ENDED, 1.0, 4.0, 1.0)]},
    ],
    digests={"character": "abc", "controller": "def"},
)


OUT = [ActionOutcome(ENDED, 0.2), ActionOutcome(0, 0.8)]


def test_a_table_counts_its_states_choices_and_outcomes() -> None:
    assert (TABLE.states, TABLE.choices, TABLE.outcomes) == (2, 3, 4)
    assert TABLE.action.tolist() == [3, 5, 3] and TABLE.choice_of.tolist() == [0, 0, 1, 2]


def test_outcomes_without_probability_are_left_out() -> None:
    table = TransitionTable.of([{0: [ActionOutcome(ENDED, 1.0), ActionOutcome(0, 0.0)]}])
    assert table.outcomes == 1


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"next_state": [1, -3, 0, -1]}, "an outcome leads to an unknown state"),
        ({"next_state": [2, -2, 0, -1]}, "an outcome leads to an unknown state"),
        ({"probability": [0.5, 0.25, 1.0, 1.0]}, "the probabilities of choice 0 do not sum to 1"),
        ({"probability": [1.5, -0.5, 1.0, 1.0]}, "an outcome has no probability"),
        ({"probability": [np.nan, 0.25, 1.0, 1.0]}, "an outcome has no probability"),
        ({"reward": [np.inf, 0, 0, 0]}, "a reward or a duration is out of range"),
        ({"duration": [-1.0, 0, 0, 0]}, "a reward or a duration is out of range"),
        ({"choice_start": [0, 3, 3]}, "state 1 has no choice"),
        ({"choice_start": [0, 4, 3]}, "'choice_start' does not count its choices"),
        ({"outcome_start": [0, 2, 3, 9]}, "'outcome_start' does not count its outcomes"),
        ({"outcome_start": [0, 2, 2, 4]}, "choice 1 has no outcome"),
    ],
)
def test_invalid_tables_are_refused(change: dict, fault: str) -> None:
    arrays = {name: np.array(value, getattr(TABLE, name).dtype) for name, value in change.items()}
    with pytest.raises(ValueError, match=f"^{fault}$"):
        replace(TABLE, **arrays)


def test_a_mixture_weighs_the_outcomes_of_all_tables_equally() -> None:
    one = TransitionTable.of([{0: [ActionOutcome(1, 1.0, -1.0, 2.0)], 3: [ActionOutcome(ENDED, 1.0)]}, {1: OUT}])
    other = TransitionTable.of([{0: [ActionOutcome(FAILED, 1.0, -3.0)], 3: [ActionOutcome(ENDED, 1.0)]}, {1: OUT}])
    mixed = TransitionTable.mixture([one, other])
    assert mixed.outcome_start.tolist() == [0, 2, 4, 8]
    assert mixed.next_state.tolist() == [1, FAILED, ENDED, ENDED, ENDED, 0, ENDED, 0]
    np.testing.assert_allclose(mixed.probability, [0.5, 0.5, 0.5, 0.5, 0.1, 0.4, 0.1, 0.4])
    assert mixed.reward[:2].tolist() == [-1.0, -3.0] and mixed.duration[:2].tolist() == [2.0, 0.0]
    with pytest.raises(ValueError, match=r"^only tables of the same choices can be mixed$"):
        TransitionTable.mixture([one, TransitionTable.of([{0: OUT, 2: OUT}, {1: OUT}])])


def test_a_table_is_read_back_and_equal_tables_give_equal_files(tmp_path: Path) -> None:
    path, again = tmp_path / "table.npz", tmp_path / "again.npz"
    TABLE.save(path)
    found = TransitionTable.load(path, TABLE.digests)
    for name in ("choice_start", "action", "outcome_start", "next_state", "probability", "reward", "duration"):
        assert getattr(found, name).tobytes() == getattr(TABLE, name).tobytes()
    found.save(again)
    assert again.read_bytes() == path.read_bytes()


def test_a_table_of_other_inputs_is_stale(tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    TABLE.save(path)
    with pytest.raises(StaleFile) as raised:
        TransitionTable.load(path, {"character": "abc", "controller": "another"})
    assert (
        str(raised.value) == f"the transition table in {path} was made with another controller: it has to be made again"
    )


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(CtrlGraphError, match=r"^there is no file "):
        TransitionTable.load(tmp_path / "none.npz")


def rewritten(path: Path, **members: bytes | None) -> Path:
    """Return the file of TABLE with some members replaced; names with __ for a dot."""
    TABLE.save(path)
    with zipfile.ZipFile(path) as archive:
        content: dict[str, bytes | None] = {name: archive.read(name) for name in archive.namelist()}
    content |= {name.replace("__", "."): data for name, data in members.items()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            if data is not None:
                archive.writestr(name, data)
    return path


def array(value: np.ndarray, *, pickled: bool = False) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, value, version=(1, 0), allow_pickle=pickled)
    return stream.getvalue()


def declared(shape: str, dtype: str = "<f8") -> bytes:
    """Return an array file that declares this shape and has no data."""
    head = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head


ABOUT = {"kind": "transition table", "format": 1, "digests": {}}
HOSTILE = {
    "an object": {"reward__npy": array(np.array([{}, {}, {}, {}], object), pickled=True)},
    "a bomb": {"reward__npy": declared("(10**15,)")},
    "a large bomb": {"reward__npy": declared(f"({10**15},)")},
    "too little": {"reward__npy": declared("(4,)")},
    "another type": {"reward__npy": array(np.zeros(4, np.float32))},
    "another number": {"reward__npy": array(np.zeros(5))},
    "no array": {"reward__npy": b"nothing"},
    "a member less": {"reward__npy": None},
    "no about": {"about__json": None},
    "about of another kind": {"about__json": json.dumps(ABOUT | {"kind": "policy"}).encode()},
    "about of another format": {"about__json": json.dumps(ABOUT | {"format": 2}).encode()},
    "about without digests": {"about__json": json.dumps(ABOUT | {"digests": [1]}).encode()},
    "about without end": {"about__json": b"[" * 100_000},
    "about too long": {"about__json": b" " * 2_000_000},
    "an endless loop": {"outcome_start__npy": array(np.array([0, 2**62, 3, 4]))},
}


@pytest.mark.parametrize("members", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_refused_in_one_sentence(tmp_path: Path, members: dict[str, bytes | None]) -> None:
    path = rewritten(tmp_path / "table.npz", **members)
    with pytest.raises(CtrlGraphError) as raised:
        TransitionTable.load(path)
    assert str(raised.value).startswith(f"{path} is not a readable transition table: ")
    assert "\n" not in str(raised.value)


def test_a_damaged_archive_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "table.npz").write_bytes(b"PK\x03\x04" + bytes(1000))
    with pytest.raises(CtrlGraphError, match="is not a readable transition table"):
        TransitionTable.load(tmp_path / "table.npz")
