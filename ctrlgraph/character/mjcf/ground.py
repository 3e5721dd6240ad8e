"""The ground of a MuJoCo model: the geoms that do not move, and which geoms of links can touch the ground.

The shape of the ground is not read, because the terrain of a simulation replaces it.
"""

from __future__ import annotations

import math
from typing import Any

from ctrlgraph.character.mjcf.compilation import CompiledModel
from ctrlgraph.character.mjcf.xml_source import Findings, XmlElement

_GRAVITY = (0.0, 0.0, -9.81)


class Ground:
    """The ground of a MuJoCo model: all geoms that do not move. It decides which geoms of links can touch the ground.

    For a model without such geoms, a floor that touches geoms with bit 1 in `contype` or `conaffinity` is assumed.
    """

    def __init__(self, compiled: CompiledModel, findings: Findings) -> None:
        self._compiled = compiled
        self._geoms = [geom for geom in compiled.spec.geoms if compiled.is_static(geom.parent)]
        self._masks = {compiled.masks[geom.id] for geom in self._geoms}
        for geom in self._geoms:
            is_floor = geom.type == 0 and compiled.data.geom_xmat[geom.id][8] > 1.0 - 1e-9
            if not is_floor and any(compiled.masks[geom.id]):
                message = "the shape of the ground is ignored: a simulation has its own terrain"
                findings.add_kind("ground", message, compiled.element(geom))

    def touches(self, geom: Any) -> bool:
        """Return whether a geom of a link can touch the ground, by MuJoCo's bit masks `contype` and `conaffinity`."""
        contype, conaffinity = self._compiled.masks[geom.id]
        if not self._geoms:
            return bool((contype | conaffinity) & 1)
        return any(contype & other[1] or other[0] & conaffinity for other in self._masks)


def warn_of_options(root: XmlElement, findings: Findings) -> None:
    """Report a warning for each option of a model that would change the motion in MuJoCo but is ignored here.

    Args:
        root: the element `<mujoco>`.
        findings: receives the warnings.
    """
    for option in root.named("option"):
        gravity = _numbers(option, "gravity")
        if gravity and (len(gravity) != 3 or math.dist(gravity, _GRAVITY) > 0.02):
            findings.add_kind(
                "gravity", "the gravity of the model is ignored: it is a setting of the simulation", option, "gravity"
            )
        for name in ("density", "viscosity", "wind"):
            if any(_numbers(option, name)):
                findings.add_kind("fluid", f"'{name}' is ignored: simulations have no air or water", option, name)
        for flag in option.named("flag"):
            for name in ("gravity", "contact", "limit", "actuation"):
                if flag.attributes.get(name) == "disable":
                    findings.add_kind(
                        "flag", f"the flag that disables '{name}' is ignored: '{name}' stays on", flag, name
                    )


def _numbers(element: XmlElement, name: str) -> list[float]:
    """Return the numbers in the attribute `name` of an element; [NaN] if the attribute is not a list of numbers."""
    try:
        return [float(word) for word in element.attributes.get(name, "")[:200].split()]
    except ValueError:
        return [math.nan]
