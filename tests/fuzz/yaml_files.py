"""Mutated YAML files of every kind through the readers that the commands use.

The laws: an invalid file raises a CtrlGraphError whose findings lie inside the text and are printable and short; no
file outside the project (and Python) is opened, and no line of one is shown; each file takes at most seconds.
"""

from __future__ import annotations

import atexit
import os
import random
import shutil
import sys
import sysconfig
import tempfile
import time
import traceback
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import yaml
from fuzz.harness import Limits, Verdict
from small_project import OLD_HUMANOID, make_project

from ctrlgraph.cli.commands.check import _check, _collect
from ctrlgraph.errors import CtrlGraphError, SourceError, printable
from ctrlgraph.project.project import Project

ROOT = Path(__file__).resolve().parents[2]
COUNT = 20_000
LIMITS = Limits(memory=6 << 30)
LONGEST_S = 10.0
LONGEST_TEXT = 500_000
SECRET = "BEGINSCRIPT the-secret-of-another-directory"

_BOMB = "[" + ", ".join(["&z0 [x]"] + [f"&z{i} [{', '.join([f'*z{i - 1}'] * 12)}]" for i in range(1, 12)]) + "]"
NASTY = [
    "!!bool maybe", "!!timestamp abc", "!!int x", "!!float x", "!!binary x", "!!null x", "!!set {a, b}",
    "!!omap [a: 1]", "!!pairs [a: 1]", "!!python/object/apply:os.system [id]", "!!str", "!!map x", "!!seq x",
    "!nonsense x", "&s [*s]", "&s {a: *s}", "*nowhere", _BOMB, "{<<: {a: 1}}", "{<<: [{a: 1}, {a: 2}]}", "<<: 3",
    "9" * 401, "-" + "9" * 80, "0x" + "f" * 90, "1" + ":59" * 60, "9" * 5000, "1e308", "-1e308", "1e-320", "5e-324",
    "1e999", "99999999999999999999", "1000000000", "-1", "0", "-0.0", "1.0e300", ".nan", ".inf", "-.inf", "1e400",
    "0b1", "0o7", "1_0", "2001-02-30", "2001-02-28", "2001-02-28 12:00:00", "'-1e308:1e308:1'", "'0:1:1e-300'",
    "'0:10000:1'", "'-45:45:0.01'", "'1,1'", "'nan'", "'slope=1e-300'", "slope", "push", "true", "null", "~", "''",
    "' '", "'a b'", "[]", "{}", "[[]]", "[1, 2, 3]", "[0, 1]", "[1, 0]", "[.nan, 1]", "[-.inf, .inf]",
    "[3, 99999999999999999999]", "[true, false]", "{a: {b: {c: 1}}}", "[" * 60 + "]" * 60, "[" * 3000,
    "{a: " * 70 + "1" + "}" * 70, "- - - - - - - -", "x" * 2000, "[" + "1, " * 3000 + "1]", '"\\e[2J"', '"\\a"',
    '"\\u202e"', '"\\ud800"', '"\\U00110000"', '"\\uffff"', '"\\0"', '"\\x85"', '"a\\nb"', "\u0000", "\u001b[31m",
    "\u202e", "\ufeff", "\u2028", "é" * 60, "🏃", "'*'", "walk", "stand", "nobody", "walk -> stand", "a -> b",
    "'walk*3 -> run'", "'walk*99999999999999999999999 -> run'", "->", "../../../x/rise", "'..'", ".hidden", "a/b",
    "'a\\b'", "-x", "CON", "/etc/passwd", "/etc/hostname", "/dev/zero", "/dev/tty", "../secret.t", "../secret.yaml",
    "links/out.t", "links/out.yaml", "links", "links/loop.yaml", "pipe.yaml", ".", "'\\0'", "x" * 300 + ".yaml",
    "controllers/poses/stand.t", "graph.yaml", "learned/walk.yaml", "characters/humanoid.yaml", "flat",
    "'stairs=1:99999999:1:1'", "'heights=0:1e308'", "'box=1:1e-320:1'", "noise", "'mass.nobody'", "terrain", "random",
    "args:0", "'args:" + "9" * 5000 + "'", "'a.t:²:1'", "failed", "often", "learned", "corrective", "naive", "static",
    "lower",
]  # fmt: skip

