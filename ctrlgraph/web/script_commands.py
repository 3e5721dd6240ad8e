"""What pages, and other editors, do with scripts: show, edit, save, take up again, write constants back."""

from __future__ import annotations

import math
import time
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.web import protocol
from ctrlgraph.web.settings import ChosenSettings
from ctrlgraph.web.workspace import Workspace

_TYPED_S = 0.08
"""So long after the last letter (s) the motion follows a text: what is wrong with it is told before, and at once."""


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

    # --- what is said ---

    def on_open(self, page: int | None, message: protocol.Open) -> None:
        """Show a script."""
        at, began = self._workspace, time.perf_counter()
        at.tell(
            [
                at.panel.text(message.path),
                at.panel.findings(message.path, began),
                at.constants(message.path),
            ],
            page,
            False,
        )

    def on_edit(self, page: int | None, message: protocol.Edit) -> None:
        """Take a script's text as it now is in a page."""
        at, began = self._workspace, time.perf_counter()
        script = at.scripts.put(message.path, message.text, message.base)
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
        at.scripts.reread(message.path)
        at.programs.revise(at.scripts.get(message.path).path, None)
        self._script_changed(message.path, None, began)

    def on_write(self, page: int | None, message: protocol.Write) -> None:
        """Write values of constants into a script's file."""
        at = self._workspace
        parameters = at.panel.parameters(at.segments_now(), at.preview())
        at.panel.require_current(message.path, at.segments_now(), at.preview())
        script = at.scripts.write_values(message.path, message.values, parameters, message.digest)
        at.programs.revise(script.path, None)
        kept = tuple(pair for pair in at.settings.values if pair[0] not in message.values)
        at.settings = ChosenSettings(kept, at.settings.events)
        at.programs.set_values(dict(kept))
        at.say({"type": "written", "path": message.path, "values": message.values, "by": page})
        self._script_changed(message.path, page, time.perf_counter())

    def file_changed(self, path: Path) -> None:
        """Take note that a file in the scripts' directories has changed."""
        at = self._workspace
        name = at.scripts.name_of(path)
        if name is None:
            at.project.library.refresh()
            return
        began = time.perf_counter()
        known = name in at.scripts.opened()
        meaning = at.scripts.look(name) if known else "reread"
        if meaning == "conflict":
            text = at.scripts.get(name).on_disk
            sentence = f"the file {name} has been changed elsewhere; the text of this page is not saved"
            at.say({"type": "conflict", "path": name, "told": sentence, "text": text})
        if meaning == "reread":
            at.programs.revise(at.scripts.get(name).path, None)
            self._script_changed(name, None, began)
        elif meaning:
            at.programs.revise(at.scripts.get(name).path, None if meaning == "saved" else at.scripts.get(name).text)
            at.say(at.panel.text(name))
            at.dirty = True
