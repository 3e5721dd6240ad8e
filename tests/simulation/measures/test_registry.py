"""The registry of measures: contents, required roles, and measures of packages."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.character.model import Roles
from ctrlgraph.character.yaml_reader import parse_character
from ctrlgraph.engine.planar_loop import Limits
from ctrlgraph.engine.spatial_loop import SpatialLimits
from ctrlgraph.errors import CtrlGraphError, SimulationError
from ctrlgraph.kernels.planar.arrays import body_arrays
from ctrlgraph.simulation.measures import BOUNDS, MEASURES, lacking, measure, register, require, scaled_conditions
from ctrlgraph.simulation.recording.planar_trace import Trace
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.simulation.success import limits_of
from ctrlgraph.terrain.terrain import flat

ROOT = Path(__file__).resolve().parents[3]

HOPPER = """\
name: hopper
links:
  base:  {mass: 3, size: [.2, .3], at: [0, .6], contacts: [[0, 0, .1]]}
  body:  {mass: 10, size: [.4, .3], at: [0, 1], contacts: [[0, 0, .15]]}
  strut: {mass: 2, size: [.5, .06], at: [0, .35]}
  pad:   {mass: 1, size: [.1, .2], at: [0, .05], contacts: [[-.05, 0, .05], [.05, 0, .05]]}
joints:
  waist: {parent: base, child: body, at: [0, .8], limits: [-1, 1], torque: [200, 400]}
  hip:   {parent: base, child: strut, at: [0, .6], limits: [-1, 1], torque: [200, 400]}
  ankle: {parent: strut, child: pad, at: [0, .1], limits: [-1, 1], torque: [200, 400]}
