"""The mesh files that a MuJoCo model names, for pictures. They must be in the directory of the model or below it."""

from __future__ import annotations

import math
import stat
from pathlib import Path, PurePosixPath

from ctrlgraph.bounds import MAX_CONSTANT, MAX_MESH_BYTES, MAX_MESH_BYTES_IN_ALL, MAX_MESHES, MAX_NUMBER_LENGTH
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.character.spatial.spatial_frames import unit_quaternion
from ctrlgraph.character.spatial.spatial_meshes import SUFFIXES, MeshFault, MeshFile, MeshFiles
from ctrlgraph.character.spatial_model import Vector
from ctrlgraph.errors import CtrlGraphError, quoted
from ctrlgraph.paths import contained

_USUAL = {"scale": (1.0, 1.0, 1.0), "refpos": (0.0, 0.0, 0.0), "refquat": (1.0, 0.0, 0.0, 0.0)}
"""Numbers of a mesh with MuJoCo's default values."""
MAX_SCALE = 1e4
"""Maximum magnitude of the scale of a mesh."""


class MeshAssets:
    """The meshes of a model. A mesh that cannot be drawn is left out with a warning.

    Attributes:
        files: the files by name of the mesh.
        scales: the scale of each mesh along x, y and z, by name of the mesh.
        names: names of all meshes of the model.
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
        self.names: set[str] = set()
        scales = _default_scales(root)
        folder, in_all = _folder(root), 0
        for element in (mesh for section in root.named("asset") for mesh in section.named("mesh")):
            given = {"scale": scales.get(element.attributes.get("class", "main"), "")} | element.attributes
            file = given.get("file", "")
            name = given.get("name") or PurePosixPath(file.replace("\\", "/")).stem
            self.names.add(name)
            try:
                numbers = {key: _numbers(key, given.get(key, ""), usual) for key, usual in _USUAL.items()}
                if directory is None or len(self.files) >= MAX_MESHES:
                    raise MeshFault("is not read" if directory is None else f"is one of more than {MAX_MESHES} meshes")
                path, size = _existing(directory, folder, file)
                in_all += size
                if in_all > MAX_MESH_BYTES_IN_ALL:
                    raise MeshFault(f"follows others with {MAX_MESH_BYTES_IN_ALL / 1e6:g} MB, the maximum in all")
                x, y, z = numbers["refpos"]
                mesh = MeshFile(path, (x, y, z), unit_quaternion(numbers["refquat"]))
                if thorough:
                    mesh.load()
            except MeshFault as fault:
                findings.add_kind("mesh", f"the mesh {quoted(name)} is not drawn: its file {fault}", element, "file")
                continue
            x, y, z = numbers["scale"]
            self.files[name], self.scales[name] = mesh, (x, y, z)

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
        raise MeshFault("is not stated")
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


def _default_scales(root: XmlElement) -> dict[str, str]:
    """Return the text of the default scale of meshes by class; the class at the top is also called "main"."""
    found: dict[str, str] = {}
    unfinished = [(each, "main", "") for each in root.named("default")]
    while unfinished:
        default, name, scale = unfinished.pop()
        for mesh in default.named("mesh"):
            scale = mesh.attributes.get("scale", scale)
        found[name] = found[default.attributes.get("class", name)] = scale
        unfinished += [(child, child.attributes.get("class", ""), scale) for child in default.named("default")]
    return found


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
        raise MeshFault(f"has no '{name}' of {len(usual)} numbers")
    if name == "scale" and not all(numbers):
        raise MeshFault("has a 'scale' of 0")
    if name == "refquat" and not math.hypot(*numbers) > 1e-9:
        raise MeshFault("has a 'refquat' of the length 0")
    return numbers
