"""Gate files: what they may hold, and every fault at its place."""

from __future__ import annotations

import pytest
from mistakes import read_mistakes

from ctrlgraph.errors import SourceError
from ctrlgraph.robustness.gates.gate import load_gate

MISTAKES = read_mistakes("gates.txt")


def rendered(gate_of, text: str) -> str:
    with pytest.raises(SourceError) as caught:
        gate_of(text)
    return "\n".join(
        line.replace(finding.path, "gate.yaml")
        for finding in caught.value.findings
        for line in finding.render().splitlines()
    )


def test_a_number_is_a_requirement_and_a_mapping_says_more(gate_of) -> None:
    gate = gate_of(
        "trials: 5\nseed: 7\nwith: {noise: 0.02}\n"
        "nodes: {squat: 0.9, rise: {at_least: 0.5, trials: 8, measure: lower, with: {slope: 2}}}\n"
    )
    squat, rise = gate.requirements
    assert (squat.target, squat.at_least, squat.measure, squat.trials) == ("squat", 0.9, "share", 5)
    assert (rise.target, rise.at_least, rise.measure, rise.trials) == ("rise", 0.5, "lower", 8)
    assert squat.fixed.as_dict() == {"noise": 0.02}
    assert rise.fixed.as_dict() == {"noise": 0.02, "slope": 2.0}
    assert gate.seed == 7


def test_a_star_is_every_other_edge_that_can_be_reached(gate_of) -> None:
    gate = gate_of('with: {noise: 0.02}\nedges: {"*": 0.9, "squat -> rise": 0.5}\n')
    # prone is only reached after a failure
    assert [(r.target, r.at_least) for r in gate.requirements] == [
        ("stand->squat", 0.9),
        ("rise->stand", 0.9),
        ("squat->rise", 0.5),
    ]


def test_a_star_is_every_other_node_that_can_be_reached(gate_of) -> None:
    gate = gate_of('nodes: {squat: 0.5, "*": 0.9}\n')
    assert [r.target for r in gate.requirements] == ["squat", "stand", "rise"]


def test_where_nothing_is_drawn_one_trial_says_everything(gate_of) -> None:
    assert [r.trials for r in gate_of("trials: 10\nnodes: {squat: 0.9}\n").requirements] == [1]
    assert [
        r.trials for r in gate_of("trials: 10\nnodes: {squat: {at_least: 1, with: {noise: 0.1}}}\n").requirements
    ] == [10]


def test_a_scenario_file_brings_its_targets_points_and_trials(project, gate_of) -> None:
    (project.directory / "slopes.yaml").write_text(
        'targets: [squat, rise]\nwith: {noise: 0.1}\nsweep: {slope: "0:4:2"}\ntrials: 3\n'
    )
    gate = gate_of("scenarios:\n  - {file: slopes.yaml, at_least: 0.9}\n")
    assert [r.name for r in gate.requirements] == ["slopes: squat", "slopes: rise"]
    assert gate.requirements[0].points == ((("slope", 0.0),), (("slope", 2.0),), (("slope", 4.0),))
    assert {r.trials for r in gate.requirements} == {3}


def test_a_scenario_may_be_written_out(gate_of) -> None:
    gate = gate_of("scenarios:\n  - {name: uphill, target: stand -> squat, with: {slope: 3}, at_least: 1}\n")
    (wanted,) = gate.requirements
    assert (wanted.name, wanted.target) == ("uphill: stand->squat", "stand->squat")
    assert wanted.fixed.as_dict() == {"slope": 3.0}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_shown_at_its_place(gate_of, name: str) -> None:
    assert rendered(gate_of, MISTAKES[name].made_in("")) == MISTAKES[name].shown


def test_a_lower_bound_needs_chance_at_every_point(project, gate_of) -> None:
    (project.directory / "s.yaml").write_text('targets: squat\nsweep: {noise: "0,0.1"}\ntrials: 60\n')
    assert "'measure: lower' of squat needs random trials, but all trials are equal: add noise" in (
        rendered(gate_of, "scenarios: [{file: s.yaml, at_least: 0.9, measure: lower}]\n")
    )


def test_a_scenario_that_searches_for_a_limit_is_no_gate(project, gate_of) -> None:
    (project.directory / "limit.yaml").write_text("targets: squat\nlimit: slope\n")
    assert rendered(gate_of, "scenarios: [{file: limit.yaml, at_least: 0.9}]\n").splitlines()[0] == (
        "gate.yaml:1:20: error: limit.yaml searches for a limit, but a gate can only use scenarios with 'sweep'"
        " or 'with'"
    )


def test_faults_of_a_scenario_file_are_reported_in_that_file(project, gate_of) -> None:
    (project.directory / "s.yaml").write_text("targets: squat\nwith: {slope: 99}\n")
    with pytest.raises(SourceError, match=r"s\.yaml:2:15: error: slope must be within -45 and 45 deg, not 99"):
        gate_of("scenarios: [{file: s.yaml, at_least: 0.9}]\n")


@pytest.mark.parametrize("file", ["/etc/hostname", "../secret.yaml", "link.yaml"])
def test_a_scenario_outside_the_project_is_not_read(project, gate_of, file: str) -> None:
    (project.directory.parent / "secret.yaml").write_text("no line of this may be shown: [\n")
    (project.directory / "link.yaml").symlink_to(project.directory.parent / "secret.yaml")
    assert rendered(gate_of, f"scenarios: [{{file: {file}, at_least: 0.9}}]\n").splitlines()[0] == (
        f"gate.yaml:1:20: error: '{file}' lies outside the project: give a relative path inside the project"
    )


def test_a_gate_in_a_directory_of_the_project_names_scenarios_from_there(project) -> None:
    (project.directory / "gates").mkdir()
    (project.directory / "s.yaml").write_text("targets: squat\n")
    path = project.directory / "gates" / "g.yaml"
    path.write_text("scenarios: [{file: ../s.yaml, at_least: 1}]\n")
    assert [requirement.target for requirement in load_gate(path, project).requirements] == ["squat"]


@pytest.mark.slow
def test_the_points_of_all_requirements_count(project, gate_of) -> None:
    (project.directory / "s.yaml").write_text(
        'targets: [squat, rise]\nwith: {noise: 0.1}\nsweep: {slope: "0:30:0.005", mass: "1:1.1:0.01"}\n'
    )
    assert rendered(gate_of, "scenarios: [{file: s.yaml, at_least: 0.9, trials: 1}]\n").splitlines()[0] == (
        "gate.yaml:1:14: error: with this entry, the gate has more than 100000 points: give fewer values"
    )


def test_a_gate_file_that_does_not_exist_is_named(project) -> None:
    with pytest.raises(
        SourceError, match=r"gate\.yaml: error: the gate file does not exist: correct its path or create it"
    ):
        load_gate(project.directory / "gate.yaml", project)