roles: {trunk: body, axial: [body], feet: [pad]}
"""


def trace(n_links: int, seed: int = 0, n: int = 120) -> Trace:
    """Any motion: links wander, turn and touch at random."""
    rng = np.random.default_rng(seed)
    com = np.array([0, 1]) + np.cumsum(rng.normal(0, 0.02, (n, 2)), axis=0)
    time = np.arange(n) * 0.01
    return Trace(
        time=time,
        position=np.cumsum(rng.normal(0, 0.05, (n, n_links, 2)), axis=0),
        angle=np.cumsum(rng.normal(0, 0.2, (n, n_links)), axis=0),
        contact=np.repeat(rng.random((n // 10, n_links)) < 0.15, 10, axis=0),
        com=com,
        com_velocity=np.gradient(com, time, axis=0),
        phase=np.zeros(n, np.int64),
        energy=np.zeros(n),
    )


@pytest.fixture(scope="module")
def hopper():
    return parse_character(HOPPER, "hopper.yaml")


# --- characters with other links ---


def test_a_hopper_is_measured_by_its_roles_and_not_by_names(hopper) -> None:
    moved = trace(4)
    moved.contact[-6:] = [False, False, False, True]
    values = measure(moved, hopper, flat())
    wrapped = np.remainder(moved.angle[-1] + np.pi, 2 * np.pi) - np.pi
    assert values["torso"] == pytest.approx(wrapped[1])
    assert values["pelvis"] == pytest.approx(wrapped[0])
    assert values["turned"] == moved.angle[-1, 1] - moved.angle[0, 1]
    assert values["feet_contact"] == 1
    assert values["trunk_contact"] == pytest.approx(moved.contact[:, 1].mean())
    assert body_arrays(hopper).trunk == 1


def test_what_a_hopper_cannot_have_is_not_measured_as_zero(hopper) -> None:
    absent = {"head_height", "feet_distance", "hands_contact", "shins_contact", "hands_support", "steps", "cadence"}
    absent |= {"symmetry_index", "double_support", "knee_swing", "knee_strike"}
    absent |= {
        "arm_range",
        "max_arm_difference",
        "elbow_range",
        "arm_swing",
        "arm_flexion",
        "elbow_flexion",
        "arm_asymmetry",
        "arm_leg_phase",
        "head_tilt",
        "head_range",
        "flight_feet_distance",
        "landing_knee_flexion",
        "mean_knee_flexion",
        "hip_extension",
    }
    absent |= {"hands_load", "shins_load"}
    absent |= {"knee_flexion", "hip_flexion", "shins_share", "foot_height"}
    absent |= {
        "leg_split",
        "landing_interval",
        "landing_step",
        "landing_to_upright",
        "rising_arm_flexion",
        "rising_elbow_flexion",
        "rising_knee_flexion",
        "hands_steps",
        "hands_elbow_flexion",
        "hands_shoulder_flexion",
        "hands_knee_flexion",
    }
    absent |= {
        "stance_trunk_lean",
        "stance_knee_flexion",
        "raised_hip_flexion",
        "raised_knee_flexion",
        "raised_foot_pitch",
    }
    planar = {name for name, each in MEASURES.items() if each.moves != "space"}
    assert planar - set(measure(trace(4), hopper, flat())) == absent
    assert {
        "head_height": "'head_height' cannot be measured: the character hopper has no head",
        "feet_distance": "'feet_distance' cannot be measured: the character hopper has 1 of 2 feet",
        "hands_contact": "'hands_contact' cannot be measured: the character hopper has no hands",
        "shins_contact": "'shins_contact' cannot be measured: the character hopper has no shins",
        "hands_support": "'hands_support' cannot be measured: the character hopper has no hands",
        "steps": "'steps' cannot be measured: the character hopper has 1 of 2 feet",
        "cadence": "'cadence' cannot be measured: the character hopper has 1 of 2 feet",
    }.items() <= lacking(MEASURES, hopper).items()
    assert lacking(planar, hopper).keys() == absent
    with pytest.raises(CtrlGraphError, match=r"has no head \(add them under 'roles' in the file of the character\)$"):
        require(["torso", "head_height"], hopper)


def test_the_measures_need_the_roles_that_they_say(humanoid) -> None:
    """Each is computed where just its needs are met; without one of them it is not."""
    for each in (each for each in MEASURES.values() if each.moves != "space"):
        fields = {role: getattr(humanoid.roles, role) for role in each.needs}
        just = replace(humanoid, roles=Roles(trunk=humanoid.trunk, **fields))
        assert each.name in measure(trace(len(humanoid.links)), just, flat())
        for role in each.needs:
            without = replace(just, roles=replace(just.roles, **{role: None if role == "head" else ()}))
            assert each.name not in measure(trace(len(humanoid.links)), without, flat())


def test_a_run_with_a_condition_that_cannot_be_measured_is_refused(hopper, handmade) -> None:
    with Simulation(hopper) as simulation:
        program = handmade.program(handmade.phase())
        with pytest.raises(SimulationError, match=r"'hands_contact' cannot be measured: .* has no hands"):
            simulation.run(program, success={"hands_contact": (0, 0)})


# --- the registry ---


def test_the_bounds_are_what_the_compiled_loop_watches() -> None:
    planar = [name for name, each in BOUNDS.items() if each.course is not None]
    spatial = {name for name, each in BOUNDS.items() if each.course_in_space is not None}
    assert ("last_step", *planar, "ground_x", "ground_y") == Limits._fields
    assert {"last_step", *spatial, "upward"} == set(SpatialLimits._fields)
    assert {*planar, *spatial} == set(BOUNDS)
    limits = limits_of(7, {"com_height": (0.5, 1.0)}, flat())
    assert (limits.last_step, limits.com_height.tolist(), limits.torso.tolist()) == (7, [0.5, 1], [0, np.inf])


def test_only_lengths_of_the_body_are_scaled_with_it() -> None:
    scaled = {name for name, each in scaled_conditions(dict.fromkeys(MEASURES, (1, 2)), 2.0).items() if each == (2, 4)}
    assert scaled == {
        "com_height",
        "head_height",
        "max_com_height",
        "min_com_height",
        "feet_distance",
        "highest_link",
        "stride_length",
        "foot_height",
        "max_foot_clearance",
        "max_swing_clearance",
        "landing_step",
        "foot_clearance",
        "flight_feet_distance",
    }
    assert all(MEASURES[name].unit == "m" for name in scaled)


def test_the_example_of_a_measure_on_the_page_is_one(humanoid) -> None:
    text = (ROOT / "docs" / "reference" / "measures.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?register.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    try:
        exec(compile(example, "example", "exec"), {})
        assert 0 <= measure(trace(len(humanoid.links)), humanoid, flat())["hands_share"] <= 1
    finally:
        MEASURES.discard("hands_share")


def test_errors_of_a_registration_are_reported() -> None:
    def undocumented(motion) -> float:
        return 0.0

    def torso(motion) -> float:
        """Return the torso once more."""
        return 0.0

    def tailed(motion) -> float:
        """Return the number of tails."""
        return 0.0

    with pytest.raises(CtrlGraphError, match="docstring of the measure 'undocumented' must begin with 'Return the'"):
        register(unit="1", sampled="end")(undocumented)
    with pytest.raises(CtrlGraphError, match="there is already a measure 'torso'"):
        register(unit="rad", sampled="end")(torso)
    with pytest.raises(CtrlGraphError, match="'tailed' needs the unknown role 'tails': use head, axial, feet"):
        register(unit="1", sampled="end", needs={"tails": 1})(tailed)
    assert not {"undocumented", "tailed"} & set(MEASURES)


PLUGIN = '''
from ctrlgraph.simulation.measures import register


@register(unit="1", sampled="end")
def answer(motion):
    """Return the answer."""
    return 42
'''


@pytest.fixture
def anew():
    """The measures before any package was asked for some; what comes in goes out again."""
    before, packages = dict(MEASURES.own), MEASURES._packages
    MEASURES._packages = None
    yield
    MEASURES.own, MEASURES._packages = before, packages


def install(directory: Path, module: str, text: str) -> None:
    """What pip would put into a folder of packages."""
    (directory / f"{module}.py").write_text(text)
    info = directory / f"{module}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[ctrlgraph.measures]\nthings = {module}\n")


def test_an_installed_package_adds_measures(tmp_path, monkeypatch, humanoid, anew) -> None:
    install(tmp_path, "plugin_of_measures", PLUGIN)
    monkeypatch.syspath_prepend(tmp_path)
    assert list(MEASURES)[-1] == "answer"
    assert measure(trace(len(humanoid.links)), humanoid, flat())["answer"] == 42.0
    assert "answer" not in BOUNDS
    sys.modules.pop("plugin_of_measures")


def test_a_project_adds_none(tmp_path, monkeypatch, anew) -> None:
    """Not even where Python looks into the current directory for modules."""
    install(tmp_path, "plugin_of_a_stranger", PLUGIN)
    monkeypatch.chdir(tmp_path)
    for entry in ("", str(tmp_path)):
        monkeypatch.setattr(sys, "path", [entry, *sys.path])
        MEASURES._packages = None
        assert "answer" not in MEASURES
    assert "plugin_of_a_stranger" not in sys.modules


def test_a_broken_package_is_skipped_and_reported(tmp_path, monkeypatch, anew) -> None:
    install(tmp_path, "plugin_that_breaks", "raise OSError('no luck')\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert "torso" in list(MEASURES)
    [sentence] = MEASURES.broken.values()
    assert sentence.endswith(
        "things' cannot be loaded from plugin_that_breaks, so correct or uninstall its package: OSError: no luck"
    )
