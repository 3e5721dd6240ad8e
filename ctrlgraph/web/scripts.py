"""The scripts of a session: what their files hold, what the pages have made of them, and what goes back into the files.

A file is only ever written by somebody who has seen what it holds: who writes says the digest of the file as it is
known there, and where that is another one by now, nothing is written and nothing is lost.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ctrlgraph.control.parameters import Parameter
from ctrlgraph.control.script import rewrite
from ctrlgraph.control.script.bounds import MAX_BYTES
from ctrlgraph.control.script.source import read_script
from ctrlgraph.errors import CtrlGraphError, printable, quoted
from ctrlgraph.files import write_texts
from ctrlgraph.paths import contained

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project


class Conflict(CtrlGraphError):
    """Somebody else has changed a script meanwhile; its text stands in `text`, as it now is, its name in `name`."""

    def __init__(self, sentence: str, name: str, text: str) -> None:
        super().__init__(sentence)
        self.name, self.text = name, text


@dataclass
class ScriptText:
    """A script: its text as the session has it, how often that has changed, and what its file holds."""

    path: Path
    text: str
    revision: int
    on_disk: str

    @property
    def saved(self) -> bool:
        """Tell whether the file holds the text."""
        return self.text == self.on_disk

    @property
    def digest(self) -> str:
        """Return the digest of what the file holds."""
        return digest_of(self.on_disk)


def digest_of(text: str) -> str:
    """Return the digest of a script's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class Scripts:
    """The scripts of a project, by the path that a page knows them by: relative to the project, with slashes.

    What cannot be shown or sent of a file name (bytes that are not UTF-8, control characters) is escaped in it.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._known: dict[str, ScriptText] = {}

    def names(self) -> list[str]:
        """Return all scripts of the project."""
        return [self._name(path) for path in self._project.library.paths()]

    def name_of(self, path: Path) -> str | None:
        """Return what a script is known by; None where the path is none of the project's."""
        library = self._project.library
        own = next((each for each in library.candidates(path.stem) if each.resolve() == path.resolve()), None)
        return None if own is None else self._name(own)

    def get(self, name: str) -> ScriptText:
        """Return a script.

        Raises:
            CtrlGraphError: the project has none of this name.
            SourceError: it cannot be read.
        """
        if name not in self._known:
            path = self._path(name)
            text = read_script(path, name)
            self._known[name] = ScriptText(path, text, 0, text)
        return self._known[name]

    def opened(self) -> dict[str, ScriptText]:
        """Return the scripts that somebody has looked at, by name."""
        return dict(self._known)

    def put(self, name: str, text: str, base: int) -> ScriptText:
        """Let a script be a text that was made from its revision `base`; nothing is written.

        Raises:
            Conflict: it has been changed since then.
            CtrlGraphError: the text is too long, or no text.
        """
        require_script(text)
        script = self.get(name)
        if text != script.text:
            if base != script.revision:
                raise Conflict(f"{name} has been changed elsewhere since", name, script.text)
            script.text = text
            script.revision += 1
        return script

    def save(self, name: str, digest: str) -> ScriptText:
        """Write a script's text into its file.

        Raises:
            Conflict: the file is not what its digest says.
            CtrlGraphError: it cannot be written.
        """
        self.write({name: self.get(name).text}, {name: digest})
        return self.get(name)

    def with_values(
        self, name: str, values: Mapping[str, float], parameters: Mapping[str, Parameter], digest: str
    ) -> str:
        """Return a script's text with values of constants, by id; everything else in it stays as it is.

        Raises:
            Conflict: the file is not what its digest says.
            CtrlGraphError: the script has text that is not saved, or no such constant.
        """
        script = self.get(name)
        self._require_known(script, name, digest)
        if not script.saved:
            raise CtrlGraphError(f"{name} has changes that are not saved; save it first, or take its file's text")
        places = {}
        for each, value in values.items():
            parameter = parameters.get(each)
            if parameter is None or Path(parameter.path).stem != script.path.stem:
                raise CtrlGraphError(f"{name} has no constant {quoted(each)}")
            places[parameter.line, parameter.column] = value
        try:
            return rewrite.with_constants(script.text, places)
        except ValueError as error:
            raise CtrlGraphError(f"{name} cannot take these values: {error}") from None

    def write(self, texts: Mapping[str, str], digests: Mapping[str, str]) -> None:
        """Write other texts into scripts' files, into all of them or into none.

        Args:
            texts: by name; digests: of what the files hold, by name.

        Raises:
            Conflict: a file is not what its digest says.
            CtrlGraphError: one cannot be written, or two are one file.
        """
        files: dict[Path, str] = {}
        for name in texts:
            self._require_known(self.get(name), name, digests[name])
            other = files.setdefault(self._path(name).resolve(), name)
            if other != name:
                raise CtrlGraphError(f"{other} and {name} are one file; write one of them")
        write_texts({self._path(name): text for name, text in texts.items()})
        for name, text in texts.items():
            script = self.get(name)
            script.on_disk = text
            if text != script.text:
                script.text = text
                script.revision += 1

    def reread(self, name: str) -> bool:
        """Take what a script's file holds, and forget the session's text; returns whether that was another one."""
        script = self.get(name)
        text = read_script(self._path(name), name)
        changed = text != script.text
        script.on_disk = text
        if changed:
            script.text = text
            script.revision += 1
        return changed

    def look(self, name: str) -> str:
        """See whether a script's file has changed; returns what that means.

        "": nothing; "reread": the session has its text now; "saved": the file has the session's text now; "conflict":
        both have changed, and the session's text stays.

        Raises:
            SourceError: the file cannot be read.
        """
        script = self.get(name)
        text = read_script(self._path(name), name)
        if text == script.on_disk:
            return ""
        was_saved = script.saved
        script.on_disk = text
        if text == script.text:
            return "saved"
        if not was_saved:
            return "conflict"
        script.text = text
        script.revision += 1
        return "reread"

    def _require_known(self, script: ScriptText, name: str, digest: str) -> None:
        """
        Raises:
            Conflict: the file is not what its digest says.
        """
        now = read_script(self._path(name), name)
        if digest_of(now) != digest:
            raise Conflict(f"the file {name} has been changed elsewhere; nothing was written", name, now)

    def _path(self, name: str) -> Path:
        """
        Raises:
            CtrlGraphError: the project has no such script.
        """
        library = self._project.library
        path = contained(self._project.directory, name)
        known = library.candidates(path.stem)
        if path in known:
            return path
        escaped = [path for path in library.paths() if self._name(path) == name]
        if len(escaped) != 1:
            raise CtrlGraphError(f"the project has no script {quoted(name)}")
        return escaped[0]

    def _name(self, path: Path) -> str:
        return printable(path.relative_to(self._project.directory).as_posix())


def require_script(text: str) -> None:
    """
    Raises:
        CtrlGraphError: a text is longer than a script may be, or cannot be written as UTF-8.
    """
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise CtrlGraphError("the script is not UTF-8 text") from None
    if size > MAX_BYTES:
        raise CtrlGraphError(f"the script is longer than {MAX_BYTES:,} bytes")
