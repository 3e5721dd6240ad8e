"""Scenarios from the command line's words and from files, and every shipped one."""

from __future__ import annotations

import itertools
import re
import tracemalloc
from pathlib import Path

import pytest
from mistakes import read_mistakes

from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.graph.reader import parse_graph
from ctrlgraph.robustness.evaluation_plan import evaluation_plan, evaluation_plans, split_target, target_hashes
from ctrlgraph.robustness.perturbation import perturbations
from ctrlgraph.robustness.sweeps.scenario import Limit, Scenario, load_scenario, parse_axis, parse_limit, parse_value
from ctrlgraph.robustness.sweeps.sweep import new_sweeps
from ctrlgraph.terrain.terrain import TerrainPreview

ROOT = Path(__file__).parents[3]
MISTAKES = read_mistakes("scenarios.txt")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("slope=-1:1:0.5", (-1.0, -0.5, 0.0, 0.5, 1.0)),
        ("noise=0:0.3:0.1", (0.0, 0.1, 0.2, 0.3)),  # not 0.30000000000000004
        ("push=0:250:100", (0.0, 100.0, 200.0)),
        ("slope=3,1,2", (3.0, 1.0, 2.0)),
        ("phase=0.5", (0.5,)),
    ],
)
def test_an_axis_is_a_range_or_a_list(text, values) -> None:
    assert parse_axis(text) == (text.partition("=")[0], values)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("slope", "'slope' is not an axis: write AXIS=FROM:TO:STEP or AXIS=VALUE,VALUE..., such as slope=-12:12:0.5"),
        ("slope=1:2", "the values of slope must be FROM:TO:STEP or VALUE,VALUE..., not '1:2'"),
        ("slope=1:x:2", "the values of slope must be FROM:TO:STEP or VALUE,VALUE..., not '1:x:2'"),
        ("slope=2:1:0.5", "slope=2:1:0.5 has no values: FROM must not be above TO, and STEP must be above 0"),
        ("slope=1:2:0", "slope=1:2:0 has no values: FROM must not be above TO, and STEP must be above 0"),
        ("slope=0:90:1", "slope must be within -45 and 45 deg, not 46"),
        ("slope=1,1", "the axis slope=1,1 contains a value twice: remove the repetition"),
        ("push=0:1000:0.001", "the axis push=0:1000:0.001 has 1000001 values, more than 10000: give a larger STEP"),
        ("slop=1", "there is no perturbation 'slop' (did you mean 'slope'?)"),
        (
            "terrain=1",
            "terrain cannot be swept, because its values are texts: give one value (--with, or 'with' in a file)",
        ),
        ("slope=-1e308:1e308:1", "the axis slope=-1e308:1e308:1 has far more values than 10000: give a larger STEP"),
        ("slope=0:1:1e-300", "the axis slope=0:1:1e-300 has far more values than 10000: give a larger STEP"),
        ("slope=" + "1," * 10_000 + "1", "the axis slope has 10001 values, more than 10000: give fewer values"),
    ],
)
def test_a_wrong_axis_is_reported_in_one_sentence(text, expected) -> None:
    with pytest.raises(CtrlGraphError) as error:
        parse_axis(text)
    assert str(error.value) == expected


def test_values_are_checked_when_they_are_read() -> None:
    assert parse_value("push=250") == ("push", "250")
    with pytest.raises(CtrlGraphError, match=r"^'push' is not a perturbation: write NAME=VALUE, such as push=250$"):
        parse_value("push")
    with pytest.raises(CtrlGraphError, match=r"^push must be a number, not 'hard'$"):
        parse_value("push=hard")