PIECES = [
    "", "{", "}", "[", "]", ":", ": ", ",", "&a ", "*a", "!!", "#", "'", '"', "\t", "\n", "  ", "- ", "?", "|\n", "%",
    "<", ">", "&", "/", "=",
]  # fmt: skip

SAMPLES = {
    "graph": ["graph.yaml"],
    "character": ["characters/humanoid.yaml"],
    "learned": [f"old/learned/{name}.yaml" for name in ("walk", "walk-stand", "walk-walkover")],
    "gate": ["gate.yaml"],
    "scenario": sorted(f"scenarios/{path.name}" for path in (ROOT / "scenarios").glob("*.yaml")),
}


# --- the project, and what is opened ---

_opened: list[str] = []
_others: list[Path] = []


@cache
def project_directory() -> Path:
    """A copy of the shipped project with links that lead out of it, beside a secret; one for each process.

    In it, `old` is a project with learned files of every kind.
    """
    above = Path(tempfile.mkdtemp(prefix="ctrlgraph-fuzz-")).resolve()
    atexit.register(shutil.rmtree, above, ignore_errors=True)
    parts = ("controllers", "characters", "learned", "scenarios", "gate.yaml")
    directory = make_project(above / "project", shipped=parts)
    make_project(directory / "old", shipped=("controllers", "characters", "learned"), origin=OLD_HUMANOID)
    for name in ("secret.t", "secret.yaml"):
        (above / name).write_text(f"{SECRET}: [\n")
    (directory / "links").mkdir()
    for kind in ("t", "yaml"):
        (directory / "links" / f"out.{kind}").symlink_to(above / f"secret.{kind}")
    (directory / "links" / "loop.yaml").symlink_to("loop.yaml")
    sys.addaudithook(_watch)
    return directory


@cache
def original(name: str) -> str:
    origin = OLD_HUMANOID / name.removeprefix("old/") if name.startswith("old/") else ROOT / name
    return origin.read_text(encoding="utf-8")


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and isinstance(arguments[0], str | bytes | Path):
        _opened.append(str(arguments[0]))


def allow(directory: Path) -> None:
    """Let files in another directory be opened."""
    _others.append(directory)


@cache
def _allowed() -> tuple[Path, ...]:
    places = {ROOT, project_directory(), sys.prefix, sys.base_prefix, *sysconfig.get_paths().values()}
    return (*(Path(place).resolve() for place in places), *map(Path, ("/proc/cpuinfo", os.devnull)))


def opened_outside() -> str:
    """Return the first file outside the project and Python that was opened since the last call, or an empty text."""
    paths, _opened[:] = list(_opened), []
    for path in paths:
        resolved = Path(path).resolve()
        own = Path("/proc/self").resolve() / "maps"  # read for the version of the engine
        if resolved != own and not any(resolved.is_relative_to(place) for place in (*_allowed(), *_others)):
            return str(resolved)
    return ""


# --- mutation ---


Change = Callable[[str, random.Random], str]


def mutated(text: str, rng: random.Random, changes: Sequence[Change] | None = None) -> bytes:
    """Return a text with one to four changes, by default those of YAML, and sometimes with other bytes."""
    for _ in range(rng.choice([1, 1, 1, 2, 3, 4])):
        text = rng.choice(changes or CHANGES)(text, rng)[:3_000_000]
    data = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.1 and data:
        at = rng.randrange(len(data))
        data = data[:at] + rng.randbytes(rng.choice([1, 1, 4])) + data[at + rng.choice([0, 1, 9]) :]
    return data


def _places(text: str, *, keys: bool) -> list[tuple[int, int]]:
    """Return the begin and end of the values (or keys) of a text; none where it is not valid YAML."""
    try:
        stack = [yaml.compose(text, Loader=yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader)]
    except (yaml.YAMLError, ValueError, RecursionError):
        return []
    places, seen = [], set()
    while stack:
        node = stack.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if not keys:
            places.append((node.start_mark.index, node.end_mark.index))
        if isinstance(node, yaml.SequenceNode):
            stack += node.value
        elif isinstance(node, yaml.MappingNode):
            stack += [value for _, value in node.value]
            if keys:
                places += [(key.start_mark.index, key.end_mark.index) for key, _ in node.value]
    return sorted(places)


