"""Motions as recordings for the viewer rerun (rerun.io): the links as bodies, curves, and a log of phases.

Axes: X forward, Y to the left, Z up. Units: metres, radians, seconds. The timeline is `sim_time`. Entities:

- `body/LINK`: the position and rotation of the link, and a box of its size (planar) or its surface (spatial);
- `ground`: the ground profile as a line (planar) or the ground as a surface (spatial);
- `joints/JOINT`: curves `angle`, `target`, `velocity` and `torque`;
- `com`: the centre of mass as a point, and the curve `com/speed`;
- `energy`: curves `kinetic`, `potential` and `spent`;
- `forces/LINK`: curves `x`, `y` and in space `z` of the ground force on each link that touches the ground;
- `phase`: a line of text at the beginning of each node and phase.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.character.planar_model import PlanarLink, require_planar
from ctrlgraph.character.spatial_model import Color, SpatialCharacter
from ctrlgraph.errors import printable
from ctrlgraph.export.ground_below import Ground, ground_below, ground_solid, profile_of
from ctrlgraph.export.link_poses import link_poses
from ctrlgraph.extras import require
from ctrlgraph.pictures.spatial.spatial_figure import drawn_solids
from ctrlgraph.pictures.spatial.spatial_solids import Solid, merged
from ctrlgraph.simulation.signals.recorded_signals import Signals

TIMELINE = "sim_time"
"""Name of the timeline. Its unit is the simulated second."""
JOINT_CURVES = ("angle", "target", "velocity", "torque")
"""Signals that are written for each joint."""

_BODY, _GROUND = (96, 122, 148, 255), (140, 131, 113, 255)


def write_rerun(signals: Signals, character: Character, path: Path, ground: Ground = None) -> None:
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
    sent = _Columns(rr, stream, signals.columns["time"])
    if isinstance(character, SpatialCharacter):
        surface = ground_solid(link_poses(signals, character).position, ground)
        stream.log("ground", _mesh(rr, [(surface, _GROUND)]), static=True)
        shapes = [_mesh(rr, [(solid, _bytes(color)) for solid, color in parts]) for parts in drawn_solids(character)]
    else:
        profile = np.insert(ground_below(signals, profile_of(ground)), 1, 0.0, axis=1)
        stream.log("ground", rr.LineStrips3D([profile], colors=[_GROUND]), static=True)
        shapes = [_box(rr, link) for link in require_planar(character, "a planar recording").links]
    _send_body(rr, stream, sent, signals, character, shapes)
    for joint in character.joints:
        for quantity in JOINT_CURVES:
            sent.curve(f"joints/{_part(rr, joint.name)}/{quantity}", signals.columns[f"{quantity}.{joint.name}"])
    for quantity in ("kinetic_energy", "potential_energy", "spent_energy"):
        sent.curve(f"energy/{quantity.removesuffix('_energy')}", signals.columns[quantity])
    velocity = [signals.columns[name] for name in ("com_vx", "com_vy", "com_vz") if name in signals.columns]
    sent.curve("com/speed", np.linalg.norm(velocity, axis=0))
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


def _box(rr: Any, link: PlanarLink) -> Any:
    """Return a box of the size of a planar link, as a component of rerun."""
    half = [link.width / 2, min(link.width, link.height) / 4, link.height / 2]
    return rr.Boxes3D(half_sizes=[half], colors=[_BODY], fill_mode="solid")


def _bytes(color: Color) -> tuple[int, int, int, int]:
    red, green, blue, opacity = (round(255 * part) for part in color)
    return red, green, blue, opacity


def _mesh(rr: Any, parts: list[tuple[Solid, tuple[int, int, int, int]]]) -> Any:
    """Return surfaces with their colors, from 0 to 255, as a component of rerun."""
    solid = merged([part for part, _ in parts])
    colors = np.repeat([color for _, color in parts], [len(part.point) for part, _ in parts], axis=0)
    return rr.Mesh3D(
        vertex_positions=solid.point, vertex_normals=solid.normal, triangle_indices=solid.corner, vertex_colors=colors
    )


def _send_body(rr: Any, stream: Any, sent: _Columns, signals: Signals, character: Character, shapes: list[Any]) -> None:
    """Send the shapes, poses and ground forces of the links, and the centre of mass.

    Args:
        rr: The module `rerun`.
        stream: The recording stream, an object of rerun.
        sent: Sender of signals.
        signals: Recorded signals of the motion.
        character: The character that moves.
        shapes: Shape of each link, a component of rerun.
    """
    columns, poses = signals.columns, link_poses(signals, character)
    for i, (link, shape) in enumerate(zip(character.links, shapes, strict=True)):
        entity = f"body/{_part(rr, link.name)}"
        stream.log(entity, shape, static=True)
        turn = poses.orientation[:, i, [1, 2, 3, 0]]  # x, y, z, w
        sent.send(entity, rr.Transform3D.columns(translation=poses.position[:, i], quaternion=turn))
        if columns[f"contact.{link.name}"].any():
            for axis in (axis for axis in "xyz" if f"force_{axis}.{link.name}" in columns):
                sent.curve(f"forces/{_part(rr, link.name)}/{axis}", columns[f"force_{axis}.{link.name}"])
    if isinstance(character, SpatialCharacter):
        com = np.column_stack([columns[f"com_{axis}"] for axis in "xyz"])
    else:
        com = np.column_stack([columns["com_x"], np.zeros(len(signals)), columns["com_y"]])
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
