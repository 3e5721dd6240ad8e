"""What pages, and other editors, do with scripts: show, edit, save, take up again, write constants back."""

from __future__ import annotations

import math
import time
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.web import protocol
from ctrlgraph.web.settings import ChosenSettings, TextChange, UndoStep
from ctrlgraph.web.workspace import Workspace

_TYPED_S = 0.08
"""So long after the last letter (s) the motion follows a text: what is wrong with it is told before, and at once."""
_PAUSE_S = 1.0
"""What is typed after a longer pause is another change for undo."""


class ScriptCommands:
    """Does what is said of scripts; the motion follows texts that have changed once `follow` is called."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._changed: dict[str, float] = {}
        self._follow_at = math.inf

    # --- the motion follows ---

    @property
    def is_due(self) -> bool:
        """Tell whether the motion is to follow now."""
        return bool(self._changed) and time.monotonic() >= self._follow_at

    @property
    def due_in(self) -> float | None:
        """Return how long until it is, s; None where no text has changed."""
        return max(self._follow_at - time.monotonic(), 0.0) if self._changed else None

    def follow(self) -> None:
        """Go on with the texts that have changed."""
        at = self._workspace
        changed, self._changed = self._changed, {}
        try:
            at.revise()
            for name, began in changed.items():
                if at.programs.errors:  # also of what it is part of
                    at.say(at.panel.findings(name, began))
                at.say(at.constants(name))
        except CtrlGraphError as error:
            at.complain(str(error).splitlines()[0])

    def _script_changed(self, name: str, page: int | None, began: float, after: float = 0.0) -> None:
        """Tell what came of a script's text; the motion follows so long after it (s), once nothing else is said."""
        at = self._workspace
        said = at.panel.text(name)
        at.say(said | {"by": page})
        at.say(at.panel.findings(name, began))
        self._changed.setdefault(name, began)
        self._follow_at = time.monotonic() + after
        at.dirty = True

    def tell_changed(self, name: str, page: int | None, began: float) -> None:
        """Tell all pages of a script's text which the motion follows already.

        Args:
            page: that has changed it; began: when, on the clock of `time.perf_counter`.
        """
        at = self._workspace
        at.tell([at.panel.text(name) | {"by": page}, at.panel.findings(name, began), at.constants(name)], None, False)
        at.dirty = True

    def _note(self, what: str, change: TextChange, *, typed: bool = False) -> None:
        """Let a change of a text be undone; what is typed without a pause is one change."""
        at = self._workspace
        if change.before != change.after:
            step = UndoStep(what, at.settings, at.settings, (change,))
            at.history.add(step, group=f"text {change.name}" if typed else "", seconds=_PAUSE_S)

    # --- what is said ---

    def on_open(self, page: int | None, message: protocol.Open) -> None:
        """Show a script; the others of its program come with it."""
        at, began = self._workspace, time.perf_counter()
        constants = at.constants(message.path)
        items = [at.panel.text(message.path), at.panel.findings(message.path, began), constants]
        at.tell([*items, *(at.panel.text(each) for each in constants["files"] if each != message.path)], page, False)

    def on_edit(self, page: int | None, message: protocol.Edit) -> None:
        """Take a script's text as it now is in a page."""
        at, began = self._workspace, time.perf_counter()
        before = at.scripts.get(message.path).text
        script = at.scripts.put(message.path, message.text, message.base)
        self._note(f"text of {script.path.name}", TextChange(message.path, before, script.text), typed=True)
        at.programs.revise(script.path, None if script.saved else script.text)
        self._script_changed(message.path, page, began, after=_TYPED_S)

    def on_save(self, page: int | None, message: protocol.Save) -> None:
        """Write a script's text into its file."""
        at = self._workspace
        script = at.scripts.save(message.path, message.digest)
        at.programs.revise(script.path, None)
        at.say(at.panel.text(message.path) | {"by": page})
        at.dirty = True

    def on_reread(self, page: int | None, message: protocol.Reread) -> None:
        """Take what a script's file holds."""
        at, began = self._workspace, time.perf_counter()
        script = at.scripts.get(message.path)
        before = script.text
        at.scripts.reread(message.path)
        self._note(f"text of {script.path.name}", TextChange(message.path, before, script.text))
        at.programs.revise(script.path, None)
        self._script_changed(message.path, None, began)

    def on_write(self, page: int | None, message: protocol.Write) -> None:
        """Write values of constants into scripts' files."""
        at, began = self._workspace, time.perf_counter()
        segments, preview = at.segments_now(), at.preview()
        parameters = at.panel.parameters(segments, preview)
        texts = {}
        for name, file in message.files.items():
            at.panel.require_current(name, segments, preview)
            texts[name] = at.scripts.with_values(name, file.values, parameters, file.digest)
        before = {name: at.scripts.get(name).text for name in texts}
        at.scripts.write(texts, {name: message.files[name].digest for name in texts})
        for name in texts:
            at.programs.revise(at.scripts.get(name).path, None)
        changes = [TextChange(name, before[name], text, written=True) for name, text in texts.items()]
        self._written(page, changes, message)
        for name in texts:
            self._script_changed(name, page, began)

    def _written(self, page: int | None, changes: list[TextChange], message: protocol.Write) -> None:
        """Take note of what has been written: these values are now the scripts' own."""
        at = self._workspace
        values = {each: value for change in changes for each, value in message.files[change.name].values.items()}
        before = at.settings
        at.settings = ChosenSettings(tuple(pair for pair in before.values if pair[0] not in values), before.events)
        at.programs.set_values(dict(at.settings.values))
        at.history.add(UndoStep("write back", before, at.settings, tuple(changes)))
        at.say({"type": "written", "paths": [change.name for change in changes], "values": values, "by": page})

    def file_changed(self, path: Path) -> None:
        """Take note that a file in the scripts' directories has changed."""
        at = self._workspace
        name = at.scripts.name_of(path)
        if name is None:
            at.project.library.refresh()
            return
        began = time.perf_counter()
        known = name in at.scripts.opened()
        before = at.scripts.get(name).text
        meaning = at.scripts.look(name) if known else "reread"
        if meaning == "conflict":
            text = at.scripts.get(name).on_disk
            sentence = f"the file {name} has been changed elsewhere; the text of this page is not saved"
            at.say({"type": "conflict", "path": name, "told": sentence, "text": text})
        if meaning == "reread":
            self._note(f"text of {path.name}, saved elsewhere", TextChange(name, before, at.scripts.get(name).text))
            at.programs.revise(at.scripts.get(name).path, None)
            self._script_changed(name, None, began)
        elif meaning:
            at.programs.revise(at.scripts.get(name).path, None if meaning == "saved" else at.scripts.get(name).text)
            at.say(at.panel.text(name))
            at.dirty = True
