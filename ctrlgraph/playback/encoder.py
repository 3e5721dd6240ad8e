"""The encoder: signals of a motion into messages that a browser plays, all at once or piece by piece."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ctrlgraph.character.model import Character
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


class PlaybackEncoder:
    """Makes messages of signals; the first one tells of body and ground too.

    Whoever plays them puts each message's samples from its `first` on, in the place of those that were there: what is
    simulated again from a moment on is sent from there on.

    Args:
        character: whose signals they are.
        terrain: what it goes over; level ground without one.
        tick: of its controller, s.

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

    def __init__(self, character: Character, terrain: Terrain | None = None, *, tick: float | None = None) -> None:
        self._character, self._terrain, self._tick = character, terrain, tick
        self._places: dict[tuple[str, int, int, str], int] = {}
        self._begun = False

    def message(self, signals: Signals, first: int = 0) -> bytes:
        """Return the samples of some signals, the earliest of which is the motion's sample number `first`."""
        place, new = self._placed(signals)
        header: dict[str, Any] = {"format": FORMAT, "first": first, "samples": len(signals), "places": new}
        if not self._begun:
            self._begun = True
            header |= {"body": body_of(self._character), "ground": ground_of(self._terrain), "tick": self._tick}
            header["signals"] = _units()
        kind = "uint16" if len(self._places) <= 2**16 else "uint32"
        return write_message(header, [Packed("place", place.astype(kind)), *_arrays(self._character, signals)])

    def _placed(self, signals: Signals) -> tuple[np.ndarray[Any, Any], list[dict[str, Any]]]:
        """Each sample's place (n,), as an index into all that were told of, and the new ones among them."""
        before = len(self._places)
        columns = (signals.columns[name].tolist() for name in ("node", "phase", "line", "script"))
        place = [self._places.setdefault(each, len(self._places)) for each in zip(*columns, strict=True)]
        new = [
            {"node": node, "phase": phase, "line": line, "script": script}
            for (node, phase, line, script), index in self._places.items()
            if index >= before
        ]
        return np.array(place), new


def _units() -> dict[str, dict[str, str]]:
    """The signals that there are, each with its unit: of the whole body, of each joint and of each link."""
    whole = {name: unit for name, (unit, _) in WHOLE.items() if name not in _NOT_MEASURED}
    joint, link = ({name: unit for name, (unit, _) in table.items()} for table in (JOINT, LINK))
    return {"whole": whole, "joint": joint, "link": link}


def _arrays(character: Character, signals: Signals) -> Iterator[Packed]:
    """The arrays of a message; those of links and joints are (L, n) and (J, n)."""
    columns = signals.columns
    links, joints = character.link_names, character.joint_names

    def of(quantity: str, names: tuple[str, ...]) -> np.ndarray[Any, Any]:
        found = [columns[f"{quantity}.{name}"] for name in names]
        return np.array(found, dtype=np.float64).reshape(len(names), len(signals))

    yield Packed("time", columns["time"].astype(np.float64))
    yield Packed("visit", columns["visit"].astype(np.uint32), delta=True)
    com = quantised("com", np.array([columns["com_x"], columns["com_y"]]), COM_SCALE, "int32")
    yield com
    assert com.scale is not None
    for axis, name in enumerate(("x", "y")):
        # from the centre of mass as it is told, so that its rounding is not added
        yield quantised(name, of(name, links) - com.values[axis] * com.scale, PLACE_SCALE)
    yield quantised("rotation", of("rotation", links), ROTATION_SCALE, "int32")
    touching = of("contact", links) > 0.0
    yield Packed("contact", np.packbits(touching, axis=0, bitorder="little"))
    for quantity in JOINT:
        yield quantised(quantity, of(quantity, joints), JOINT_SCALE["least" if quantity == "greatest" else quantity])
    for quantity in ("force_x", "force_y"):
        yield quantised(quantity, of(quantity, links), FORCE_SCALE)
    for name in (name for name in WHOLE if name not in (*_NOT_MEASURED, *_OF_COM)):
        yield Packed(name, columns[name].astype(np.float32))
