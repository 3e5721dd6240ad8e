"""Loading of MuJoCo: errors of a missing or an old package, counted warnings, and no files left behind."""

from __future__ import annotations

import gc
import math
import os
import re
import subprocess
import sys
import weakref
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from waiting import PATIENCE_S

from ctrlgraph.bounds import MAX_LINKS
from ctrlgraph.character.yaml_reader import parse_character
from ctrlgraph.engine.mujoco import library
from ctrlgraph.engine.mujoco.mujoco_settings import MujocoSettings
from ctrlgraph.errors import EngineError, SimulationError
from ctrlgraph.kernels.planar.collision import MAX_CONTACTS
from ctrlgraph.simulation.outcome import Status
from ctrlgraph.simulation.simulation import Push
from tests.engine.motions import stepped, thrashing, weaker_one_way

ROOT = Path(__file__).resolve().parents[3]


def test_without_the_package_the_error_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(EngineError) as error:
        library.load.__wrapped__()
    assert str(error.value) == "the engine 'mujoco' needs the package mujoco-core: pip install mujoco-core"


def test_one_that_is_too_old_is_named(monkeypatch) -> None:
    monkeypatch.setattr(library.load(), "__version__", "3.2.7")
    with pytest.raises(EngineError, match=r"^MuJoCo 3\.2\.7 is too old, at least 4\.0 is needed: pip install"):
        library.load.__wrapped__()


def test_its_warnings_are_counted_and_written_nowhere(monkeypatch, tmp_path: Path, capfd) -> None:
    mujoco = library.load()
    monkeypatch.chdir(tmp_path)
    before = library.message_count()
    text = "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>"
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[0] = math.nan
    mujoco.mj_step(model, data)
    assert library.message_count() > before
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


def test_after_an_internal_error_the_process_ends_with_a_sentence_and_leaves_no_file(tmp_path: Path) -> None:
    """Its error function must not return; the usual one writes a file into the current directory, or through a link."""
    code = (
        "from ctrlgraph import Simulation, load_character\n"
        "from ctrlgraph.control.script.compiler import compile_script\n"
        "from ctrlgraph.control.script.library import ScriptLibrary\n"
        "from ctrlgraph.engine.mujoco import model\n"
        "from pathlib import Path\n"
        "model._memory = lambda joints: 9000\n"
        f"root = Path({str(ROOT)!r})\n"
        "character = load_character(root / 'characters' / 'humanoid.yaml')\n"
        "path = root / 'controllers' / 'poses' / 'rise.t'\n"
        "program = compile_script(ScriptLibrary([root / 'controllers']), path, [1.0], character)\n"
        "Simulation(character, engine='mujoco').run(program, timeout=0.1)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 70, done.stderr
    assert re.fullmatch(r"error: MuJoCo gave up on this simulation and ended the process: .*memory.*\n", done.stderr)
    assert list(tmp_path.iterdir()) == []


def test_links_and_joints_may_be_called_as_mujoco_calls_its_own(simulate, humanoid, handmade) -> None:
    names = {"pelvis": "world", "head": "ground <&> \u00e9"}
    links = tuple(replace(link, name=names.get(link.name, link.name)) for link in humanoid.links)
    other = replace(humanoid, links=links)
    simulation = simulate(other)
    simulation.run(handmade.program(), timeout=0.1)
    usual = simulate()
    usual.run(handmade.program(), timeout=0.1)
    assert simulation.state_digest() == usual.state_digest()


@pytest.mark.slow
def test_a_closed_world_gives_its_memory_back(simulate, handmade) -> None:
    simulation = simulate()
    simulation.run(handmade.program(), timeout=0.01)
    model, data = weakref.ref(simulation._world._model), weakref.ref(simulation._world._data)
    simulation.close()
    gc.collect()
    assert model() is None and data() is None


def test_a_diverged_state_is_not_reset_silently(simulate, handmade) -> None:
    simulation = simulate(pushes=(Push(start=0.0, duration=1.0, link="rHand", x=9e4),))
    outcome = simulation.run(handmade.program(), timeout=2.0)
    assert outcome.status is Status.DIVERGED
    assert abs(simulation._bodies()[1]).max() > 100.0
    assert outcome.simulated_s == simulation.time


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"cone": "round"}, "the setting 'cone' is 'round', but must be pyramidal or elliptic"),
        ({"contact_time": 0.0}, "contact_time, contact_damping and impedance_width must be above 0"),
        ({"impedance": 0.99, "hard_impedance": 0.9}, "must fulfil 0 < impedance"),
        ({"contact_time": math.inf}, "the setting 'contact_time' must be finite and at most 100000, not inf"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, sentence) -> None:
    with pytest.raises(SimulationError, match=sentence):
        MujocoSettings(**settings)


def test_a_character_that_mujoco_refuses_is_refused_in_a_sentence(simulate, humanoid) -> None:
    mote = replace(humanoid.links[0], mass=1e-20, inertia=1e-20)
    with pytest.raises(SimulationError, match=r"^MuJoCo cannot simulate humanoid: .*mass and inertia") as error:
        simulate(replace(humanoid, links=(mote, *humanoid.links[1:])))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("solver", ["exact", "quick"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_the_arena_fits_the_largest_character_with_all_contacts(solver, cone, simulate, handmade) -> None:
    """MuJoCo ends the process where its arena is too small."""
    links = "".join(
        f"  link{i}: {{mass: 1, size: [.1, .2], at: [{0.2 * i}, .05], contacts: [[-.09, 0, .05], [.09, 0, .05]]}}\n"
        for i in range(MAX_LINKS)
    )
    joints = "".join(
        f"  joint{i}: {{parent: link{i - 1}, child: link{i}, at: [{0.2 * i - 0.1}, .05], limits: [-.000001, .000001],"
        " torque: [100, 100]}\n"
        for i in range(1, MAX_LINKS)
    )
    chain = parse_character(f"name: chain\nlinks:\n{links}joints:\n{joints}", "chain.yaml")
    simulation = simulate(chain, solver=solver, cone=cone)
    simulation.reset({f"joint{i}": 2e-6 * (-1) ** i for i in range(1, MAX_LINKS)}, height=-0.005)
    before, most = library.message_count(), 0
    for _ in stepped(simulation, type(handmade)(chain).program(), 50):
        most = max(most, int(simulation._contacts.filled[0]))
    assert most == MAX_CONTACTS
    assert library.message_count() == before


@pytest.mark.parametrize("share", [1.0, 0.4])
def test_a_motor_at_its_limit_gives_exactly_that_in_contact_too(share, simulate, handmade, humanoid) -> None:
    humanoid = weaker_one_way(humanoid, share)
    simulation = simulate(humanoid)
    (lower, upper), at_limit = np.array([joint.torque_limit for joint in humanoid.joints]).T, 0
    for _ in stepped(simulation, thrashing(handmade, kp=3000.0, kd=60.0), 400):
        world, commands = simulation._world.data, simulation._world.commands
        applied = commands.applied
        assert (lower <= applied).all() and (applied <= upper).all()
        for j in world.saturated.nonzero()[0]:
            assert applied[j] == (upper if world.saturated[j] > 0 else lower)[j]
            # what the engine was given is the limit, and no inertia
            assert world.ctrl[j] == applied[j] and world.armature[world.dof[j]] == 0.0
            at_limit += 1
    assert at_limit > 200
