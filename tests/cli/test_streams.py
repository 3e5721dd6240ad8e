"""Standard streams as they may be: closed, full, of another encoding; and environments without this or that."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sampling import slow
from small_project import make_small
from waiting import PATIENCE_S

ROOT = Path(__file__).parents[2]


def ctrlgraph(
    project: Path, command: str, *, unset: tuple[str, ...] = (), **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run through a shell, so that `>&-` can stand in the command."""
    variables = {name: value for name, value in os.environ.items() if name not in unset}
    variables |= {"PYTHONPATH": str(ROOT), "P": f"{sys.executable} -m ctrlgraph"} | environment
    return subprocess.run(["sh", "-c", command], cwd=project, env=variables, capture_output=True, timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = make_small(tmp_path_factory.mktemp("streams") / "small")
    graph = directory / "graph.yaml"
    graph.write_text(graph.read_text().replace("kind: static,", "description: Träger → 人, kind: static,"), "utf-8")
    return directory


@pytest.mark.parametrize("closed", [">&- 2>&- <&-", *slow(">&-", "2>&-", "<&-")])
def test_a_closed_stream_counts_as_one_that_leads_to_nothing(closed: str, project: Path) -> None:
    done = ctrlgraph(project, f"$P graph {closed}")
    assert (done.returncode, done.stderr) == (0, b"")


def test_with_stdout_closed_nothing_is_printed_into_a_file_that_gets_its_number(project: Path) -> None:
    done = ctrlgraph(project, "$P export -o out.dot --json >&-")
    assert (done.returncode, done.stderr) == (0, b"")
    assert (project / "out.dot").read_text(encoding="utf-8").startswith("digraph controllers {\n")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_behind_stdout_is_an_error_and_behind_stderr_none(project: Path) -> None:
    done = ctrlgraph(project, "$P graph > /dev/full")
    assert (done.returncode, done.stderr) == (1, b"error: no space left on device\n")
    done = ctrlgraph(project, "$P nosuch 2> /dev/full")
    assert (done.returncode, done.stderr) == (2, b"")


@pytest.mark.slow
def test_what_an_encoding_lacks_is_written_out(project: Path) -> None:
    done = ctrlgraph(project, "$P graph", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"Tr\\xe4ger \\u2192 \\u4eba" in done.stdout
    done = ctrlgraph(project, "$P graph --json", PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout)["nodes"][0]["description"] == "Träger → 人"


@pytest.mark.slow
def test_the_c_locale_shows_everything_too(project: Path) -> None:
    done = ctrlgraph(project, "$P graph", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Tr\\xe4ger" in done.stdout


@pytest.fixture(scope="module")
def without_a_width(project: Path) -> bytes:
    """What is printed where no width is given."""
    return ctrlgraph(project, "$P graph", unset=("COLUMNS",)).stdout


@pytest.mark.slow
@pytest.mark.parametrize("columns", ["x", "0", "-1", "²", "9" * 30])
def test_a_width_that_is_none_counts_as_not_given(columns: str, project: Path, without_a_width: bytes) -> None:
    assert ctrlgraph(project, "$P graph", COLUMNS=columns).stdout == without_a_width


@pytest.mark.slow
def test_without_a_home_and_without_anything_else(project: Path) -> None:
    names = tuple(name for name in os.environ if name != "PATH")
    done = ctrlgraph(project, "$P check && $P doctor > doctor.txt", unset=names, TERM="dumb", TMPDIR="/nowhere")
    assert (done.returncode, done.stderr) == (0, b"")
    done = ctrlgraph(project, "$P run nosuch", unset=names)
    assert done.stderr == b"error: 'nosuch' is neither a node of the graph nor a script\n"


@pytest.mark.slow
def test_a_backend_for_windows_that_there_is_not_is_not_needed_for_pictures(project: Path) -> None:
    done = ctrlgraph(project, "$P graph --plot graph.png", MPLBACKEND="nosuch")
    assert (done.returncode, done.stderr) == (0, b"graph.png\n")


def test_a_current_directory_that_is_gone_is_named(project: Path, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    done = ctrlgraph(project, f"cd {tmp_path}/gone && rmdir ../gone && $P graph")
    assert done.returncode == 1
    assert done.stderr == b"error: the current directory no longer exists; change to another one\n"
    (tmp_path / "gone").mkdir()
    assert ctrlgraph(project, f"cd {tmp_path}/gone && rmdir ../gone && $P --project {project} graph").returncode == 0


@pytest.mark.slow
def test_a_path_that_is_no_text_is_shown_written_out(project: Path) -> None:
    done = ctrlgraph(project, "$P --project \"$(printf 'a\\377b')\" graph")
    assert done.returncode in (1, 2)
    assert b"\\udcff" in done.stderr


def test_a_module_runs_without_the_modules_of_the_current_directory(project: Path) -> None:
    (project / "click.py").write_text("raise SystemExit(99)\n")
    try:
        assert ctrlgraph(project, "$P graph").returncode == 0
    finally:
        (project / "click.py").unlink()
