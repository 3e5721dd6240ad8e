"""`ctrlgraph doctor`: a sick installation is described, never a traceback."""

from __future__ import annotations

import importlib.metadata
import json
import sys
from pathlib import Path

import pytest

import ctrlgraph.engine.ode
from ctrlgraph import doctor
from ctrlgraph.cli.main import main
from ctrlgraph.doctor import Check, examine, healthy, pinned_versions
from ctrlgraph.engine.engine import ENGINES
from ctrlgraph.engine.ode import library as ode
from ctrlgraph.errors import EngineError


def check(name: str) -> Check:
    return next(check for check in examine() if check.name == name)


def test_this_installation_is_healthy(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    assert "libode" in capsys.readouterr().out


def test_json_holds_every_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["healthy"] is True
    assert [entry["name"] for entry in said["checks"]] == [
        "Python",
        "ctrlgraph",
        *doctor.required_packages(),
        "libode",
        "engine mujoco",
        "compiled code",
        "scikit-learn (basins)",
        "distributed (cluster)",
        "daqp (footsteps)",
        "gymnasium (gym)",
        "jinja2 (report)",
        "rerun-sdk (rerun)",
        "pyarrow (trace)",
        "imageio-ffmpeg (video)",
        "starlette (web)",
        "uvicorn (web)",
        "watchfiles (web)",
        "websockets (web)",
    ]


def test_a_missing_engine_is_a_need_and_comes_with_advice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ode, "load", ode.load.__wrapped__)
    monkeypatch.setattr(ode, "find_library", lambda: None)
    assert check("libode") == Check(
        "libode", "missing", "the ODE physics library (libode) is not installed", ode.INSTALL_HINT
    )
    assert main(["doctor", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["healthy"] is False


def test_an_engine_of_single_precision_does_not_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def load() -> None:
        raise EngineError("the ODE library libode.so.8 is of single precision; ctrlgraph needs the double one")

    monkeypatch.setattr(ode, "load", load)
    found = check("libode")
    assert found.state == "missing"
    assert found.found == "the ODE library libode.so.8 is of single precision; ctrlgraph needs the double one"
    assert found.advice == ode.INSTALL_HINT


def test_without_the_compiler_the_engine_cannot_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ctrlgraph.engine.ode.library")
    monkeypatch.delattr(ctrlgraph.engine.ode, "library")
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    found = check("libode")
    assert (found.state, found.advice) == ("missing", "install the missing packages first")


def test_a_missing_package_names_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.metadata.version

    def version(name: str) -> str:
        if name == "lark":
            raise importlib.metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(doctor.importlib.metadata, "version", version)
    assert check("lark") == Check("lark", "missing", "not installed", "python -m pip install lark")
    assert not healthy(examine())


def test_another_version_than_the_tested_one_works_but_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.importlib.metadata, "version", lambda name: "0.0.1")
    assert check("rich") == Check("rich", "differs", "0.0.1", f"the tests passed with {pinned_versions()['rich']}")
    assert healthy(examine())


def test_a_cache_that_cannot_be_written_is_no_need_but_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(occupied / "cache"))
    monkeypatch.setattr(doctor, "_writable", lambda folder: False)
    found = check("compiled code")
    assert found.state == "absent"
    assert found.advice.startswith("set NUMBA_CACHE_DIR")
    assert healthy(examine())


def test_an_extra_that_is_not_installed_is_absent_and_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check("jinja2 (report)").state in ("ok", "differs")
    monkeypatch.setitem(sys.modules, "jinja2", None)
    advice = "only a report needs it: python -m pip install 'ctrlgraph[report]'"
    assert check("jinja2 (report)") == Check("jinja2 (report)", "absent", "not installed", advice)
    assert healthy(examine())


def test_without_a_home_doctor_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # no HOME, and no entry of a user
    monkeypatch.setattr(doctor, "_writable", lambda folder: folder == Path("~/.cache/numba"))
    assert check("compiled code").state == "absent"


def test_everything_that_is_needed_has_a_tested_version() -> None:
    tested = pinned_versions()
    assert [name for name in doctor.required_packages() if doctor._normalised(name) not in tested] == []


def test_an_engine_that_is_installed_is_told_with_its_version() -> None:
    assert check("engine mujoco") == Check("engine mujoco", "ok", importlib.metadata.version("mujoco-core"))


def test_an_engine_that_is_not_installed_is_no_need_and_says_how_to_get_it(without_mujoco: None) -> None:
    found = "cannot be used: the engine 'mujoco' needs the package mujoco-core: pip install mujoco-core"
    assert check("engine mujoco") == Check("engine mujoco", "absent", found, "only --engine mujoco needs it")
    assert healthy(examine())


def test_an_engine_of_another_package_that_is_broken_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = importlib.metadata.EntryPoint("falling", "nowhere:ENGINE", ENGINES.group)
    monkeypatch.setitem(ENGINES.__dict__, "_foreign", {"falling": entry})
    assert check("engine falling") == Check(
        "engine falling",
        "absent",
        "cannot be used: the engine 'falling' cannot be loaded from nowhere:ENGINE, so correct or uninstall"
        " its package: ModuleNotFoundError: No module named 'nowhere'",
        "only --engine falling needs it",
    )
    assert healthy(examine())
