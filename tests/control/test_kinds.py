"""Kinds of controllers and engines of installed packages are found by entry points."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from ctrlgraph.cli.main import cli
from ctrlgraph.control.controller import ControllerKind
from ctrlgraph.control.kinds import CONTROLLER_KINDS, has_mirror
from ctrlgraph.engine.engine import ENGINES
from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.graph.schema import node_kinds
from ctrlgraph.registry import Registry
from ctrlgraph.simulation.simulation import Simulation

TOYS = Path(__file__).resolve().parents[1] / "toys"


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toys installed: their folder is on the path, with what `pip` would have written beside them."""
    for registry in (CONTROLLER_KINDS, ENGINES):
        monkeypatch.setattr(registry, "_loaded", dict(registry._loaded))
        registry.__dict__.pop("_foreign", None)
    monkeypatch.syspath_prepend(str(TOYS))
    yield
    for registry in (CONTROLLER_KINDS, ENGINES):
        registry.__dict__.pop("_foreign", None)


@pytest.mark.slow
def test_an_engine_of_an_installed_package_steps_the_same_controllers(toys, humanoid, handmade) -> None:
    with Simulation(humanoid, engine="falling") as simulation:
        simulation.reset(height=100.0)
        height, state = simulation._kin.com[1], simulation.snapshot()
        outcome = simulation.run(handmade.program(), timeout=0.5)
        assert outcome.simulated_s == pytest.approx(0.5)
        n, dt = 250, simulation.settings.dt
        # semi-implicit Euler: the sum of the speeds after each step
        assert simulation._kin.com[1] == pytest.approx(height - 9.81 * dt**2 * n * (n + 1) / 2, abs=1e-9)
        digest = simulation.history_digest()
        simulation.restore(state)
        simulation.run(handmade.program(), timeout=0.5)
        assert simulation.history_digest() == digest


def add_limp(small) -> None:
    """Add the node `rest` of the kind `limp` to the graph, after and before the stand."""
    (small.directory / "controllers" / "rest.limp").write_text("0.3")
    node = "  rest: {limp: controllers/rest.limp, timeout: 2}\n"
    edges = "edges:\n  - {from: stand, to: rest}\n  - {from: rest, to: stand}\n"
    small.graph_path.write_text(small.graph_path.read_text().replace("edges:\n", node + edges))


def test_a_kind_of_an_installed_package_is_run_by_a_node_of_the_graph(toys, small) -> None:
    add_limp(small)
    node = small.graph.node("rest")
    assert (node.controller, node.file) == ("limp", "controllers/rest.limp")
    with Simulation(small.character) as simulation:
        simulation.run(small.controller("stand"), timeout=4)
        standing = simulation._kin.com[1]
        outcome = simulation.run(small.controller(node), timeout=node.timeout)
        assert outcome.status == "completed" and outcome.simulated_s == pytest.approx(0.3)
        assert outcome.energy_j == 0.0 and simulation._kin.com[1] < standing


def test_a_script_that_follows_another_kind_holds_the_joints_where_they_are(toys, small) -> None:
    (small.directory / "rest.limp").write_text("0.2")
    limp = small.read_controller("limp", small.directory / "rest.limp")
    nothing = small.directory / "controllers" / "nothing.t"
    nothing.write_text("BEGINSCRIPT nothing(void)\nPHASE 0\nTRANSITION to(-1).after(time 0.1);\nENDPHASE\nENDSCRIPT\n")
    with Simulation(small.character) as simulation:
        simulation.run(small.controller("stand"), timeout=4)
        simulation.run(limp, timeout=1)
        there = simulation._kin.joint[:, 0].copy()
        simulation.run(small.compile(nothing), timeout=1)
        held = simulation.snapshot().hold_targets
        np.testing.assert_array_equal(held.angle, there)


def test_a_kind_for_other_characters_is_a_finding_at_its_node(toys, small, monkeypatch) -> None:
    monkeypatch.setattr(CONTROLLER_KINDS["limp"], "morphologies", ("spatial",), raising=False)
    add_limp(small)
    result = CliRunner().invoke(cli, ["--project", str(small.directory), "check"])
    sentence = "error: controllers of the kind 'limp' drive spatial characters, but the character humanoid is planar"
    assert f"graph.yaml:11:16: {sentence}" in result.output
    assert "1 error, 0 warnings" in result.output


