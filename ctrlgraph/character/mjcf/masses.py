"""Masses of bodies: written down, or those of their geoms, with what the compiler is told to make of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ctrlgraph.character.mjcf.attributes import Attributes
from ctrlgraph.character.mjcf.frames import Array, Frame, read_frame
from ctrlgraph.character.mjcf.geoms import Geom
from ctrlgraph.character.mjcf.schema import ORIENTATIONS
from ctrlgraph.character.mjcf.settings import CompilerSettings
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement


class MassProperties(NamedTuple):
    """Mass in kg, centre of mass (3,) in m, and inertia (3, 3) about it in kg m2, in one frame."""

    mass: float
    centre: Array
    inertia: Array

    def within(self, frame: Frame) -> MassProperties:
        """Return these, which are given in a frame, in what the frame is given in."""
        return MassProperties(self.mass, frame.point(self.centre), frame.rotation @ self.inertia @ frame.rotation.T)

    def scaled(self, factor: float) -> MassProperties:
        """Return these of a body that is denser by a factor."""
        return MassProperties(self.mass * factor, self.centre, self.inertia * factor)


def combine(parts: Iterable[MassProperties]) -> MassProperties:
    """Return the mass properties of parts that are fixed to each other (parallel axes)."""
    found = list(parts)
    mass = sum(part.mass for part in found)
    if mass <= 0.0:
        return MassProperties(0.0, np.zeros(3), sum((part.inertia for part in found), np.zeros((3, 3))))
    centre = sum((part.mass * part.centre for part in found), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for part in found:
        arm = part.centre - centre
        inertia += part.inertia + part.mass * (float(arm @ arm) * np.eye(3) - np.outer(arm, arm))
    return MassProperties(mass, centre, inertia)


def read_inertial(values: Attributes, settings: CompilerSettings) -> MassProperties:
    """Return the mass properties that are written down, in the frame of the body; what is wrong with them is noted."""
    for name in ("mass", "pos"):
        if name not in values:
            values.fault(name, f"<inertial> needs '{name}'", "missing-inertia")
    mass = values.number("mass", 0.0)
    if mass < 0.0:
        values.fault("mass", "'mass' cannot be below 0")
    frame = read_frame(values, settings)
    diagonal, full = values.numbers("diaginertia", 3), values.numbers("fullinertia", 6)
    if "fullinertia" in values:
        also = next((name for name in ("diaginertia", *ORIENTATIONS) if name in values), None)
        if also is not None:
            values.fault(also, f"'fullinertia' and '{also}' cannot both be given", hint="leave one of them")
    elif "diaginertia" not in values:
        values.fault("diaginertia", "<inertial> needs 'diaginertia' or 'fullinertia'", "missing-inertia")
    if full is not None:
        xx, yy, zz, xy, xz, yz = full
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        return MassProperties(mass, frame.position, inertia)
    inertia = frame.rotation @ np.diag(diagonal or (0.0, 0.0, 0.0)) @ frame.rotation.T
    return MassProperties(mass, frame.position, inertia)


def mass_properties(
    element: XmlElement,
    inertial: MassProperties | None,
    geoms: Sequence[Geom],
    settings: CompilerSettings,
    findings: Findings | None,
) -> MassProperties:
    """Return what the compiler makes of a body, in its frame.

    Args:
        element: the body's.
        inertial: what is written down, if anything is.
        geoms: the body's.
        settings: the compiler's.
        findings: where faults are noted; None for those of a body that is part of the ground, which do not matter.
    """
    low, high = settings.inertia_groups
    heavy = [geom for geom in geoms if low <= geom.group <= high]
    way = settings.inertia_from_geom
    if not heavy or way == "false" or (way == "auto" and inertial is not None):
        found = inertial or combine([])
    else:
        solid = [geom for geom in heavy if geom.is_solid]
        found = combine(MassProperties(geom.mass, geom.frame.position, geom.inertia()) for geom in solid)
        for geom in heavy:
            if findings is not None and geom.shape in ("mesh", "sdf") and not geom.is_weightless:
                message = f"the mass of a {geom.shape} is not known: no mesh is read"
                hint = 'give the body an <inertial>, or the geom mass="0"'
                findings.add("not-supported", message, geom.element, "type", hint=hint)
    moments, axes = np.linalg.eigh(found.inertia)
    fault = _is_impossible(moments) if settings.least_inertia <= 0.0 else False
    if settings.least_inertia > 0.0 or (settings.balances_inertia and fault):
        moments = np.maximum(moments, settings.least_inertia)
        if settings.balances_inertia and _is_impossible(moments):
            moments = np.full(3, moments.mean())
        fault = _is_impossible(moments)
        found = found._replace(inertia=axes @ np.diag(moments) @ axes.T)
    if fault and findings is not None:
        message = (
            f"no body has the principal moments of inertia {', '.join(f'{m:g}' for m in moments)}: none is below 0,"
            " and none above the sum of the others"
        )
        place = next(element.named("inertial"), element)
        findings.add("bad-inertia", message, place, hint='<compiler balanceinertia="true"/> makes them equal')
    return found._replace(mass=max(found.mass, settings.least_mass))


def _is_impossible(moments: Array) -> bool:
    """Whether no body has these principal moments of inertia (3,), rising."""
    slack = 1e-9 * float(np.abs(moments).max())
    return bool(moments[0] < -slack or moments[0] + moments[1] < moments[2] - slack)
