"""Learning stale edges again: learned edges of which a script has changed since they were learned.

The file of a learned edge records the `learn` command that made it. Projects may be untrusted. A recorded command is
therefore repeated only for the edge of its file, and it may only set options that determine the result of the search,
within bounds. Only the command line may set network addresses, files to write and forms of output.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.paths import contained
from ctrlgraph.yaml_loader import NUMBER
from ctrlgraph.yaml_source import shown_value

if TYPE_CHECKING:
    from ctrlgraph.project.learned import LearnedSource
    from ctrlgraph.project.learned_summary import LearnedSummary
    from ctrlgraph.project.project import Project

COMMAND = "learn"

COMMAND_LINE_ONLY = frozenset({"checkpoint", "cluster", "dry-run", "help", "jobs", "json", "stale"})
"""Options of `learn` that a recorded command may not set: network addresses, files to write, output."""

LARGEST_SEED = 2**63 - 1
"""Maximum value of `--seed`."""
MOST_PHASES = 20
"""Maximum number of phases of a proposed bridging script."""


def _bridge(value: object) -> str:
    """Check the value of the option `--bridge`, a number of phases or the path of a script, and return it as text.

    Raises:
        ValueError: The value is neither, or the number of phases is above `MOST_PHASES`.
    """
    if isinstance(value, bool) or not isinstance(value, int | str) or not 0 < len(str(value)) <= 1000:
        raise ValueError(f"--bridge must be a number of phases or the path of a script, not {shown_value(value)}")
    text = str(value)
    if text.isdecimal():
        text = text.lstrip("0") or "0"
        if len(text) > len(str(MOST_PHASES)) or int(text) > MOST_PHASES:
            raise ValueError(f"--bridge must be at most {MOST_PHASES} phases, not {text}")
    return text


Text = Annotated[str, Field(min_length=1, max_length=1000)]
Texts = Annotated[list[Text], Field(max_length=100)]
Numbers = Annotated[list[Annotated[int, Field(ge=-10_000, le=10_000)]], Field(max_length=100)]
Rounds = Annotated[int, Field(ge=1, le=100_000)]
Cycles = Annotated[int, Field(le=1000)]


class LearnOptions(BaseModel):
    """Options of the command `learn` that a recorded command may set. See `ctrlgraph learn --help` for their meanings.

    Fields have the long names of the options. None: the option is not set. The bounds are far above useful values. They
    prevent a small file from causing a search that fills the memory.
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
    engine: Text | None = None
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
        """Return the values of the options that are set, by the long name of the option."""
        return self.model_dump(by_alias=True, exclude_unset=True)


ALLOWED = tuple(field.alias or name for name, field in LearnOptions.model_fields.items())
"""Long names of the options that a recorded command may set."""

_REPEATED = ("phase", "only", "over", "with", "weigh")
_FLAGS = {name: (name, True) for name in ("refine", "numerics", "exits")} | {"no-numerics": ("numerics", False)}

_NOT_KEPT = {"--jobs": 1, "--cluster": 1, "--checkpoint": 1, "--json": 0, "--dry-run": 0}
"""Options that do not influence the result of a search, each with the number of words that follow it."""


def parse_words(words: Sequence[str]) -> tuple[str, str, dict[str, Any]]:
    """Parse a recorded `learn` command: return source node, target node, and values of the options by long name.

    Options must have their full long names. Abbreviations, a separate `--` and files of arguments are not accepted.

    Args:
        words: Words of the command after `learn`.

    Raises:
        CtrlGraphError: An option is unknown or only for the command line, a value is missing or invalid, or the
            number of nodes is not 2.
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
        options[name] = [*options.get(name, []), value] if name in _REPEATED else value
    if len(nodes) != 2:
        raise CtrlGraphError(f"'learn' needs two nodes, a source and a target, not {len(nodes)}")
    try:
        checked = LearnOptions.model_validate(options)
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        value = options[name]
        value = value[0] if isinstance(value, list) and len(value) == 1 else value
        raise CtrlGraphError(
            f"the option --{name} of 'learn' cannot be {shown_value(value)}: see 'ctrlgraph learn --help'"
        ) from None
    return nodes[0], nodes[1], checked.given()


def _option(word: str, rest: list[str]) -> tuple[str, Any]:
    """Parse an option of a recorded `learn` command, and return its long name and its value.

    Args:
        word: Word that begins with a hyphen: the option, with or without `=VALUE`.
        rest: Words of the command after the option. If the first of them is the option's value, it is removed.
    """
    name, equals, value = word.removeprefix("--").partition("=")
    if not word.startswith("--") or not re.fullmatch(r"[a-z][a-z-]*", name):
        raise CtrlGraphError(f"{shown_value(word)} is not an option of 'learn': remove it, or write options as --NAME")
    if name in COMMAND_LINE_ONLY:
        raise CtrlGraphError(f"the option --{name} is allowed only on the command line: remove it from the file")
    if name in _FLAGS:
        if equals:
            raise CtrlGraphError(f"the option --{name} of 'learn' takes no value: remove '=' and the text after it")
        return _FLAGS[name]
    if name not in ALLOWED:
        raise CtrlGraphError(f"the command 'learn' has no option --{name}: remove it")
    if not equals:
        if not rest:
            raise CtrlGraphError(f"the option --{name} of 'learn' needs a value after it")
        value = rest.pop(0)
    return name, _scalar(value)


def _scalar(word: str) -> Any:
    """Convert a word to a number if it is the text of one (at most 40 characters). Return other words unchanged."""
    if len(word) <= 40 and NUMBER.match(word):
        return int(word) if re.fullmatch(r"[-+]?[0-9]+", word) else float(word)
    return word


def words_of(source: str, target: str, options: Mapping[str, Any]) -> list[str]:
    """Return the words that follow `learn` in a command with given nodes and options: the inverse of `parse_words`.

    Args:
        source: Name of the source node.
        target: Name of the target node.
        options: Values of the options by long name. Options with the value None are omitted.
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


