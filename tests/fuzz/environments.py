"""Runs quick commands in odd environments: variables unset or nonsense, closed or full streams, other encodings, a tiny
terminal, a current directory that is gone, folders that cannot be written.

    python tests/fuzz/environments.py --count 500 --seed 1 --jobs 2

The laws: an exit code that docs/reference/commands.md names, no traceback, no fault in ctrlgraph itself, an end in
time, and no control code on a stream that is not a terminal.
"""

from __future__ import annotations

import json
import os
import pty
import random
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

if __name__ == "__main__":
    # As pytest has it, so that this directory's names hide no modules.
    sys.path[:1] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parents[1])]

from fuzz.harness import Limits, Verdict, main
from small_project import make_small

from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.errors import printable

ROOT = Path(__file__).resolve().parents[2]

EXIT_CODES = set(ExitCode) - {ExitCode.INTERNAL}
TIMEOUT_S = 180.0

COMMANDS = (
    ("graph",),
    ("graph", "--json"),
    ("export", "--mjcf"),
    ("export", "-o", "graph.dot", "-o", "graph.graphml"),
    ("check",),
    ("check", "--json"),
    ("fmt", "--check"),
    ("fmt", "--check", "--json"),
    ("doctor",),
    ("doctor", "--json"),
    ("log", "runs"),
    ("log", "stats", "--json"),
    ("learned",),
    ("--help",),
    ("walk", "--help"),
    ("--version",),
    ("nosuch",),
    ("run", "n\u00f6such\u202e"),
    ("init", "new"),
    ("-v", "goto", "nowhere"),
    ("graph", "--plot", "graph.png"),
    ("log", "runs"),
    ("record", "nosuch"),
    ("robustness", "--help"),
)

UNSETTABLE = ("HOME", "PATH", "LANG", "LC_ALL", "TERM", "TMPDIR", "USER", "LOGNAME", "SHELL")

NONSENSE = ("", "0", "-1", "\u00b2", "x" * 5000, "/nowhere/at/all", "/dev/null", "~", "\x1b[2J", "99999999999999999999")

NAMES = (
    "HOME", "COLUMNS", "LINES", "TERM", "LANG", "LC_ALL", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "MPLCONFIGDIR",
    "MATPLOTLIBRC", "NO_COLOR", "FORCE_COLOR", "COLORTERM", "TZ", "PATH",
)  # fmt: skip

CHOSEN = {  # values that mean something, and odd things
    "PYTHONIOENCODING": ("ascii", "latin-1", "utf-16", "ascii:strict", "cp1252:strict", "utf-8:surrogateescape"),
    "LC_ALL": ("C", "POSIX", "C.UTF-8", "xx_YY.nope"),
    "PYTHONUTF8": ("0", "1"),
    "PYTHONCOERCECLOCALE": ("0",),
    "TERM": ("dumb", "unknown", "xterm-256color", "linux"),
    "COLUMNS": ("1", "2", "19", "20", "100000"),
    "PYTHONSAFEPATH": ("1",),
    "PYTHONDONTWRITEBYTECODE": ("1",),
    "PYTHONWARNINGS": ("error::DeprecationWarning:ctrlgraph", "default"),
    "MPLBACKEND": ("agg", "nosuch"),
}

PROJECTS = ("{project}", "a\udcffb", "", ".", "/", "/dev/null", "{project}/graph.yaml", "x" * 300)

STREAMS = ("pipe", "pipe", "pipe", "closed", "full", "terminal", "nobody reads")


