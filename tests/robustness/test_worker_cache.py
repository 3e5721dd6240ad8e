"""What a worker keeps between pieces of work: made once for a key, freed for another one, and for one thread."""

from __future__ import annotations

import threading

import pytest

from ctrlgraph.robustness.worker_cache import WorkerCache


def test_a_thing_is_made_once_for_its_key_and_freed_when_another_takes_its_place() -> None:
    made: list[str] = []
    freed: list[str] = []

    def make(name: str) -> str:
        made.append(name)
        return name

    kept: WorkerCache[str] = WorkerCache(freed.append)
    for name in ("a", "a", "b", "b", "a"):
        with kept.using(name, lambda name=name: make(name)) as held:
            assert held == name
    assert (made, freed) == (["a", "b", "a"], ["a", "b"])


def test_what_cannot_be_made_leaves_what_there_is() -> None:
    freed: list[str] = []
    kept: WorkerCache[str] = WorkerCache(freed.append)
    with kept.using("a", lambda: "a"):
        pass
    with pytest.raises(ZeroDivisionError), kept.using("b", lambda: str(1 // 0)):
        pass
    with kept.using("a", lambda: "again") as held:
        assert held == "a"
    assert freed == []


def test_two_threads_never_use_things_at_once_of_any_kind() -> None:
    first: WorkerCache[str] = WorkerCache()
    second: WorkerCache[str] = WorkerCache()
    inside, together = threading.Event(), []

    def other() -> None:
        with second.using("b", lambda: "b"):
            together.append(inside.is_set())

    with first.using("a", lambda: "a"):
        inside.set()
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(0.05)
        assert thread.is_alive()
        inside.clear()
    thread.join()
    assert together == [False]
