"""What a source says about a target: values of an axis that hold there and values that fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

DIGITS = 3
"""Of a figure that was scaled: sources give no more."""


@dataclass(frozen=True, slots=True)
class SourceReference:
    """A source's figures of one axis, in the axis' unit and as the source has them.

    target: the node, edge or path that they are about, every one where empty; given: what else has to be
    so, (name, value) of fixed perturbations, for the figures to compare; text: what the source did, in a
    sentence; body_mass: of the source's body (kg), where its figures are forces; scale: what these are to
    be multiplied with for the body that is tested here.
    """

    axis: str
    target: str = ""
    holds: tuple[float, ...] = ()
    fails: tuple[float, ...] = ()
    given: tuple[tuple[str, float | str], ...] = ()
    text: str = ""
    body_mass: float | None = None
    scale: float = 1.0

    def for_body(self, mass: float) -> SourceReference:
        """Return the same for a body of this mass (kg): forces grow with it."""
        return self if self.body_mass is None else replace(self, scale=mass / self.body_mass)

    def here(self, value: float) -> float:
        """Return a figure of the source, scaled to the body that is tested here."""
        return value if self.scale == 1.0 else float(f"{self.scale * value:.{DIGITS}g}")

    def as_dict(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SourceReference:
        """Return what `as_dict` gave, back from JSON; fields of newer versions are left out."""
        known = {field.name: data[field.name] for field in fields(cls) if field.name in data}
        for name in ("holds", "fails"):
            known[name] = tuple(known.get(name, ()))
        known["given"] = tuple((name, value) for name, value in known.get("given", ()))
        return cls(**known)
