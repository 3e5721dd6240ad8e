"""The variants of a motion: those that were kept, to be seen beside the present one and gone back to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.web.motion import LiveRecording
from ctrlgraph.web.settings import Settings

MAX_VARIANTS = 4


@dataclass
class Variant:
    """A motion that was kept, and what makes it again."""

    number: int
    label: str
    drafts: dict[str, str]
    settings: Settings
    recording: LiveRecording

    @property
    def name(self) -> str:
        """Return what pages know its motion by."""
        return f"variant:{self.number}"


class Variants:
    """Those of a session, in the order in which they were kept."""

    def __init__(self) -> None:
        self.items: list[Variant] = []
        self._next = 1

    def keep(self, label: str, drafts: dict[str, str], settings: Settings, recording: LiveRecording) -> Variant:
        """Keep a motion.

        Raises:
            CtrlGraphError: there are as many as there may be.
        """
        if len(self.items) >= MAX_VARIANTS:
            raise CtrlGraphError(f"{MAX_VARIANTS} variants are kept already; drop one first")
        number, self._next = self._next, self._next + 1
        self.items.append(Variant(number, label or f"variant {number}", drafts, settings, recording))
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
