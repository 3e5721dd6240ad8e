"""Schema of graph files: pydantic models of their contents."""

from __future__ import annotations

import math
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, create_model

from ctrlgraph.bounds import MAX_CYCLES, MAX_EDGES, MAX_MAGNITUDE, MAX_NODES, MAX_PATH_LENGTH, MAX_TIMEOUT_S, name_fault
from ctrlgraph.control.kinds import CONTROLLER_KINDS, SCRIPT
from ctrlgraph.engine.engine import DEFAULT_ENGINE, known_engine
from ctrlgraph.errors import CtrlGraphError

Number = Annotated[float, Field(strict=True)]
FiniteNumber = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-MAX_MAGNITUDE, le=MAX_MAGNITUDE)]
Whole = Annotated[int, Field(strict=True, ge=-int(MAX_MAGNITUDE), le=int(MAX_MAGNITUDE))]
Text = Annotated[str, Field(strict=True)]
FilePath = Annotated[str, Field(strict=True, max_length=MAX_PATH_LENGTH)]


def _name(value: object) -> object:
    fault = name_fault(value) if isinstance(value, str) else None
    if fault is not None:
        raise ValueError(fault)
    return value


NodeName = Annotated[str, Field(strict=True), BeforeValidator(_name)]


def _numbers(value: object, kinds: type | UnionType) -> list[Any] | None:
    """Return `value` if it is a list of two numbers of the types `kinds`, else None. Booleans are not numbers here."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    return value if all(isinstance(item, kinds) and not isinstance(item, bool) for item in value) else None


def _range(value: object) -> object:
    numbers = _numbers(value, int | float)
    if numbers is None or any(math.isnan(number) for number in numbers):
        raise ValueError("must be a list of two numbers, [least, greatest], such as [-0.3, 0.3]")
    if numbers[0] > numbers[1]:
        raise ValueError(f"must be [least, greatest], but {numbers[0]:g} is above {numbers[1]:g}")
    if any(math.isfinite(number) and abs(number) > MAX_MAGNITUDE for number in numbers):
        raise ValueError(f"must have numbers from {-MAX_MAGNITUDE:g} to {MAX_MAGNITUDE:g}, or infinite ones (.inf)")
    return numbers


def _size(value: object) -> object:
    numbers: Any = _range(value)
    if numbers[0] < 0:
        raise ValueError(f"must be a range of lengths of at least 0 m, not of {numbers[0]:g} m")
    return numbers


def _cycles(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        value = [value, value]
    numbers = _numbers(value, int)
    if numbers is None:
        raise ValueError("must be a number of cycles, such as 3, or a range [least, greatest], such as [2, 5]")
    if numbers[0] < 1:
        raise ValueError(f"must be at least 1 cycle, not {numbers[0]}")
    if numbers[0] > numbers[1]:
        raise ValueError(f"must be [least, greatest], but {numbers[0]} is above {numbers[1]}")
    if numbers[1] > MAX_CYCLES:
        raise ValueError(f"must be at most {MAX_CYCLES} cycles, not {numbers[1]}")
    return numbers


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Range = Annotated[tuple[float, float], BeforeValidator(_range)]
Cycles = Annotated[tuple[int, int], BeforeValidator(_cycles)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=False)


def _reason(value: object) -> object:
    if isinstance(value, str) and not value.strip():
        raise ValueError("must give a reason as a text, not an empty text")
    return value


Reason = Annotated[str, Field(strict=True), BeforeValidator(_reason)]


class WidenedEntry(_Entry):
    """Entry in the field `plausible` of a node: a range of a measure that is wider than the graph's, and the reason."""

    range: Range
    because: Reason


Size = Annotated[tuple[float, float], BeforeValidator(_size)]
"""Range of lengths, m, such as the size or distance of an obstacle; not below 0."""


class ObstacleEntry(_Entry):
    """Field `obstacle` of a node: the obstacle that the node crosses, with ranges of its size and distance, m."""

    kind: Literal["rise", "drop", "gap", "hurdle"]
    size: Size | None = None
    distance: Size | None = None


