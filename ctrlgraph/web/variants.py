"""The variants of a motion: those that were kept, to be seen beside the present one and gone back to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ctrlgraph.character.model import Character
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.project.project import Project
from ctrlgraph.web.live import LiveSimulation
from ctrlgraph.web.motion import LiveRecording
from ctrlgraph.web.programs import Programs
from ctrlgraph.web.scripts import Scripts
from ctrlgraph.web.segments import EndsHere, Queue
from ctrlgraph.web.settings import ChosenSettings
from ctrlgraph.web.state_file import KeptVariant
from ctrlgraph.web.target import Target
from ctrlgraph.web.told import events_of, kept_event
from ctrlgraph.web.world import LiveWorld

MAX_VARIANTS = 4


@dataclass
class Variant:
    """A motion that was kept, and what makes it again.

    drafts: the texts of its scripts, by path; recording: None where the motion is still to be made again.
    """

    number: int
    label: str
    drafts: dict[str, str]
    settings: ChosenSettings
    target: Target
    recording: LiveRecording | None

    @property
    def name(self) -> str:
        """Return what pages know its motion by."""
        return f"variant:{self.number}"


class Variants:
    """Those of a session, in the order in which they were kept."""

    def __init__(self) -> None:
        self.items: list[Variant] = []
        self._next = 1
        self._making: tuple[Variant, LiveSimulation] | None = None

    def keep(
        self, label: str, drafts: dict[str, str], settings: ChosenSettings, target: Target, recording: LiveRecording
    ) -> Variant:
        """Keep a motion.

        Raises:
            CtrlGraphError: there are as many as there may be.
        """
        if len(self.items) >= MAX_VARIANTS:
            raise CtrlGraphError(f"{MAX_VARIANTS} variants are kept already; drop one first")
        number, self._next = self._next, self._next + 1
        self.items.append(Variant(number, label or f"variant {number}", drafts, settings, target, recording))
        return self.items[-1]

    def find(self, number: int) -> Variant:
        """Return a variant.

        Raises:
            CtrlGraphError: there is none of this number any more.
        """
        found = next((each for each in self.items if each.number == number), None)
        if found is None:
            raise CtrlGraphError("this variant has been dropped")
        return found

    def drop(self, number: int) -> None:
        """Forget a variant.

        Raises:
            CtrlGraphError: there is none of this number any more.
        """
        self.items.remove(self.find(number))

    def told(self) -> dict[str, Any]:
        """Return the list of them, as pages are told of it."""
        return {"type": "variants", "items": [{"number": v.number, "label": v.label} for v in self.items]}

    # --- those of a server before ---

    def kept(self) -> list[KeptVariant]:
        """Return what makes them again."""
        return [
            KeptVariant(
                number=v.number,
                label=v.label,
                drafts=v.drafts,
                values=dict(v.settings.values),
                events=[kept_event(event) for event in v.settings.events],
                names=list(v.target.names),
                script=v.target.script,
                cycles=v.target.cycles,
            )
            for v in self.items
        ]

    def recall(self, kept: Sequence[KeptVariant], character: Character) -> None:
        """Take up variants of a server before, whose motions are still to be made again."""
        for each in kept[:MAX_VARIANTS]:
            settings = ChosenSettings(tuple(sorted(each.values.items())), events_of(each.events, character))
            target = Target(tuple(each.names), each.script, each.cycles)
            self.items.append(Variant(each.number, each.label, each.drafts, settings, target, None))
        self._next = max((each.number for each in self.items), default=0) + 1

    @property
    def is_any_to_make(self) -> bool:
        """Tell whether a motion is still to be made again."""
        return any(each.recording is None for each in self.items)

    def make(self, project: Project, world: LiveWorld) -> Variant | None:
        """Go on by a piece with the motions that are to be made again; returns the variant whose motion is made now.

        Args:
            project: as its files are; world: in which the motion begins.
        """
        if self._making is not None and self._making[0] not in self.items:
            self.close()  # it has been dropped
        if self._making is None:
            variant = next(each for each in self.items if each.recording is None)
            try:
                self._making = variant, _simulation(variant, project, world)
            except CtrlGraphError:  # what it is made of is there no more; its texts and constants are
                variant.recording = LiveRecording()
                return None
            except Exception:
                variant.recording = LiveRecording()
                raise
        variant, live = self._making
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
        """Free the world in which a motion is made again."""
        if self._making is not None:
            self._making[1].close()
        self._making = None


def _simulation(variant: Variant, like: Project, world: LiveWorld) -> LiveSimulation:
    """A variant's motion from its beginning, of a project of its own: the present texts are other ones.

    Raises:
        CtrlGraphError: the project has no such node or script any more, or its first script has errors.
    """
    project = Project(like.directory, engine=like.engine)
    scripts, programs = Scripts(project), Programs(project)
    for name, text in variant.drafts.items():
        programs.revise(scripts.get(name).path, text)
    programs.set_values(dict(variant.settings.values))
    first, *others = variant.target.segments(project, scripts, world.terrain.preview(0.0))
    return LiveSimulation(project, programs, world, first, Queue(others, EndsHere()), variant.settings.events)
