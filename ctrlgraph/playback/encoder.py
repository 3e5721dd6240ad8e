"""The encoder: signals of a motion into messages that a browser plays, all at once or piece by piece."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.playback.message import Packed, quantised, write_message
from ctrlgraph.playback.scene import body_of, ground_of
from ctrlgraph.simulation.signals import JOINT, LINK, WHOLE, Signals
from ctrlgraph.terrain.profile import Terrain

FORMAT = 1
"""Which form of playback this is: a browser's module reads its own only."""

COM_SCALE = 1e-5
"""m: of the centre of mass; 32 bits reach over 20 km."""
PLACE_SCALE = 5e-5
"""m: of a link's place, from the centre of mass; coarser where a body is more than 3 m across."""
ROTATION_SCALE = 1e-5
"""rad: of a link's rotation, in 32 bits, since it counts whole turns."""
JOINT_SCALE = {"angle": 1.5e-4, "velocity": 2e-3, "target": 1.5e-4, "asked": 0.05, "torque": 0.02, "least": 0.05}
"""rad, rad/s, N m: of what each joint has; `greatest` as `least`. Coarser where greater numbers need it."""
FORCE_SCALE = 0.2
"""N: of the ground's force on a link; coarser where greater numbers need it."""
_NOT_MEASURED = ("time", "visit", "node", "phase", "line", "script")
_OF_COM = ("com_x", "com_y")
_FORCES = ("force_x", "force_y")


class PlaybackEncoder:
    """Makes messages of signals; the first one tells of body and ground too.

    Whoever plays them puts each message's samples from its `first` on, in the place of those that were there: what is
    simulated again from a moment on is sent from there on.

    Args:
        character: whose signals they are.
        terrain: what it goes over; level ground without one.
        tick: of its controller, s.
        lean: without joints, forces and energies: what a small figure needs, in less than half of the room.

    >>> from ctrlgraph import Project, Simulation
    >>> from ctrlgraph.playback import PlaybackEncoder, read_message
    >>> from ctrlgraph.simulation.signals import SignalRecorder
    >>> project = Project.find()
    >>> with Simulation(project.character) as simulation:
    ...     recorder = SignalRecorder(simulation, rate=50, naming=project.relative)
    ...     recorder.begin("stand")
    ...     _ = simulation.run(project.controller("stand"), timeout=0.5)
    >>> header, arrays = read_message(PlaybackEncoder(project.character).message(recorder.signals()))
    >>> header["samples"], arrays["rotation"].shape
    (26, (17, 26))
    """

    def __init__(
        self, character: Character, terrain: Terrain | None = None, *, tick: float | None = None, lean: bool = False
    ) -> None:
        self._character, self._terrain, self._tick, self._lean = character, terrain, tick, lean
        self._places: dict[tuple[str, int, int, str], int] = {}
        self._places_told = 0
        self._begun = False

    def message(self, signals: Signals, first: int = 0) -> bytes:
        """Return the samples of some signals, the earliest of which is the motion's sample number `first`."""
        place, new = self._placed(signals)
        header: dict[str, Any] = {"format": FORMAT, "first": first, "samples": len(signals), "places": new}
        if not self._begun:
            self._begun = True
            header |= {"body": body_of(self._character), "ground": ground_of(self._terrain), "tick": self._tick}
            header["signals"] = _units(self._lean)
        kind = "uint16" if len(self._places) <= 2**16 else "uint32"
        arrays = [Packed("place", place.astype(kind)), *_poses(self._character, signals)]
        if not self._lean:
            arrays += _rest(self._character, signals)
        return write_message(header, arrays)

    def go_over(self, terrain: Terrain) -> None:
        """Tell with the next message that the ground is another one."""
        self._terrain, self._begun = terrain, False

    def for_newcomer(self) -> PlaybackEncoder:
        """Return an encoder for somebody who joins: its first message tells everything again, and what this one makes
        from then on goes on from there."""
        other = PlaybackEncoder(self._character, self._terrain, tick=self._tick)
        other._places = self._places
        return other

    def _placed(self, signals: Signals) -> tuple[np.ndarray[Any, Any], list[dict[str, Any]]]:
        """Each sample's place (n,), as an index into all that were told of, and the new ones among them."""
        columns = (signals.columns[name].tolist() for name in ("node", "phase", "line", "script"))
        place = [self._places.setdefault(each, len(self._places)) for each in zip(*columns, strict=True)]
        new = [
            {"node": node, "phase": phase, "line": line, "script": script}
            for (node, phase, line, script), index in self._places.items()
            if index >= self._places_told
        ]
        self._places_told = len(self._places)
        return np.array(place), new


def _units(lean: bool) -> dict[str, dict[str, str]]:
    """The signals that there are, each with its unit: of the whole body, of each joint and of each link."""
    left_out = (*_NOT_MEASURED, *((*_FORCES, *(name for name in WHOLE if name not in _OF_COM)) if lean else ()))
    tables = {"whole": WHOLE, "joint": {} if lean else JOINT, "link": LINK}
    return {
        of: {name: unit for name, (unit, _) in table.items() if name not in left_out} for of, table in tables.items()
    }


def _of(signals: Signals, quantity: str, names: tuple[str, ...]) -> Floats:
    """A quantity of links or joints, (names, n)."""
    found = [signals.columns[f"{quantity}.{name}"] for name in names]
    return np.array(found, dtype=np.float64).reshape(len(names), len(signals))


def _poses(character: Character, signals: Signals) -> Iterator[Packed]:
    """Times and poses; the arrays of links are (L, n)."""
    columns, links = signals.columns, character.link_names
    yield Packed("time", columns["time"].astype(np.float64))
    yield Packed("visit", columns["visit"].astype(np.uint32), delta=True)
    com = quantised("com", np.array([columns[name] for name in _OF_COM]), COM_SCALE, "int32")
    yield com
    assert com.scale is not None
    for axis, name in enumerate(("x", "y")):
        # from the centre of mass as it is told, so that its rounding is not added
        yield quantised(name, _of(signals, name, links) - com.values[axis] * com.scale, PLACE_SCALE)
    yield quantised("rotation", _of(signals, "rotation", links), ROTATION_SCALE, "int32")
    yield Packed("contact", np.packbits(_of(signals, "contact", links) > 0.0, axis=0, bitorder="little"))


def _rest(character: Character, signals: Signals) -> Iterator[Packed]:
    """Joints (J, n), forces (L, n), and what is of the whole body."""
    for name in JOINT:
        scale = JOINT_SCALE["least" if name == "greatest" else name]
        yield quantised(name, _of(signals, name, character.joint_names), scale)
    for name in _FORCES:
        yield quantised(name, _of(signals, name, character.link_names), FORCE_SCALE)
    for name in (name for name in WHOLE if name not in (*_NOT_MEASURED, *_OF_COM)):
        yield Packed(name, signals.columns[name].astype(np.float32))