class NodeEntry(_Entry):
    """Entry of a node in a graph file.

    For each kind of controller other than `script`, `graph_model` adds a field with the path of the controller file.
    """

    script: FilePath = ""
    args: list[FiniteNumber] = []
    kind: Literal["static", "dynamic"] = "dynamic"
    cycles: Cycles = (1, 1)
    timeout: Annotated[float, Field(strict=True, gt=0, le=MAX_TIMEOUT_S, allow_inf_nan=False)] = 20.0
    success: dict[str, Range] = {}
    bounds: dict[str, Range] = {}
    plausible: dict[str, WidenedEntry] = {}
    also: dict[Text, Reason] = {}
    description: Text = ""
    adapted: FilePath | None = None
    mirrored: Annotated[bool, Field(strict=True)] = False
    obstacle: ObstacleEntry | None = None
    draft: Reason | None = None


class GroundEntry(_Entry):
    """Field `ground` of an edge: the ground for which the edge is planned (see `graph.ground.GroundRange`)."""

    slope: Range | None = None
    obstacle: Range | None = None
    rise: Size | None = None
    drop: Size | None = None
    gap: Size | None = None
    hurdle: Size | None = None
    clear: Annotated[float, Field(strict=True, ge=0, le=MAX_MAGNITUDE, allow_inf_nan=False)] | None = None


class EdgeEntry(_Entry):
    """Entry of edges in a graph file: from one node, several nodes or all nodes (`*`) to another node."""

    sources: Annotated[list[Text], Field(alias="from", min_length=1, max_length=MAX_NODES), BeforeValidator(_listed)]
    target: Annotated[Text, Field(alias="to")]
    kind: Literal["naive", "learned", "corrective"] = "naive"
    weight: Annotated[float, Field(strict=True, ge=0, le=MAX_MAGNITUDE, allow_inf_nan=False)] | None = None
    parameters: FilePath | None = None
    when: Text | None = None
    order: Whole | None = None
    ground: GroundEntry | None = None


_Names = Annotated[list[Text], Field(max_length=MAX_NODES)]


class PlayEntry(_Entry):
    """Entry `play`: names of the nodes that the keys of `ctrlgraph play` choose."""

    speeds: _Names = []
    jump: _Names = []
    down: _Names = []


def _known_engine(name: str) -> str:
    try:
        return known_engine(name)
    except CtrlGraphError as error:
        raise ValueError(str(error)) from None


class GraphEntry(_Entry):
    """Contents of a graph file."""

    character: FilePath
    start: Text
    engine: Annotated[Text, AfterValidator(_known_engine)] = DEFAULT_ENGINE
    plausible: dict[str, Range] = {}
    play: PlayEntry = PlayEntry()
    nodes: Annotated[dict[NodeName, NodeEntry], Field(min_length=1, max_length=MAX_NODES)]
    edges: Annotated[list[EdgeEntry], Field(max_length=MAX_EDGES)] = []


def node_kinds() -> tuple[str, ...]:
    """Return the kinds of controllers that a node can have, except kinds with the name of another field of a node."""
    others = NodeEntry.model_fields.keys() - {SCRIPT}
    return tuple(kind for kind in CONTROLLER_KINDS.names if kind not in others)


def field_of(kind: str) -> str:
    """Return the attribute of a node's entry that contains the path of a controller file of this kind."""
    return kind if kind == SCRIPT else f"file_of_{kind.replace('-', '_')}"


@cache
def graph_model(kinds: tuple[str, ...]) -> type[GraphEntry]:
    """Return the pydantic model of a graph file whose nodes can have controllers of the given kinds."""
    # an alias, because a kind can have the name of a method of models
    fields: dict[str, Any] = {field_of(name): (FilePath, Field("", alias=name)) for name in kinds if name != SCRIPT}
    node = create_model("NodeEntry", __base__=NodeEntry, **fields)
    nodes: Any = Annotated[dict[NodeName, node], Field(min_length=1, max_length=MAX_NODES)]  # type: ignore[valid-type]
    return create_model("GraphEntry", __base__=GraphEntry, nodes=(nodes, ...))