def test_a_limit_has_the_step_of_its_axis_or_its_own() -> None:
    assert parse_limit("slope") == Limit("slope", 0.5)
    assert parse_limit("slope=0.1") == Limit("slope", 0.1)
    with pytest.raises(CtrlGraphError, match=r"^the resolution of slope must be above 0 and at most 90, not '0'$"):
        parse_limit("slope=0")
    with pytest.raises(
        CtrlGraphError, match=r"^the resolution slope=1e-300 makes more than 1000000 steps: give a larger resolution$"
    ):
        parse_limit("slope=1e-300")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"axes": (("slope", (1.0,)), ("slope", (2.0,)))}, "the axis slope is given twice: remove one of the two"),
        ({"axes": tuple((n, (1.0,)) for n in ("slope", "mass", "torque"))}, "a sweep can have at most two axes, not 3"),
        (
            {"axes": (("slope", (1.0,)),), "limit": Limit("mass", 0.1)},
            "give either 'axes' or a 'limit': a search for a limit chooses the values itself",
        ),
        (
            {"axes": (("slope", (1.0,)),), "fixed": perturbations({"slope": 2})},
            "slope cannot be both an axis and fixed at 2.0: remove the axis or the fixed value",
        ),
        (
            {"axes": (parse_axis("slope=-40:40:0.01"), parse_axis("noise=0:1.9:0.0003"))},
            "the axes have 8001 x 6334 = 50678334 points, more than 100000: give fewer values",
        ),
        (
            {"axes": (("phase", (0.5,)),)},
            "phase has no effect without a push: give the force too (--with push=NEWTONS)",
        ),
    ],
)
def test_parts_that_do_not_go_together_are_refused(parts, expected) -> None:
    with pytest.raises(CtrlGraphError) as error:
        Scenario(**parts)
    assert str(error.value) == expected


def test_a_file_says_the_same_as_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text("targets: walk\nwith: {noise: 0.1, push_link: head}\nsweep: {push: '0:100:50', phase: [0, 0.5]}\n")
    scenario = load_scenario(path)
    assert scenario.targets == ("walk",)
    assert scenario.axes == (parse_axis("push=0:100:50"), parse_axis("phase=0,0.5"))
    assert scenario.fixed == perturbations([parse_value("noise=0.1"), parse_value("push_link=head")])


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_a_file_is_shown_at_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / "s.yaml").write_text(MISTAKES[name].made_in(""))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceError) as error:
        load_scenario("s.yaml")
    assert str(error.value) == MISTAKES[name].shown


