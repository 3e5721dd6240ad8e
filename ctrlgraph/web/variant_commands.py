"""What pages do with variants: keep the present motion, go back to one, drop one."""

from __future__ import annotations

import time

from ctrlgraph.web import protocol
from ctrlgraph.web.programs import scripts_of
from ctrlgraph.web.script_commands import ScriptCommands
from ctrlgraph.web.settings import TextChange, UndoStep
from ctrlgraph.web.workspace import Workspace


class VariantCommands:
    """Does what is said of variants."""

    def __init__(self, workspace: Workspace, scripts: ScriptCommands) -> None:
        self._workspace, self._scripts = workspace, scripts

    def on_keep(self, page: int | None, message: protocol.Keep) -> None:
        """Keep the motion as it now is."""
        at = self._workspace
        if at.stage.live is None:
            return
        recording = at.stage.live.recording.copy()
        variant = at.variants.keep(message.label, self._texts(), at.settings, at.target, recording)
        motion = at.stage.motion(recording, variant.name, at.terrain)
        at.tell([at.variants.told(), *motion], None, False)
        at.dirty = True

    def _texts(self) -> dict[str, str]:
        """The texts of the scripts that the motion is made of, and of those that somebody has looked at, by path."""
        at = self._workspace
        stems = {stem for controller in at.programs.controllers() for stem in scripts_of(controller)}
        paths = [path for stem in sorted(stems) if (path := at.project.library.find(stem)) is not None]
        for name in filter(None, map(at.scripts.name_of, paths)):
            at.scripts.get(name)
        return {name: script.text for name, script in at.scripts.opened().items()}

    def on_restore(self, page: int | None, message: protocol.OfVariant) -> None:
        """Go back to a motion that was kept."""
        at = self._workspace
        variant = at.variants.find(message.variant)
        began, before = time.perf_counter(), at.settings
        changes = []
        for name, text in variant.drafts.items():
            script = at.scripts.get(name)
            if text != script.text:
                changes.append(TextChange(name, script.text, text))
                at.scripts.put(name, text, script.revision)
                at.programs.revise(script.path, None if script.saved else script.text)
        step = UndoStep("variant", before, variant.settings, tuple(changes))
        at.take(variant.settings, step if changes or before != variant.settings else None)
        for change in changes:
            self._scripts.tell_changed(change.name, None, began)

    def on_drop(self, page: int | None, message: protocol.OfVariant) -> None:
        """Forget a motion that was kept."""
        at = self._workspace
        at.variants.drop(message.variant)
        at.say(at.variants.told())
        at.dirty = True

    def make(self) -> None:
        """Go on by a piece with the motions of a server before, which are to be made again."""
        at = self._workspace
        variant = at.variants.make(at.project, at.world())
        if variant is not None and variant.recording is not None:
            at.tell(at.stage.motion(variant.recording, variant.name, at.terrain), None, False)
