"""Scenarios of `learn`: a transition and the options with which it is learned, in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from ctrlgraph.errors import CtrlGraphError, Finding, SourceError
from ctrlgraph.optimization.options import LearnOptions, misplaced
from ctrlgraph.paths import contained
from ctrlgraph.yaml_source import YamlSource, read_yaml, validate

DIRECTORY = Path("scenarios") / "learn"
"""Where a project keeps them."""

Text = Annotated[str, Field(strict=True, min_length=1)]


class LearnScenario(BaseModel):
    """source and target: nodes; reference: what is known of the transition; options: those of the command that a file
    may set, by their long names without dashes (`source-cycles: 1`)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    description: str = ""
    reference: str = ""
    source: Text
    target: Text
    options: LearnOptions = LearnOptions()

    @property
    def given(self) -> dict[str, Any]:
        """Return the options that the file sets, by their long names."""
        return self.options.given()


def load_learn_scenario(path: Path, directory: Path) -> LearnScenario:
    """Return a scenario file; `directory` is the project's, which a bridge that the file names lies in.

    Raises:
        SourceError: it has faults; it holds all of them.
    """
    source = read_yaml(path, "scenario")
    scenario, findings = validate(source, LearnScenario)
    findings += _misplaced(source)
    if scenario is not None:
        bridge = scenario.options.bridge
        if bridge is not None and not bridge.isdecimal():
            try:
                contained(directory, bridge)
            except CtrlGraphError as error:
                findings.append(source.finding("outside", str(error), ["options", "bridge"]))
    if scenario is None or findings:
        raise SourceError(
            sorted(findings, key=lambda each: (each.span.line, each.span.column) if each.span else (0, 0))
        )
    return scenario


def _misplaced(source: YamlSource) -> list[Finding]:
    """The options that a file may not set."""
    options = source.data.get("options")
    findings = []
    for name in options if isinstance(options, dict) else ():
        wrong = misplaced(str(name))
        if wrong is not None:
            place = ["options", str(name)]
            findings.append(source.finding(wrong.code, wrong.message, place, key=True, hint=wrong.hint))
    return findings
