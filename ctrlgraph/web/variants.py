"""The variants of a session: motions that are shown next to the present one and can be restored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ctrlgraph.character.model import Character
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.project.project import Project
from ctrlgraph.web.history import ChosenSettings
from ctrlgraph.web.motion.live import LiveSimulation
from ctrlgraph.web.motion.programs import Programs
from ctrlgraph.web.motion.recording import LiveRecording
from ctrlgraph.web.motion.segments import Queue, Target
from ctrlgraph.web.motion.world import LiveWorld
from ctrlgraph.web.saved_state import SavedVariant, saved_motion
from ctrlgraph.web.scripts import Scripts

MAX_VARIANTS = 4
"""Maximum number of variants."""


@dataclass
class Variant:
    """A kept motion and the inputs from which it can be simulated again."""

    number: int
    label: str
    drafts: dict[str, str]
    """Texts of its scripts by name."""
    settings: ChosenSettings
    target: Target
    recording: LiveRecording | None
    """Recording of the motion; None until a restored variant has been simulated again."""

    @property
    def name(self) -> str:
        """Return the id of its motion in messages."""
        return f"variant:{self.number}"


class Variants:
    """The variants of a session in order."""

    def __init__(self) -> None:
        self.items: list[Variant] = []
        self._next = 1
        self._restoring: tuple[Variant, LiveSimulation] | None = None

    def keep(
        self, label: str, drafts: dict[str, str], settings: ChosenSettings, target: Target, recording: LiveRecording
    ) -> Variant:
        """Add a variant.

        Args:
            label: Label; empty for a default.
            drafts: Texts of its scripts by name.
            settings: Constants and events.
            target: Nodes and script of the motion.
            recording: Recorded motion.

        Raises:
            CtrlGraphError: If `MAX_VARIANTS` are kept already.
        """
        if len(self.items) >= MAX_VARIANTS:
            raise CtrlGraphError(f"{MAX_VARIANTS} variants are kept already; drop one first")
        number, self._next = self._next, self._next + 1
        self.items.append(Variant(number, label or f"variant {number}", drafts, settings, target, recording))
        return self.items[-1]

    def find(self, number: int) -> Variant:
        """Return a variant.

        Raises:
            CtrlGraphError: If the variant has been dropped.
        """
        found = next((each for each in self.items if each.number == number), None)
        if found is None:
            raise CtrlGraphError("this variant has been dropped")
        return found

    def drop(self, number: int) -> None:
        """Drop a variant.

        Raises:
            CtrlGraphError: If the variant has been dropped already.
        """
        self.items.remove(self.find(number))

    def message(self) -> dict[str, Any]:
        """Return the message that lists the variants."""
        return {"type": "variants", "items": [{"number": v.number, "label": v.label} for v in self.items]}

    # --- saving and restoring ---

    def to_saved(self) -> list[SavedVariant]:
        """Return the variants in the form in which they are saved."""
        return [
            SavedVariant(number=v.number, label=v.label, drafts=v.drafts, **saved_motion(v.target, v.settings))
            for v in self.items
        ]

    def restore(self, saved: Sequence[SavedVariant], character: Character) -> None:
        """Add saved variants. `advance` simulates their motions again.

        Args:
            saved: Saved variants.
            character: Character with the links.
        """
        for each in saved[:MAX_VARIANTS]:
            self.items.append(
                Variant(each.number, each.label, each.drafts, each.settings(character), each.target, None)
            )
        self._next = max((each.number for each in self.items), default=0) + 1

    @property
    def is_restoring(self) -> bool:
        """Return whether a motion has to be simulated again."""
        return any(each.recording is None for each in self.items)

    def advance(self, project: Project, world: LiveWorld) -> Variant | None:
        """Simulate one piece of the restored variants' motions.

        Args:
            project: Project with the present files.
            world: World at the start of the motions.

        Returns:
            The variant whose motion is complete now, if any.
        """
        if self._restoring is not None and self._restoring[0] not in self.items:
            self.close()  # the variant has been dropped
        if self._restoring is None:
            variant = next(each for each in self.items if each.recording is None)
            try:
                self._restoring = variant, _open_simulation(variant, project, world)
            except CtrlGraphError:  # its target no longer exists, but its texts and constants still do
                variant.recording = LiveRecording()
                return None
            except Exception:
                variant.recording = LiveRecording()
                raise
        variant, live = self._restoring
        try:
            live.advance()
        except CtrlGraphError as error:
            live.ended = str(error)
        except Exception:
            variant.recording = live.recording
            self.close()
            raise
        if live.ended is None:
            return None
        variant.recording = live.recording
        self.close()
        return variant

    def close(self) -> None:
        """Free the world of the restored motion."""
        if self._restoring is not None:
            self._restoring[1].close()
        self._restoring = None


def _open_simulation(variant: Variant, present: Project, world: LiveWorld) -> LiveSimulation:
    """Return the simulation of a variant, in a separate project, because the present texts differ.

    Raises:
        CtrlGraphError: If the target no longer exists, or its first script has errors.
    """
    project = Project(present.directory, engine=present.engine)
    scripts, programs = Scripts(project), Programs(project)
    for name, text in variant.drafts.items():
        programs.revise(scripts.get(name).path, text)
    programs.set_values(dict(variant.settings.values))
    first, *others = variant.target.segments(project, scripts, world.terrain.preview(0.0))
    return LiveSimulation(project, programs, world, first, Queue(others), variant.settings.events)
