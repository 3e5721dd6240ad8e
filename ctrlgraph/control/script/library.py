"""The scripts of a project: found by stem (file name without suffix), and read once.

A call names a script by its stem, so `.t` and `.s` refer to the same script. The file can be anywhere below the roots.
Links that lead out of a root are ignored, because an untrusted project must not read files outside of its directory.
"""

from __future__ import annotations

import errno
import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.control.script.bounds import MAX_BYTES
from ctrlgraph.errors import Finding, SourceError
from ctrlgraph.files import NotRegular, TooLarge, read_bytes
from ctrlgraph.paths import files_below

if TYPE_CHECKING:
    from ctrlgraph.control.script.syntax.parser import Parsed

EXTENSIONS = (".t", ".s")

_COMMENT = re.compile(r"#[^\n]*")
_CALL = re.compile(r">\s*([A-Za-z_]\w*)", re.ASCII)
_HEADER = re.compile(r"\bBEGINSCRIPT\s+\w+\s*\(\s*(?:([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*)?\)", re.ASCII)


class ScriptLibrary:
    """All scripts below some directories. A script is parsed at its first use, and again after its file has changed."""

    def __init__(self, roots: Iterable[Path]) -> None:
        """
        Args:
            roots: directories, which are searched recursively, or script files.
        """
        self.roots = tuple(Path(root) for root in roots)
        self._by_stem: dict[str, tuple[Path, ...]] | None = None
        self._texts: dict[Path, tuple[tuple[int, int], str]] = {}
        self._parsed: dict[Path, Parsed] = {}
        self._drafts: dict[Path, Parsed] = {}

    def find(self, stem: str) -> Path | None:
        """Return the path of the script with a stem (file name without suffix).

        The result is the first path if several scripts have the stem, and None if there is none.
        """
        found = self.candidates(stem)
        return found[0] if found else None

    def candidates(self, stem: str) -> tuple[Path, ...]:
        """Return the paths of all scripts with a stem (file name without suffix), sorted.

        If there are several, a call of this stem is an error.
        """
        found = self._index().get(stem, ())
        if found and all(map(os.path.isfile, found)):
            return found
        if not found and self._by_stem is not None and not self._may_have_changed(stem):
            return ()
        self.refresh()
        return self._index().get(stem, ())

    def paths(self) -> tuple[Path, ...]:
        """Return the paths of all scripts, sorted."""
        return tuple(sorted(path for found in self._index().values() for path in found))

    def stems(self) -> tuple[str, ...]:
        """Return the stems (file names without suffix) of all scripts, sorted."""
        return tuple(sorted(self._index()))

    def refresh(self) -> None:
        """Discard the list of files; at its next use, the directories are searched again."""
        self._by_stem = None

    def put(self, path: Path, text: str) -> None:
        """Use `text` for the script at `path` instead of the contents of the file, until `withdraw(path)` is called."""
        from ctrlgraph.control.script.syntax.parser import parse_script

        self._drafts[Path(path)] = parse_script(text, str(path))

    def withdraw(self, path: Path) -> None:
        """Use the contents of the file at `path` again."""
        self._drafts.pop(Path(path), None)

    def parse(self, path: Path) -> Parsed:
        """Parse the script in a file. Syntax errors are in `findings` of the result instead of an exception."""
        from ctrlgraph.control.script.syntax.parser import Parsed, parse_script

        path = Path(path)
        if path in self._drafts:
            return self._drafts[path]
        try:
            text = self._text(path)
        except SourceError as error:
            return Parsed(str(path), "", None, error.findings)
        if path not in self._parsed or self._parsed[path].text != text:
            self._parsed[path] = parse_script(text, str(path))
        return self._parsed[path]

    def parameters(self, path: Path) -> tuple[str, ...] | None:
        """Return the names of a script's parameters; None if the script's header cannot be read.

        The script is parsed only if a simple search for the header fails.
        """
        try:
            found = header_parameters(self._text(path))
        except SourceError:
            return None
        if found is not None:
            return found
        parsed = self.parse(path)
        if parsed.script is None or parsed.header_damaged:
            return None
        return tuple(parameter.text for parameter in parsed.script.parameters)

    def mentions(self, word: str, paths: Iterable[Path]) -> bool:
        """Return whether a word occurs in the text of some scripts or of scripts that they call.

        The scripts are not parsed, so a word in a comment counts, too.

        Args:
            word: the word; a part of a longer word counts.
            paths: files of the scripts.
        """
        waiting = list(paths)
        seen = set(waiting)
        while waiting:
            with suppress(SourceError):
                text = self._text(waiting.pop())
                if word in text:
                    return True
                called = (path for stem in possible_calls(text) for path in self._index().get(stem, ())[:1])
                new = set(called) - seen
                seen |= new
                waiting += new
        return False

    def _text(self, path: Path) -> str:
        """Return the text of a script. Its file is read again if it has changed.

        Raises:
            SourceError: the file cannot be read, see `read_script`.
        """
        path = Path(path)
        if path in self._drafts:
            return self._drafts[path].text
        try:
            status = path.stat()
        except (OSError, ValueError):
            return read_script(path, str(path))  # raises an error with the reason
        version = (status.st_mtime_ns, status.st_size)
        if path not in self._texts or self._texts[path][0] != version:
            self._texts[path] = version, read_script(path, str(path))
        return self._texts[path][1]

    def _index(self) -> dict[str, tuple[Path, ...]]:
        if self._by_stem is None:
            found: dict[str, set[Path]] = {}
            for path in script_files(self.roots):
                found.setdefault(path.stem, set()).add(path)
            self._by_stem = {stem: tuple(sorted(paths)) for stem, paths in found.items()}
        return self._by_stem

    def _may_have_changed(self, stem: str) -> bool:
        """Return whether a script with this stem may have been created since the last search for scripts.

        Only the roots and the directories of known scripts are checked.
        """
        known = self._by_stem or {}
        places = {path.parent for paths in known.values() for path in paths} | {r for r in self.roots if r.is_dir()}
        # os.path's function accepts invalid file names and unreadable directories
        return any(os.path.isfile(place / (stem + extension)) for place in places for extension in EXTENSIONS)


