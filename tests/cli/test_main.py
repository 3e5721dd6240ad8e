"""The command group: quick help, errors as one sentence, exit codes."""

from __future__ import annotations

import errno
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from small_project import make_small
from waiting import PATIENCE_S

from ctrlgraph.cli import main as main_module
from ctrlgraph.cli.main import COMMANDS, GROUPS, SUBCOMMANDS, TOP_LEVEL, load_command, main
from ctrlgraph.errors import CtrlGraphError, Finding, SourceError, Span

HEAVY = ("numpy", "numba", "matplotlib", "lark", "pydantic", "networkx", "rich", "yaml", "odepy", "PIL", "sqlite3")


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Makes `ctrlgraph walk` raise an error."""

    def install(error: BaseException) -> None:
        @click.command()
        def command() -> None:
            raise error

        monkeypatch.setattr(main_module.importlib, "import_module", lambda name: SimpleNamespace(command=command))

    return install


def test_help_imports_nothing_heavy() -> None:
    code = f"""
import sys
from ctrlgraph.cli.main import load_command, main
assert main(["--help"]) == 0
print(sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stderr == "[]\n"


READING = {"numpy", "yaml", "pydantic"}
"""What every command that reads a project's graph or character needs."""
HEAVY_PARTS = (*HEAVY, "llvmlite", "scipy.linalg", "scipy.interpolate", "sklearn", "mujoco", "jinja2")
MAY_IMPORT = {
    "check controllers/spring.t": {*READING, "lark"},
    "check nowhere.t": {"yaml"},
    "log stats": {*READING, "rich", "sqlite3"},
    "measures": {*READING, "rich"},
    "graph": {*READING, "rich", "sqlite3"},
    "run nowhere.t": {*READING, "rich"},
    "run spring": {*READING, "rich", "lark", "numba", "llvmlite", "odepy", "sqlite3"},
}


@pytest.mark.parametrize("words", MAY_IMPORT)
def test_a_command_imports_no_more_than_it_needs(words: str, tmp_path: Path) -> None:
    project = make_small(tmp_path / "small")
    code = f"""
import sys
from ctrlgraph.cli.main import load_command, main
main({words.split()!r})
print(*sorted(set({HEAVY_PARTS!r}) & set(sys.modules)), file=sys.stderr)
"""
    for _ in range(2):  # what the first one may have to compile, the second loads
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=project, check=True)
    imported = set(result.stderr.splitlines()[-1].split())
    assert imported <= MAY_IMPORT[words]


def test_an_interrupt_while_the_command_line_is_loaded_is_no_traceback() -> None:
    code = """
import sys
class Impatient:
    def find_spec(self, name, *_):
        if name == "click":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Impatient())
from ctrlgraph.cli.entry import main
sys.exit(main())
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "interrupted\n")


BUSY = """
import hashlib, signal, sys, types
fake = sys.modules["ctrlgraph.cli.main"] = types.ModuleType("main")
def run():
    print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN, flush=True)
    hashlib.pbkdf2_hmac("sha256", b"", b"", int(sys.argv[1]))  # one call of compiled code
    return 0
fake.main = run
from ctrlgraph.cli.entry import main
sys.exit(main())
"""


def test_ctrl_c_does_not_wait_for_compiled_code() -> None:
    command = [sys.executable, "-c", BUSY, str(2**31 - 1)]  # would take several minutes
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "False\n"
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
    assert (process.returncode, err) == (130, "interrupted\n")


OWN_HANDLER = """
import signal, sys, time, types
fake = sys.modules["ctrlgraph.cli.main"] = types.ModuleType("main")
def run():
    stopped = []
    signal.signal(signal.SIGINT, lambda *_: stopped.append(True))  # as uvicorn does
    signal.raise_signal(signal.SIGINT)
    time.sleep(3 * entry.HANDLED_S)  # an orderly end that takes long
    print(stopped, flush=True)
    return 0