def test_a_terrain_in_a_file_has_a_limited_number_of_points(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(f"targets: walk\nwith: {{terrain: 'heights={'1:1,' * 4000}1:1'}}\n")
    with pytest.raises(SourceError, match="2:17: error: the terrain 'heights' can have at most 4000 points, not 4003"):
        load_scenario(tmp_path / "s.yaml")


def test_a_sweep_of_all_its_targets_has_bounds(project) -> None:
    scenario = Scenario(targets=("walk", "run"), axes=(parse_axis("noise=0.1:2:0.0004"),), trials=500)
    with pytest.raises(CtrlGraphError) as error:
        new_sweeps(project, scenario, seed=1)
    assert str(error.value) == (
        "2 targets x 4751 points x 500 trials at each point are 4751000 trials, more than 1000000: give fewer"
        " targets, points or trials"
    )


def test_trials_are_made_as_they_are_asked_for(project) -> None:
    scenario = Scenario(targets=("walk",), axes=(parse_axis("noise=0:2:0.0004"),), trials=199)
    (sweep,) = new_sweeps(project, scenario, seed=1)
    assert sweep.size == 5000 * 199 + 1
    tracemalloc.start()
    first = list(itertools.islice(sweep.items, 2))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert first == [((("noise", 0.0),), 0), ((("noise", 0.0004),), 0)]
    assert peak < 5_000_000  # bytes; a million of them take a hundred million


@pytest.mark.parametrize("path", sorted((ROOT / "scenarios").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_shipped_scenario_can_be_run_and_says_how(path: Path, project) -> None:
    scenario = load_scenario(path)
    assert scenario.description
    assert [sweep.target for sweep in new_sweeps(project, scenario, seed=1)] == list(scenario.targets)
    assert f"# ctrlgraph robustness sweep --scenario {path.stem}" in path.read_text()


def test_points_without_chance_are_tried_once(project) -> None:
    def trials(**parts: object) -> int:
        return new_sweeps(project, Scenario(targets=("walk",), trials=20, **parts), seed=1)[0].trials

    assert trials(axes=(("slope", (0.0, 1.0)),)) == 1
    assert trials(axes=(("noise", (0.0, 0.1)),)) == 20
    assert trials(axes=(("push", (100.0,)),)) == 20  # at random moments
    assert trials(axes=(("push", (100.0,)), ("phase", (0.5,)))) == 1
    assert trials(limit=Limit("slope", 0.5)) == 1
    assert trials(limit=Limit("noise", 0.1)) == 20


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("wolk", "the graph has no node 'wolk' (did you mean 'walk'?)"),
        ("walk->", "'walk->' is not a target of a test: write NODE, NODE->NODE or a longer path"),
        ("walk*8", "the target 'walk' is a single node, for which no number of cycles can be given: remove '*8'"),
        ("stand*2->walk", "'stand' is not a gait and cannot have a number of cycles: remove '*2'"),
        ("walk*0->run", "the target 'walk*0->run' has a gait with 0 cycles: write at least *1"),
        ("*3->run", "the graph has no node '*3'"),
        ("stand->kip", "no naive or learned edge leads from 'stand' to 'kip'"),
    ],
)
def test_targets_that_do_not_exist_are_named(project, target, expected) -> None:
    with pytest.raises(CtrlGraphError) as error:
        evaluation_plan(project.graph, target)
    assert str(error.value).startswith(expected)


def test_a_gait_is_settled_before_it_is_tested_and_stopped_afterwards(project) -> None:
    way = evaluation_plan(project.graph, "walk")
    assert [segment.node for segment in way.setup] == ["stand", "walk"]
    assert [segment.node for segment in way.test] == ["walk"]
    assert [segment.node for segment in way.recovery] == ["walk_to_stop", "stand"]
    assert way.cyclic


def test_the_cycles_of_gaits_may_be_given(project) -> None:
    way = evaluation_plan(project.graph, " walk * 8 -> crouch_walk*5->walk ")
    assert way.target == "walk*8->crouch_walk*5->walk"
    assert [segment.cycles for segment in way.setup] == [1, 8]
    assert [(segment.node, segment.cycles) for segment in way.test] == [("crouch_walk", 5), ("walk", 3)]
    assert evaluation_plan(project.graph, "walk->run").setup[-1].cycles == 3
    with pytest.raises(CtrlGraphError, match=r"'walk\*8->run' must not have a number of cycles here"):
        split_target("walk*8->run")


def test_a_target_is_left_over_edges_that_are_for_the_ground(project) -> None:
    text = re.sub(r", ground: {[^}]*}", "", (ROOT / "graph.yaml").read_text())
    graph = parse_graph(re.sub(r"(from: crouch_walk, to: walk_to_stop[^}]*)}", r"\1, ground: {slope: [-1, 1]}}", text))
    recovery = {
        s: [segment.node for segment in evaluation_plan(graph, "crouch_walk", preview=TerrainPreview(s)).recovery]
        for s in (0.0, 2.0)
    }
    assert recovery == {0.0: ["walk_to_stop", "stand"], 2.0: ["tiptoe_walk", "catch_step_forward", "stand"]}
    ways = evaluation_plans(graph, "crouch_walk")
    assert {tuple(segment.node for segment in way.recovery) for way in ways} == {
        tuple(nodes) for nodes in recovery.values()
    }
    assert target_hashes(project, ways)["ground of crouch_walk -> walk_to_stop"] == "{'slope': [-1.0, 1.0]}"


def test_of_a_path_all_but_the_first_node_is_tested(project) -> None:
    way = evaluation_plan(project.graph, "walk -> walk_to_stop -> stand")
    assert way.target == "walk->walk_to_stop->stand"
    assert [segment.node for segment in way.setup] == ["stand", "walk"]
    assert [segment.node for segment in way.test] == ["walk_to_stop", "stand"]
    assert [segment.node for segment in way.recovery] == ["stand"]  # a pose has to hold itself
