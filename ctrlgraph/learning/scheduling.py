"""Gain-scheduled constants: constants that depend on the slope or on the height of the obstacle ahead.

They are defined at some values of the slope or the height (the scheduling variable) and interpolated linearly between
these values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.graph.editor import put_adapted_file
from ctrlgraph.learning.search_space import Values, changed
from ctrlgraph.paths import contained
from ctrlgraph.project.controllers import same_ground
from ctrlgraph.project.learned import (
    CONDITIONS,
    LearnedConstant,
    LearnedFile,
    LearnedPart,
    apply_constants,
    constants_of,
    interpolated,
)
from ctrlgraph.project.learned_writer import write_learned
from ctrlgraph.terrain.terrain import TerrainPreview

if TYPE_CHECKING:
    from ctrlgraph.control.controller import Controller
    from ctrlgraph.project.project import Project

Condition = tuple[str, float]
"""Scheduling variable and one value of it: ("slope", degrees) or ("obstacle", height in m)."""


def parse_condition(text: str) -> Condition:
    """Parse the text of a condition: ("slope", 5.0) for "slope=5" (degrees), ("obstacle", 0.1) for "obstacle=0.1" (m).

    Raises:
        CtrlGraphError: The text does not have the form NAME=NUMBER, or the name is not a scheduling variable.
    """
    name, _, value = text.partition("=")
    try:
        number = float(value)
    except ValueError:
        number = np.nan
    if name not in CONDITIONS or not np.isfinite(number):
        raise CtrlGraphError(
            f"'{text}' is not a slope or an obstacle: give {' or '.join(f'{each}=NUMBER' for each in CONDITIONS)}"
        )
    return name, number


def box_height(text: str) -> float:
    """Return the height, m, of a box on the ground that is given as text.

    Args:
        text: Position, width and height of the box in m, as "X:WIDTH:HEIGHT", such as "1.2:0.4:0.1".

    Raises:
        CtrlGraphError: The text does not have this form, or the width or the height is not above 0.
    """
    try:
        _x, width, height = (float(part) for part in text.split(":"))
    except ValueError:
        raise CtrlGraphError(f"'{text}' is not a box: give X:WIDTH:HEIGHT in m, such as 1.2:0.4:0.1") from None
    if not (width > 0 and height > 0):
        raise CtrlGraphError(f"the width and the height of the box {text} must be above 0")
    return height


def ground_of(condition: Condition | None) -> TerrainPreview:
    """Return the terrain preview (slope, obstacle ahead) for a condition such as ("slope", 5.0). None: level ground."""
    values: dict[str, Any] = {} if condition is None else dict([condition])
    return TerrainPreview(**values)


def adapted_file(project: Project, node: str, values: Values, on: Condition, before: LearnedFile | None) -> LearnedFile:
    """Return the contents of a learned file that makes constants of a node depend on the slope or an obstacle.

    Args:
        project: Project with the node.
        node: Name of the node.
        values: Constants of a candidate by parameter id.
        on: Slope or obstacle for which these constants are searched.
        before: Earlier file of the node, with constants for other values of the scheduling variable, or None.

    Raises:
        CtrlGraphError: The earlier file depends on another scheduling variable, or belongs to another version of the
            script.
    """
    plain = project.program(node)
    constants = adapted_constants(plain, changed(project.controller(node, ground_of(on)), values))
    part = LearnedPart(program=plain.digest, constants=constants_of(plain, constants))
    return bound(LearnedFile(node=node, target=part), on, before)


def adapted_candidate(project: Project, node: str, file: LearnedFile, preview: TerrainPreview) -> Controller:
    """Return the program of a node with the constants that a learned file has for the terrain ahead.

    Args:
        project: Project with the node.
        node: Name of the node.
        file: Learned file of the node, with constants that depend on the slope or an obstacle.
        preview: Slope and obstacle ahead of the character.
    """
    return apply_constants(project.program(node), file.parts["target"].constants, file.condition, same_ground(preview))


def bound(file: LearnedFile, condition: Condition, before: LearnedFile | None) -> LearnedFile:
    """Return a copy of a learned file whose constants depend on a scheduling variable (slope or obstacle).

    At the value in `condition`, the constants are those of `file`. At other values, they are those of the earlier file.
    Without an earlier file, the only other value is 0, where the constants are those of the scripts.

    Args:
        file: Learned file with one value of each changed constant.
        condition: Scheduling variable and its value for which the constants of `file` were searched.
        before: Earlier file, with constants for other values of the scheduling variable, or None.

    Raises:
        CtrlGraphError: The earlier file depends on another scheduling variable, has other parts or other numbers of
            cycles, or belongs to another version of a script.
    """
    name, value = condition
    known = _known_values(file, name, before)
    values = tuple(sorted({*known, value}))
    parts: dict[str, LearnedPart | None] = {}
    for part in ("source", "target"):
        new, old = getattr(file, part), getattr(before, part) if before is not None else None
        parts[part] = _merged(new, old, values, known, value)
    return file.model_copy(update={"condition": {name: values}, **parts})


def _known_values(file: LearnedFile, name: str, before: LearnedFile | None) -> tuple[float, ...]:
    if before is None:
        return (0.0,)
    if before.condition is not None and name not in before.condition:
        raise CtrlGraphError(
            f"the learned constants of {before.title} depend on {next(iter(before.condition))}, not on"
            f" {name}: delete their learned file to learn them for {name}"
        )
    same = (before.bridge is None) == (file.bridge is None) and _cycles(before) == _cycles(file)
    if not same:
        raise CtrlGraphError(
            f"the learned file of {before.title} was made with other --source-cycles, --bridge or --target-cycles:"
            " use those values, or delete the file"
        )
    return before.condition[name] if before.condition is not None else (0.0,)


def with_history(file: LearnedFile, before: LearnedFile | None, condition: Condition) -> LearnedFile:
    """Return a copy of a learned file that keeps the records of the searches in an earlier file.

    The record of the last search is added to them under the text of its condition, such as "slope=5".

    Args:
        file: File with the record of the last search.
        before: Earlier file with the records of searches for other slopes or obstacles. None: `file` is returned
            unchanged.
        condition: Slope or obstacle of the last search.
    """
    if before is None:
        return file
    label = f"{condition[0]}={condition[1]:g}"
    search, held_out = {**before.search, label: file.search}, {**before.held_out, label: file.held_out}
    return file.model_copy(update={"search": search, "held_out": held_out})


def fits(before: LearnedFile, file: LearnedFile) -> bool:
    """Return True if the parts that two learned files have in common were made for the same versions of the scripts.

    Args:
        before: Earlier file.
        file: New file.
    """
    new = file.parts
    return all(part.program == new[name].program for name, part in before.parts.items() if name in new)


def _cycles(file: LearnedFile) -> Mapping[str, int | None]:
    return {name: part.cycles for name, part in file.parts.items()}


def _merged(
    new: LearnedPart | None, old: LearnedPart | None, values: Sequence[float], known: Sequence[float], value: float
) -> LearnedPart | None:
    if new is None and old is None:
        return None
    if new is not None and old is not None and new.program != old.program:
        raise CtrlGraphError("a script of {before.title} has changed since constants were learned: delete their file")
    found = {c.id: c for c in (new.constants if new is not None else ())}
    earlier = {c.id: c for c in (old.constants if old is not None else ())}
    constants = []
    for name in dict.fromkeys([*earlier, *found]):
        script = (earlier.get(name) or found[name]).old
        then = _at_known(earlier.get(name), script, known)
        # constants outside the search space keep their values for this condition
        here = float(found[name].new) if name in found else interpolated(value, known, then)
        row = tuple(here if v == value else interpolated(v, known, then) for v in values)
        constants.append(LearnedConstant(id=name, old=script, new=row))
    model = new if new is not None else old
    assert model is not None
    return model.model_copy(update={"constants": constants})


def _at_known(constant: LearnedConstant | None, script: float, known: Sequence[float]) -> list[float]:
    if constant is None:
        return [script] * len(known)
    if isinstance(constant.new, tuple):
        return list(constant.new)
    return [float(constant.new)] * len(known)


def adapted_constants(plain: Controller, found: Controller) -> dict[int, float]:
    """Return the constants of a program that have been changed, by index in `Controller.constants`.

    Args:
        plain: Program with its original constants.
        found: The same program with changed constants.
    """
    return {int(i): float(found.constants[i]) for i in np.flatnonzero(plain.constants != found.constants)}


def adapt(project: Project, node: str, values: Values, condition: Condition, search: Mapping[str, object]) -> Path:
    """Write constants of a node for one slope or obstacle to the node's learned file, and enter it in the graph file.

    Args:
        project: Project with the node.
        node: Name of the node.
        values: Constants by parameter id.
        condition: Slope or obstacle for which these constants were searched.
        search: Record of the search: command, seed and results, by name.

    Returns:
        Path of the learned file.

    Raises:
        CtrlGraphError: An existing file depends on another scheduling variable or belongs to another version of the
            script, or the file cannot be written or would lie outside the project.
    """
    found = project.graph.node(node)
    relative = found.adapted or f"learned/{node}.yaml"
    path = contained(project.directory, relative)
    before = project.resolver.read(relative) if found.adapted is not None else None
    file = adapted_file(project, node, values, condition, before)
    history = {**(before.search if before is not None else {}), f"{condition[0]}={condition[1]:g}": dict(search)}
    write_learned(path, file.model_copy(update={"search": history}))
    put_adapted_file(project.graph_path, node, relative)
    return path