def test_without_the_package_the_unknown_field_is_reported(small) -> None:
    text = small.graph_path.read_text()
    small.graph_path.write_text(text.replace("edges:\n", "  rest: {limp: controllers/rest.limp}\nedges:\n", 1))
    with pytest.raises(SourceError) as error:
        _ = small.graph
    said = [finding.message for finding in error.value.findings]
    assert "unknown field 'limp' in nodes.rest: correct or remove the field" in said
    assert "nodes.rest needs the field 'script'" in said


def test_a_node_runs_one_controller(small) -> None:
    text = small.graph_path.read_text()
    small.graph_path.write_text(text.replace("stand: {script:", "stand: {keyframes: a.yaml, script:"))
    with pytest.raises(SourceError) as error:
        _ = small.graph
    assert "node 'stand' can have only one controller, but has 'script' and" in str(error.value)


def test_a_package_whose_entry_point_is_broken_is_named(toys) -> None:
    with pytest.raises(CtrlGraphError, match="'broken' cannot be loaded from ctrlgraph_no_such_module:KIND"):
        CONTROLLER_KINDS["broken"]


def install(directory: Path, name: str, entry_points: str) -> None:
    """Write what `pip` would write for a package."""
    folder = directory / f"{name}-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(entry_points)


def test_broken_and_odd_packages_are_ignored(toys, tmp_path, monkeypatch) -> None:
    """One package exits on import, one has an unreadable list of entry points, and kinds are named like fields."""
    for name, text in {
        "leaving": "[ctrlgraph.controllers]\nleaving = ctrlgraph_leaving:KIND\nargs = a:B\n__base__ = a:B\n",
        "torn": "[console_scripts]\nno equals sign\n",
    }.items():
        install(tmp_path, name, text)
    (tmp_path / "ctrlgraph_leaving.py").write_text("raise SystemExit(0)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    CONTROLLER_KINDS.__dict__.pop("_foreign", None)
    shipped = {"script", "keyframes", "gait", "regulator", "stepping", "tracking"}
    assert set(node_kinds()) == {*shipped, "limp", "broken", "leaving"}
    with pytest.raises(CtrlGraphError, match=r"'leaving' cannot be loaded from ctrlgraph_leaving:KIND.*SystemE"):
        CONTROLLER_KINDS["leaving"]


def test_an_unknown_name_is_reported_with_the_known_ones() -> None:
    with pytest.raises(CtrlGraphError, match=r"there is no kind of controller 'scrpit' .*'script'"):
        CONTROLLER_KINDS["scrpit"]


def test_an_object_of_another_type_is_refused() -> None:
    registry = Registry("kind of controller", "nobody", ControllerKind, {"path": "pathlib:Path"})
    with pytest.raises(
        CtrlGraphError, match="the kind of controller 'path' of a package must be of type ControllerKind, not type"
    ):
        registry["path"]


def test_nothing_in_the_current_directory_is_an_installed_package(tmp_path) -> None:
    """A project directory may contain a lookalike; `python -m ctrlgraph` puts it on the path."""
    install(tmp_path, "evil", "[ctrlgraph.controllers]\nevil = evil:KIND\n")
    (tmp_path / "evil.py").write_text("print('I ran')\n")
    code = "from ctrlgraph.control.kinds import CONTROLLER_KINDS as k; print(k.names)"
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(TOYS.parents[1])}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.stdout == "('script', 'gait', 'keyframes', 'regulator', 'stepping', 'tracking')\n", done.stderr


@pytest.mark.parametrize("kind", ["script", "keyframes", "regulator", "stepping", "tracking"])
def test_facts_known_before_the_import_of_a_kind_are_true(kind: str) -> None:
    assert has_mirror(kind) == (CONTROLLER_KINDS[kind].can_mirror)


@pytest.mark.parametrize(
    ("kind", "subject"),
    [
        ("keyframes", "key frames take"),
        ("regulator", "a regulator takes"),
        ("stepping", "a stepping file takes"),
        ("tracking", "a tracking file takes"),
    ],
)
def test_a_file_that_is_no_script_takes_no_arguments(kind: str, subject: str, humanoid) -> None:
    with pytest.raises(CtrlGraphError, match=rf"^a\.yaml: {subject} no arguments, but 2 are given$"):
        CONTROLLER_KINDS[kind].read(Path("a.yaml"), (1.0, 2.0), humanoid, None)
