"""Encoding of a motion for a browser: binary messages with recorded signals, the character's body and the ground."""

from __future__ import annotations

from typing import Any

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.character.planar_model import require_planar
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.playback.coding import Coding
from ctrlgraph.playback.message import Packed, write_message
from ctrlgraph.playback.planar_coding import PlanarCoding
from ctrlgraph.playback.spatial_coding import SpatialCoding
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.terrain.spatial import SpatialTerrain
from ctrlgraph.terrain.terrain import Terrain

FORMAT = 1
"""Version of the message format. The JavaScript player reads only messages of this version."""


class PlaybackEncoder:
    """Encoder of the recorded signals of a motion into binary messages for the player in the browser.

    The first message also describes the character's body and the ground. A message can replace the end of the motion
    that earlier messages contain: its header states the number of its first sample (`first`), and the player overwrites
    its samples from that number on.

    Args:
        character: Character whose signals are encoded.
        terrain: Terrain under the character; None for level ground.
        tick: Interval between two control ticks, s, which the player shows; None if unknown.
        lean: Encode only poses and contacts, without velocities, forces, energies and joints. This halves the size.

    >>> from ctrlgraph import Project, Simulation
    >>> from ctrlgraph.playback import PlaybackEncoder, read_message
    >>> from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder
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
        character: Character,
        terrain: Terrain | SpatialTerrain | None = None,
        *,
        tick: float | None = None,
        lean: bool = False,
    ) -> None:
        self._character, self._terrain, self._tick, self._lean = character, terrain, tick, lean
        self._coding: Coding = (
            SpatialCoding(character)
            if isinstance(character, SpatialCharacter)
            else PlanarCoding(require_planar(character, "a planar playback"))
        )
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
        kind = "uint16" if len(self._places) <= 2**16 else "uint32"
        arrays = [Packed("place", place.astype(kind)), *self._coding.arrays(signals, lean=self._lean)]
        if not self._header_sent:
            self._header_sent = True
            body, surface = self._coding.body()
            ground, relief = self._coding.ground(self._terrain)
            header |= {"body": body, "ground": ground, "tick": self._tick, "signals": self._coding.units(self._lean)}
            arrays += [*surface, *relief]
        return write_message(header, arrays)

    def set_terrain(self, terrain: Terrain | SpatialTerrain) -> None:
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
