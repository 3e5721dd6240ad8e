"""Motions as tables for OpenSim: coordinates (.mot), and forces of the ground (.sto).

Axes: X forward, Y up, Z to the right. Units: metres, degrees, newtons and seconds.

The format: OpenSim Documentation, "Storage (.sto) File Format" and "Motion (.mot) Files".
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.character.spatial.spatial_frames import rotation_matrix
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.export.euler_angles import zxy_angles
from ctrlgraph.export.link_poses import link_poses
from ctrlgraph.export.plain_names import plain_names
from ctrlgraph.kernels.arrays import Floats, Ints
from ctrlgraph.simulation.signals.recorded_signals import Signals

_AXES = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""Rotation from the axes of the world (x forward, y to the left, z up) to those of OpenSim."""


def mot_of(signals: Signals, character: Character) -> str:
    """Return the coordinates of a motion as the text of a .mot file, with one row for each sample.

    The coordinates are the rotation of the root link (`ROOT_tilt`, `ROOT_list` and `ROOT_rotation`: about Z, then X,
    then Y), the position of its centre of mass (`ROOT_tx`, `ROOT_ty` and `ROOT_tz`), and the angle of each joint.

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.
    """
    root, kept = character.links[character.root].name, _rising(signals)
    poses = link_poses(signals, character)
    position = poses.position[kept, character.root] @ _AXES.T
    turned = _AXES @ rotation_matrix(poses.orientation[kept, character.root]) @ _AXES.T
    angles = [signals.columns[f"angle.{name}"][kept] for name in character.joint_names]
    names = [f"{root}_{part}" for part in ("tilt", "list", "rotation", "tx", "ty", "tz")]
    table = np.column_stack([np.degrees(zxy_angles(turned)), position, *(np.degrees(angle) for angle in angles)])
    return _table(f"{character.name} coordinates", [*names, *character.joint_names], signals, kept, table, degrees=True)


def sto_of(signals: Signals, character: Character) -> str:
    """Return the forces of the ground on each link that touches it as the text of a .sto file.

    For each of these links, there are the force (`LINK_ground_force_vx`, `vy`, `vz`), its centre of pressure
    (`LINK_ground_force_px`, `py`, `pz`; 0 without force), and the moment about it (`LINK_ground_torque_x`, `y`, `z`).
    There is one row for each sample but the last one, after which there is no step.

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.

    Raises:
        CtrlGraphError: No link touches the ground.
    """
    kept = _rising(signals)[:-1]
    names, columns = [], []
    for link in character.link_names:
        force, pressure, moment = (values[kept] @ _AXES.T for values in _forces(signals, character, link))
        if force.any():
            columns += [force, pressure, moment]
            names += [f"{link}_ground_force_v{axis}" for axis in "xyz"]
            names += [f"{link}_ground_force_p{axis}" for axis in "xyz"]
            names += [f"{link}_ground_torque_{axis}" for axis in "xyz"]
    if not names:
        raise CtrlGraphError("there are no forces of the ground to write: no link touches the ground in this motion")
    return _table(f"{character.name} ground forces", names, signals, kept, np.column_stack(columns), degrees=False)


def _rising(signals: Signals) -> Ints:
    """Return the indices of the samples (k,) without those at the time of the sample before."""
    return np.flatnonzero(np.append(True, np.diff(signals.columns["time"]) > 1e-9)).astype(np.int64)


def _forces(signals: Signals, character: Character, link: str) -> Iterator[Floats]:
    """Yield force, centre of pressure and moment of the ground on a link (n, 3), in the axes of the world; 0 for none.

    Args:
        signals: Recorded signals of the motion.
        character: The character that moves.
        link: Name of the link.
    """
    columns = signals.columns
    zero = np.zeros(len(signals))
    if isinstance(character, SpatialCharacter):
        names = [[f"{each}_{axis}.{link}" for axis in "xyz"] for each in ("force", "pressure", "moment")]
        found = [[columns[name] for name in each] for each in names]
    else:
        force, pressure = ([columns[f"{each}_{axis}.{link}"] for axis in "xy"] for each in ("force", "pressure"))
        found = [[each[0], zero, each[1]] for each in (force, pressure)]
        found.append([zero, columns[f"moment.{link}"], zero])  # clockwise as seen from the right: about y
    for each in found:
        yield np.nan_to_num(np.column_stack(each))


def _table(title: str, names: list[str], signals: Signals, kept: Ints, values: Floats, *, degrees: bool) -> str:
    """Return a table as text in OpenSim's format.

    Args:
        title: Name of the table.
        names: Names of the columns besides the time.
        signals: Signals with the time of each sample.
        kept: Indices of the samples of the rows (k,).
        values: Values of the columns (k, len(names)).
        degrees: Whether angles are in degrees.
    """
    labels = ["time", *plain_names(names, {"TIME"})]
    head = [*plain_names([title]), "version=1", f"nRows={len(kept)}", f"nColumns={len(labels)}"]
    head += [f"inDegrees={'yes' if degrees else 'no'}", "endheader", "\t".join(labels)]
    table = np.column_stack([signals.columns["time"][kept], values]) + 0.0  # no negative zeros
    return "\n".join([*head, *("\t".join(f"{value:.9g}" for value in row) for row in table.tolist())]) + "\n"
