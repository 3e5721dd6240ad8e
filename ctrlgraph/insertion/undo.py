"""Undo of insertions: the previous texts of files are kept before any of them changes.

Each insertion has a journal, `runs/integrate/NNNN.json`, with the previous text of each file (null if there was none)
and the digest of the new one. Undo restores the texts of the newest journal and removes it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.files import read_bytes, replacing, write_text
from ctrlgraph.paths import contained, display_path
from ctrlgraph.project.project import GRAPH_FILE, RUNS_DIRECTORY

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project

_FOLDER = "integrate"
MOST_BYTES = 64 * 2**20
"""Maximum size of a journal or a proposal, and of their texts, bytes."""

_LEARNED = re.compile(r"learned/[^/\\]+\.(yaml|t|s)")


@dataclass(frozen=True)
class Undone:
    """An insertion that was undone."""

    node: str
    restored: tuple[Path, ...]
    """Files with their previous texts."""
    removed: tuple[Path, ...]
    """Files that were removed."""


def is_learned_path(path: str) -> bool:
    """Return True if an insertion may write this path besides the graph file."""
    return _LEARNED.fullmatch(path) is not None


def write_files(project: Project, node: str, texts: Mapping[str, str]) -> list[Path]:
    """Write texts to files of the project in their order, after keeping the previous texts.

    Args:
        project: Project with the files.
        node: Name of the inserted node.
        texts: Texts by path.

    Raises:
        CtrlGraphError: A file cannot be written.
    """
    files = {}
    for path, text in texts.items():
        before = _read(contained(project.directory, path))
        files[path] = {
            "before": None if before is None else before.decode("utf-8", "surrogateescape"),
            "written": _digest(text.encode()),
        }
    journals = _journals(project)
    number = int(journals[-1].stem) + 1 if journals else 1
    journal = contained(project.directory, f"{RUNS_DIRECTORY}/{_FOLDER}/{number:04d}.json")
    write_text(journal, json.dumps({"node": node, "files": files}, indent=1) + "\n")
    for path, text in texts.items():
        write_text(project.directory / path, text)
    return [project.directory / path for path in texts]


def undo(project: Project) -> Undone:
    """Restore the files of the newest insertion.

    Raises:
        CtrlGraphError: There is none, its journal is damaged, or a file has changed or cannot be written. Then nothing
            is changed.
    """
    journals = _journals(project)
    if not journals:
        raise CtrlGraphError("there is no integration to undo")
    journal = contained(project.directory, f"{RUNS_DIRECTORY}/{_FOLDER}/{journals[-1].name}")
    node, files = _read_journal(journal)
    befores = {path: _bytes(entry["before"]) for path, entry in files.items()}
    # an interrupted insertion has not changed all files
    for path, was in befores.items():
        now, entry = _read(contained(project.directory, path)), files[path]
        if now != was and (now is None or _digest(now) != entry["written"]):
            raise CtrlGraphError(
                f"{path} has changed since {printable(node)} was integrated: nothing is undone; what it was before"
                f" stands in {display_path(journal)}"
            )
    restored, removed = [], []
    # the graph first, so that it never names missing files
    for path in sorted(befores, key=lambda path: path != GRAPH_FILE):
        file, before = contained(project.directory, path), befores[path]
        if before is None:
            with suppress(FileNotFoundError):
                file.unlink()
            removed.append(file)
            continue
        with replacing(file) as temporary:
            temporary.write_bytes(before)
        restored.append(file)
    journal.unlink()
    return Undone(node, tuple(restored), tuple(removed))


def _journals(project: Project) -> list[Path]:
    found = contained(project.directory, f"{RUNS_DIRECTORY}/{_FOLDER}").glob("*.json")
    # reading a pipe or a device may block
    named = (path for path in found if re.fullmatch(r"[0-9]{4,9}", path.stem) and path.is_file())
    return sorted(named, key=lambda path: int(path.stem))


def _read_journal(path: Path) -> tuple[str, dict[str, dict[str, Any]]]:
    """Return the node and the files of an untrusted journal."""
    damaged = CtrlGraphError(f"{display_path(path)} is no journal of an integration, or damaged: nothing is undone")
    try:
        data = json.loads(read_bytes(path, MOST_BYTES))
        node, files = data["node"], data["files"]
        known = isinstance(node, str) and all(_is_entry(name, entry) for name, entry in files.items())
        for entry in files.values():
            _bytes(entry["before"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise damaged from None
    if not known:
        raise damaged
    return node, files


def _is_entry(name: str, entry: Any) -> bool:
    """Return whether an entry is one that `write_files` may have written."""
    if not isinstance(entry, dict) or not isinstance(entry.get("written"), str) or "before" not in entry:
        return False
    if name == GRAPH_FILE:
        return isinstance(entry["before"], str)
    return is_learned_path(name) and isinstance(entry["before"], str | None)


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")


def _read(path: Path) -> bytes | None:
    try:
        return read_bytes(path, MOST_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        reason = error.strerror or str(error)
        raise CtrlGraphError(f"cannot read {display_path(path)}: {reason[:1].lower()}{reason[1:]}") from None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