def _swapped(text: str, rng: random.Random, *, keys: bool = False) -> str:
    """Replace a value or a key by an odd value or by another one."""
    places = _places(text, keys=keys)
    if not places:
        return scrambled(text, rng)
    start, end = rng.choice(places)
    new = rng.choice([rng.choice(NASTY), text[slice(*rng.choice(places))] if keys else rng.choice(NASTY)])
    return text[:start] + new + ("\n" if "\n" in text[start:end] else "") + text[end:]


def _exchanged(text: str, rng: random.Random) -> str:
    """Change a digit, or copy a value from elsewhere in the file. Readers accept many of these files."""
    places = [place for place in _places(text, keys=False) if place[1] - place[0] < 40]
    if not places:
        return scrambled(text, rng)
    start, end = rng.choice(places)
    digits = [at for at in range(start, end) if text[at].isdigit()]
    if digits and rng.random() < 0.6:
        at = rng.choice(digits)
        return text[:at] + rng.choice("0123456789") + text[at + 1 :]
    return text[:start] + text[slice(*rng.choice(places))] + text[end:]


def _repeated_line(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True) or [""]
    at = rng.randrange(len(lines))
    return "".join([*lines[:at], *lines[at : at + 1] * rng.choice([2, 2, 3, 2000]), *lines[at + 1 :]])


def scrambled(text: str, rng: random.Random) -> str:
    """Replace a part of a text by a piece of syntax, by a copy of itself or by an odd value."""
    at, length = rng.randrange(len(text) + 1), rng.choice([0, 1, 1, 3, 40, 400])
    piece = rng.choice(PIECES)
    put = rng.choice([piece, piece * 50, text[at : at + length] * 2, rng.choice(NASTY)])
    return text[:at] + put + text[at + length :]


CHANGES = (_swapped, _swapped, _exchanged, _exchanged, partial(_swapped, keys=True), _repeated_line, scrambled)


# --- readers ---


@cache
def shipped() -> Project:
    """Return the unchanged project, read once."""
    return _read(project_directory())


@cache
def learned_project() -> Project:
    """Return the project with learned files, read once."""
    return _read(project_directory() / "old")


def _read(directory: Path) -> Project:
    project = Project(directory)
    for node in project.graph:
        project.controller(node)
    return project


def read_graph(path: Path) -> None:
    from ctrlgraph.graph.export import to_dot, to_graphml, to_json
    from ctrlgraph.graph.reader import load_graph, parse_graph

    graph = load_graph(path, shipped().library)
    assert ElementTree.fromstring(to_graphml(graph).encode()) is not None
    text = to_json(graph) + to_dot(graph)
    assert printable(text) == text, "an export contains control characters"
    data = yaml.safe_dump(graph.to_dict(), sort_keys=False)
    assert parse_graph(data).digest == graph.digest, "its data give another graph"
    assert graph.grounds and graph.shortest_paths(graph.start)
    project = Project(path.parent)
    project.__dict__.update(graph=graph, library=shipped().library, character=shipped().character)
    project.require_learned()


def read_character(path: Path) -> None:
    from ctrlgraph.character.yaml_reader import load_character

    character = load_character(path)
    assert character.mass > 0 and character.digest and character.chain.size


def read_learned(path: Path) -> None:
    from ctrlgraph.graph.model import ControllerGraph
    from ctrlgraph.learning.relearning import recorded_arguments
    from ctrlgraph.project.controllers import ControllerResolver
    from ctrlgraph.project.learned import load_learned
    from ctrlgraph.project.learned_checks import users_of
    from ctrlgraph.project.learned_summary import summaries

    load_learned(path)
    project, whole = learned_project(), learned_project().graph
    name = path.relative_to(project.directory).as_posix()
    users = [user for user, file in users_of(whole) if file == name]
    graph = ControllerGraph(
        character=whole.character,
        start=whole.start,
        nodes=[user if user in users else replace(user, adapted=None) for user in whole],
        edges=[user for user in whole.edges if user.parameters is None or user in users],
    )
    resolver = ControllerResolver(project.directory, graph, project.read_controller)
    (summary,) = summaries(graph, resolver, project.directory)
    assert str(summary.as_dict())
    if summary.findings:
        raise SourceError(summary.findings)
    if summary.kind == "edge":
        fresh = Project(project.directory)
        fresh.__dict__.update(graph=graph, resolver=resolver)
        recorded_arguments(fresh, summary)


