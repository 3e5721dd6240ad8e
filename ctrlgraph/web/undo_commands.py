"""What pages take back, and make again: changes of constants, of the world, of texts, and what was written back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.web import protocol
from ctrlgraph.web.script_commands import ScriptCommands
from ctrlgraph.web.scripts import Conflict, digest_of
from ctrlgraph.web.settings import ChosenSettings, TextChange
from ctrlgraph.web.workspace import Workspace


class UndoCommands:
    """Takes changes back and makes them again, of whatever page they were, the last one first."""

    def __init__(self, workspace: Workspace, scripts: ScriptCommands) -> None:
        self._workspace, self._scripts = workspace, scripts

    def on_undo(self, page: int | None, message: protocol.Undo) -> None:
        """Take the last change back."""
        history = self._workspace.history
        step = history.back()
        if step is not None:
            back = [TextChange(each.name, each.after, each.before, each.written) for each in step.texts]
            with _else(history.forward):
                self._make(page, step.before, back)

    def on_redo(self, page: int | None, message: protocol.Undo) -> None:
        """Make it again."""
        history = self._workspace.history
        step = history.forward()
        if step is not None:
            with _else(history.back):
                self._make(page, step.after, step.texts)

    def _make(self, page: int | None, settings: ChosenSettings, texts: Sequence[TextChange]) -> None:
        """Let texts and settings be others."""
        at, began = self._workspace, time.perf_counter()
        for change in texts:
            self._put(page, change)
        at.take(settings)
        for change in texts:
            self._scripts.tell_changed(change.name, page, began)

    def _put(self, page: int | None, change: TextChange) -> None:
        """Let a script have another text; its file too where that was written, unless it has been written since."""
        at = self._workspace
        script = at.scripts.get(change.name)
        at.scripts.put(change.name, change.after, script.revision)
        if change.written:
            try:
                at.scripts.save(change.name, digest_of(change.before))
                at.say({"type": "told", "kind": "good", "told": f"the file {change.name} is again as it was"}, page)
            except Conflict:
                at.complain(
                    f"the file {change.name} has been saved since it was written back, and stays as it is; its earlier"
                    " text is in the page, not saved",
                    page,
                )
            except CtrlGraphError as error:  # it is gone, or cannot be written
                reason = str(error).splitlines()[0]
                at.complain(f"{reason}; the earlier text of {change.name} is in the page, not saved", page)
        at.programs.revise(script.path, None if script.saved else script.text)


@contextmanager
def _else(restore: Callable[[], object]) -> Iterator[None]:
    """Where what is done cannot be, put the history where it was: the step can be tried again."""
    try:
        yield
    except CtrlGraphError:
        restore()
        raise
