"""Files of states: written during the walk, in bounded memory, and validated."""

from __future__ import annotations

import io
import os
import time
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from test_states import LINKS, states
from walk_fakes import FakeProject, FakeWorld

from ctrlgraph.errors import RunLogError
from ctrlgraph.files import TEMPORARY_SUFFIX
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.walks import state_files
from ctrlgraph.walks.random_run import walk_random
from ctrlgraph.walks.state_files import (
    StateReader,
    StateWriter,
    load_states,
    part_path,
    parts_of,
    save_states,
    states_path,
    sweep_runs,
)
from ctrlgraph.walks.states import StateRecorder, first_difference


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_files, "PART_SAMPLES", 10)
    monkeypatch.setattr(state_files, "PIECE_SAMPLES", 3)


def added(writer: StateWriter | StateRecorder, attempts: int) -> None:
    for attempt in range(attempts):
        writer.add(states().trace.between(0.0, 0.075), attempt, 0.0)  # 8 samples


def test_a_walk_is_written_in_parts_and_read_as_one(tmp_path: Path, small_parts: None):
    recorder, path = StateRecorder(LINKS), tmp_path / "run" / "walk-0.npz"
    with StateWriter(path, LINKS) as writer:
        added(writer, 5)
        assert [part.name for part in parts_of(path)] == ["walk-0.npz", "walk-0.part2.npz"]  # before it ends
    added(recorder, 5)
    assert [part.name for part in parts_of(path)] == ["walk-0.npz", "walk-0.part2.npz", "walk-0.part3.npz"]
    loaded, expected = load_states(path), recorder.states()
    assert loaded is not None and expected is not None
    assert len(loaded.trace) == 40 and loaded.attempt.tolist() == expected.attempt.tolist()
    assert first_difference(loaded, expected) is None
    reader = StateReader.open(path)
    assert reader is not None
    assert [len(piece.trace) for piece in reader.pieces()] == [3, 3, 3, 3, 3, 1, 3, 3, 3, 3, 3, 1, 3, 3, 2]


def test_of_a_long_walk_only_the_beginning_is_loaded(tmp_path: Path, small_parts: None):
    with StateWriter(tmp_path / "walk-0.npz", LINKS) as writer:
        added(writer, 5)
    (tmp_path / "walk-0.part2.npz").write_text("damaged")
    loaded = load_states(tmp_path / "walk-0.npz", at_most=10)
    assert loaded is not None and len(loaded.trace) == 12


def test_states_that_cannot_be_written_are_a_fault_and_not_an_error(tmp_path: Path, small_parts: None):
    (tmp_path / "run").touch()
    with StateWriter(tmp_path / "run" / "walk-0.npz", LINKS) as writer:
        added(writer, 5)
    assert writer.fault == f"the states of the walk cannot be written to {tmp_path}/run/walk-0.npz: file exists"


def test_a_walk_continues_without_its_states_and_warns_once(
    project: FakeProject, monkeypatch: pytest.MonkeyPatch, small_parts: None
):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    summary = walk_random(project, transitions=9, walks=2, seed=0, world=FakeWorld())
    path = states_path(project.runs_directory, summary.run, 0)
    said = f"the states of the walk cannot be written to {path}: no space left on device"
    assert summary.warnings == (said,)
    assert summary.tally.transitions == 18 and summary.lost == ()
    assert list(path.parent.iterdir()) == []
    with project.read_log() as log:
        assert log.run(summary.run).summary == summary.as_dict()


