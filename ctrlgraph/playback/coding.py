"""Encoding of the parts of a motion that depend on the morphology of the character: the interface."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.playback.message import Packed, quantised
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.simulation.signals.signal_quantities import SAMPLE, Quantities

COM_SCALE = 1e-5
"""Resolution of the position of the centre of mass, m. The 32-bit integers cover more than 20 km."""
PLACE_SCALE = 5e-5
"""Resolution of a link's position relative to the centre of mass, m. Distances above 1.6 m get a coarser resolution."""
JOINT_SCALE = {"angle": 1.5e-4, "velocity": 2e-3, "target": 1.5e-4, "asked": 0.05, "torque": 0.02, "least": 0.05}
"""Resolution of each joint signal by name, in the unit of the signal. The resolution of
`greatest` is that of `least`. Values too large for 16-bit integers get a coarser resolution."""
FORCE_SCALE = 0.2
"""Resolution of the ground force on a link, N. Forces too large for 16-bit integers get a coarser resolution."""

_SENT = ("x", "y", "z", "rotation", "qw", "qx", "qy", "qz", "contact", "force_x", "force_y", "force_z")
"""Signals of links that are encoded."""


class Coding(ABC):
    """Encoder of the body, the ground and the samples of a motion, as JSON data and arrays.

    Args:
        character: Character that moves.
    """

    AXES: ClassVar[str]
    """Names of the axes: "xy" or "xyz"."""
    QUANTITIES: ClassVar[Quantities]
    """Signals of the morphology."""

    def __init__(self, character: Character) -> None:
        self._links, self._joints = character.link_names, character.joint_names

    @abstractmethod
    def body(self) -> tuple[dict[str, Any], list[Packed]]:
        """Return the body of the character as JSON data and arrays. Names of arrays begin with "body."."""

    @abstractmethod
    def ground(self, terrain: Any) -> tuple[dict[str, Any] | None, list[Packed]]:
        """Return a terrain as JSON data and arrays; (None, []) for level ground. Names of arrays begin with "ground.".

        Args:
            terrain: Terrain for the morphology of the character; None for level ground.
        """

    @abstractmethod
    def _rotations(self, signals: Signals) -> Iterator[Packed]:
        """Yield the arrays (L, n) of the rotations of L links in n samples."""

    def arrays(self, signals: Signals, *, lean: bool) -> Iterator[Packed]:
        """Return the arrays of n samples. Arrays of L links are (L, n), of J joints (J, n), and of the body (n,).

        Args:
            signals: Samples to encode.
            lean: Encode only times, poses and contacts.
        """
        return self._poses(signals) if lean else chain(self._poses(signals), self._exertions(signals))

    def units(self, lean: bool) -> dict[str, dict[str, str]]:
        """Return the units of the encoded signals.

        Args:
            lean: Whether only poses and contacts are encoded.

        Returns:
            For each of the groups "whole" (body), "joint" and "link": the unit of each signal, by name of the signal.
        """
        of = self.QUANTITIES
        whole = self._com if lean else [name for name in of.whole if name not in SAMPLE]
        link = [name for name in of.link if name in _SENT and not (lean and name in self._forces)]
        tables = {"whole": (of.whole, whole), "joint": (of.joint, [] if lean else of.joint), "link": (of.link, link)}
        return {group: {name: table[name][0] for name in names} for group, (table, names) in tables.items()}

    @property
    def _com(self) -> list[str]:
        return [f"com_{axis}" for axis in self.AXES]

    @property
    def _forces(self) -> list[str]:
        return [f"force_{axis}" for axis in self.AXES]

    def _poses(self, signals: Signals) -> Iterator[Packed]:
        columns = signals.columns
        yield Packed("time", columns["time"].astype(np.float64))
        yield Packed("visit", columns["visit"].astype(np.uint32), delta=True)
        com = quantised("com", np.array([columns[name] for name in self._com]), COM_SCALE, "int32")
        yield com
        assert com.scale is not None
        for axis, name in enumerate(self.AXES):
            # relative to the rounded centre of mass, so that rounding errors do not add up
            relative = quantity(signals, name, self._links) - com.values[axis] * com.scale
            yield quantised(name, relative, PLACE_SCALE)
        yield from self._rotations(signals)
        touching = quantity(signals, "contact", self._links) > 0.0
        yield Packed("contact", np.packbits(touching, axis=0, bitorder="little"))

    def _exertions(self, signals: Signals) -> Iterator[Packed]:
        for name in self.QUANTITIES.joint:
            scale = JOINT_SCALE["least" if name == "greatest" else name]
            yield quantised(name, quantity(signals, name, self._joints), scale)
        for name in self._forces:
            yield quantised(name, quantity(signals, name, self._links), FORCE_SCALE)
        for name in (name for name in self.QUANTITIES.whole if name not in (*SAMPLE, *self._com)):
            yield Packed(name, signals.columns[name].astype(np.float32))


def quantity(signals: Signals, name: str, of: tuple[str, ...]) -> Floats:
    """Return a quantity, such as "angle", of N links or joints: row i of the array (N, n) belongs to `of[i]`.

    Args:
        signals: Table with the columns.
        name: Name of the quantity.
        of: Names of links or joints.
    """
    found = [signals.columns[f"{name}.{each}"] for each in of]
    return np.array(found, dtype=np.float64).reshape(len(of), len(signals))
