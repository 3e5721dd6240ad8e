"""Files of tables and policies: read back as they were, stale, damaged and hostile."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.policies import Grid, GridAxis, StaleFile, TabulatedPolicy

POLICY = TabulatedPolicy(
    Grid([GridAxis("x", 0.0, 3.0, 4, "m")]),
    np.array([[1.5], [0.0]]),
    ("step",),
    np.array([0, 0, 1, -1]),
    np.array([1.0, 2, 3, -np.inf]),
    digests={"character": "abc", "controller": "def"},
)


def test_a_policy_is_read_back_and_equal_policies_give_equal_files(tmp_path: Path) -> None:
    path, again = tmp_path / "policy.npz", tmp_path / "again.npz"
    POLICY.save(path)
    found = TabulatedPolicy.load(path, POLICY.digests)
    for name in ("actions", "choice", "value"):
        assert getattr(found, name).tobytes() == getattr(POLICY, name).tobytes()
    assert (found.grid, found.action_names) == (POLICY.grid, POLICY.action_names)
    found.save(again)
    assert again.read_bytes() == path.read_bytes()


def test_a_policy_of_other_inputs_is_stale(tmp_path: Path) -> None:
    path = tmp_path / "policy.npz"
    POLICY.save(path)
    with pytest.raises(StaleFile) as raised:
        TabulatedPolicy.load(path, {"character": "abc", "controller": "another"})
    assert (
        str(raised.value)
        == f"the policy in {path} was computed with another controller: delete the file and compute it again"
    )


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(CtrlGraphError, match=r"^the policy file .* does not exist: "):
        TabulatedPolicy.load(tmp_path / "none.npz")


def rewritten(path: Path, **members: bytes | None) -> Path:
    """Return the file of POLICY with some members replaced; names with __ for a dot."""
    POLICY.save(path)
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


ABOUT = {"kind": "policy", "format": 1, "digests": {}}
HOSTILE = {
    "an object": {"value__npy": array(np.array([{}, {}, {}, {}], object), pickled=True)},
    "a bomb": {"value__npy": declared("(10**15,)")},
    "a large bomb": {"value__npy": declared(f"({10**15},)")},
    "too little": {"value__npy": declared("(4,)")},
    "another type": {"value__npy": array(np.zeros(4, np.float32))},
    "another number": {"value__npy": array(np.zeros(5))},
    "no array": {"value__npy": b"nothing"},
    "a member less": {"value__npy": None},
    "no about": {"about__json": None},
    "about of another kind": {"about__json": json.dumps(ABOUT | {"kind": "transition table"}).encode()},
    "about of another format": {"about__json": json.dumps(ABOUT | {"format": 2}).encode()},
    "about without digests": {"about__json": json.dumps(ABOUT | {"digests": [1]}).encode()},
    "about without end": {"about__json": b"[" * 100_000},
    "about too long": {"about__json": b" " * 2_000_000},
    "a choice of no action": {"choice__npy": array(np.array([0, 2**62, 3, 4]))},
    "no grid": {"about__json": json.dumps(ABOUT).encode()},
}


@pytest.mark.parametrize("members", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_refused_in_one_sentence(tmp_path: Path, members: dict[str, bytes | None]) -> None:
    path = rewritten(tmp_path / "policy.npz", **members)
    with pytest.raises(CtrlGraphError) as raised:
        TabulatedPolicy.load(path)
    assert str(raised.value).startswith(f"{path} is not a readable policy, so delete it and compute it again: ")
    assert "\n" not in str(raised.value)


def test_a_damaged_archive_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "policy.npz").write_bytes(b"PK\x03\x04" + bytes(1000))
    with pytest.raises(CtrlGraphError, match="is not a readable policy"):
        TabulatedPolicy.load(tmp_path / "policy.npz")