def read_gate(path: Path) -> None:
    from ctrlgraph.robustness.gates.gate_file import load_gate

    gate = load_gate(path, shipped())
    assert sum(requirement.count for requirement in gate.requirements) > 0


def read_scenario(path: Path) -> None:
    from ctrlgraph.robustness.sweeps.scenario import load_scenario
    from ctrlgraph.robustness.sweeps.sweep import new_sweeps

    scenario = load_scenario(path)
    for sweep in new_sweeps(shipped(), scenario, seed=1):
        assert sweep.is_limit or sweep.size > 0


READERS: dict[str, Callable[[Path], None]] = {
    "graph": read_graph,
    "character": read_character,
    "learned": read_learned,
    "gate": read_gate,
    "scenario": read_scenario,
}


def checked_whole() -> None:
    """Check the whole project, as `ctrlgraph check` does."""
    directory = project_directory()
    errors = [finding for finding in _check(_collect([directory]), directory) if finding.severity == "error"]
    if errors:
        raise SourceError(errors)


# --- laws ---


def broken_law(error: CtrlGraphError, path: Path, text: str) -> str:
    """Return which law an error breaks, or an empty text."""
    said = str(error)
    if SECRET in said:
        return f"shows a line from outside the project:\n{said[:500]}"
    if len(said) > LONGEST_TEXT:
        return f"tells {len(said)} characters: {said[:300]}"
    if not isinstance(error, SourceError):
        return "" if said and "\n" not in said else f"no sentence: {said[:300]!r}"
    if not error.findings:
        return "an error without findings"
    lines = text.splitlines()
    for finding in error.findings:
        shown, span = finding.render(), finding.span
        if printable(shown) != shown:
            return f"renders control characters: {shown[:300]!r}"
        if span is not None and Path(finding.path).resolve() == path.resolve():
            line = lines[span.line - 1] if 1 <= span.line <= len(lines) else ""
            if not 1 <= span.line <= len(lines) + 1 or not 1 <= span.column <= len(line) + 2:
                return f"stands outside the text at {span}: {shown[:300]}"
    return ""


def attempt(seed: int, number: int) -> Verdict:
    """Try the case of this number; the kinds alternate."""
    return run(list(READERS)[number % len(READERS)], random.Random(f"{seed} {number}"))


def run(kind: str, rng: random.Random) -> Verdict:
    """Read a mutated file, or sometimes check the whole project with it."""
    directory = project_directory()
    shipped()
    learned_project()
    name = rng.choice(SAMPLES[kind])
    data, whole = mutated(original(name), rng), rng.random() < 0.004
    path = directory / name
    try:
        path.write_bytes(data)
        outcome, broken = judged(lambda: checked_whole() if whole else READERS[kind](path), path, text_of(data))
    finally:
        path.write_text(original(name), encoding="utf-8")
    return Verdict(f"{kind}: {outcome}", broken or None, data)


def text_of(data: bytes) -> str:
    """Return the text of a file as readers see it."""
    return data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


def judged(
    read: Callable[[], str | None], path: Path, text: str, longest_s: float = LONGEST_S
) -> tuple[str, str | None]:
    """Read a file; return "accepted", "refused" or "broken", and the broken law.

    Args:
        read: Function that reads the file and returns the broken law, if any.
        path: Path of the file.
        text: Its text.
        longest_s: Maximum CPU time, s.
    """
    opened_outside()
    outcome, began = "refused", time.process_time()
    try:
        broken = read()
        outcome = "accepted"
    except CtrlGraphError as error:
        broken = broken_law(error, path, text)
    except Exception:
        broken = traceback.format_exc(limit=-6)[-3000:]
    outside, took = opened_outside(), time.process_time() - began
    if outside:
        broken = broken or f"opened {outside}"
    if took > longest_s:
        broken = broken or f"took {took:.1f} s"
    return "broken" if broken else outcome, broken
