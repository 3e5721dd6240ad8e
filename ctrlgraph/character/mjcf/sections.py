"""Checks of the sections of a MuJoCo model: those that are not supported, and those that are ignored."""

from __future__ import annotations

from ctrlgraph.character.mjcf.compilation import REFUSED
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement
from ctrlgraph.errors import quoted

IGNORED_IN_SPACE = frozenset({"tendon", "equality"})
"""Tags of the elements that are no error in a spatial model, although they are not supported."""

_COUPLINGS = ("joint", "tendon")
"""Constraints of the section `<equality>` that are ignored in a spatial model. Others close loops."""


def is_mujoco(root: XmlElement, findings: Findings) -> bool:
    """Return whether a file is a MuJoCo model. If not, report an error."""
    if root.tag == "mujoco":
        return True
    hint = "this is a URDF file: load it in MuJoCo and save it as MJCF" if root.tag == "robot" else None
    message = f"the root element of a MuJoCo model is <mujoco>, not {quoted(f'<{root.tag}>')}"
    findings.add("not-mjcf", message, root, hint=hint)
    return False


def check_sections(root: XmlElement, findings: Findings) -> None:
    """Report the sections of a planar model that are not supported or are ignored.

    Args:
        root: the element `<mujoco>`; the sections are its children.
        findings: receives the errors and warnings.
    """
    for section in root.children:
        _warn_of_files(section, findings)
        for element in section.children:
            if section.tag in ("tendon", "equality", "deformable"):
                _refuse(section, element, findings)
            elif section.tag == "contact" and (element.tag == "pair" or "world" in element.attributes.values()):
                message = "pairs of geoms are ignored: contype and conaffinity determine what touches the ground"
                findings.add_kind("contact-pair", message, element)


def check_spatial_sections(root: XmlElement, findings: Findings) -> None:
    """Report the sections of a spatial model that are not supported or are ignored.

    Args:
        root: the element `<mujoco>`; the sections are its children.
        findings: receives the errors and warnings.
    """
    for section in root.children:
        _warn_of_files(section, findings, read="mesh")
        for element in section.children:
            if section.tag == "deformable" or (section.tag == "equality" and element.tag not in _COUPLINGS):
                _refuse(section, element, findings)
            elif section.tag == "tendon":
                message = "tendons are ignored: joints are moved by their own motors only"
                findings.add_kind("tendon", message, element)
            elif section.tag == "equality":
                message = "couplings of joints are ignored: every joint moves by itself"
                findings.add_kind("equality", message, element)
            elif section.tag == "contact" and element.tag == "pair":
                message = "pairs of geoms are ignored: contype and conaffinity determine what can touch what"
                findings.add_kind("contact-pair", message, element)


def _warn_of_files(section: XmlElement, findings: Findings, read: str = "") -> None:
    """Report a warning for each file that is not opened; `read` is the tag of assets whose files are opened."""
    if section.tag == "include":
        message = (
            f"included files are not opened: {quoted(section.attributes.get('file', 'an included file'))} is"
            " ignored; copy the bodies, defaults and actuators of that file into this file"
        )
        findings.add_kind("include", message, section, "file")
    if section.tag == "asset":
        for element in section.children:
            if "file" in element.attributes and element.tag != read:
                findings.add_kind(
                    "asset-file", "the file of this asset is not opened, so the asset is ignored", element, "file"
                )


def _refuse(section: XmlElement, element: XmlElement, findings: Findings) -> None:
    message = f"<{section.tag}> {quoted(element.attributes.get('name', element.tag))} is not supported"
    findings.add("not-supported", message, element, hint=REFUSED[section.tag])