fake.main = run
from ctrlgraph.cli import entry
sys.exit(entry.main())
"""


def test_ctrl_c_leaves_a_server_the_time_for_an_orderly_end() -> None:
    done = subprocess.run([sys.executable, "-c", OWN_HANDLER], capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[True]\n", "")


def test_ctrl_c_stays_ignored_where_the_shell_ignores_it() -> None:
    with subprocess.Popen(
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable, "-c", BUSY, "1"], stdout=subprocess.PIPE, text=True
    ) as process:
        out, _ = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out) == (0, "True\n")


def test_help_lists_every_command_and_the_documentation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    names = [line.split()[0] for line in lines if re.match(r"  [a-z]", line)]
    assert names == [*TOP_LEVEL] and len(names) == 25
    assert [line.removesuffix(":") for line in lines if line.removesuffix(":") in GROUPS] == [*GROUPS]
    (page,) = (line.split()[1] for line in lines if line.startswith("Documentation: "))
    assert Path(page).is_file()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_has_a_module_and_help(name: str) -> None:
    command = load_command(name)
    assert isinstance(command, click.Command)
    assert command.help
    undocumented = [p.name for p in command.params if isinstance(p, click.Option) and not p.help]
    assert undocumented == []


def test_every_number_of_processes_has_an_upper_bound() -> None:
    found = {}
    for name in COMMANDS:
        command = load_command(name)
        found |= {f"{name} {p.name}": p.type for p in command.params if p.name == "jobs"}
    assert {name for name, kind in found.items() if kind.max != 256} == set()
    assert len(found) == 8


@pytest.mark.parametrize("option, most", [("walks", 10**6), ("transitions", 10**7), ("jobs", 256)])
def test_no_walk_is_asked_for_that_would_never_end(option: str, most: int, capsys: pytest.CaptureFixture[str]) -> None:
    for number in (most + 1, 10**30):
        assert main(["walk", f"--{option}", str(number)]) == 2
        said = f"Invalid value for '--{option}': {number} is not in the range 1<=x<={most}."
        assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["wlak"], "'wlak'; did you mean 'walk'?"),
        (["xyzzy"], "'xyzzy'; `ctrlgraph --help` lists the commands"),
        (["keyframes", "x"], "'keyframes'; use `ctrlgraph record keyframes`"),
        (["robustness", "limits", "walk"], "'limits'; did you mean 'limit'?"),
    ],
)
def test_an_unknown_command_is_answered_with_what_there_is(words, answer, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    usage, advice, _, error = capsys.readouterr().err.splitlines()
    assert usage.startswith("Usage: ctrlgraph ") and advice.startswith("Try 'ctrlgraph ")
    assert error == f"Error: there is no command {answer}"


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_a_group_lists_its_commands(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {command} " in out for command in SUBCOMMANDS[name])


@pytest.mark.parametrize(("words", "command"), [(["gate"], "check"), (["report", "-o", "x"], "run")])
def test_a_group_without_a_command_runs_its_default(words: list[str], command: str, capsys, tmp_path: Path) -> None:
    assert main(["--project", str(tmp_path / "nowhere"), *words]) == 1
    assert "Error" not in capsys.readouterr().err
    assert main([*words, "--nosuch"]) == 2
    assert f"ctrlgraph {words[0]} {command} [OPTIONS]" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_an_example_that_names_it(name: str) -> None:
    group, _, sub = name.partition(" ")
    shown = (load_command(name).help or "").partition("Example")[2]
    assert f"ctrlgraph {name}" in shown or (sub and f"ctrlgraph {group}" in shown)


def test_an_error_of_ours_is_one_sentence_and_exit_code_1(
    failing: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str]
) -> None:
    failing(CtrlGraphError("the graph has no node 'wlak'"))
    assert main(["walk"]) == 1
    assert capsys.readouterr().err == "error: the graph has no node 'wlak'\n"


def test_findings_are_shown_each_with_its_place(
    failing: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str]
) -> None:
    span = Span(3, 8, 3, 13)
    found = Finding(
        "error", "unknown-joint", "unknown joint 'rKnei'", "a.t", span, "  POSE rKnei(2);", "did you mean 'rKnee'?"
    )
    failing(SourceError([found, Finding("warning", "unused", "unused parameter 'b'", "a.t", Span(1, 1, 1, 2))]))
    assert main(["walk"]) == 1
    assert capsys.readouterr().err == (
        "a.t:3:8: error: unknown joint 'rKnei'\n"
        "      POSE rKnei(2);\n"
        "           ^^^^^\n"
        "    did you mean 'rKnee'?\n"
        "a.t:1:1: warning: unused parameter 'b'\n"
    )


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (PermissionError(errno.EACCES, "Permission denied", "runs/x"), "error: cannot use runs/x: permission denied\n"),
        (OSError(errno.ENOSPC, "No space left on device"), "error: no space left on device\n"),
    ],
)
def test_an_error_of_the_system_is_one_sentence(
    failing: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str], error: OSError, sentence: str
) -> None:
    failing(error)
    assert main(["walk"]) == 1
    assert capsys.readouterr().err == sentence


def test_an_interrupt_ends_with_130_and_no_traceback(
    failing: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str]
) -> None:
    failing(KeyboardInterrupt())
    assert main(["walk"]) == 130
    assert capsys.readouterr().err.strip() == "interrupted"


def test_a_fault_of_ours_says_so_and_shows_the_traceback_only_when_asked(
    failing: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str]
) -> None:
    failing(KeyError("x"))
    sentence = (
        "error: a fault in ctrlgraph itself (KeyError: 'x'); please report it with the output of `ctrlgraph -v`\n"
    )
    assert main(["walk"]) == 70
    assert capsys.readouterr().err == sentence
    assert main(["-v", "walk"]) == 70
    shown = capsys.readouterr().err
    assert shown.startswith("Traceback (most recent call last):\n")
    assert shown.endswith(sentence)


@pytest.mark.parametrize("command", ["doctor", "measures"])
def test_a_reader_that_goes_away_is_no_error(command: str) -> None:
    code = f"import sys; from ctrlgraph.cli.main import main; sys.exit(main(['{command}']))"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 141
    assert errors == b""


def test_the_module_runs_as_the_command() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "ctrlgraph", "--version"], capture_output=True, text=True, check=True
    )
    assert result.stdout == "ctrlgraph, version 0.1.0\n"


@pytest.mark.parametrize("imported", [{}, {"multiprocessing": None}, {"multiprocessing.process": None}])
def test_an_interruption_ends_the_process_whatever_part_of_multiprocessing_is_imported(imported) -> None:
    code = f"""
import sys
for name in [name for name in sys.modules if name.startswith("multiprocessing")]:
    del sys.modules[name]
sys.modules.update({imported})
from ctrlgraph.cli.entry import leave
leave(130)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stderr) == (130, "")
