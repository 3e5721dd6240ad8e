"""Variants: motions that the user keeps, to show them next to the current motion and to restore them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ctrlgraph.control.script.program import scripts_of
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.live_page import protocol
from ctrlgraph.live_page.clients import Item
from ctrlgraph.live_page.history import ChosenSettings, TextChange, UndoStep
from ctrlgraph.live_page.motion.recording import LiveRecording
from ctrlgraph.live_page.script_commands import ScriptCommands
from ctrlgraph.live_page.workspace import Workspace

MAX_VARIANTS = 4
"""Maximum number of variants."""


@dataclass(frozen=True)
class Variant:
    """A kept motion, with the settings and scripts that are needed to restore it."""

    number: int
    """Number that identifies the variant."""
    texts: dict[str, str]
    """Text of each script, by name of the script."""
    settings: ChosenSettings
    """Values of constants, pushes, and changes of slope, friction or engine."""
    recording: LiveRecording
    """Recorded motion."""


class VariantCommands:
    """The variants (kept motions) of a session, and the handlers of messages that keep, restore or delete a variant."""

    def __init__(self, workspace: Workspace, scripts: ScriptCommands) -> None:
        self._workspace, self._scripts = workspace, scripts
        self._variants: dict[int, Variant] = {}
        self._last = 0

    def on_keep(self, page: int | None, message: protocol.Keep) -> None:
        """Keep the current motion as a variant."""
        workspace = self._workspace
        if workspace.stage.live is None:
            return
        if len(self._variants) >= MAX_VARIANTS:
            raise CtrlGraphError(f"at most {MAX_VARIANTS} variants can be kept: remove a variant first")
        self._last += 1
        recording = workspace.stage.live.recording.copy()
        variant = Variant(self._last, self._texts(), workspace.settings, recording)
        self._variants[variant.number] = variant
        workspace.send([self._list_message(), *self._motion(variant)], None, False)

    def _texts(self) -> dict[str, str]:
        """Return the text of each script that the motion runs or that a page has opened, by name of the script."""
        workspace = self._workspace
        stems = {stem for controller in workspace.programs.controllers() for stem in scripts_of(controller)}
        paths = [path for stem in sorted(stems) if (path := workspace.project.library.find(stem)) is not None]
        for name in filter(None, map(workspace.scripts.name_of, paths)):
            workspace.scripts.get(name)
        return {name: script.text for name, script in workspace.scripts.opened().items()}

    def on_restore(self, page: int | None, message: protocol.VariantCommand) -> None:
        """Restore the scripts and settings of a variant."""
        workspace, variant = self._workspace, self._find(message.variant)
        before = {name: workspace.scripts.get(name).text for name in variant.texts}
        changes = [TextChange(name, before[name], text) for name, text in variant.texts.items() if text != before[name]]
        if changes or workspace.settings != variant.settings:
            step = UndoStep("variant", workspace.settings, variant.settings, tuple(changes))
            self._scripts.apply_step(None, step, record=True)

    def on_drop(self, page: int | None, message: protocol.VariantCommand) -> None:
        """Delete a variant."""
        del self._variants[self._find(message.variant).number]
        self._workspace.broadcast(self._list_message())

    def join_messages(self) -> list[Item]:
        """Return the messages and motions that a page needs to show all variants, for a page that has connected."""
        motions = [item for variant in self._variants.values() for item in self._motion(variant)]
        return [self._list_message(), *motions]

    def _find(self, number: int) -> Variant:
        if number not in self._variants:
            raise CtrlGraphError("this variant has been removed: choose another variant")
        return self._variants[number]

    def _motion(self, variant: Variant) -> list[Item]:
        workspace = self._workspace
        return workspace.stage.motion(variant.recording, f"variant:{variant.number}", workspace.terrain)

    def _list_message(self) -> dict[str, Any]:
        items = [{"number": number, "label": f"variant {number}"} for number in self._variants]
        return {"type": "variants", "items": items}
