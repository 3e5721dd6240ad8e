"""Descriptions of spatial terrains as text, such as "slope=4 bank=2", for the command line and logs."""

from __future__ import annotations

from ctrlgraph.arguments import checked
from ctrlgraph.bounds import MAX_SEED
from ctrlgraph.errors import suggestion
from ctrlgraph.terrain.pieces import TerrainError
from ctrlgraph.terrain.spatial.height_field import no_field, rough_field
from ctrlgraph.terrain.spatial.spatial_terrain import MAX_BLOCKS, STEEPEST, Block, SpatialTerrain
from ctrlgraph.terrain.terrain import words
from ctrlgraph.terrain.words import parse

SPATIAL_FORMS = (
    "one description of planar ground, such as flat or slope=DEGREES, and any of bank=DEGREES, rough=AMPLITUDE,"
    " hills=AMPLITUDE, seed=NUMBER and block=X:Y:LENGTH:WIDTH:HEIGHT[:YAW][,...], separated by spaces"
)
MAX_ROUGH = 0.5
"""Maximum amplitude of rough ground, m."""
MAX_HILLS = 2.0
"""Maximum amplitude of hills, m."""

_PLANAR = ("flat", "slope", "box", "stairs", "heights", "course", "random")
_SPATIAL = ("bank", "rough", "hills", "seed", "block")


@checked
def parse_spatial(text: str, friction: float = 1.0) -> SpatialTerrain:
    """Return the terrain that a text such as "slope=4 bank=2" or "rough=0.03 seed=5" describes.

    Args:
        text: descriptions separated by spaces, in the form `SPATIAL_FORMS`.
        friction: coefficient of friction, 0 to 10.

    Raises:
        TerrainError: the text does not have this form, or a number is out of range.

    >>> from ctrlgraph.terrain.spatial import parse_spatial
    >>> round(parse_spatial("slope=4 bank=2").preview(0.0, 0.0).slope, 6)
    4.0
    """
    planar, given = "flat", dict[str, str]()
    for word in text.split():
        kind, _, rest = word.partition("=")
        if kind.partition(":")[0] in _PLANAR:
            if "planar" in given:
                raise TerrainError(
                    f"terrain '{_short(text)}' describes the planar ground twice: remove '{_short(planar)}' or the"
                    " other description"
                )
            planar = given["planar"] = word
        elif kind not in _SPATIAL:
            hint = suggestion(kind[:100], (*_PLANAR, *_SPATIAL)) or f"a terrain is {SPATIAL_FORMS}"
            raise TerrainError(f"'{_short(word)}' is not part of a terrain ({hint})")
        elif kind in given:
            raise TerrainError(f"terrain '{_short(text)}' has '{kind}' twice: remove one")
        else:
            given[kind] = rest
    profile = parse(planar, friction)
    bank = _number("bank", given.get("bank", "0"), -STEEPEST, STEEPEST)
    rough = _number("rough", given.get("rough", "0"), 0.0, MAX_ROUGH)
    hills = _number("hills", given.get("hills", "0"), 0.0, MAX_HILLS)
    seed = _seed(given.get("seed", "0"))
    blocks = _blocks(given["block"]) if "block" in given else ()
    name = [profile.name] if "planar" in given else []
    name += [f"{kind}={words([[n]])}" for kind, n in (("bank", bank), ("rough", rough), ("hills", hills)) if n]
    field = rough > 0.0 or hills > 0.0
    name += [f"seed={seed}"] if field else []
    name += [f"block={words(_rows(blocks))}"] if blocks else []
    grid = rough_field(rough, hills, seed) if field else no_field()
    return SpatialTerrain(" ".join(name) or "flat", profile, bank, grid, blocks)


def is_spatial(text: str) -> bool:
    """Return whether a description of a terrain has words that only the ground in space has, such as "bank=2"."""
    return any(word.partition("=")[0] in _SPATIAL for word in text.split())


def _number(kind: str, text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise TerrainError(f"'{kind}' must be a number between {low:g} and {high:g}, not '{_short(text)}'")
    return value


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= MAX_SEED):
        raise TerrainError(f"'seed' must be a whole number between 0 and {MAX_SEED}, not '{_short(text)}'")
    return int(text)


def _blocks(text: str) -> tuple[Block, ...]:
    groups = text.split(",")
    if len(groups) > MAX_BLOCKS:
        raise TerrainError(f"a terrain can have at most {MAX_BLOCKS} blocks, not {len(groups)}: remove some")
    found = []
    for group in groups:
        try:
            numbers = [float(number) for number in group.split(":")]
        except ValueError:
            numbers = []
        if len(numbers) not in (5, 6):
            raise TerrainError(f"a block must be X:Y:LENGTH:WIDTH:HEIGHT[:YAW], not '{_short(group)}'")
        found.append(Block(*numbers))
    return tuple(found)


def _rows(blocks: tuple[Block, ...]) -> list[list[float]]:
    return [[b.x, b.y, b.length, b.width, b.height, *([b.yaw] if b.yaw else [])] for b in blocks]


def _short(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:100]}..."
