"""Commands that change scripts: open, edit, save, write back, undo and redo, and changes by other programs.

The methods `on_TYPE` handle the messages of `live_page.protocol`. Their argument `page` is the number of the page that
sent the message; None if no page did.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page import protocol
from ctrlgraph.live_page.history import ChosenSettings, TextChange, UndoStep
from ctrlgraph.live_page.workspace import Workspace

_TYPING_DELAY_S = 0.08
"""Delay between the last edit and the update of the motion, s. Findings are sent immediately."""
_UNDO_PAUSE_S = 1.0
"""Pause in typing after which a separate undo step begins, s."""


class ScriptCommands:
    """Commands that change scripts. `apply_changes` later continues the motion with the changed texts."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._changed: dict[str, float] = {}
        self._apply_at = math.inf

    # --- the motion ---

    @property
    def is_due(self) -> bool:
        """Return whether `apply_changes` must be called now."""
        return bool(self._changed) and time.monotonic() >= self._apply_at

    @property
    def due_in(self) -> float | None:
        """Return the time until `apply_changes` is due, s; None if no text has changed."""
        return max(self._apply_at - time.monotonic(), 0.0) if self._changed else None

    def apply_changes(self) -> None:
        """Continue the motion with the texts that have changed since the last call."""
        workspace = self._workspace
        changed, self._changed = self._changed, {}
        try:
            workspace.revise()
            for name, began in changed.items():
                if workspace.programs.errors:  # also errors of scripts that call it
                    workspace.broadcast(workspace.panel.findings(name, began))
                workspace.broadcast(workspace.constants(name))
        except CtrlGraphError as error:
            workspace.report_error(str(error).splitlines()[0])

    def _script_changed(self, name: str, page: int | None, began: float, after: float = 0.0) -> None:
        """Send the text and findings of a changed script, and schedule `apply_changes`.

        Args:
            name: Name of the script.
            page: Number of the page that changed it; None if no page did.
            began: Time at which the command began, on the clock of `time.perf_counter`.
            after: Delay until `apply_changes`, s.
        """
        workspace = self._workspace
        workspace.broadcast(workspace.panel.text(name) | {"by": page})
        workspace.broadcast(workspace.panel.findings(name, began))
        self._changed.setdefault(name, began)
        self._apply_at = time.monotonic() + after
        workspace.dirty = True

    def _add_undo_step(self, what: str, change: TextChange, *, typed: bool = False) -> None:
        """Add a text change to the undo history. With `typed`, edits without a pause between them become one step."""
        workspace = self._workspace
        if change.before != change.after:
            step = UndoStep(what, workspace.settings, workspace.settings, (change,))
            workspace.history.add(step, group=f"text {change.name}" if typed else "", seconds=_UNDO_PAUSE_S)

    # --- commands ---

    def on_open(self, page: int | None, message: protocol.Open) -> None:
        """Send a script to the page, and the other scripts of the programs that contain it."""
        workspace, began = self._workspace, time.perf_counter()
        constants = workspace.constants(message.path)
        items = [workspace.panel.text(message.path), workspace.panel.findings(message.path, began), constants]
        workspace.send(
            [*items, *(workspace.panel.text(each) for each in constants["files"] if each != message.path)], page, False
        )

    def on_edit(self, page: int | None, message: protocol.Edit) -> None:
        """Replace the text of a script in the session."""
        workspace, began = self._workspace, time.perf_counter()
        before = workspace.scripts.get(message.path).text
        script = workspace.scripts.put(message.path, message.text, message.base)
        self._add_undo_step(f"text of {script.path.name}", TextChange(message.path, before, script.text), typed=True)
        workspace.programs.revise(script.path, None if script.saved else script.text)
        self._script_changed(message.path, page, began, after=_TYPING_DELAY_S)

    def on_save(self, page: int | None, message: protocol.Save) -> None:
        """Write the text of a script to its file."""
        workspace = self._workspace
        script = workspace.scripts.save(message.path, message.digest)
        workspace.programs.revise(script.path, None)
        workspace.broadcast(workspace.panel.text(message.path) | {"by": page})
        workspace.dirty = True

    def on_reread(self, page: int | None, message: protocol.Reread) -> None:
        """Discard the text of a script in the session and load its file."""
        workspace, began = self._workspace, time.perf_counter()
        script = workspace.scripts.get(message.path)
        before = script.text
        workspace.scripts.reread(message.path)
        self._add_undo_step(f"text of {script.path.name}", TextChange(message.path, before, script.text))
        workspace.programs.revise(script.path, None)
        self._script_changed(message.path, None, began)

    def on_write(self, page: int | None, message: protocol.Write) -> None:
        """Write values of constants to the files of scripts."""
        workspace, began = self._workspace, time.perf_counter()
        segments, preview = workspace.segments_now(), workspace.preview()
        parameters = workspace.panel.parameters(segments, preview)
        texts = {}
        for name, file in message.files.items():
            workspace.panel.require_current(name, segments, preview)
            texts[name] = workspace.scripts.with_values(name, file.values, parameters, file.digest)
        before = {name: workspace.scripts.get(name).text for name in texts}
        workspace.scripts.write(texts, {name: message.files[name].digest for name in texts})
        for name in texts:
            workspace.programs.revise(workspace.scripts.get(name).path, None)
        changes = [TextChange(name, before[name], text) for name, text in texts.items()]
        self._record_write(page, changes, message)
        for name in texts:
            self._script_changed(name, page, began)

    def _record_write(self, page: int | None, changes: list[TextChange], message: protocol.Write) -> None:
        """Remove written values from the chosen settings, since the scripts have them now, and add an undo step."""
        workspace = self._workspace
        values = {each: value for change in changes for each, value in message.files[change.name].values.items()}
        before = workspace.settings
        workspace.settings = ChosenSettings(
            tuple(pair for pair in before.values if pair[0] not in values), before.events
        )
        workspace.programs.set_values(dict(workspace.settings.values))
        workspace.history.add(UndoStep("write back", before, workspace.settings, tuple(changes)))
        workspace.broadcast(
            {"type": "written", "paths": [change.name for change in changes], "values": values, "by": page}
        )

    def file_changed(self, path: Path) -> None:
        """Handle the change of a file in the script directories by another program."""
        workspace = self._workspace
        name = workspace.scripts.name_of(path)
        if name is None:
            workspace.project.library.refresh()
            return
        began = time.perf_counter()
        known = name in workspace.scripts.opened()
        before = workspace.scripts.get(name).text
        change = workspace.scripts.check_file(name) if known else "reread"
        if change == "conflict":
            text = workspace.scripts.get(name).on_disk
            sentence = f"the file {name} has been changed elsewhere; the text of this page is not saved"
            workspace.broadcast({"type": "conflict", "path": name, "message": sentence, "text": text})
        if change == "reread":
            self._add_undo_step(
                f"text of {path.name}, saved elsewhere", TextChange(name, before, workspace.scripts.get(name).text)
            )
            workspace.programs.revise(workspace.scripts.get(name).path, None)
            self._script_changed(name, None, began)
        elif change:
            workspace.programs.revise(
                workspace.scripts.get(name).path, None if change == "saved" else workspace.scripts.get(name).text
            )
            workspace.broadcast(workspace.panel.text(name))
            workspace.dirty = True

    # --- undo ---

    def on_undo(self, page: int | None, message: protocol.Undo) -> None:
        """Undo the last step, whichever page made it."""
        history = self._workspace.history
        step = history.back()
        self._move_to(page, None if step is None else step.reversed(), history.forward)

    def on_redo(self, page: int | None, message: protocol.Undo) -> None:
        """Redo the step that was undone last."""
        history = self._workspace.history
        self._move_to(page, history.forward(), history.back)

    def _move_to(self, page: int | None, step: UndoStep | None, restore_history: Callable[[], object]) -> None:
        if step is None:
            return
        try:
            self.apply_step(page, step)
        except CtrlGraphError:
            restore_history()  # the step can be tried again
            raise

    def apply_step(self, page: int | None, step: UndoStep, *, record: bool = False) -> None:
        """Replace texts and settings by those after a step.

        Args:
            page: Number of the page that requested the step; None if no page did.
            step: Step to apply.
            record: Whether to add the step to the undo history.

        Raises:
            CtrlGraphError: If a script no longer exists, or a push is out of range.
        """
        workspace, began = self._workspace, time.perf_counter()
        for change in step.texts:
            script = workspace.scripts.get(change.name)
            workspace.scripts.put(change.name, change.after, script.revision)
            workspace.programs.revise(script.path, None if script.saved else script.text)
        workspace.apply(step.after, step if record else None)
        for change in step.texts:
            workspace.broadcast(workspace.panel.text(change.name) | {"by": page})
            workspace.broadcast(workspace.panel.findings(change.name, began))
            workspace.broadcast(workspace.constants(change.name))
