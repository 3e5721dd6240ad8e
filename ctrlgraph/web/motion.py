"""A live motion as it was recorded: signals piece by piece, cut off and gone on with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ctrlgraph.simulation.signals import Signals


@dataclass
class LiveRecording:
    """Signals of a motion in pieces, in order; `samples` of them in all."""

    pieces: list[Signals] = field(default_factory=list)

    @property
    def samples(self) -> int:
        """Return how many samples there are."""
        return sum(map(len, self.pieces))

    @property
    def end(self) -> float:
        """Return the time of the last sample, s; 0 where there is none."""
        return float(self.pieces[-1].columns["time"][-1]) if self.pieces else 0.0

    def add(self, piece: Signals) -> int:
        """Add signals, and return the number of their first sample."""
        first = self.samples
        self.pieces.append(piece)
        return first

    def cut(self, samples: int) -> None:
        """Forget all but so many samples."""
        kept: list[Signals] = []
        for piece in self.pieces:
            left = samples - sum(map(len, kept))
            if left <= 0:
                break
            kept.append(piece if left >= len(piece) else part(piece, left))
        self.pieces = kept

    def copy(self) -> LiveRecording:
        """Return a motion of the same pieces, which goes on by itself."""
        return LiveRecording(list(self.pieces))

    def whole(self) -> Signals | None:
        """Return all signals in one piece; None where there are none."""
        return joined(self.pieces) if self.pieces else None


def part(signals: Signals, samples: int) -> Signals:
    """Return the first so many samples."""
    return Signals({name: values[:samples] for name, values in signals.columns.items()})


def joined(pieces: Sequence[Signals]) -> Signals:
    """Return signals one after another."""
    return Signals({name: np.concatenate([piece.columns[name] for piece in pieces]) for name in pieces[0].columns})
