"""The mesh files that a MuJoCo model names, for pictures and for the masses of links without an `inertial`.

The files must be in the directory of the model or below it.
"""

from __future__ import annotations

import math
import stat
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from ctrlgraph.bounds import (
    MAX_CONSTANT,
    MAX_MESH_BYTES,
    MAX_MESH_BYTES_IN_ALL,
    MAX_MESHES,
    MAX_NUMBER_LENGTH,
    MAX_TRIANGLES_WITH_MASS,
)
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.character.spatial.spatial_frames import unit_quaternion
from ctrlgraph.character.spatial.spatial_meshes import (
    SUFFIXES,
    MeshFault,
    MeshFile,
    MeshFiles,
    is_closed,
    merged,
    read_mesh,
)
from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.errors import CtrlGraphError, quoted
from ctrlgraph.paths import contained

if TYPE_CHECKING:
    import mujoco

_USUAL = {"scale": (1.0, 1.0, 1.0), "refpos": (0.0, 0.0, 0.0), "refquat": (1.0, 0.0, 0.0, 0.0)}
"""Numbers of a mesh with MuJoCo's default values."""
MAX_SCALE = 1e4
"""Maximum magnitude of the scale of a mesh."""
_INERTIAS = ("convex", "exact", "legacy", "shell")
"""Ways in which MuJoCo computes the inertia of a mesh, in the order of their numbers in `mjtMeshInertia`."""
_DEFAULT_INERTIA = "legacy"
_INHERITED = ("scale", "inertia")
_HULL_COST = 10  # time for the inertia of a convex hull, relative to the other ways


class MeshAssets:
    """The meshes of a model. A mesh that cannot be drawn is left out with a warning.

    Attributes:
        files: the files by name of the mesh.
        scales: the scale of each mesh along x, y and z, by name of the mesh.
        inertias: how MuJoCo computes the inertia of each mesh, an index in `mjtMeshInertia`, by name of the mesh.
        faults: why each other mesh cannot be used, by name.
        thorough: whether the files are read to check them.
    """

    def __init__(self, root: XmlElement, directory: Path | None, thorough: bool, findings: Findings) -> None:
        """
        Args:
            root: the element `<mujoco>`.
            directory: directory of the model; None if the model is not in a file.
            thorough: whether to read all files, to check them.
            findings: receives the warnings.
        """
        self.files: dict[str, MeshFile] = {}
        self.scales: dict[str, Vector] = {}
        self.inertias: dict[str, int] = {}
        self.faults: dict[str, MeshFault] = {}
        self.thorough = thorough
        self._n_triangles = 0  # of the meshes from which masses are computed
        defaults = _defaults(root)
        folder, in_all = _folder(root), 0
        for element in (mesh for section in root.named("asset") for mesh in section.named("mesh")):
            given = defaults.get(element.attributes.get("class", "main"), {}) | element.attributes
            file = given.get("file", "")
            name = given.get("name") or PurePosixPath(file.replace("\\", "/")).stem
            try:
                numbers = {key: _numbers(key, given.get(key, ""), usual) for key, usual in _USUAL.items()}
                inertia = _inertia(given.get("inertia", _DEFAULT_INERTIA))
                if directory is None or len(self.files) >= MAX_MESHES:
                    raise MeshFault(
                        "is not opened"
                        if directory is None
                        else f"is not opened, because a model can have at most {MAX_MESHES} meshes"
                    )
                path, size = _existing(directory, folder, file)
                in_all += size
                if in_all > MAX_MESH_BYTES_IN_ALL:
                    raise MeshFault(
                        f"is not opened, because all meshes together exceed {MAX_MESH_BYTES_IN_ALL / 1e6:g} MB"
                    )
                x, y, z = numbers["refpos"]
                mesh = MeshFile(path, (x, y, z), unit_quaternion(numbers["refquat"]))
                if thorough:
                    mesh.load()
            except MeshFault as fault:
                self.faults[name] = fault
                findings.add_kind("mesh", f"the mesh {quoted(name)} is not drawn: {fault}", element, fault.attribute)
                continue
            x, y, z = numbers["scale"]
            self.files[name], self.scales[name], self.inertias[name] = mesh, (x, y, z), inertia

    def define(self, mesh: mujoco.MjsMesh, user: XmlElement, findings: Findings) -> None:
        """Pass the contents of a mesh's file to MuJoCo, which computes the mass and inertia of geoms from them.

        Args:
            mesh: the mesh in MuJoCo's specification. It is changed.
            user: the geom that uses the mesh.
            findings: receives a warning if the mesh is open, for which MuJoCo's result is only approximate.

        Raises:
            MeshFault: the mesh cannot be used.
        """
        name = mesh.name
        if name not in self.files:
            raise self.faults.get(name) or MeshFault("is not named in the model")
        file = self.files[name]
        points, corners = read_mesh(file.path)
        kind = _INERTIAS[self.inertias[name]]
        self._n_triangles += len(corners) * (_HULL_COST if kind == "convex" else 1)
        if self._n_triangles > MAX_TRIANGLES_WITH_MASS:
            limit = f"at most {MAX_TRIANGLES_WITH_MASS} in all, and each of a convex hull counts as {_HULL_COST}"
            raise MeshFault(f"has too many triangles: meshes with mass have {limit}")
        if kind == "exact":  # MuJoCo compares the directions of edges that triangles have in common
            points, corners = merged(points, corners)
        mesh.uservert, mesh.userface = points.ravel(), corners.ravel()
        mesh.refpos, mesh.refquat, mesh.scale = file.position, file.orientation, self.scales[name]
        mesh.inertia = self.inertias[name]
        if self.thorough and kind in ("exact", "legacy") and not is_closed(points, corners):
            message = f"the surface of the mesh {quoted(name)} has holes: its mass and inertia are approximate"
            findings.add_kind("open-mesh", message, user, "mesh")

    def used(self, names: set[str]) -> MeshFiles:
        """Return the meshes that shapes use, given their names."""
        return MeshFiles({name: file for name, file in self.files.items() if name in names})


