"""No file of the current directory is taken for settings or code by the libraries that we use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from waiting import PATIENCE_S

LOOK = """
import ctrlgraph
import numba.core.config
import matplotlib
numba.core.config.reload_config()
print(repr(numba.core.config.CACHE_DIR), matplotlib.rcParams["figure.facecolor"])
"""

RUN_WORKERS = """
from ctrlgraph.parallel import IsolatedProcesses
if __name__ == "__main__":
    with IsolatedProcesses(1) as pool:
        print(pool.submit(abs, -3).result())
"""


def python(program: str, directory: Path) -> subprocess.CompletedProcess[str]:
    # a file outside, as a console script is one: its own directory comes first on the path, not the current one
    file = directory.parent / "program.py"
    file.write_text(program)
    return subprocess.run([sys.executable, file], cwd=directory, capture_output=True, text=True, timeout=PATIENCE_S)


def test_settings_of_numba_and_matplotlib_in_the_current_directory_are_ignored(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / ".numba_config.yaml").write_text(f"cache_dir: {project / 'cache'}\n")
    (project / "matplotlibrc").write_text("figure.facecolor: red\nbackend: module://evil\n")
    done = python(LOOK, project)
    assert (done.stdout, done.stderr) == ("'' white\n", "")


def test_workers_import_nothing_from_the_current_directory(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for name in ("signal", "socket", "selectors", "struct", "pickle", "numpy"):
        (project / f"{name}.py").write_text(f"open({str(project / 'ran')!r}, 'a').write(__name__)\n")
    done = python(RUN_WORKERS, project)
    assert (done.stdout, done.stderr) == ("3\n", "")
    assert not (project / "ran").exists()


@pytest.mark.slow
def test_a_directory_that_is_entered_after_the_import_names_no_cache_either(tmp_path: Path) -> None:
    (tmp_path / ".numba_config.yaml").write_text("cache_dir: ./cachedir\n")
    code = (
        "import ctrlgraph, os, sys; os.chdir(sys.argv[1]); ctrlgraph.Simulation; import numba; "
        "from numba.core import config; config.reload_config(); print(repr(config.CACHE_DIR))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert done.stdout == "''\n", done.stderr


@pytest.mark.slow
def test_nor_does_it_name_a_backend(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text("figure.dpi: 77\n")
    code = "import ctrlgraph, os, sys; os.chdir(sys.argv[1]); ctrlgraph.write_filmstrip; import matplotlib; "
    code += "print(matplotlib.rcParams['figure.dpi'])"
    done = subprocess.run([sys.executable, "-P", "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert done.stdout == "100.0\n", done.stderr