def test_one_interrupt_while_states_are_written_loses_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    saves = np.savez_compressed
    interrupts = [True]

    def interrupted(file: Path, **arrays: object) -> None:
        Path(file).write_text("half")
        if interrupts and interrupts.pop():
            raise KeyboardInterrupt
        saves(file, **arrays)

    monkeypatch.setattr(np, "savez_compressed", interrupted)
    with pytest.raises(KeyboardInterrupt), StateWriter(tmp_path / "walk-0.npz", LINKS) as writer:
        added(writer, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["walk-0.npz"]
    loaded = load_states(tmp_path / "walk-0.npz")
    assert loaded is not None and len(loaded.trace) == 16


def test_without_states_no_sample_is_kept_in_memory(project: FakeProject, monkeypatch: pytest.MonkeyPatch):
    def add(*_: object) -> None:
        raise AssertionError("a sample is held")

    monkeypatch.setattr(StateRecorder, "add", add)
    assert walk_random(project, transitions=9, seed=0, world=FakeWorld(), keep_states=False).tally.transitions == 9


def test_only_temporary_files_of_killed_processes_are_removed(tmp_path: Path):
    run = tmp_path / "1121-aaaaa"
    run.mkdir()
    old, young, other = (run / name for name in (f".walk-0-a{TEMPORARY_SUFFIX}.npz", f".b{TEMPORARY_SUFFIX}", "x.npz"))
    probe = tmp_path / f".writable-1{TEMPORARY_SUFFIX}"
    for path in (old, young, other, probe):
        path.touch()
    for path in (old, other, probe):
        os.utime(path, (time.time() - 7200,) * 2)
    sweep_runs(tmp_path)
    assert sorted(path.name for path in run.iterdir()) == [f".b{TEMPORARY_SUFFIX}", "x.npz"]
    assert not probe.exists()


# files that were made by hand


def rewritten(path: Path, **changed: bytes | np.ndarray | None) -> None:
    """The states with some of their arrays replaced, as arrays or as the bytes of a member, or left out."""
    save_states(states(), path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for name, value in changed.items():
        if isinstance(value, np.ndarray):
            stream = io.BytesIO()
            np.save(stream, value, allow_pickle=True)
            value = stream.getvalue()
        members[f"{name}.npy"] = value  # type: ignore[assignment]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            if data is not None:
                archive.writestr(name, data)


def declared(shape: str, dtype: str = "<f8") -> bytes:
    """An array that declares a shape and holds nothing."""
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"time": None}, "\"There is no item named 'time.npy' in the archive\""),
        (
            {"time": np.array([object()] * 16)},
            "the array 'time' must contain numbers or texts, with rows before columns",
        ),
        ({"time": np.full(16, np.nan)}, "the array 'time' must contain finite numbers"),
        ({"time": np.zeros(16, np.float32)}, "the array 'time' must have the type float64, not float32"),
        (
            {"time": declared("(1000000000000,)")},
            "the array 'position' must have the shape (1000000000000, 2, 2), not (16, 2, 2)",
        ),
        ({"angle": np.zeros((16, 3))}, "the array 'angle' must have the shape (16, 2), not (16, 3)"),
        (
            {"angle": np.asfortranarray(np.zeros((16, 2)))},
            "the array 'angle' must contain numbers or texts, with rows before columns",
        ),
        ({"angle": declared("(16, 2)")}, "the array 'angle' ends before its last number: the file was cut off"),
        ({"attempt": np.zeros(16)}, "the array 'attempt' must have the type int64, not float64"),
        (
            {"links": np.array(["x"] * 1001)},
            "the array 'links' must be a list of 1 to 1000 names, not of the shape (1001,)",
        ),
        (
            {"links": declared("(1000000000,)", "<U256")},
            "the array 'links' must be a list of 1 to 1000 names, not of the shape (1000000000,)",
        ),
        ({"links": np.array(["x" * 300])}, "the array 'links' must contain texts of at most 256 characters, not <U300"),
        ({"phase": b"no array"}, "the magic string is not correct; expected b'\\x93NUMPY', got b'no arr'"),
    ],
)
def test_states_that_were_made_by_hand_are_one_sentence(tmp_path: Path, changed: dict[str, object], says: str):
    path = tmp_path / "walk-0.npz"
    rewritten(path, **changed)  # type: ignore[arg-type]
    with pytest.raises(RunLogError) as raised:
        load_states(path)
    assert str(raised.value) == f"the states in {path} are damaged, so delete the file or walk again: {says}"


def test_parts_of_different_characters_are_one_sentence(tmp_path: Path):
    path = tmp_path / "walk-0.npz"
    save_states(states(), path)
    rewritten(part_path(path, 2), links=np.array(["head", "hand"]))
    with pytest.raises(RunLogError) as raised:
        load_states(path)
    assert str(raised.value) == (
        f"the states in {tmp_path}/walk-0.part2.npz are damaged, so delete the file or walk again: the links"
        " in this file differ from the links in the first file of the walk"
    )


def test_a_bomb_costs_no_memory(tmp_path: Path):
    """What is a thousand times smaller on disk is read a piece at a time."""
    samples = 1_000_000
    path = tmp_path / "walk-0.npz"
    shapes = {"time": "", "position": " 1, 2", "angle": " 1", "contact": " 1", "com": " 2", "com_velocity": " 2"}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in (*(field for field in Trace.__dataclass_fields__), "attempt"):
            dtype = {"contact": "|b1", "phase": "<i8", "attempt": "<i8"}.get(name, "<f8")
            width = {"position": 2, "com": 2, "com_velocity": 2}.get(name, 1)
            with archive.open(f"{name}.npy", "w") as member:
                member.write(declared(f"({samples},{shapes.get(name, '')})", dtype))
                zeros = bytes(samples * width * (1 if name == "contact" else 8) // 10)
                for _ in range(10):
                    member.write(zeros)
        stream = io.BytesIO()
        np.save(stream, np.array(["head"]))
        archive.writestr("links.npy", stream.getvalue())
    tracemalloc.start()
    try:
        loaded = load_states(path, at_most=10_000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert loaded is not None and len(loaded.trace) == 12288
    assert peak < 20e6


def test_a_long_directory_is_not_parsed(tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "walk-0.npz", "w") as archive:
        for number in range(2000):
            archive.writestr(str(number), b"")
    with pytest.raises(RunLogError) as raised:
        StateReader.open(tmp_path / "walk-0.npz")
    assert str(raised.value) == (
        f"the states in {tmp_path / 'walk-0.npz'} are damaged, so delete the file or walk again: the list of"
        " arrays in the archive is longer than 65536 bytes"
    )
