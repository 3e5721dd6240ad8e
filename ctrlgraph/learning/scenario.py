"""Scenarios of `learn`: a transition and the options with which it is learned, in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from ctrlgraph.errors import SourceError
from ctrlgraph.yaml_source import read_yaml, validate

DIRECTORY = Path("scenarios") / "learn"
"""Where a project keeps them."""

Text = Annotated[str, Field(strict=True, min_length=1)]


class LearnScenario(BaseModel):
    """source and target: nodes; reference: what is known of the transition; options: those of the command, by their
    long names without dashes (`source-cycles: 1`)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    description: str = ""
    reference: str = ""
    source: Text
    target: Text
    options: dict[str, Any] = {}


def load_learn_scenario(path: Path, known: frozenset[str]) -> LearnScenario:
    """A scenario file; `known` are the names that its options may have.

    Raises:
        SourceError: it has faults; it holds all of them.
    """
    source = read_yaml(path, "scenario")
    scenario, findings = validate(source, LearnScenario)
    for name in scenario.options if scenario is not None else ():
        if name not in known:
            findings.append(source.finding("unknown-option", f"'learn' has no option '{name}'", ["options", name]))
    if scenario is None or findings:
        raise SourceError(findings)
    return scenario
