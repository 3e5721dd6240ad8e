"""Encoding of a motion for a browser: binary messages with recorded signals, the character's body and the ground."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ctrlgraph.character.planar_model import PlanarCharacter
from ctrlgraph.kernels.arrays import Floats
from ctrlgraph.pictures.planar.figure import Figure
from ctrlgraph.playback.message import Packed, quantised, write_message
from ctrlgraph.simulation.planar_signals import PLANAR_QUANTITIES
from ctrlgraph.simulation.signals import Signals
from ctrlgraph.terrain.terrain import Terrain

FORMAT = 1
"""Version of the message format. The JavaScript player reads only messages of this version."""

COM_SCALE = 1e-5
"""Resolution of the position of the centre of mass, m. The 32-bit integers cover more than 20 km."""
PLACE_SCALE = 5e-5
"""Resolution of a link's position relative to the centre of mass, m. Distances above 1.6 m get a coarser resolution."""
ROTATION_SCALE = 1e-5
"""Resolution of a link's rotation, rad. Rotations are 32-bit integers because they include whole turns."""
JOINT_SCALE = {"angle": 1.5e-4, "velocity": 2e-3, "target": 1.5e-4, "asked": 0.05, "torque": 0.02, "least": 0.05}
"""Resolution of each joint signal by name, in the unit of the signal (`simulation.signals.JOINT`). The resolution of
`greatest` is that of `least`. Values too large for 16-bit integers get a coarser resolution."""
FORCE_SCALE = 0.2
"""Resolution of the ground force on a link, N. Forces too large for 16-bit integers get a coarser resolution."""
WHOLE, JOINT, LINK = PLANAR_QUANTITIES.whole, PLANAR_QUANTITIES.joint, PLANAR_QUANTITIES.link
"""Unit and meaning of the signals of the whole body, of each joint and of each link, by name of the signal."""
_OTHER_COLUMNS = ("time", "visit", "node", "phase", "line", "script")
_COM_COLUMNS = ("com_x", "com_y")
_FORCES = ("force_x", "force_y")
_NOT_SENT = ("pressure_x", "pressure_y", "moment")
"""Signals of links that are not encoded."""

_DIGITS = 4
"""Number of decimal places of the links' outlines, which are in m."""


