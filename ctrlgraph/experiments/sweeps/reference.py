"""Figures of a source: values of an axis that succeed and that fail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

DIGITS = 3
"""Significant digits of scaled figures."""


@dataclass(frozen=True, slots=True)
class SourceReference:
    """A source's figures of one axis."""

    axis: str
    target: str = ""
    """Node, edge or path of the figures. Empty: all."""
    holds: tuple[float, ...] = ()
    """Values that succeed, in the axis' unit."""
    fails: tuple[float, ...] = ()
    """Values that fail, in the axis' unit."""
    given: tuple[tuple[str, float | str], ...] = ()
    """Fixed perturbations, (name, value), under which the figures compare."""
    text: str = ""
    """Description of the source's experiment."""
    body_mass: float | None = None
    """Mass of the source's body, kg, if its figures are forces."""
    scale: float = 1.0
    """Factor of the figures for the tested body."""

    def for_body(self, mass: float) -> SourceReference:
        """Return the reference scaled to a body of some mass, kg."""
        return self if self.body_mass is None else replace(self, scale=mass / self.body_mass)

    def here(self, value: float) -> float:
        """Return a figure scaled to the tested body."""
        return value if self.scale == 1.0 else float(f"{self.scale * value:.{DIGITS}g}")

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SourceReference:
        """Return the result of `as_dict`, without fields of newer versions."""
        known = {field.name: data[field.name] for field in fields(cls) if field.name in data}
        for name in ("holds", "fails"):
            known[name] = tuple(known.get(name, ()))
        known["given"] = tuple((name, value) for name, value in known.get("given", ()))
        return cls(**known)
