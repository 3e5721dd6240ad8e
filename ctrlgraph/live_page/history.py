"""The undo history of constants, world and script texts."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from ctrlgraph.live_page.motion.world import Event

MAX_UNDO = 200
"""Maximum number of undo steps."""
MAX_UNDO_TEXT = 16 * 2**20
"""Maximum size of the texts in all undo steps, characters. Long scripts leave fewer steps."""


@dataclass(frozen=True)
class ChosenSettings:
    """Values of constants by id, and events of the world."""

    values: tuple[tuple[str, float], ...] = ()
    events: tuple[Event, ...] = ()


@dataclass(frozen=True)
class TextChange:
    """A script's text before and after a change."""

    name: str
    before: str
    after: str


@dataclass(frozen=True)
class UndoStep:
    """A change that can be undone: settings and texts before and after it."""

    name: str
    before: ChosenSettings
    after: ChosenSettings
    texts: tuple[TextChange, ...] = ()

    def reversed(self) -> UndoStep:
        """Return the step that undoes this step."""
        texts = tuple(TextChange(each.name, each.after, each.before) for each in self.texts)
        return replace(self, before=self.after, after=self.before, texts=texts)

    def merged(self, later: UndoStep) -> UndoStep:
        """Return this step and the next one as a single step. Both concern the same texts."""
        texts = tuple(replace(first, after=last.after) for first, last in zip(self.texts, later.texts, strict=True))
        return replace(self, after=later.after, texts=texts)

    @property
    def size(self) -> int:
        """Return the number of characters of its texts."""
        return sum(len(each.before) + len(each.after) for each in self.texts)


class History:
    """The steps that were made and those that were undone, in order."""

    def __init__(self) -> None:
        self.undo: list[UndoStep] = []
        self.redo: list[UndoStep] = []
        self._group = ""
        self._open_until = 0.0

    def add(self, step: UndoStep, *, group: str = "", seconds: float = 0.0) -> None:
        """Record a step.

        Args:
            step: Step to record.
            group: Consecutive steps of one group are merged, for example while a slider is dragged.
            seconds: Time for which the group accepts the next step, s.
        """
        now = time.monotonic()
        if self.undo and group and group == self._group and now <= self._open_until:
            self.undo[-1] = self.undo[-1].merged(step)
        else:
            self.undo.append(step)
        self._group, self._open_until = group, now + seconds
        self.redo.clear()
        while len(self.undo) > MAX_UNDO or (len(self.undo) > 1 and sum(s.size for s in self.undo) > MAX_UNDO_TEXT):
            del self.undo[0]

    def close(self) -> None:
        """Close the present group."""
        self._group = ""

    def back(self) -> UndoStep | None:
        """Return the step to undo; None if there is none."""
        self.close()
        if not self.undo:
            return None
        self.redo.append(self.undo.pop())
        return self.redo[-1]

    def forward(self) -> UndoStep | None:
        """Return the step to redo; None if there is none."""
        self.close()
        if not self.redo:
            return None
        self.undo.append(self.redo.pop())
        return self.undo[-1]