@dataclass
class Case:
    """One command in one environment."""

    arguments: tuple[str, ...]
    unset: tuple[str, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    stdin: str = "pipe"
    stdout: str = "pipe"
    stderr: str = "pipe"
    directory: str = "project"  # or: elsewhere, gone, unreadable, read-only
    project: str = ""  # of --project


@dataclass
class Finding:
    """A law that a case broke."""

    law: str
    case: Case
    exit_code: int | None
    said: str


def draw(rng: random.Random) -> Case:
    """Draw a case: a command and one to five oddities."""
    case = Case(rng.choice(COMMANDS))
    for _ in range(rng.randint(1, 5)):
        oddity = rng.randrange(6)
        if oddity == 0:
            case.unset += tuple(rng.sample(UNSETTABLE, rng.randint(1, len(UNSETTABLE))))
        elif oddity == 1:
            case.variables[rng.choice(NAMES)] = rng.choice(NONSENSE)
        elif oddity == 2:
            name = rng.choice(tuple(CHOSEN))
            case.variables[name] = rng.choice(CHOSEN[name])
        elif oddity == 3:
            setattr(case, rng.choice(("stdin", "stdout", "stderr")), rng.choice(STREAMS))
        elif oddity == 4:
            case.directory = rng.choice(("elsewhere", "gone", "unreadable", "read-only"))
        else:
            case.project = rng.choice(PROJECTS)
    return case


def run(case: Case) -> list[Finding]:
    """Run a case in a fresh copy of the project, and judge it."""
    with tempfile.TemporaryDirectory(prefix="environments-") as name:
        home = Path(name)
        project = make_small(home / "project")
        command = [sys.executable, "-m", "ctrlgraph"]
        if case.project:
            command += ["--project", case.project.replace("{project}", str(project))]
        command += case.arguments
        variables = {key: value for key, value in os.environ.items() if key not in case.unset}
        variables |= case.variables | {"PYTHONPATH": str(ROOT)}
        try:
            return _judge(case, *_execute(case, command, variables, project))
        finally:
            for path in (project, home):
                path.chmod(0o700)


def _execute(
    case: Case, command: list[str], variables: dict[str, str], project: Path
) -> tuple[int | None, bytes, bytes]:
    directory = _directory(case, project)
    opened: list[int] = []
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        ends = {
            "stdin": _stream(case.stdin, None, opened),
            "stdout": _stream(case.stdout, out.fileno(), opened),
            "stderr": _stream(case.stderr, err.fileno(), opened),
        }
        closed = [number for number, name in enumerate(ends) if getattr(case, name) == "closed"]

        def prepare() -> None:
            for number in closed:
                os.close(number)
            if case.directory == "gone":
                os.rmdir(directory)

        process = subprocess.Popen(
            command, env=variables, cwd=directory, preexec_fn=prepare, start_new_session=True, **ends
        )
        try:
            code: int | None = process.wait(TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            code = None
        for number in opened:
            os.close(number)
        out.seek(0)
        err.seek(0)
        return code, out.read(), err.read()


def _directory(case: Case, project: Path) -> Path:
    if case.directory == "project":
        return project
    if case.directory in ("unreadable", "read-only"):  # no more than a mode for root
        project.chmod(stat.S_IXUSR if case.directory == "unreadable" else stat.S_IXUSR | stat.S_IRUSR)
        return project
    other = project.parent / case.directory
    other.mkdir()
    return other


def _stream(kind: str, file: int | None, opened: list[int]) -> int | None:
    if kind == "full" and os.path.exists("/dev/full"):
        number = os.open("/dev/full", os.O_RDWR)
    elif kind == "terminal":
        ours, number = pty.openpty()
        opened.append(ours)
    elif kind == "nobody reads":
        ours, number = os.pipe()
        if file is None:
            ours, number = number, ours
        os.close(ours)
    else:
        return subprocess.DEVNULL if file is None else file
    opened.append(number)
    return number


def _judge(case: Case, code: int | None, out: bytes, err: bytes) -> list[Finding]:
    encoding = case.variables.get("PYTHONIOENCODING", "utf-8").partition(":")[0]
    shown = err.decode(encoding, "replace") + out.decode(encoding, "replace")
    laws: dict[str, Callable[[], bool]] = {
        "ends in time": lambda: code is not None,
        "has an exit code that is documented": lambda: code is None or code in EXIT_CODES,
        "shows no traceback": lambda: "Traceback" not in shown or "-v" in case.arguments,
        "is no fault in ctrlgraph itself": lambda: "fault in ctrlgraph itself" not in shown,
        "leaves no exception to the interpreter": lambda: "Exception ignored" not in shown,
        "prints no control code into a pipe": lambda: (
            "FORCE_COLOR" in case.variables or printable(shown.replace("\ufeff", "")) == shown.replace("\ufeff", "")
        ),
    }
    return [Finding(law, case, code, shown[-2000:]) for law, holds in laws.items() if not holds()]


def attempt(seed: int, number: int) -> Verdict:
    """Run the case of this number."""
    case = draw(random.Random(f"{seed}/{number}"))
    found = run(case)
    said = json.dumps([asdict(finding) for finding in found], indent=2)
    laws = "; ".join(finding.law for finding in found)
    return Verdict(f"not: {laws}" if found else "the laws hold", said if found else None, said.encode())


if __name__ == "__main__":
    sys.exit(main("environments", attempt, limits=Limits(waiting_s=2 * TIMEOUT_S)))
