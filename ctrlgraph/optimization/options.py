"""The options of `learn` that files of a project may set, in scenarios and in the commands of learned files.

Projects may be untrusted. Their files only set, within bounds, what determines the result. Addresses, files to
write and output are for the command line alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ctrlgraph.errors import CtrlGraphError, Finding, SourceError, suggestion
from ctrlgraph.paths import contained
from ctrlgraph.yaml_loader import NUMBER
from ctrlgraph.yaml_source import YamlSource, read_yaml, shown_value, validate

COMMAND_LINE_ONLY = frozenset({"checkpoint", "cluster", "dry-run", "help", "jobs", "json", "scenario", "stale"})
"""Options of `learn` that no file may set: addresses, files to write, output."""

LARGEST_SEED = 2**63 - 1


def _listed(value: object) -> object:
    return [value] if isinstance(value, str | int | float) else value


def _bridge(value: object) -> object:
    """Check a number of phases, or the path of a script."""
    if isinstance(value, str) and value.isdecimal():
        value = int(value) if len(value) < 5 else MOST_PHASES + 1
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise ValueError(f"must be a number of phases or a script, not {shown_value(value)}")
    if isinstance(value, int) and not 0 <= value <= MOST_PHASES:
        raise ValueError(f"must be at most {MOST_PHASES} phases, not {shown_value(value)}")
    if len(str(value)) > LONGEST_TEXT:
        raise ValueError(f"is longer than {LONGEST_TEXT} characters")
    return str(value)


def _together(value: object) -> object:
    """Join a list of engines as on the command line."""
    return ",".join(value) if isinstance(value, list) and all(isinstance(name, str) for name in value) else value


def _text(value: object) -> object:
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        raise ValueError(f"is longer than {LONGEST_TEXT} characters")
    return value


MOST_PHASES = 20
LONGEST_TEXT = 1000

Text = Annotated[str, Field(min_length=1), BeforeValidator(_text)]
Texts = Annotated[list[Text], Field(max_length=100), BeforeValidator(_listed)]
Numbers = Annotated[list[Annotated[int, Field(ge=-10_000, le=10_000)]], Field(max_length=100), BeforeValidator(_listed)]
Rounds = Annotated[int, Field(ge=1, le=100_000)]
Cycles = Annotated[int, Field(le=1000)]


class LearnOptions(BaseModel):
    """The options of `learn` that a file may set, by their long names. None: not set.

    The bounds are far beyond useful values, and keep a small file from filling memory.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True, allow_inf_nan=False)

    source_cycles: Annotated[Cycles | None, Field(alias="source-cycles", ge=0)] = None
    bridge: Annotated[Any, BeforeValidator(_bridge)] = None
    target_cycles: Annotated[Cycles | None, Field(alias="target-cycles", ge=1)] = None
    phase: Numbers | None = None
    only: Texts | None = None
    on: Text | None = None
    obstacle: Text | None = None
    refine: bool | None = None
    over: Texts | None = None
    with_: Annotated[Texts | None, Field(alias="with")] = None
    engine: Annotated[Text | None, BeforeValidator(_together)] = None
    entries: Annotated[int | None, Field(ge=1, le=1000)] = None
    numerics: bool | None = None
    exits: bool | None = None
    weigh: Texts | None = None
    optimizer: Literal["cma", "1+1"] | None = None
    sigma: Annotated[float | None, Field(gt=0, le=1000)] = None
    population: Annotated[int | None, Field(ge=4, le=10_000)] = None
    generations: Annotated[int | None, Field(ge=0, le=100_000)] = None
    minutes: Annotated[float | None, Field(gt=0, le=10_080)] = None
    settled: Rounds | None = None
    trials: Annotated[int | None, Field(ge=0, le=100_000)] = None
    seed: Annotated[int | None, Field(ge=0, le=LARGEST_SEED)] = None

    def given(self) -> dict[str, Any]:
        """Return the options that are set, by their long names."""
        return self.model_dump(by_alias=True, exclude_unset=True)


ALLOWED = tuple(field.alias or name for name, field in LearnOptions.model_fields.items())
"""Names of the options that a file may set."""


class Misplaced(NamedTuple):
    """Reason why a file may not set an option."""

    code: str
    """Code of the finding."""
    message: str
    """One sentence."""
    hint: str | None
    """What to do instead."""


