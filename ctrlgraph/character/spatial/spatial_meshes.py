"""Meshes of spatial characters from files: STL and OBJ, read when a picture needs them, and simplified."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.bounds import MAX_MESH_BYTES
from ctrlgraph.character.spatial.spatial_frames import Array, rotation_matrix
from ctrlgraph.character.spatial_model import UNROTATED, Mesh, Quaternion, Vector
from ctrlgraph.files import NotRegular, TooLarge, read_bytes

Corners = NDArray[np.int64]

SUFFIXES = (".stl", ".obj")
"""Suffixes of the files that are read."""
MAX_TRIANGLES = 1500
"""Maximum number of triangles of a mesh after simplification."""
MAX_POINTS = 2_000_000
"""Maximum number of points in a file."""
MOST_DISTANT = 1e4
"""Maximum magnitude of a coordinate in a file."""

_GRIDS = (128, 96, 72, 56, 44, 36, 28, 22, 18, 15, 12, 10, 8, 6, 5, 4, 3, 2)
"""Numbers of cells along the longest side of a mesh, of which the first with few enough triangles is chosen."""
_STL_HEADER, _STL_TRIANGLE = 84, 50  # bytes
_TOWARD_MEAN = 0.02  # weight of the mean of a cell's points, relative to that of the planes


class MeshFault(Exception):
    """Error: a mesh cannot be used. The text names the wrong attribute of the mesh, such as "its file is empty"."""

    def __init__(self, fault: str, attribute: str = "file") -> None:
        """
        Args:
            fault: end of a sentence whose subject is the attribute.
            attribute: name of the attribute in the model.
        """
        super().__init__(f"its {attribute if attribute == 'file' else repr(attribute)} {fault}")
        self.attribute = attribute


@dataclass(frozen=True, slots=True)
class MeshFile:
    """A file that contains a mesh, and the frame of the mesh."""

    path: Path
    """The file."""
    position: Vector = (0.0, 0.0, 0.0)
    """Origin of the mesh in the frame of the file, in the file's unit of length."""
    orientation: Quaternion = UNROTATED
    """Rotation from the frame of the mesh to the frame of the file."""

    def load(self) -> Mesh:
        """Return the mesh, simplified to at most `MAX_TRIANGLES` triangles.

        Raises:
            MeshFault: the file cannot be read, or is not a mesh.
        """
        try:
            status = self.path.stat()
        except (OSError, ValueError):
            raise MeshFault("does not exist") from None
        return _load(self, status.st_mtime_ns, status.st_size)


@dataclass(frozen=True)
class MeshFiles(Mapping[str, Mesh]):
    """Meshes by name that are read from their files when they are used. Files that cannot be used are left out."""

    files: dict[str, MeshFile]

    def __getitem__(self, name: str) -> Mesh:
        try:
            return self.files[name].load()
        except MeshFault:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.files if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@lru_cache(maxsize=256)
def _load(file: MeshFile, changed: int, size: int) -> Mesh:
    """Return the mesh in a file. The last results are cached.

    Args:
        file: the file.
        changed: time at which the file was last changed, ns; it makes the cache forget the earlier contents.
        size: size of the file, bytes, for the same purpose.
    """
    points, corners = read_mesh(file.path)
    points = (points - file.position) @ rotation_matrix(file.orientation)
    points, corners = simplified(points, corners, MAX_TRIANGLES)
    return Mesh(tuple(map(tuple, points.tolist())), tuple(map(tuple, corners.tolist())))