def _existing(directory: Path, folder: str, file: str) -> tuple[Path, int]:
    """Return the path of a mesh file and its size, bytes, after a check that it is in the directory of the model.

    Args:
        directory: directory of the model.
        folder: directory of meshes that the model states, "" for none.
        file: name of the file in the model.

    Raises:
        MeshFault: the file cannot be used.
    """
    if not file:
        raise MeshFault("is not named in the model")
    try:
        path = contained(directory, str(PurePosixPath(folder) / file))
    except CtrlGraphError:
        raise MeshFault(f"{quoted(file, 80)} is not in the directory of the model") from None
    if path.suffix.lower() not in SUFFIXES:
        raise MeshFault(f"{quoted(file, 80)} is not a {' or '.join(SUFFIXES)} file")
    try:
        status = path.stat()
    except OSError:
        raise MeshFault(f"{quoted(file, 80)} does not exist") from None
    if not stat.S_ISREG(status.st_mode):
        raise MeshFault(f"{quoted(file, 80)} is not a regular file")
    if status.st_size > MAX_MESH_BYTES:
        raise MeshFault(f"{quoted(file, 80)} is larger than {MAX_MESH_BYTES / 1e6:g} MB")
    return path, status.st_size


def _folder(root: XmlElement) -> str:
    """Return the directory of meshes that the section `<compiler>` states, relative to the model; "" for none."""
    found = ""
    for compiler in root.named("compiler"):
        found = compiler.attributes.get("meshdir") or compiler.attributes.get("assetdir") or found
    return found


def _defaults(root: XmlElement) -> dict[str, dict[str, str]]:
    """Return the default attributes of meshes by class; the class at the top is also called "main"."""
    found: dict[str, dict[str, str]] = {}
    inherited: dict[str, str] = {}
    unfinished = [(each, "main", inherited) for each in root.named("default")]
    while unfinished:
        default, name, attributes = unfinished.pop()
        for mesh in default.named("mesh"):
            attributes = attributes | {key: mesh.attributes[key] for key in _INHERITED if key in mesh.attributes}
        found[name] = found[default.attributes.get("class", name)] = attributes
        unfinished += [(child, child.attributes.get("class", ""), attributes) for child in default.named("default")]
    return found


def _inertia(word: str) -> int:
    """Return the number in `mjtMeshInertia` of a way to compute the inertia of a mesh.

    Raises:
        MeshFault: the word is not known.
    """
    if word not in _INERTIAS:
        raise MeshFault(f"must be one of {', '.join(_INERTIAS)}", "inertia")
    return _INERTIAS.index(word)


def _numbers(name: str, text: str, usual: tuple[float, ...]) -> tuple[float, ...]:
    """Return the numbers of an attribute of a mesh.

    Args:
        name: name of the attribute.
        text: text of the attribute.
        usual: the numbers if there is no text.

    Raises:
        MeshFault: the text does not consist of that many numbers, or is a quaternion of the length 0.
    """
    words = text[: MAX_NUMBER_LENGTH * len(usual)].split()
    if not words:
        return usual
    try:
        numbers = tuple(map(float, words))
    except ValueError:
        numbers = ()
    most = MAX_SCALE if name == "scale" else MAX_CONSTANT
    if len(numbers) != len(usual) or not all(abs(number) <= most for number in numbers):  # false for NaN, too
        raise MeshFault(f"must be {len(usual)} numbers of at most {most:g}", name)
    if name == "scale" and not all(numbers):
        raise MeshFault("must not contain 0", name)
    if name == "refquat" and not math.hypot(*numbers) > 1e-9:
        raise MeshFault("must not have the length 0", name)
    return numbers
