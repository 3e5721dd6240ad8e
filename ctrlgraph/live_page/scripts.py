"""The scripts of a session of the live page: contents of the files, texts that pages have changed, writing to files.

To write a file, a page sends the digest of the contents that the page has. If the file has another digest, it was
changed in the meantime, and is not written.
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
from ctrlgraph.control.script.library import read_script
from ctrlgraph.errors import CtrlGraphError, printable, quoted
from ctrlgraph.files import write_texts
from ctrlgraph.paths import contained

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project


class Conflict(CtrlGraphError):
    """A script cannot be changed or written, because another page or program has changed it in the meantime.

    Attributes:
        name: Name of the script.
        text: Text that the other page or program has made.
    """

    def __init__(self, sentence: str, name: str, text: str) -> None:
        super().__init__(sentence)
        self.name, self.text = name, text


@dataclass
class ScriptText:
    """A script in a session of the live page, with the text on the pages and the contents of the file."""

    path: Path
    text: str
    """Text in the session, which the pages show and the motion runs."""
    revision: int
    """Number of times that the text in the session was changed."""
    on_disk: str
    """Contents of the file when it was last read or written."""

    def replace(self, text: str) -> None:
        """Replace the text in the session. The file stays unchanged."""
        if text != self.text:
            self.text = text
            self.revision += 1

    @property
    def saved(self) -> bool:
        """Return whether the file contains the same text as the session."""
        return self.text == self.on_disk

    @property
    def digest(self) -> str:
        """Return the digest (hash) of the contents of the file (`on_disk`)."""
        return digest_of(self.on_disk)


def digest_of(text: str) -> str:
    """Return the digest (hash) of a text, to compare versions of a file."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


class Scripts:
    """The scripts of a project, with the texts that pages have changed.

    The name of a script is its path relative to the project, with slashes. In the name, control characters and bytes
    that are not UTF-8 are escaped.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._scripts: dict[str, ScriptText] = {}

    def names(self) -> list[str]:
        """Return the names of all scripts of the project."""
        return [self._name(path) for path in self._project.library.paths()]

    def name_of(self, path: Path) -> str | None:
        """Return the name of the script with the file `path`. None: the file is not a script of the project."""
        library = self._project.library
        own = next((each for each in library.candidates(path.stem) if each.resolve() == path.resolve()), None)
        return None if own is None else self._name(own)

    def get(self, name: str) -> ScriptText:
        """Return the script with a name. At the first call, the script is read from its file.

        Raises:
            CtrlGraphError: If the project has no script of this name.
            SourceError: If the file cannot be read.
        """
        if name not in self._scripts:
            path = self._path(name)
            text = read_script(path, name)
            self._scripts[name] = ScriptText(path, text, 0, text)
        return self._scripts[name]

    def opened(self) -> dict[str, ScriptText]:
        """Return the scripts that this session has read so far, by name."""
        return dict(self._scripts)

    def put(self, name: str, text: str, base: int) -> ScriptText:
        """Replace the text of a script in the session. The file stays unchanged.

        Args:
            name: Name of the script.
            text: New text.
            base: Revision number of the text from which the new text was made.

        Raises:
            Conflict: If the present text of the script has another revision number.
            CtrlGraphError: If the text is too long, or cannot be written as UTF-8.
        """
        require_script(text)
        script = self.get(name)
        if text != script.text and base != script.revision:
            sentence = (
                f"another page or program has changed {name} in the meantime: use the other text, or keep this text"
            )
            raise Conflict(sentence, name, script.text)
        script.replace(text)
        return script

    def save(self, name: str, digest: str) -> ScriptText:
        """Write the text of a script to its file.

        Args:
            name: Name of the script.
            digest: Expected digest of the file.

        Raises:
            Conflict: If the file has another digest.
            CtrlGraphError: If the file cannot be written.
        """
        self.write({name: self.get(name).text}, {name: digest})
        return self.get(name)

    def with_values(
        self, name: str, values: Mapping[str, float], parameters: Mapping[str, Parameter], digest: str
    ) -> str:
        """Return the text of a script with new values of constants. Everything else in the text stays unchanged.

        Args:
            name: Name of the script.
            values: New value of each constant, by parameter id.
            parameters: Parameters with their positions in the text, by parameter id.
            digest: Expected digest of the file.

        Raises:
            Conflict: If the file has another digest.
            CtrlGraphError: If the script has unsaved changes, or has no constant with an id in `values`, or a value
                cannot be written at the position of the constant.
        """
        script = self.get(name)
        self._require_digest(name, digest)
        if not script.saved:
            raise CtrlGraphError(f"{name} has unsaved changes: save or discard them first")
        places = {}
        for each, value in values.items():
            parameter = parameters.get(each)
            if parameter is None or Path(parameter.path).stem != script.path.stem:
                raise CtrlGraphError(f"{name} has no constant {quoted(each)}")
            places[parameter.line, parameter.column] = value
        try:
            return rewrite.with_constants(script.text, places)
        except ValueError as error:
            raise CtrlGraphError(f"the values cannot be written into {name}: {error}") from None

    def write(self, texts: Mapping[str, str], digests: Mapping[str, str]) -> None:
        """Write texts to the files of scripts: to all files or, if one cannot be written, to none.

        Args:
            texts: Text to write to each file, by name of the script.
            digests: Expected digest of each file, by name of the script.

        Raises:
            Conflict: If a file has another digest.
            CtrlGraphError: If a file cannot be written, or two names lead to the same file.
        """
        files: dict[Path, str] = {}
        for name in texts:
            self._require_digest(name, digests[name])
            other = files.setdefault(self._path(name).resolve(), name)
            if other != name:
                raise CtrlGraphError(f"{other} and {name} are the same file: save only one of them")
        write_texts({self._path(name): text for name, text in texts.items()})
        for name, text in texts.items():
            script = self.get(name)
            script.on_disk = text
            script.replace(text)

    def reread(self, name: str) -> None:
        """Discard the text of a script in the session, and load the script from its file."""
        script = self.get(name)
        script.on_disk = read_script(self._path(name), name)
        script.replace(script.on_disk)

    def check_file(self, name: str) -> str:
        """Compare the file of a script with the text in the session, after another program may have changed the file.

        If the session has no unsaved changes of the script, the session takes over the text of the file.

        Returns:
            "" if the file has not changed; "saved" if the file now contains the text of the session; "reread" if the
            session has taken over the text of the file; "conflict" if the session has unsaved changes, which it keeps.

        Raises:
            SourceError: If the file cannot be read.
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
        script.replace(text)
        return "reread"

    def _require_digest(self, name: str, digest: str) -> None:
        """Check that the file of a script has the digest that a page expects.

        Raises:
            Conflict: If the file has another digest.
        """
        now = read_script(self._path(name), name)
        if digest_of(now) != digest:
            fault = f"another page or program has changed the file {name}, so nothing was written"
            raise Conflict(f"{fault}: use the other text, or keep this text", name, now)

    def _path(self, name: str) -> Path:
        """Return the path of the file of a script.

        Raises:
            CtrlGraphError: If the project has no script of this name.
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
    """Check that a text is short enough for a script, and can be written as UTF-8.

    Raises:
        CtrlGraphError: If the text is too long, or cannot be written as UTF-8.
    """
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise CtrlGraphError(
            "the script contains characters that cannot be saved (unpaired surrogates): remove them"
        ) from None
    if size > MAX_BYTES:
        raise CtrlGraphError(f"the script is longer than {MAX_BYTES:,} bytes")
