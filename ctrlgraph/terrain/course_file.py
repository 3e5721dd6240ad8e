"""Reader of course files (YAML): a list of pieces (stairs, gaps, ...), or the settings of a random course.

All errors of a file are reported together.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model

from ctrlgraph.bounds import MAX_SEED
from ctrlgraph.errors import Finding, SourceError
from ctrlgraph.terrain.course import MAX_LENGTH, MAX_PIECES, RANDOM_KINDS, RANDOM_LENGTH, Course, RandomCourse
from ctrlgraph.terrain.pieces import PIECES, Piece, PieceKind, Quantity, TerrainError
from ctrlgraph.terrain.terrain import FAR
from ctrlgraph.terrain.words import is_course
from ctrlgraph.yaml_source import YamlSource, first_findings, parse_yaml, read_yaml, validate

SUFFIXES = (".yaml", ".yml")
"""File suffixes by which a course file is distinguished from a description of a terrain as text."""

Place = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-FAR, le=FAR)]
Distance = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=FAR)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _number(quantity: Quantity) -> Any:
    bounds = Field(strict=True, allow_inf_nan=False, ge=quantity.low, le=quantity.high)
    return Annotated[int if quantity.whole else float, bounds]


def _kind_model(kind: PieceKind) -> type[BaseModel]:
    fields: dict[str, Any] = {
        q.name: (_number(q), ... if q.default is None else (int(q.default) if q.whole else q.default))
        for q in kind.quantities
    }
    return create_model(f"{kind.name.title()}Entry", __base__=_Entry, **fields)


class _Start(_Entry):
    at: Place | None = None
    after: Distance | None = None


def _known_kind(name: str) -> str:
    if name not in PIECES:
        raise ValueError(f"must be one of {', '.join(PIECES)}, not '{name[:40]}'")
    return name


PieceEntry: Any = create_model(
    "PieceEntry", __base__=_Start, **{n: (_kind_model(k) | None, None) for n, k in PIECES.items()}
)  # type: ignore[call-overload]


class RandomEntry(_Entry):
    """Contents of the field `random` of a course file: seed, maximum length, m, and kinds of pieces."""

    seed: Annotated[int, Field(strict=True, ge=0, le=MAX_SEED)]
    length: Annotated[float, Field(strict=True, ge=1, le=MAX_LENGTH, allow_inf_nan=False)] = RANDOM_LENGTH
    kinds: Annotated[
        list[Annotated[str, Field(strict=True), AfterValidator(_known_kind)]], Field(min_length=1, max_length=100)
    ] = list(RANDOM_KINDS)


class CourseEntry(_Entry):
    """Contents of a course file: either a list of pieces or the settings of a random course."""

    obstacles: Annotated[list[PieceEntry], Field(max_length=MAX_PIECES)] | None = None
    random: RandomEntry | None = None


def load_course(path: Path | str) -> Course:
    """Return the course in a course file.

    Raises:
        SourceError: the file has errors; the exception lists all of them.
    """
    return _course_of(read_yaml(path, "course"))


def parse_course_file(text: str, path: str = "course.yaml") -> Course:
    """Return the course in the text of a course file.

    Args:
        text: text of the file.
        path: name of the file in messages.

    Raises:
        SourceError: the text has errors; the exception lists all of them.
    """
    return _course_of(parse_yaml(text, path, "course"))


def terrain_words(text: str) -> str:
    """Return the description of a terrain as text, such as "course=3:gap:0.4:1" for the path of a course file.

    Args:
        text: a description such as "slope=5", which is returned unchanged, or the path of a course file.

    Raises:
        SourceError: the course file has errors.
    """
    if not text.endswith(SUFFIXES) or is_course(text) or "=" in text:
        return text
    return load_course(text).words


def _course_of(source: YamlSource) -> Course:
    entry, findings = validate(source, CourseEntry)
    findings = [*findings, *_check_form(source)]
    if entry is None or findings:
        raise SourceError(first_findings(findings))
    try:
        if entry.random is not None:
            return RandomCourse(entry.random.seed, entry.random.length, entry.random.kinds).draw()
        return Course(_pieces(source, entry))
    except TerrainError as error:
        where = "random" if entry.random is not None else "obstacles"
        raise SourceError([source.finding("bad-course", str(error), [where], key=True)]) from None


def _check_form(source: YamlSource) -> list[Finding]:
    """Return an error if a course is not either listed or random, and for each piece without a single kind and start.

    A field with the value null counts as missing.
    """
    data = source.data
    if (data.get("obstacles") is None) == (data.get("random") is None):
        return [
            source.finding("bad-course", "a course file needs either the field 'obstacles' or the field 'random'", [])
        ]
    findings = []
    entries = data.get("obstacles")
    for i, entry in enumerate(entries if isinstance(entries, list) else ()):
        if not isinstance(entry, dict):
            continue
        kinds = [name for name in PIECES if entry.get(name) is not None]
        if len(kinds) != 1:
            found = f"has {' and '.join(kinds)}" if kinds else f"has none of {', '.join(PIECES)}"
            findings.append(
                source.finding(
                    "bad-piece", f"obstacles[{i}] must have exactly one kind of piece, but {found}", ["obstacles", i]
                )
            )
        if (entry.get("at") is None) == (entry.get("after") is None):
            message = f"obstacles[{i}] needs either 'at' (its start, m) or 'after' (level ground before it, m)"
            findings.append(source.finding("bad-piece", message, ["obstacles", i]))
    return findings


def _pieces(source: YamlSource, entry: CourseEntry) -> tuple[Piece, ...]:
    """Return the pieces that a course file lists, with their starts computed from `at` or `after`.

    Raises:
        SourceError: a piece is invalid, or overlaps the piece before it.
    """
    pieces: list[Piece] = []
    findings = []
    end = 0.0
    for i, each in enumerate(entry.obstacles or ()):
        name = next(name for name in PIECES if getattr(each, name) is not None)
        given = getattr(each, name)
        start = each.at if each.at is not None else end + each.after
        try:
            piece = Piece(name, round(start, 9), tuple(float(getattr(given, q.name)) for q in PIECES[name].quantities))
            if pieces and piece.start < end:
                begins = f"the piece '{name}' begins at {piece.start:g} m"
                raise TerrainError(f"{begins}, before the previous piece ends at {end:g} m")
        except TerrainError as error:
            findings.append(source.finding("bad-piece", str(error), ["obstacles", i, name], key=True))
            continue
        pieces.append(piece)
        end = round(piece.start + piece.length, 9)
    if findings:
        raise SourceError(first_findings(findings))
    return tuple(pieces)
