"""Archives of arrays from strangers: nothing is loaded that is not there, and nothing is run."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.errors import RunLogError
from ctrlgraph.runs.arrays import load_arrays


def member(shape: str, data: bytes, descr: str = "'<f8'") -> bytes:
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


def archive(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(f"{name}.npy", content)
    return path


def test_arrays_come_back_as_they_were_written(tmp_path):
    path = tmp_path / "a.npz"
    numbers, texts, none = np.arange(6.0).reshape(2, 3), np.array(["a", "bc"]), np.zeros((0, 3))
    np.savez_compressed(path, numbers=numbers, texts=texts, none=none)
    found = load_arrays(path, ("numbers", "texts", "none"))
    assert found["numbers"].tolist() == numbers.tolist() and found["texts"].tolist() == ["a", "bc"]
    assert found["none"].shape == (0, 3)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (member("(1000000000000,)", b""), "'x' is of another size than it says"),
        (member("(-1, -8)", b"\0" * 64), "'x' has a negative length"),
        (member("(1,)", b"\0" * 8, "'|O'"), "'x' holds objects"),
        (member("(2,)", b"\0" * 8), "'x' is of another size than it says"),
        (member("(200000,)", b"\0" * 1600000), "it would take 0.00149 GB"),
    ],
)
def test_what_would_fill_memory_or_run_is_refused_before_it_is_loaded(tmp_path, monkeypatch, content, says):
    path = archive(tmp_path / "a.npz", x=content)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(np, "load", None)
    with pytest.raises(RunLogError) as caught:
        load_arrays(path, ("x",), largest=2**20)
    assert str(caught.value) == f"a.npz is damaged: {says}"


def test_what_is_no_archive_or_lacks_an_array_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = archive(tmp_path / "a.npz", x=member("(1,)", b"\0" * 8))
    whole = path.read_bytes()
    with pytest.raises(RunLogError, match=r"^a\.npz is damaged: it has no \"There is no item named 'y\.npy' in the"):
        load_arrays(path, ("y",))
    for size in range(0, len(whole), 7):
        path.write_bytes(whole[:size])
        with pytest.raises(RunLogError, match=r"^a\.npz is damaged: "):
            load_arrays(path, ("x",))


def test_any_change_of_a_byte_is_one_sentence_or_an_array(tmp_path):
    buffer = io.BytesIO()
    np.savez_compressed(buffer, x=np.arange(20.0))
    whole = buffer.getvalue()
    rng = np.random.default_rng(0)
    for _ in range(300):
        content = bytearray(whole)
        content[int(rng.integers(len(content)))] = int(rng.integers(256))
        (tmp_path / "a.npz").write_bytes(content)
        try:
            assert load_arrays(tmp_path / "a.npz", ("x",))["x"].nbytes < 10_000
        except RunLogError as error:
            assert "\n" not in str(error)
