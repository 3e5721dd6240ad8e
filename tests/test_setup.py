"""The set-up script: what it installs, and what it says where it cannot. Nothing real is installed here."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "setup.sh"
TOOLS = ("cat", "chmod", "dirname", "env", "id", "mkdir", "sh", "touch")

# A Python that is new enough, has a venv module, and finds ODE once the file `ode` exists.
PYTHON = """#!/bin/sh
case "$*" in
  *find_library*) test -e ode ;;
  *"-m venv"*) mkdir -p "$4/bin" && cat "$0" > "$4/bin/python" && chmod +x "$4/bin/python" ;;
  *"pip install"*) echo "$*" > installed ;;
  *--version*) echo "Python 3.11.7" ;;
  *ensurepip*) test ! -e no-venv ;;
  *version_info*) echo 3.11 ;;
esac
"""


class Machine:
    """A checkout and the only programs that the script can see."""

    def __init__(self, root: Path) -> None:
        self.checkout, self.programs = root / "checkout", root / "bin"
        (self.checkout / "scripts").mkdir(parents=True)
        self.programs.mkdir()
        shutil.copy(SCRIPT, self.checkout / "scripts")
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (self.programs / tool).symlink_to(found)

    def program(self, name: str, text: str | None) -> None:
        """Write a program, or remove it."""
        path = self.programs / name
        path.unlink(missing_ok=True)
        if text is not None:
            path.write_text(text)
            path.chmod(0o755)

    def set_up(self, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.programs / "sh"), "scripts/setup.sh"],
            cwd=self.checkout,
            env={"PATH": str(self.programs)} | environment,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.program("python3", PYTHON)
    machine.program("id", "#!/bin/sh\necho 0\n")
    return machine


def test_a_machine_that_has_everything_gets_an_environment_with_the_tested_versions(machine: Machine) -> None:
    (machine.checkout / "ode").touch()
    result = machine.set_up()
    assert result.returncode == 0
    assert result.stderr == (
        "Making a virtual environment in .venv (Python 3.11.7)\n"
        "Installing ctrlgraph and what it needs into .venv (the first time takes a minute or two)\n"
        "Ready: .venv/bin/ctrlgraph. To use it in this shell: . .venv/bin/activate\n"
    )
    installed = (machine.checkout / "installed").read_text()
    extras = "basins,cluster,dev,docs,gym,report,trace,video,web"
    assert f"--editable .[{extras}] --constraint constraints.txt" in installed


def test_make_walk_installs_less_than_make_test(machine: Machine) -> None:
    (machine.checkout / "ode").touch()
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(SCRIPT.parents[1] / name, machine.checkout)
    make = shutil.which("make")
    if make is None:
        pytest.skip("there is no make")
    asked = {}
    for stamp in (".venv/.ctrlgraph-ready", ".venv/.ctrlgraph-tools"):
        environment = {"PATH": str(machine.programs)}
        subprocess.run([make, stamp], cwd=machine.checkout, env=environment, capture_output=True, check=True)
        asked[stamp] = (machine.checkout / "installed").read_text()
    assert "--editable .[report,web] " in asked[".venv/.ctrlgraph-ready"]
    assert ",dev,docs," in asked[".venv/.ctrlgraph-tools"]


def test_a_missing_engine_is_installed_after_fetching_the_package_lists_where_that_is_needed(machine: Machine) -> None:
    machine.program(
        "apt-get",
        '#!/bin/sh\ncase "$*" in\n  *update*) touch updated ;;\n  *install*) test -e updated && touch ode ;;\nesac\n',
    )
    result = machine.set_up()
    assert result.returncode == 0
    install = "  env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libode8\n"
    assert result.stderr.startswith(
        "The ODE physics library (libode) is missing; installing it:\n" + install + "  apt-get update -qq\n" + install
    )


OLD = '#!/bin/sh\ntest "$1" = --version && echo Python 3.9.2\n'
MISSING = "The ODE physics library (libode) is missing; installing it:\n"
NEEDED = "error: ctrlgraph needs Python 3.11 or newer, and "


@pytest.mark.parametrize(
    ("programs", "environment", "said"),
    [
        (
            {"id": "#!/bin/sh\necho 1000\n", "dnf": "#!/bin/sh\ntouch ode\n"},
            {},
            MISSING + "error: this needs root and there is no sudo; as root, run: dnf install -y -q ode",
        ),
        (
            {},
            {},
            MISSING + "error: no apt-get, dnf or brew here:"
            " install the ODE library 0.16 (libode, double precision) and run this again",
        ),
        ({}, {"PYTHON": "python9"}, "error: PYTHON=python9 is not a program"),
        (
            {"python3": OLD},
            {"PYTHON": "python3"},
            "error: PYTHON=python3 is Python 3.9.2, but ctrlgraph needs Python 3.11 or newer",
        ),
        (
            {"python3": OLD},
            {},
            NEEDED + "python3 is Python 3.9.2; install one and name it, for example: make walk PYTHON=python3.12",
        ),
        (
            {"python3": None},
            {},
            NEEDED + "there is no python3; install it (Debian and Ubuntu: apt-get install python3 python3-venv)",
        ),
    ],
)
def test_what_is_missing_is_told_in_a_sentence(
    machine: Machine, programs: dict[str, str | None], environment: dict[str, str], said: str
) -> None:
    for name, text in programs.items():
        machine.program(name, text)
    result = machine.set_up(**environment)
    assert (result.returncode, result.stderr) == (1, said + "\n")