class PlaybackEncoder:
    """Encoder of the recorded signals of a motion into binary messages for the player in the browser.

    The first message also describes the character's body and the ground. A message can replace the end of the motion
    that earlier messages contain: its header states the number of its first sample (`first`), and the player overwrites
    its samples from that number on.

    Args:
        character: PlanarCharacter whose signals are encoded.
        terrain: Terrain under the character; None for level ground.
        tick: Interval between two control ticks, s, which the player shows; None if unknown.
        lean: Encode only poses and contacts, without velocities, forces, energies and joints. This halves the size.

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
        self,
        character: PlanarCharacter,
        terrain: Terrain | None = None,
        *,
        tick: float | None = None,
        lean: bool = False,
    ) -> None:
        self._character, self._terrain, self._tick, self._lean = character, terrain, tick, lean
        self._places: dict[tuple[str, int, int, str], int] = {}
        self._n_places_sent = 0
        self._header_sent = False

    def message(self, signals: Signals, first: int = 0) -> bytes:
        """Encode samples of a motion's signals as a message.

        Args:
            signals: Signals to encode.
            first: Number of samples of the motion before the first sample of `signals`.
        """
        place, new = self._place_indices(signals)
        header: dict[str, Any] = {"format": FORMAT, "first": first, "samples": len(signals), "places": new}
        if not self._header_sent:
            self._header_sent = True
            header |= {"body": body_data(self._character), "ground": ground_data(self._terrain), "tick": self._tick}
            header["signals"] = _units(self._lean)
        kind = "uint16" if len(self._places) <= 2**16 else "uint32"
        arrays = [Packed("place", place.astype(kind)), *_poses(self._character, signals)]
        if not self._lean:
            arrays += _forces_and_energies(self._character, signals)
        return write_message(header, arrays)

    def set_terrain(self, terrain: Terrain) -> None:
        """Set the terrain under the character. If it changes, the next message describes body and ground again."""
        if terrain is not self._terrain:
            self._terrain, self._header_sent = terrain, False

    def fork(self) -> PlaybackEncoder:
        """Return a new encoder for a player that joins after this encoder has sent messages to other players.

        The first message of the new encoder describes the body, the ground and all places (combinations of node, phase,
        line and script) of earlier messages. After this message, the player can read further messages of the old
        encoder.
        """
        other = PlaybackEncoder(self._character, self._terrain, tick=self._tick, lean=self._lean)
        other._places = self._places
        return other

    def _place_indices(self, signals: Signals) -> tuple[np.ndarray[Any, Any], list[dict[str, Any]]]:
        """Find the place of each sample: its combination of node, phase, line and script.

        Returns:
            The index of the place of each sample (n,), and the places that no earlier message has described.
        """
        columns = (signals.columns[name].tolist() for name in ("node", "phase", "line", "script"))
        place = [self._places.setdefault(each, len(self._places)) for each in zip(*columns, strict=True)]
        new = [
            {"node": node, "phase": phase, "line": line, "script": script}
            for (node, phase, line, script), index in self._places.items()
            if index >= self._n_places_sent
        ]
        self._n_places_sent = len(self._places)
        return np.array(place), new


def _units(lean: bool) -> dict[str, dict[str, str]]:
    """Return the units of the encoded signals.

    Args:
        lean: Whether only poses and contacts are encoded.

    Returns:
        For each of the groups "whole" (body), "joint" and "link": the unit of each signal, by name of the signal.
    """
    omitted = (*_OTHER_COLUMNS, *((*_FORCES, *(name for name in WHOLE if name not in _COM_COLUMNS)) if lean else ()))
    link = {name: each for name, each in LINK.items() if name not in _NOT_SENT}
    tables = {"whole": WHOLE, "joint": {} if lean else JOINT, "link": link}
    return {
        group: {name: unit for name, (unit, _) in table.items() if name not in omitted}
        for group, table in tables.items()
    }


def _quantity(signals: Signals, quantity: str, names: tuple[str, ...]) -> Floats:
    """Return a quantity, such as "angle", of links or joints: row i of the array (N, n) belongs to `names[i]`."""
    found = [signals.columns[f"{quantity}.{name}"] for name in names]
    return np.array(found, dtype=np.float64).reshape(len(names), len(signals))


def _poses(character: PlanarCharacter, signals: Signals) -> Iterator[Packed]:
    """Yield the arrays of a message with times, poses and contacts of n samples. Arrays of L links are (L, n)."""
    columns, links = signals.columns, character.link_names
    yield Packed("time", columns["time"].astype(np.float64))
    yield Packed("visit", columns["visit"].astype(np.uint32), delta=True)
    com = quantised("com", np.array([columns[name] for name in _COM_COLUMNS]), COM_SCALE, "int32")
    yield com
    assert com.scale is not None
    for axis, name in enumerate(("x", "y")):
        # relative to the rounded centre of mass, so that rounding errors do not add up
        yield quantised(name, _quantity(signals, name, links) - com.values[axis] * com.scale, PLACE_SCALE)
    yield quantised("rotation", _quantity(signals, "rotation", links), ROTATION_SCALE, "int32")
    yield Packed("contact", np.packbits(_quantity(signals, "contact", links) > 0.0, axis=0, bitorder="little"))


def _forces_and_energies(character: PlanarCharacter, signals: Signals) -> Iterator[Packed]:
    """Yield the other arrays of a message: of joints (J, n), ground forces on links (L, n), and of the body (n,)."""
    for name in JOINT:
        scale = JOINT_SCALE["least" if name == "greatest" else name]
        yield quantised(name, _quantity(signals, name, character.joint_names), scale)
    for name in _FORCES:
        yield quantised(name, _quantity(signals, name, character.link_names), FORCE_SCALE)
    for name in (name for name in WHOLE if name not in (*_OTHER_COLUMNS, *_COM_COLUMNS)):
        yield Packed(name, signals.columns[name].astype(np.float32))


def body_data(character: PlanarCharacter) -> dict[str, Any]:
    """Return the body of a character as JSON data for the player in the browser, with these keys.

    - `name`: name of the character
    - `links`: list of links, each with `name`, `mass` (kg), `at` (x and y of the centre of mass in the reference pose,
      m) and `outline` (corners x and y in the frame of the link, m)
    - `limbs`: list of limbs in drawing order, far side first, each with `links` (indices) and `side` (-1 far, 0 trunk,
      1 near)
    - `joints`: list of joints, each with `name`, `parent` and `child` (indices of links) and `at` (x and y in the
      reference pose, m)
    - `root`: index of the root link
    - `feet`: indices of the links that are feet
    """
    figure = Figure.of(character)
    return {
        "name": character.name,
        "root": character.root,
        "feet": list(character.roles.feet),
        "links": [
            {"name": link.name, "mass": link.mass, "at": [link.x, link.y], "outline": outline.round(_DIGITS).tolist()}
            for link, outline in zip(character.links, figure.outlines, strict=True)
        ],
        "limbs": [{"links": list(limb), "side": side} for limb, side in zip(figure.limbs, figure.sides, strict=True)],
        "joints": [
            {"name": joint.name, "parent": joint.parent, "child": joint.child, "at": [joint.x, joint.y]}
            for joint in character.joints
        ],
    }


def ground_data(terrain: Terrain | None) -> dict[str, Any] | None:
    """Return a terrain as JSON data for the player in the browser; None for level ground.

    The keys are `x` and `y` (lists of the coordinates of the surface's corners, m), `friction` (coefficient), and
    `obstacles` (list of obstacles, each with `kind`, and `start`, `end` and `size` in m). Beyond the first and last
    corner, the surface continues with the slope of its first and last segment.
    """
    if terrain is None:
        return None
    return {
        "x": terrain.x.tolist(),
        "y": terrain.y.tolist(),
        "friction": terrain.friction,
        "obstacles": [
            {"kind": str(each.kind), "start": each.start, "end": each.end, "size": each.size}
            for each in terrain.obstacles
        ],
    }
