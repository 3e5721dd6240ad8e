"""Nothing that comes from a file, a log or an argument reaches the terminal as a control code."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from small_project import make_small

from ctrlgraph.cli import console
from ctrlgraph.cli.main import main
from ctrlgraph.errors import printable
from ctrlgraph.run_log.record import AttemptRecord, RunRecord
from ctrlgraph.run_log.run_log import RunLog
from tests.report.report_samples import attempt

# sets a title, rings, clears, colours (C1), turns the direction, returns, deletes; formulas and markup beside it
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u2066\r\x7f\x85\u2028$\\frac{$[/bold][red]</script>\"'"
IN_NAMES = "\x1b[2J\x07\x9b31m\u202e\r$\\frac{$[red]"

ROOT = Path(__file__).parents[2]


def assert_clean(text: str) -> None:
    assert printable(text) == text


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose log, scripts and file names hold what they should not."""
    directory = make_small(tmp_path_factory.mktemp("hostile") / "small")
    (directory / "controllers" / f"{IN_NAMES}.t").write_text(f"BEGINSCRIPT {EVIL}(void)\nENDSCRIPT\n", encoding="utf-8")
    (directory / "controllers" / "loose.t").write_text("BEGINSCRIPT loose(void) PHASE 0 ENDPHASE ENDSCRIPT\n")
    (directory / "learned").mkdir()
    (directory / "learned" / f"{IN_NAMES}.yaml").write_text(
        json.dumps({"node": EVIL, EVIL: EVIL, "search": {"command": EVIL}}), encoding="utf-8"
    )
    (directory / "scenarios").mkdir()
    (directory / "scenarios" / f"{IN_NAMES}.yaml").write_text(json.dumps({EVIL: EVIL}), encoding="utf-8")
    (directory / "gate.yaml").write_text(json.dumps({"nodes": {EVIL: {EVIL: EVIL}}}), encoding="utf-8")
    with RunLog.open(directory / "runs") as log:
        log.begin_run(run())
        for number, kind in enumerate(("naive", "corrective", EVIL)):
            log.add(evil_attempt(number, kind))
    return directory


def run() -> RunRecord:
    return RunRecord("1121-k7wq3", f"ctrlgraph {EVIL}", 1.0, 1, EVIL, {EVIL: EVIL}, {EVIL: EVIL, "world": EVIL})


def evil_attempt(number: int, kind: str) -> AttemptRecord:
    texts = ("condition", "reason", "script", "entry_digest", "exit_digest", "history_digest", "program_hash")
    evil = dict.fromkeys((*texts, "graph_hash", "edge_hash"), EVIL) | {"measures": {EVIL: 1.0}}
    return attempt("1121-k7wq3", number, EVIL, f"from {EVIL}", ok=False, edge_kind=kind, **evil)


COMMANDS = [
    ["graph"],
    ["graph", "--json"],
    ["export", "-o", f"{EVIL}.xml"],
    ["export", "-o", f"{EVIL}.dot"],
    ["graph", "--plot", f"{EVIL}.png"],
    ["check"],
    ["check", "--json"],
    ["check", EVIL],
    ["fmt", "--check"],
    ["fmt", "--check", "--json"],
    ["fmt", EVIL],
    ["log", "runs"],
    ["log", "runs", "--json"],
    ["log", "stats"],
    ["log", "stats", "--json"],
    ["log", "stats", EVIL],
    ["replay", "last"],
    ["replay", EVIL],
    ["learned"],
    ["learned", "--json"],
    ["learned", EVIL],
    ["goto", EVIL],
    ["run", EVIL],
    ["run", "stand", "--with", f"push={EVIL}"],
    ["run", "stand", "--filmstrip", f"{EVIL}.png"],
    ["run", f"controllers/{IN_NAMES}.t"],
    ["walk", "--with", f"terrain={EVIL}"],
    ["robustness", "sweep", EVIL],
    ["robustness", "sweep", "--scenario", EVIL],
    ["robustness", "sweep", "--scenario", IN_NAMES],
    ["robustness", "sweep", "stand", EVIL],
    ["robustness", "sweep", "--resume", EVIL],
    ["robustness", "basins", EVIL],
    ["learn", EVIL, EVIL],
    ["integrate", f"controllers/{IN_NAMES}.t", "--dry-run"],
    ["tune", EVIL],
    ["gate"],
    ["gate", EVIL],
    ["report", "-o", "report", EVIL],
    ["report", "-o", "report", "--compare", EVIL, EVIL],
    ["init", f"nowhere/{EVIL}"],
    ["doctor", EVIL],
    [EVIL],
    [f"--{EVIL}"],
    ["--project", EVIL, "graph"],
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=range(len(COMMANDS)))
@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
def test_no_command_prints_a_control_code(
    arguments: list[str],
    terminal: bool,
    hostile: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(hostile)
    if terminal:  # as rich sees it; without colours, whose codes are ours
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("TERM", "dumb")
        monkeypatch.setenv("NO_COLOR", "1")
        console.stdout.cache_clear()
        console.stderr.cache_clear()
    try:
        assert main(["-v", *arguments]) in (0, 1, 2)
    finally:
        console.stdout.cache_clear()
        console.stderr.cache_clear()
    said = capsys.readouterr()
    assert_clean(said.out)
    assert_clean(said.err)


def test_json_says_the_same_text_without_a_control_code(
    hostile: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(hostile)
    assert main(["log", "runs", "--json"]) == 0
    said = capsys.readouterr().out
    assert_clean(said)
    assert json.loads(said)[0]["command"] == f"ctrlgraph {EVIL}"


@pytest.mark.parametrize("value", ["\x7f", "\x85", "\u202e", "\ud800", "\x1b", "é", "\U0001f9cd"])
def test_json_is_the_same_once_parsed(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    console.print_json({"a": value})
    said = capsys.readouterr().out
    assert_clean(said)
    assert json.loads(said) == {"a": value}


def test_our_own_colours_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    assert console.Styled("a\x1b[2J", fg="red", bold=True).render() == "\x1b[31m\x1b[1ma\\x1b[2J\x1b[0m"


def test_a_table_is_escaped_before_it_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_table(("a\x1b", "b"), [("x\x1b[2J", "y"), ("[/red]", console.Styled("z\x9b", dim=True))])
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [
        "a\\x1b     b",
        "x\\x1b[2J  y",
        "[/red]    z\\x9b",
    ]


def test_a_name_with_markup_in_it_breaks_no_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    program = (
        "from ctrlgraph.cli import console\n"
        "with console.progress('[/x]\\x1b[2J walks') as (bar, task):\n"
        "    bar.refresh()\n"
    )
    environment = {"FORCE_COLOR": "1", "TERM": "xterm", "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0
    assert "[/x]\\x1" in done.stderr
    assert "\x1b[2J" not in done.stderr


def test_everything_printed_goes_through_one_door() -> None:
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
    if ruff is None:
        pytest.skip("ruff is not installed")
    program = "import sys\n\nimport click\nfrom rich.console import Console\n\n"
    program += 'click.echo("a")\nclick.secho("a")\nprint("a")\nsys.stdout.write("a")\nConsole()\nclick.style("a")\n'
    command = [ruff, "check", "--output-format", "concise", "--stdin-filename", "ctrlgraph/cli/graph.py", "-"]
    done = subprocess.run(command, input=program, capture_output=True, text=True, cwd=ROOT)
    found = [line.split(":")[1] for line in done.stdout.splitlines() if "TID251" in line or "T201" in line]
    assert found == ["4", "6", "7", "8", "9", "11"]
