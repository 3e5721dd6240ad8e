"""Planar motions as recordings for the viewer rerun (rerun.io): the links as boxes, curves, and a log of phases.

Axes: X forward, Z up. Units: metres, radians, seconds. The timeline is `sim_time`. Entities:

- `body/LINK`: a box of the link's size, and its position and rotation;
- `ground`: the ground profile as a line;
- `joints/JOINT`: curves `angle`, `target`, `velocity` and `torque`;
- `com`: the centre of mass as a point, and the curve `com/speed`;
- `energy`: curves `kinetic`, `potential` and `spent`;
- `forces/LINK`: curves `x` and `y` of the ground force on each link that touches the ground;
- `phase`: a line of text at the beginning of each node and phase.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.errors import printable
from ctrlgraph.export.ground_below import ground_below
from ctrlgraph.extras import require
from ctrlgraph.simulation.signals import Signals

if TYPE_CHECKING:
    from ctrlgraph.character.planar_model import PlanarCharacter
    from ctrlgraph.terrain.terrain import Terrain

TIMELINE = "sim_time"
"""Name of the timeline. Its unit is the simulated second."""
JOINT_CURVES = ("angle", "target", "velocity", "torque")
"""Signals that are written for each joint."""

_BODY, _GROUND = (96, 122, 148, 255), (140, 131, 113, 255)


def write_rerun(signals: Signals, character: PlanarCharacter, path: Path, ground: Terrain | None = None) -> None:
    """Write all samples of a motion to a file for the viewer rerun (.rrd).

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.
        path: The file to write.
        ground: The ground. Default: level ground at height 0.

    Raises:
        CtrlGraphError: The package rerun-sdk is not installed.
    """
    require("rerun")
    import rerun as rr

    stream = rr.RecordingStream("ctrlgraph", send_properties=False)
    stream.save(path)
    stream.log("/", rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
    surface = np.insert(ground_below(signals, ground), 1, 0.0, axis=1)
    stream.log("ground", rr.LineStrips3D([surface], colors=[_GROUND]), static=True)
    sent = _Columns(rr, stream, signals.columns["time"])
    _send_body(rr, stream, sent, signals, character)
    for joint in character.joints:
        for quantity in JOINT_CURVES:
            sent.curve(f"joints/{_part(rr, joint.name)}/{quantity}", signals.columns[f"{quantity}.{joint.name}"])
    for quantity in ("kinetic_energy", "potential_energy", "spent_energy"):
        sent.curve(f"energy/{quantity.removesuffix('_energy')}", signals.columns[quantity])
    sent.curve("com/speed", np.hypot(signals.columns["com_vx"], signals.columns["com_vy"]))
    _send_course(rr, stream, signals)
    stream.flush()
    stream.disconnect()


class _Columns:
    """Sender of signals with one value for each sample to a rerun recording.

    Args:
        rr: The module `rerun`.
        stream: The recording stream, an object of rerun.
        time: Time of each sample (n,), s.
    """

    def __init__(self, rr: Any, stream: Any, time: Any) -> None:
        self._rr, self._stream, self._time = rr, stream, time

    def curve(self, entity: str, values: Any) -> None:
        """Send a signal as a curve; values that are not finite are left out.

        Args:
            entity: Path of the curve in the recording, such as "com/speed".
            values: Value at each sample (n,).
        """
        there = np.isfinite(values)
        if there.any():
            index = self._rr.TimeColumn(TIMELINE, duration=self._time[there])
            self._stream.send_columns(entity, [index], self._rr.Scalars.columns(scalars=values[there]))

    def send(self, entity: str, columns: Any) -> None:
        """Send positions or transforms to a path of the recording.

        Args:
            entity: Path in the recording, such as "body/pelvis".
            columns: Component columns of rerun with one row for each sample.
        """
        self._stream.send_columns(entity, [self._rr.TimeColumn(TIMELINE, duration=self._time)], columns)


def _part(rr: Any, name: str) -> str:
    """Return the name of a link or joint, escaped for use as one part of a path in a rerun recording."""
    return str(rr.escape_entity_path_part(printable(name)))


def _send_body(rr: Any, stream: Any, sent: _Columns, signals: Signals, character: PlanarCharacter) -> None:
    columns, n = signals.columns, len(signals)
    for link in character.links:
        entity = f"body/{_part(rr, link.name)}"
        half = [link.width / 2, min(link.width, link.height) / 4, link.height / 2]
        stream.log(entity, rr.Boxes3D(half_sizes=[half], colors=[_BODY], fill_mode="solid"), static=True)
        place = np.column_stack([columns[f"x.{link.name}"], np.zeros(n), columns[f"y.{link.name}"]])
        half_turn = columns[f"rotation.{link.name}"] / 2  # clockwise as seen from positive Y
        zeros = np.zeros(n)
        turn = np.column_stack([zeros, np.sin(half_turn), zeros, np.cos(half_turn)])  # x, y, z, w
        sent.send(entity, rr.Transform3D.columns(translation=place, quaternion=turn))
        if columns[f"contact.{link.name}"].any():
            for axis in "xy":
                sent.curve(f"forces/{_part(rr, link.name)}/{axis}", columns[f"force_{axis}.{link.name}"])
    com = np.column_stack([columns["com_x"], np.zeros(n), columns["com_y"]])
    sent.send("com", rr.Points3D.columns(positions=com))


def _send_course(rr: Any, stream: Any, signals: Signals) -> None:
    """Send a line of text at the beginning of each node and phase, with the line number of the script that runs."""
    columns = signals.columns
    keys = [columns[name] for name in ("visit", "phase", "line")]
    changes = np.flatnonzero(np.concatenate([[True], *[np.any([np.diff(each) != 0 for each in keys], axis=0)]]))
    texts = []
    for i in changes.tolist():
        where = f", {columns['script'][i]}:{columns['line'][i]}" if columns["script"][i] else ""
        texts.append(printable(f"{columns['node'][i]}, phase {columns['phase'][i]}{where}"))
    index = rr.TimeColumn(TIMELINE, duration=columns["time"][changes])
    stream.send_columns("phase", [index], rr.TextLog.columns(text=texts, level=["INFO"] * len(texts)))