def script_files(roots: Iterable[Path]) -> list[Path]:
    """Return the files of all scripts below some directories.

    Files that `files_below` ignores are ignored.

    Args:
        roots: directories, or files. A file is returned without a check, even if it is a pipe: the error is reported
            when the file is read.
    """
    files: list[Path] = []
    for root in roots:
        if root.exists() and not root.is_dir():
            files.append(root)
        else:
            files += files_below(root, "*.[ts]")
    return files


def read_script(path: Path, shown: str) -> str:
    """Return the text of a script's file, without a byte order mark.

    Args:
        path: path of the script.
        shown: name of the file in error messages.

    Raises:
        SourceError: the file cannot be read, is not a regular file (reading a pipe could block forever), is longer
            than `MAX_BYTES`, or is not UTF-8.
    """
    try:
        data = read_bytes(path, MAX_BYTES + len(BOM_UTF8)).removeprefix(BOM_UTF8)
        if len(data) > MAX_BYTES:
            raise TooLarge(errno.EFBIG, "it is too long")
    except TooLarge:
        message = f"the script is longer than {MAX_BYTES:,} bytes"
        hint = "check that the file is a script; split a long script into several that call each other"
        raise SourceError([_unreadable(shown, message, hint)]) from None
    except NotRegular as error:
        what = "a directory" if error.is_directory else "a pipe, a socket or a device"
        message = f"the script cannot be read: it is {what}, not a file"
        raise SourceError([_unreadable(shown, message)]) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceError([_unreadable(shown, f"the script cannot be read: {reason}")]) from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise SourceError([_unreadable(shown, "the script must be UTF-8 text: save it as UTF-8")]) from None


def _unreadable(shown: str, message: str, hint: str | None = None) -> Finding:
    """Return the error that a script's file cannot be read.

    Args:
        shown: name of the file in the message.
        message: reason.
        hint: what to do, or None.
    """
    return Finding("error", "unreadable", message, shown, hint=hint)


# --- facts from the text, without parsing, because a graph needs them for every script ---


def header_parameters(text: str) -> tuple[str, ...] | None:
    """Return the names of the parameters in a script's header; None if only the parser can find them."""
    header = _HEADER.search(_COMMENT.sub("", text))
    if header is None:
        return None
    names = tuple(name.strip() for name in header[1].split(",")) if header[1] else ()
    return () if names == ("void",) else names


def possible_calls(text: str) -> set[str]:
    """Return the stems of all scripts that a script calls. The result can contain other names that follow a `>`."""
    return set(_CALL.findall(_COMMENT.sub("", text)))