def stale_edges(project: Project) -> list[LearnedSummary]:
    """Return the learned edges that cannot be used because a script of the edge has changed since it was learned."""
    from ctrlgraph.project.learned_summary import summaries

    found = summaries(project.graph, project.resolver, project.directory)
    return [summary for summary in found if summary.state == "stale" and summary.file is not None and summary.file.edge]


def recorded_arguments(project: Project, summary: LearnedSummary) -> list[list[str]]:
    """Return the recorded `learn` commands of an edge, each as the list of words after `learn`, including the seed.

    There is one command. For gain-scheduled constants, there is one for each value of the scheduling variable (slope or
    obstacle).

    Args:
        project: Project with the edge.
        summary: Summary of the learned edge.

    Raises:
        SourceError: A recorded command learns another edge, is not a valid command line, or has an option that a file
            must not set, such as the address of a cluster; or the recorded seed is invalid.
        CtrlGraphError: The file records no `learn` command.
    """
    source = project.resolver.learned(summary.path)
    search = source.file.search
    searches = [((), search), *(((key,), each) for key, each in search.items() if isinstance(each, dict))]
    found = [words for place, each in searches if (words := _arguments(project, source, summary.name, place, each))]
    if not found:
        raise CtrlGraphError(f"{summary.path} records no 'learn' command: use 'ctrlgraph learn' for {summary.name}")
    # the first command must not start from the stale edge
    return [[word for word in found[0] if word != "--refine"], *found[1:]]


def _arguments(
    project: Project, source: LearnedSource, edge: str, place: tuple[str, ...], search: Mapping[str, object]
) -> list[str]:
    try:
        words = _words(search.get("command", ""))
        if COMMAND not in words:
            return []
        start, end, options = parse_words(words[words.index(COMMAND) + 1 :])
        if f"{start} -> {end}" != edge:
            raise CtrlGraphError(f"the command learns {start} -> {end}, but is stored in the file of {edge}")
        bridge = options.get("bridge")
        if bridge is not None and not bridge.isdecimal():
            contained(project.directory, bridge)
    except CtrlGraphError as error:
        finding = source.yaml.finding(
            "bad-command",
            f"this command cannot be repeated: {error}",
            ["search", *place, "command"],
            hint=f"use 'ctrlgraph learn' for {edge}",
        )
        raise SourceError([finding]) from None
    return words_of(start, end, options if "seed" in options else options | _seed(source, place, search))


def _words(command: object) -> list[str]:
    if not isinstance(command, str):
        raise CtrlGraphError(f"'command' must be a text, such as 'learn walk stand', not {shown_value(command)}")
    try:
        return shlex.split(command)
    except ValueError as error:
        raise CtrlGraphError(f"'command' is not a command line, so correct its quotes ({str(error).lower()})") from None


def _seed(source: LearnedSource, place: tuple[str, ...], search: Mapping[str, object]) -> dict[str, Any]:
    seed = search.get("seed")
    if seed is None:
        return {}
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= LARGEST_SEED:
        message = f"a seed must be a whole number from 0 to {LARGEST_SEED}, not {shown_value(seed)}"
        raise SourceError([source.yaml.finding("bad-value", message, ["search", *place, "seed"])])
    return {"seed": seed}


def kept_command(words: str) -> str:
    """Remove options that do not influence the result of a search, such as `--jobs`, from a `learn` command line."""
    kept, rest = [], shlex.split(words)
    while rest:
        word = rest.pop(0)
        name, _, value = word.partition("=")
        if name not in _NOT_KEPT:
            kept.append(word)
        elif not value:
            del rest[: _NOT_KEPT[name]]
    return shlex.join(kept)
