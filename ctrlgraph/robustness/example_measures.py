"""Measures of one example of each node's motion, stored in `runs/examples.json`.

The command `check` uses them to warn, without a simulation, if the conditions of a node accept the motion of another
node. The confusion test (`robustness.confusion`) simulates many examples and also evaluates bounds.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ctrlgraph.bounds import MAX_FILE_BYTES
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.files import read_bytes, write_text
from ctrlgraph.graph.model import Node
from ctrlgraph.paths import EXAMPLES_FILE, contained
from ctrlgraph.project.project import RUNS_DIRECTORY, Project
from ctrlgraph.simulation.measures import Motion, SpatialMotion, broken, left_bounds

if TYPE_CHECKING:
    from pathlib import Path

Measures = Mapping[str, float]
"""Values of a motion's measures, by name. All are finite."""

Examples = Mapping[str, Measures]
"""Measures of an example of each node, by the node's name."""


def accepts(node: Node, measures: Measures, motion: Motion | SpatialMotion | None = None) -> bool:
    """Return True if a motion meets the conditions and the timeout of a node.

    Args:
        node: Node whose conditions are evaluated.
        measures: Measures of the motion.
        motion: The motion itself, with which the node's bounds are evaluated too. Without it, the result is False for a
            node that has bounds or that has no success conditions.
    """
    if measures.get("duration", math.inf) > node.timeout_for(node.cycles[1]) or broken(dict(measures), node.conditions):
        return False
    if motion is None:
        return bool(node.success) and not node.bounds
    return not left_bounds(motion, node.bounds)


def not_told_apart(node: Node, examples: Examples) -> list[str]:
    """Return the names of other nodes whose example motions a node accepts: they meet the node's conditions.

    Nodes for which the graph file has a reason (`also` of the accepting node) are omitted.

    Args:
        node: Node whose conditions are evaluated.
        examples: Measures of an example of each node, by name.
    """
    return [
        name
        for name, measures in examples.items()
        if name != node.name and name not in node.also and accepts(node, measures)
    ]


def load_examples(project: Project) -> dict[str, Measures]:
    """Read the measures of an example motion of each node from the file of a project. Keys are names of nodes.

    Nodes whose controller, character or engine has changed since the example are omitted. A damaged file is treated as
    empty. The next command that simulates examples replaces it.
    """
    known = _read(_path(project))
    return {
        node.name: known[node.name][1]
        for node in project.graph
        if node.name in known and known[node.name][0] == motion_hash(project, node)
    }


def save_examples(project: Project, examples: Examples, more: Iterable[Node] = ()) -> None:
    """Add measures of example motions to the project's file `runs/examples.json`.

    Args:
        project: Project with the file.
        examples: Measures of an example of each node, by name. Nodes that are neither in the graph nor in `more` are
            ignored.
        more: Further nodes, which are not in the graph yet.

    Raises:
        CtrlGraphError: The file cannot be written.
    """
    nodes = {node.name: node for node in (*project.graph, *more)}
    kept = {
        name: {"hash": digest, "measures": dict(values)} for name, (digest, values) in _read(_path(project)).items()
    }
    for name in examples.keys() & nodes.keys():
        values = {measure: value for measure, value in examples[name].items() if math.isfinite(value)}
        kept[name] = {"hash": motion_hash(project, nodes[name]), "measures": values}
    write_text(_path(project), json.dumps(dict(sorted(kept.items()))) + "\n")


def motion_hash(project: Project, node: Node) -> str:
    """Return a hash of everything that determines a node's motion: its controller, the character and the engine.

    Args:
        project: Project with the character and the engine.
        node: Node with the controller.
    """
    parts = [project.resolver.node_digest(node), project.character.digest, project.engine]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _path(project: Project) -> Path:
    return contained(project.directory, f"{RUNS_DIRECTORY}/{EXAMPLES_FILE}")


def _read(path: Path) -> dict[str, tuple[str, Measures]]:
    """Return (hash of the motion, measures of the example) by name of the node; empty if the file cannot be read."""
    try:
        data = json.loads(read_bytes(path, MAX_FILE_BYTES))
        return {name: (entry["hash"], _numbers(entry["measures"])) for name, entry in data.items()}
    except (OSError, CtrlGraphError, ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        return {}


def _numbers(data: Any) -> Measures:
    values = {str(name): float(value) for name, value in data.items()}
    if not all(map(math.isfinite, values.values())):
        raise ValueError("the measures of a stored example must be finite numbers")
    return values