def read_mesh(path: Path) -> tuple[Array, Corners]:
    """Return the points (N, 3) and the corners (indices of points) of the triangles (M, 3) in a file.

    Raises:
        MeshFault: the file cannot be read, is too large, or is not a mesh.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise MeshFault(f"is not a {' or '.join(SUFFIXES)} file")
    try:
        data = read_bytes(path, MAX_MESH_BYTES)
    except NotRegular:
        raise MeshFault("is not a regular file") from None
    except TooLarge:
        raise MeshFault(f"is larger than {MAX_MESH_BYTES / 1e6:g} MB") from None
    except FileNotFoundError:
        raise MeshFault("does not exist") from None
    except (OSError, ValueError) as error:
        raise MeshFault(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        with np.errstate(invalid="ignore", over="ignore"):  # numbers are checked below
            points, corners = _obj(data) if suffix == ".obj" else _stl(data)
    except (ValueError, IndexError, OverflowError):
        raise MeshFault(f"is not a valid {suffix} file") from None
    if len(points) > MAX_POINTS:
        raise MeshFault(f"has more than {MAX_POINTS} vertices")
    if not len(corners):
        raise MeshFault("contains no triangles")
    if not (np.abs(points) <= MOST_DISTANT).all():  # false for NaN, too
        raise MeshFault(f"has a coordinate that is not a number, or is above {MOST_DISTANT:g}")
    if corners.min() < 0 or corners.max() >= len(points):
        raise MeshFault("has a face with a corner that is not a vertex of the file")
    return points, corners


def _stl(data: bytes) -> tuple[Array, Corners]:
    """Return the points and corners in a binary or text STL file.

    Raises:
        ValueError: the file is not valid.
    """
    count = int.from_bytes(data[_STL_HEADER - 4 : _STL_HEADER], "little")
    if len(data) == _STL_HEADER + count * _STL_TRIANGLE:
        rows = np.frombuffer(data, np.uint8, offset=_STL_HEADER).reshape(count, _STL_TRIANGLE)
        points = rows[:, 12:48].copy().view("<f4").astype(np.float64).reshape(-1, 3)
    elif data.lstrip()[:5].lower() == b"solid":
        words = [line.split()[1:4] for line in data.lower().splitlines() if line.lstrip().startswith(b"vertex")]
        points = np.array(words, dtype=np.bytes_).astype(np.float64).reshape(-1, 3)
    else:
        raise ValueError
    return points, np.arange(len(points), dtype=np.int64).reshape(-1, 3)


def _obj(data: bytes) -> tuple[Array, Corners]:
    """Return the points and corners in an OBJ file. Polygons are divided into triangles around their first corner.

    Raises:
        ValueError, IndexError: the file is not valid.
    """
    lines = data.splitlines()
    words = [line.split()[1:4] for line in lines if line[:2] in (b"v ", b"v\t")]
    points = np.array(words, dtype=np.bytes_).astype(np.float64).reshape(-1, 3)
    corners, n_before = [], 0
    for line in lines:
        if line[:2] in (b"v ", b"v\t"):
            n_before += 1
        elif line[:2] in (b"f ", b"f\t"):
            face = [int(word.partition(b"/")[0]) for word in line.split()[1:]]
            face = [index - 1 if index > 0 else n_before + index for index in face]
            corners += [(face[0], face[k], face[k + 1]) for k in range(1, len(face) - 1)]
    return points, np.array(corners, np.int64).reshape(-1, 3)


def merged(points: Array, corners: Corners) -> tuple[Array, Corners]:
    """Return a mesh in which equal points are one point, which STL files state once for each triangle.

    Args:
        points: points (N, 3).
        corners: indices of the points of each triangle (M, 3).
    """
    distinct, same = np.unique(points, axis=0, return_inverse=True)
    return distinct, same.reshape(-1)[corners]


def is_closed(points: Array, corners: Corners) -> bool:
    """Return whether the surface of a mesh has no holes: each edge of a triangle is also one in the other direction.

    Args:
        points: points (N, 3). Equal points are one.
        corners: indices of the points of each triangle (M, 3).
    """
    points, start = merged(points, corners)
    end, n = np.roll(start, -1, axis=1), len(points)
    edges = start != end
    forward, backward = (start * n + end)[edges], (end * n + start)[edges]
    return np.array_equal(np.unique(forward), np.unique(backward))


def simplified(points: Array, corners: Corners, most: int) -> tuple[Array, Corners]:
    """Return a mesh with at most about `most` triangles that resembles a given one.

    A regular grid divides the mesh into cells. All points in a cell become one point: the one with the smallest
    distance from the planes of the triangles with a corner in the cell. Source: Lindstrom (2000),
    Out-of-core simplification of large polygonal models.

    Args:
        points: points (N, 3).
        corners: indices of the points of each triangle (M, 3).
        most: maximum number of triangles. The result can exceed it if the coarsest grid has more.
    """
    low = points.min(axis=0)
    longest = max(float(np.ptp(points, axis=0).max()), 1e-9)
    grids = _GRIDS if len(corners) > most else (1_000_000,)
    for cells in grids:
        size = longest / cells * (1.0 + 1e-9)
        row = np.floor((points - low) / size).astype(np.int64)
        cell, same = np.unique((row[:, 0] * (cells + 1) + row[:, 1]) * (cells + 1) + row[:, 2], return_inverse=True)
        found = same[corners]
        found = found[(found[:, 0] != found[:, 1]) & (found[:, 1] != found[:, 2]) & (found[:, 2] != found[:, 0])]
        # each triangle begins with its lowest corner, so that equal triangles have equal rows
        found = np.take_along_axis(found, (found.argmin(axis=1)[:, None] + np.arange(3)) % 3, axis=1)
        n = len(cell)
        key = np.unique((found[:, 0] * n + found[:, 1]) * n + found[:, 2])
        if len(key) <= most:
            break
    kept = np.stack([cell // (cells + 1) ** 2, cell // (cells + 1) % (cells + 1), cell % (cells + 1)], axis=1)
    middle = low + (kept + 0.5) * size
    places = np.clip(_places(points, corners, same, n), middle - 0.5 * size, middle + 0.5 * size)
    return places, np.stack([key // n**2, key // n % n, key % n], axis=1)


def _places(points: Array, corners: Corners, cell: Corners, n_cells: int) -> Array:
    """Return the point of each cell that is closest to the planes of the triangles with a corner in it, (C, 3).

    Args:
        points: points (N, 3).
        corners: indices of the points of each triangle (M, 3).
        cell: index of the cell of each point (N,).
        n_cells: number C of cells.
    """
    a, b, c = (points[corners[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)  # its length is twice the area
    area = np.linalg.norm(normal, axis=1)
    unit = normal / np.maximum(area, 1e-300)[:, None]
    planes = area[:, None, None] * unit[:, :, None] * unit[:, None, :]
    offsets = area[:, None] * unit * (unit * a).sum(axis=1)[:, None]
    sums = np.concatenate([planes.reshape(-1, 9), offsets], axis=1)
    at = cell[corners].reshape(-1)
    total = np.stack([np.bincount(at, np.repeat(column, 3), n_cells) for column in sums.T], axis=1)
    matrix, right = total[:, :9].reshape(-1, 3, 3), total[:, 9:]
    count = np.bincount(cell, minlength=n_cells)[:, None]
    mean = np.stack([np.bincount(cell, points[:, k], n_cells) for k in range(3)], axis=1) / np.maximum(count, 1)
    weight = np.maximum(_TOWARD_MEAN * np.trace(matrix, axis1=1, axis2=2), 1e-12)
    matrix += weight[:, None, None] * np.eye(3)
    right += weight[:, None] * mean
    return np.linalg.solve(matrix, right[:, :, None])[:, :, 0]