def misplaced(name: str) -> Misplaced | None:
    """Return why a file may not set an option, or None if it may."""
    if name in COMMAND_LINE_ONLY:
        message = f"only the command line may give '{name}': a file of the project says what is learned, not where it"
        return Misplaced("command-line-only", f"{message} runs or what it writes", f"give --{name} yourself")
    if name not in ALLOWED:
        return Misplaced("unknown-option", f"'learn' has no option '{name}'", suggestion(name, ALLOWED))
    return None


def parse_words(words: Sequence[str]) -> tuple[str, str, dict[str, Any]]:
    """Return the source, the target and the options of a `learn` command that a file keeps.

    Only long options in full are accepted: no `--`, no abbreviations, no files of arguments.

    Raises:
        CtrlGraphError: A file may not set an option, or a value is invalid.
    """
    nodes: list[str] = []
    options: dict[str, Any] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-"):
            nodes.append(word)
            continue
        name, value = _option(word, rest)
        several = options.get(name) if name in _REPEATED else None
        options[name] = [*(several or []), value] if name in _REPEATED else value
    if len(nodes) != 2:
        raise CtrlGraphError(f"it names {len(nodes)} nodes instead of a source and a target")
    return nodes[0], nodes[1], checked(options).given()


_REPEATED = ("phase", "only", "over", "with", "weigh")
_FLAGS = {name: (name, True) for name in ("refine", "numerics", "exits")} | {"no-numerics": ("numerics", False)}


def _option(word: str, rest: list[str]) -> tuple[str, Any]:
    """Return an option and its value, which may be the next word."""
    name, equals, value = word.removeprefix("--").partition("=")
    if not word.startswith("--") or not re.fullmatch(r"[a-z][a-z-]*", name):
        raise CtrlGraphError(f"{shown_value(word)} is no option of 'learn'")
    if name in _FLAGS:
        if equals:
            raise CtrlGraphError(f"--{name} takes no value")
        return _FLAGS[name]
    wrong = misplaced(name)
    if wrong is not None:
        raise CtrlGraphError(wrong.message)
    if not equals:
        if not rest:
            raise CtrlGraphError(f"--{name} has no value")
        value = rest.pop(0)
    return name, _scalar(value)


def _scalar(word: str) -> Any:
    """Return a word as a number if it is a short one, else unchanged."""
    if len(word) <= 40 and NUMBER.match(word):
        return int(word) if re.fullmatch(r"[-+]?[0-9]+", word) else float(word)
    return word


def checked(options: Mapping[str, Any]) -> LearnOptions:
    """Return the options of a file with values of their types.

    Raises:
        CtrlGraphError: A value is invalid.
    """
    try:
        return LearnOptions.model_validate(dict(options))
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        value = options.get(name)
        value = value[0] if isinstance(value, list) and len(value) == 1 else value
        raise CtrlGraphError(f"--{name} cannot be {shown_value(value)}") from None


def words_of(source: str, target: str, options: Mapping[str, Any]) -> list[str]:
    """Return the arguments of a `learn` command, as `parse_words` reads them.

    Args:
        source: Source node.
        target: Target node.
        options: Options by their long names.
    """
    words = []
    for name, value in options.items():
        if value is None or (value is False and name != "numerics"):
            continue
        if isinstance(value, bool):
            words.append(f"--{name}" if value else f"--no-{name}")
        else:
            for each in value if isinstance(value, list | tuple) else [value]:
                words += [f"--{name}={each}"] if str(each).startswith("-") else [f"--{name}", str(each)]
    return [source, target, *words]


DIRECTORY = Path("scenarios") / "learn"
"""Directory of scenarios in a project."""

NodeName = Annotated[str, Field(strict=True, min_length=1)]


class LearnScenario(BaseModel):
    """A scenario of `learn`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    description: str = ""
    reference: str = ""
    """What is known of the transition."""
    source: NodeName
    """Source node."""
    target: NodeName
    """Target node."""
    options: LearnOptions = LearnOptions()
    """Options of the command, by their long names without dashes (`source-cycles: 1`)."""

    @property
    def given(self) -> dict[str, Any]:
        """Options that the file sets, by their long names."""
        return self.options.given()


def load_learn_scenario(path: Path, directory: Path) -> LearnScenario:
    """Return a scenario.

    Args:
        path: File to read.
        directory: Directory of the project, which must contain a bridging script that the file names.

    Raises:
        SourceError: The file has errors, all of which are reported.
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
    """Return findings for the options that a file may not set."""
    options = source.data.get("options")
    findings = []
    for name in options if isinstance(options, dict) else ():
        wrong = misplaced(str(name))
        if wrong is not None:
            place = ["options", str(name)]
            findings.append(source.finding(wrong.code, wrong.message, place, key=True, hint=wrong.hint))
    return findings
