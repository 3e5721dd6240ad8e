"""Comparison of two programs, phase by phase.

It is used after an edit of a script: the part of a recorded motion in which only unchanged phases were active need not
be simulated again.
"""

from __future__ import annotations

from collections.abc import Callable

from ctrlgraph.control.controller import Controller
from ctrlgraph.control.script.execution.state import DEPTH, ENTRIES, LEVEL_ENTRY, LEVEL_PHASE, ControlState
from ctrlgraph.control.script.identity import PhaseDigests
from ctrlgraph.control.script.program import FRAME_FIRST_PHASE, Program

ActivePhases = tuple[int, ...]
"""Rows of `phases` that are active, that of the root script first.

Empty if further phases have begun and ended since the previous sample.
"""


def active_phases(state: object, entries_before: int) -> ActivePhases:
    """Return the active phases; an empty tuple if the state is not that of a script.

    Args:
        state: state of a controller.
        entries_before: result of `entries` for the state at the previous sample.
    """
    if not isinstance(state, ControlState):
        return ()
    levels = state.levels[: int(state.counters[DEPTH]) + 1]
    begun = int((levels[:, LEVEL_ENTRY] > entries_before).sum())
    return tuple(levels[:, LEVEL_PHASE].tolist()) if entries(state) == entries_before + begun else ()


def entries(state: object) -> int:
    """Return how many times phases have begun so far; 0 if the state is not that of a script."""
    return int(state.counters[ENTRIES]) if isinstance(state, ControlState) else 0


class Correspondence:
    """Equal phases of two programs.

    Phases are equal if they have the same digest and the same path of calls (`identity.PhasePath`). `rows` maps the row
    of a phase of the first program to the row of the equal phase of the second one.
    """

    def __init__(self, before: Program, after: Program, digests: Callable[[Program], PhaseDigests]) -> None:
        """
        Args:
            before: the first program.
            after: the second program.
            digests: function that returns `identity.phase_digests` of a program for the character of both programs.
        """
        old, new = digests(before), digests(after)
        self.rows = {row: new[path][0] for path, (row, digest) in old.items() if new.get(path, (0, ""))[1] == digest}
        self._before = before
        first = int(before.frames[0, FRAME_FIRST_PHASE])
        self.begins_alike = self.rows.get(first) == int(after.frames[0, FRAME_FIRST_PHASE])
        """Whether both programs begin with equal phases. If not, no part of a recorded motion can be reused."""

    @property
    def complete(self) -> bool:
        """Return whether all phases of the first program have equal ones in the second, including the first phase."""
        return self.begins_alike and len(self.rows) == len(self._before.phases)

    def holds(self, active: ActivePhases) -> bool:
        """Return whether all these active phases of the first program have equal ones in the second.

        False if the phases are not known (`active` is empty).
        """
        return bool(active) and all(row in self.rows for row in active)

    def seen(self, active: ActivePhases) -> ActivePhases:
        """Return the equal phases of the second program for active phases of the first one. `holds` must be true."""
        return tuple(self.rows[row] for row in active)

    def carried(self, state: ControlState) -> ControlState:
        """Convert a state of the first program to one of the second. `holds` must be true for its active phases.

        Raises:
            KeyError: an active phase has no equal phase in the second program.
        """
        levels = state.levels.copy()
        for level in range(int(state.counters[DEPTH]) + 1):
            levels[level, LEVEL_PHASE] = self.rows[int(levels[level, LEVEL_PHASE])]
        copied = {name: array.copy() for name, array in state._asdict().items()}
        return ControlState(**copied | {"levels": levels})


def correspondence(
    before: Controller, after: Controller, digests: Callable[[Program], PhaseDigests]
) -> Correspondence | None:
    """Return the equal phases of two controllers; None if one of them is not a script.

    Args:
        before: the first controller.
        after: the second controller.
        digests: function that returns `identity.phase_digests` of a program for the character of both controllers.
    """
    if isinstance(before, Program) and isinstance(after, Program):
        return Correspondence(before, after, digests)
    return None
