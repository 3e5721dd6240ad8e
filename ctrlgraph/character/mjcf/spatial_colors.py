"""Colors of the geoms of a MuJoCo model: their own, or those of their materials."""

from __future__ import annotations

from typing import Any

from ctrlgraph.character.mjcf.xml_source import XmlElement
from ctrlgraph.character.spatial_model import DEFAULT_COLOR, Color

_UNCOLORED: Color = (0.5, 0.5, 0.5, 1.0)
"""Color of a geom for which the model states none. The color of its material then applies."""


class GeomColors:
    """The materials of a model, with the classes whose geoms have them. Textures are not read."""

    def __init__(self, root: XmlElement) -> None:
        self._materials = {
            element.attributes.get("name", ""): _color(element.attributes.get("rgba", ""))
            for section in root.named("asset")
            for element in section.named("material")
        }
        self._of_class: dict[str, str] = {}
        unfinished = [(default, "main", "") for default in root.named("default")]
        while unfinished:
            default, name, inherited = unfinished.pop()
            name = default.attributes.get("class", name)
            for geom in default.named("geom"):
                inherited = geom.attributes.get("material", inherited)
            self._of_class[name] = inherited
            unfinished += [(child, "", inherited) for child in default.named("default")]

    def of(self, geom: Any, element: XmlElement, rgba: Color) -> Color:
        """Return the color of a geom.

        Args:
            geom: the geom in MuJoCo's specification.
            element: element of the geom.
            rgba: color of the geom without its material.
        """
        if rgba != _UNCOLORED:
            return rgba
        material = element.attributes.get("material") or self._of_class.get(geom.classname.name, "")
        return self._materials.get(material) or DEFAULT_COLOR


def _color(text: str) -> Color | None:
    try:
        parts = [min(1.0, max(0.0, float(word))) for word in text[:200].split()]
    except ValueError:
        return None
    return (parts[0], parts[1], parts[2], parts[3]) if len(parts) == 4 else None
