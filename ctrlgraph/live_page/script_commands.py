"""Handlers of messages from pages that open, edit, save or reread scripts, write constants back, undo or redo.

The method `on_TYPE` handles the messages of `live_page.protocol` whose field `type` is TYPE. The argument `page` is the
number of the page that has sent the message; None if the message is not from a page.
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
"""Delay between the last edit and the update of the motion, s. Errors in the script are sent to pages immediately."""
_UNDO_PAUSE_S = 1.0
"""Pause in typing after which a separate undo step begins, s."""


class ScriptCommands:
    """Handlers of messages that change scripts, and of changes of script files by other programs.

    A changed script takes effect on the motion when `apply_changes` is called.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._changed: dict[str, float] = {}
        self._apply_at = math.inf

    # --- the motion ---

    @property
    def is_due(self) -> bool:
        """Return whether scripts have changed and `apply_changes` must be called now."""
        return bool(self._changed) and time.monotonic() >= self._apply_at

    @property
    def due_in(self) -> float | None:
        """Return the time until `apply_changes` must be called, s. None: no script has changed."""
        return max(self._apply_at - time.monotonic(), 0.0) if self._changed else None

    def apply_changes(self) -> None:
        """Simulate the motion again with the scripts that have changed since the last call."""
        workspace = self._workspace
        changed, self._changed = self._changed, {}
        try:
            workspace.revise()
            for name, began in changed.items():
                if workspace.programs.errors:  # includes errors in scripts that call the changed script
                    workspace.broadcast(workspace.panel.findings(name, began))
                workspace.broadcast(workspace.constants(name))
        except CtrlGraphError as error:
            workspace.report_error(str(error).splitlines()[0])

    def _script_changed(self, name: str, page: int | None, began: float, after: float = 0.0) -> None:
        """Send the text and the errors of a changed script to all pages, and schedule `apply_changes`.

        Args:
            name: Name of the script.
            page: Number of the page that has changed the script. None: another program has changed the file.
            began: Value of `time.perf_counter` when the handling of the change began, s.
            after: Delay until `apply_changes` is to be called, s.
        """
        workspace = self._workspace
        workspace.broadcast(workspace.panel.text(name) | {"by": page})
        workspace.broadcast(workspace.panel.findings(name, began))
        self._changed.setdefault(name, began)
        self._apply_at = time.monotonic() + after
        workspace.dirty = True

    def _add_undo_step(self, what: str, change: TextChange, *, typed: bool = False) -> None:
        """Add a change of a script to the undo history.

        Args:
            what: Name of the change that the page shows.
            change: Text of the script before and after the change.
            typed: True: the user has typed the change. Changes without a pause between them are undone together.
        """
        workspace = self._workspace
        if change.before != change.after:
            step = UndoStep(what, workspace.settings, workspace.settings, (change,))
            workspace.history.add(step, group=f"text {change.name}" if typed else "", seconds=_UNDO_PAUSE_S)

    # --- commands ---

    def on_open(self, page: int | None, message: protocol.Open) -> None:
        """Send a script to the page, together with the scripts that call it or that it calls in the motion."""
        workspace, began = self._workspace, time.perf_counter()
        constants = workspace.constants(message.path)
        items = [workspace.panel.text(message.path), workspace.panel.findings(message.path, began), constants]
        items += [workspace.panel.text(each) for each in constants["files"] if each != message.path]
        workspace.send(items, page, False)

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
        """Discard the unsaved changes of a script, and load the script from its file."""
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
        """Set the sliders of constants that were written to scripts back, and make the writing a change to undo.

        Args:
            page: Number of the page that has requested the writing.
            changes: Text of each script before and after the writing.
            message: Message with the written values.
        """
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
        """Handle a change of a file in the script directories that another program has made."""
        workspace = self._workspace
        name = workspace.scripts.name_of(path)
        if name is None:
            workspace.project.library.refresh()
            return
        began = time.perf_counter()
        known = name in workspace.scripts.opened()
        script = workspace.scripts.get(name)
        before = script.text
        change = workspace.scripts.check_file(name) if known else "reread"
        if change == "conflict":
            sentence = f"another program has changed the file {name}; the text on this page is not saved"
            workspace.broadcast({"type": "conflict", "path": name, "message": sentence, "text": script.on_disk})
        if change == "reread":
            self._add_undo_step(f"text of {path.name}, saved elsewhere", TextChange(name, before, script.text))
            workspace.programs.revise(script.path, None)
            self._script_changed(name, None, began)
        elif change:
            workspace.programs.revise(script.path, None if change == "saved" else script.text)
            workspace.broadcast(workspace.panel.text(name))
            workspace.dirty = True

    # --- undo ---

    def on_undo(self, page: int | None, message: protocol.Undo) -> None:
        """Undo the last change, whichever page has made it."""
        history = self._workspace.history
        step = history.back()
        self._move_to(page, None if step is None else step.reversed(), history.forward)

    def on_redo(self, page: int | None, message: protocol.Undo) -> None:
        """Redo the change that was undone last."""
        history = self._workspace.history
        self._move_to(page, history.forward(), history.back)

    def _move_to(self, page: int | None, step: UndoStep | None, restore_history: Callable[[], object]) -> None:
        if step is None:
            return
        try:
            self.apply_step(page, step)
        except CtrlGraphError:
            restore_history()  # so that the user can try again
            raise

    def apply_step(self, page: int | None, step: UndoStep, *, record: bool = False) -> None:
        """Make a change: replace scripts and settings by the versions after the change.

        Args:
            page: Number of the page that has requested the change. None: no page.
            step: Change to make.
            record: True adds the change to the undo history.

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
