"""What undo takes back: the values of constants, and what changes in the world."""

from __future__ import annotations

from dataclasses import dataclass

from ctrlgraph.web.world import Event

MAX_UNDO = 200


@dataclass(frozen=True)
class ChosenSettings:
    """Constants by id, and what changes in the world."""

    values: tuple[tuple[str, float], ...] = ()
    events: tuple[Event, ...] = ()


class History:
    """The settings before the present ones, and those that were taken back."""

    def __init__(self) -> None:
        self.undo: list[ChosenSettings] = []
        self.redo: list[ChosenSettings] = []
        self._open = False

    def leave(self, present: ChosenSettings, *, final: bool) -> None:
        """Take note that the present settings are left; a slider that is drawn is one change, up to its `final` one."""
        if not self._open:
            self.undo = [*self.undo[-MAX_UNDO + 1 :], present]
        self._open = not final
        self.redo.clear()

    def close(self) -> None:
        """Let the next change be one of its own."""
        self._open = False

    def back(self, present: ChosenSettings) -> ChosenSettings | None:
        """Return the settings before the present ones; None where there are none."""
        if not self.undo:
            return None
        self.redo.append(present)
        return self.undo.pop()

    def forward(self, present: ChosenSettings) -> ChosenSettings | None:
        """Return the settings that were taken back last; None where there are none."""
        if not self.redo:
            return None
        self.undo.append(present)
        return self.redo.pop()
