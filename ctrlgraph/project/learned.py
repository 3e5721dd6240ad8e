"""Learned files: constants that replace those of the scripts of a learned edge or an adapted node.

A file names its constants by the ids of their parameters, with old and new values, and the digest of each program that
they were learned for. After a change of such a script the file is *stale* and refused. With a `condition` each new
value is a list, one number for each value of the condition, which is interpolated linearly; beyond the ends it is
constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np

from ctrlgraph.control.controller import Controller
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError
from ctrlgraph.project.learned_model import CONDITIONS as CONDITIONS
from ctrlgraph.project.learned_model import LearnedBridge as LearnedBridge
from ctrlgraph.project.learned_model import LearnedConstant, LearnedFile
from ctrlgraph.project.learned_model import LearnedPart as LearnedPart
from ctrlgraph.project.learned_writer import learned_text as learned_text
from ctrlgraph.project.learned_writer import write_learned as write_learned
from ctrlgraph.terrain.terrain import LEVEL, TerrainPreview
from ctrlgraph.yaml_source import Location, YamlSource, first_findings, read_yaml, validate

__all__ = [
    "CONDITIONS",
    "LearnedBridge",
    "LearnedConstant",
    "LearnedFile",
    "LearnedPart",
    "LearnedSource",
    "apply_constants",
    "constants_of",
    "learned_text",
    "load_learned",
    "read_learned",
    "write_learned",
]


@dataclass(frozen=True)
class LearnedSource:
    """A learned file with its YAML source, for the places of findings."""

    file: LearnedFile
    yaml: YamlSource

    def findings(self, programs: Mapping[str, Controller]) -> list[Finding]:
        """Return parts that were learned for other versions of these programs, and unknown constants.

        Args:
            programs: Present programs of the parts "source", "bridge" and "target".
        """
        found = []
        for part, program in programs.items():
            known = getattr(self.file, part)
            if known is not None and known.program != program.digest:
                message = f"these constants were learned for another version of '{program.name}' than the present one"
                found.append(self.yaml.finding("stale-constants", message, [part, "program"], hint="learn them again"))
            elif part in self.file.parts:
                found += self._unknown_parameters(part, program)
        return first_findings(found)

    def _unknown_parameters(self, part: str, program: Controller) -> Iterator[Finding]:
        known = {parameter.id for parameter in program.parameters}
        for i, constant in enumerate(self.file.parts[part].constants):
            if constant.id not in known:
                message = f"'{program.name}' has no constant {constant.id}"
                yield self.yaml.finding("unknown-constant", message, self.where(part, i))

    def where(self, part: str, number: int) -> Location:
        """Return the location of a constant's id."""
        return [part, "constants", number, "id"]

    def applied(self, part: str, base: Controller, preview: TerrainPreview) -> Controller:
        """Return `base` with the constants of a part on this ground, after `findings` has found nothing."""
        known = self.file.parts.get(part)
        if known is None:
            return base
        return apply_constants(base, known.constants, self.file.condition, preview)


def read_learned(path: Path | str) -> LearnedFile:
    """Return the learned file at `path`.

    Raises:
        SourceError: It has faults; it holds all of them.
    """
    return load_learned(path).file


def load_learned(path: Path | str) -> LearnedSource:
    """Return a learned file with its source.

    Raises:
        SourceError: It has faults; it holds all of them.
    """
    source = read_yaml(path, "learned")
    learned, findings = validate(source, LearnedFile)
    if learned is not None:
        findings += _check(source, learned)
    if learned is None or findings:
        raise SourceError(first_findings(findings))
    return LearnedSource(learned, source)


def _check(source: YamlSource, learned: LearnedFile) -> list[Finding]:
    """Return inconsistent fields."""
    findings = []
    if (learned.edge is None) == (learned.node is None):
        message = "a learned file is about either an 'edge' (walk -> stand) or a 'node'"
        findings.append(source.finding("missing-field", message, ["node"] if learned.node else []))
    if learned.source is None and learned.bridge is None and learned.target is None:
        findings.append(source.finding("missing-field", "it changes nothing: it needs source, bridge or target", []))
    if learned.node is not None:
        for name in ("source", "bridge"):
            if getattr(learned, name) is not None:
                message = f"'{name}' belongs to an edge; an adapted node has a target only"
                findings.append(source.finding("misplaced-field", message, [name], key=True))
        if learned.target is not None and learned.target.cycles is not None:
            message = "'cycles' belongs to an edge; an adapted node runs all its cycles with these constants"
            findings.append(source.finding("misplaced-field", message, ["target", "cycles"], key=True))
    for name, part in learned.parts.items():
        seen: set[str] = set()
        for i, constant in enumerate(part.constants):
            findings += _check_constant(source, learned, constant, [name, "constants", i])
            if constant.id in seen:
                message = f"the constant {constant.id} is given twice"
                findings.append(source.finding("repeated-constant", message, [name, "constants", i, "id"]))
            seen.add(constant.id)
    return findings


def _check_constant(
    source: YamlSource, learned: LearnedFile, constant: LearnedConstant, location: Location
) -> list[Finding]:
    findings = []
    if "/" not in constant.id:
        message = f"a constant is named by its parameter's id, such as walk.t/0/call simbicon/dt, not {constant.id!r}"
        findings.append(source.finding("bad-value", message, [*location, "id"]))
    if isinstance(constant.new, tuple):
        expected = len(next(iter(learned.condition.values()))) if learned.condition else None
        if expected is None:
            message = "several values need a 'condition' that says what they are for"
            findings.append(source.finding("bad-value", message, [*location, "new"]))
        elif len(constant.new) != expected:
            message = f"the condition has {expected} values, and 'new' has {len(constant.new)}"
            findings.append(source.finding("bad-value", message, [*location, "new"]))
    return findings


# --- constants and their parameters ---


def constants_of(program_before: Controller, values: Mapping[int, float | Sequence[float]]) -> list[LearnedConstant]:
    """Return the entries of a learned file for changed constants of a program.

    Args:
        program_before: Program with the old values.
        values: New values by index into `constants`; with a condition, one for each of its values.
    """
    return [
        LearnedConstant(
            id=program_before.parameters[index].id,
            old=float(program_before.constants[index]),
            new=values[index] if np.ndim(values[index]) == 0 else tuple(cast(Sequence[float], values[index])),
        )
        for index in sorted(values)
    ]


def apply_constants(
    program: Controller,
    constants: Iterable[LearnedConstant],
    condition: Mapping[str, Sequence[float]] | None = None,
    preview: TerrainPreview = LEVEL,
) -> Controller:
    """Return the program with the entries' new values.

    Where the new value equals `old`, as on ground for which nothing was learned, the program keeps its value, which may
    be adapted to a slope.

    Args:
        program: The program.
        constants: Entries of a learned file.
        condition: Condition of the file, with its values.
        preview: Ground ahead.

    Raises:
        CtrlGraphError: The program has no parameter of an entry's id.
    """
    indices = {parameter.id: index for index, parameter in enumerate(program.parameters)}
    changed = program.constants.copy()
    for constant in constants:
        if constant.id not in indices:
            raise CtrlGraphError(f"'{program.name}' has no constant {constant.id}")
        value = constant.value(condition, preview)
        if value != constant.old:
            changed[indices[constant.id]] = value
    return program.with_constants(changed)
