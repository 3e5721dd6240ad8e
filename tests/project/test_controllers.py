"""What runs for a node or an edge: learned constants in their place, joined with what comes before and after."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from small_project import OLD_HUMANOID, make_project

from ctrlgraph.control.controller import Part
from ctrlgraph.control.script.program import Program
from ctrlgraph.control.script.sequence import sequence
from ctrlgraph.errors import SourceError
from ctrlgraph.project.learned import LearnedBridge, LearnedFile, LearnedPart, constants_of
from ctrlgraph.project.learned_checks import check_learned
from ctrlgraph.project.learned_writer import write_learned
from ctrlgraph.project.project import Project
from ctrlgraph.terrain.terrain import TerrainPreview

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/poses/stand.t, args: [0.5, 0.5], kind: static}
  walk: {script: controllers/gaits/walk.t, cycles: [1, 5], adapted: learned/walk.yaml}
  run: {script: controllers/gaits/run.t, cycles: [1, 5]}
edges: [{from: stand, to: walk}, {from: walk, to: run, kind: learned, parameters: learned/walk-run.yaml},
  {from: run, to: walk}, {from: walk, to: stand}]
"""

BRIDGE = "BEGINSCRIPT bridge(pause)\n  PHASE 0\n    TRANSITION to(-1).after(time pause);\n  ENDPHASE\nENDSCRIPT\n"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    asked_for = {"learned/walk.yaml": "", "learned/walk-run.yaml": ""}  # by the graph
    make_project(tmp_path, GRAPH, files={"learned/bridge.t": BRIDGE, **asked_for}, origin=OLD_HUMANOID)
    adapt(tmp_path, [0.4, 0.3, 0.2])
    learn(tmp_path)
    return tmp_path


def first(program: Program, role: str) -> int:
    """The first constant with this use."""
    return next(i for i, source in enumerate(program.parameters) if source.role == role)


def adapt(directory: Path, new: list[float]) -> None:
    """Let the duration of the walk's steps depend on the slope."""
    walk = Project(directory).program("walk")
    constants = constants_of(walk, {first(walk, "simbicon dt"): new})
    target = LearnedPart(program=walk.digest, constants=constants)
    file = LearnedFile(node="walk", condition={"slope": [-10, 0, 10]}, target=target)
    write_learned(directory / "learned" / "walk.yaml", file)


def learn(directory: Path, **parts: object) -> None:
    """A learned edge from walk to run; without parts, one constant of run is changed in all cycles."""
    given = parts or {"target": part(directory, "run", {0: 0.25})}
    write_learned(directory / "learned" / "walk-run.yaml", LearnedFile(edge="walk -> run", **given))  # type: ignore[arg-type]


def part(directory: Path, node: str, values: dict[int, float], cycles: int | None = None) -> LearnedPart:
    program = Project(directory).program(node)
    return LearnedPart(program=program.digest, cycles=cycles, constants=constants_of(program, values))


def bridge(directory: Path, pause: float = 0.1) -> LearnedBridge:
    program = Project(directory).compile(directory / "learned" / "bridge.t", (pause,))
    return LearnedBridge(script="learned/bridge.t", args=[pause], program=program.digest)


def with_first(program: Program, value: float) -> Program:
    constants = program.constants.copy()
    constants[0] = value
    return program.with_constants(constants)


def same(a: Program, b: Program) -> bool:
    arrays = ("constants", "tape", "frames", "phases", "actions", "transitions")
    return a.digest == b.digest and all((getattr(a, name) == getattr(b, name)).all() for name in arrays)


def edge_of(project: Project, name: str):
    return next(edge for edge in project.graph.edges if str(edge) == name)


def course(directory: Path, cycles: int, preview: TerrainPreview | None = None) -> tuple[Program, int]:
    project = Project(directory)
    return project.edge_controller(edge_of(project, "walk -> run"), "run", cycles, preview)


# --- nodes ---


def test_a_node_that_is_not_adapted_runs_as_its_script_says(directory: Path) -> None:
    project = Project(directory)
    assert project.controller("run", TerrainPreview(slope=5.0)) is project.program("run")


@pytest.mark.parametrize(("slope", "dt"), [(-20.0, 0.4), (-10.0, 0.4), (-5.0, 0.35), (0.0, 0.3), (10.0, 0.2)])
def test_an_adapted_node_runs_with_the_constants_of_the_ground(directory: Path, slope: float, dt: float) -> None:
    project = Project(directory)
    plain, adapted = project.program("walk"), project.controller("walk", TerrainPreview(slope=slope))
    changed = first(plain, "simbicon dt")
    assert adapted.constants[changed] == pytest.approx(dt)
    assert [i for i in range(plain.constants.size) if adapted.constants[i] != plain.constants[i]] in ([changed], [])


def test_without_a_ground_it_is_taken_for_level(directory: Path) -> None:
    project = Project(directory)
    assert project.controller("walk") is project.controller("walk", TerrainPreview())


def test_grounds_that_differ_by_less_than_a_millionth_are_the_same(directory: Path) -> None:
    project = Project(directory)
    assert project.controller("walk", TerrainPreview(slope=3.0)) is project.controller(
        "walk", TerrainPreview(slope=3.0 + 1e-8)
    )
    assert project.controller("walk", TerrainPreview(slope=0.0)) is project.controller(
        "walk", TerrainPreview(slope=-1e-8)
    )


# --- edges ---


def test_a_naive_edge_runs_the_targets_controller_for_its_cycles(directory: Path) -> None:
    project = Project(directory)
    program, cycles = project.edge_controller(edge_of(project, "run -> walk"), "walk", 4, TerrainPreview(slope=5.0))
    assert (program, cycles) == (project.controller("walk", TerrainPreview(slope=5.0)), 4)


def test_constants_for_all_cycles_of_the_target_change_its_program_only(directory: Path) -> None:
    project = Project(directory)
    program, cycles = course(directory, 3)
    assert cycles == 3
    assert same(program, with_first(project.program("run"), 0.25))
    assert program.constants[0] == 0.25


def test_constants_for_the_first_cycles_of_the_target_give_way_to_the_scripts_own(directory: Path) -> None:
    learn(directory, target=part(directory, "run", {0: 0.25}, cycles=2))
    plain = Project(directory).program("run")
    program, cycles = course(directory, 5)
    assert cycles == 1
    assert same(program, sequence("x", [Part(with_first(plain, 0.25), 2), Part(plain, 3)]))


@pytest.mark.parametrize("asked", [1, 2])
def test_no_more_cycles_run_than_are_asked_for(directory: Path, asked: int) -> None:
    learn(directory, target=part(directory, "run", {0: 0.25}, cycles=2))
    program, cycles = course(directory, asked)
    assert cycles == asked
    assert same(program, with_first(Project(directory).program("run"), 0.25))


def test_source_bridge_and_target_run_as_one_program(directory: Path) -> None:
    learn(
        directory,
        source=part(directory, "walk", {3: -0.1}, cycles=2),
        bridge=bridge(directory),
        target=part(directory, "run", {0: 0.25}, cycles=1),
    )
    project = Project(directory)
    walk, run = project.controller("walk", TerrainPreview(slope=5.0)), project.program("run")
    leading = walk.constants.copy()
    leading[3] = -0.1
    between = project.compile(directory / "learned" / "bridge.t", (0.1,))
    parts = [Part(walk.with_constants(leading), 2), Part(between), Part(with_first(run, 0.25)), Part(run, 2)]
    program, cycles = course(directory, 3, TerrainPreview(slope=5.0))
    assert cycles == 1
    assert same(program, sequence("x", parts))


def test_a_course_may_leave_the_target_as_it_is(directory: Path) -> None:
    learn(directory, source=part(directory, "walk", {}, cycles=1))
    project = Project(directory)
    program, cycles = course(directory, 2)
    assert cycles == 1
    assert same(program, sequence("x", [Part(project.controller("walk")), Part(project.program("run"), 2)]))


# --- what is wrong with files ---


UNUSED = "is not used by any edge or node of the graph"


def found(directory: Path) -> list[str]:
    """The findings of the whole project, without the lines that they show."""
    project = Project(directory)
    findings = check_learned(project.graph, project.resolver, directory)
    return [finding.render().splitlines()[0].removeprefix(f"{directory}/learned/") for finding in findings]


def refusal(directory: Path) -> str:
    with pytest.raises(SourceError) as raised:
        course(directory, 1)
    return str(raised.value).splitlines()[0].removeprefix(f"{directory}/learned/")


def test_files_that_fit_are_not_complained_about(directory: Path) -> None:
    learn(directory, bridge=bridge(directory))
    assert found(directory) == []


def change(directory: Path, name: str, old: str, new: str) -> None:
    path = directory / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def alter(directory: Path, script: str) -> None:
    """Let a script mean something else: another torque limit."""
    path = directory / script
    path.write_text("SET TORQUELIMIT = 123\n" + re.sub("SET TORQUELIMIT.*", "", path.read_text()))


SCRIPTS = ["controllers/gaits/walk.t", "learned/bridge.t", "controllers/gaits/run.t"]


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_that_reads_otherwise_and_means_the_same_makes_nothing_stale(directory: Path, script: str) -> None:
    learn(directory, source=part(directory, "walk", {}), bridge=bridge(directory), target=part(directory, "run", {}))
    before = hashes(directory)
    change(directory, script, "ENDSCRIPT", "\n\n# a comment\nENDSCRIPT\n")
    Project(directory).require_learned()
    assert changed_by(directory, before) == set()


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_that_has_changed_makes_what_was_learned_for_it_stale(directory: Path, script: str) -> None:
    learn(directory, source=part(directory, "walk", {}), bridge=bridge(directory), target=part(directory, "run", {}))
    alter(directory, script)
    name = Path(script).stem
    said = f"error: these constants were learned for another version of '{name}'"
    assert refusal(directory).endswith(said)
    assert [line for line in found(directory) if line.startswith("walk-run.yaml:") and line.endswith(said)]
    with pytest.raises(SourceError, match="another version"):
        Project(directory).require_learned()


def test_a_stale_adapted_file_is_refused_where_the_node_runs(directory: Path) -> None:
    alter(directory, "controllers/gaits/walk.t")
    with pytest.raises(SourceError, match="another version of 'walk'"):
        Project(directory).controller("walk")


def test_a_file_for_another_edge_is_refused(directory: Path) -> None:
    change(directory, "learned/walk-run.yaml", "edge: walk -> run", "edge: walk -> stand")
    said = (
        "4:7: error: the file is for 'walk -> stand', but the graph uses it for the edge 'walk -> run': correct"
        " the file or the graph"
    )
    assert (refusal(directory), found(directory)[0]) == (f"walk-run.yaml:{said}",) * 2


def test_an_edge_may_be_written_with_or_without_spaces(directory: Path) -> None:
    change(directory, "learned/walk-run.yaml", "edge: walk -> run", "edge: walk->run")
    assert found(directory) == [
        "bridge.t: warning: this script of a learned edge is not used by any edge or node of the graph"
    ]


def test_an_id_that_no_constant_has_is_shown(directory: Path) -> None:
    name = part(directory, "run", {0: 0.25}).constants[0].id
    change(directory, "learned/walk-run.yaml", name, "run.t/9/POSE rKnee/angle")
    assert refusal(directory).endswith("error: 'run' has no constant run.t/9/POSE rKnee/angle")


def test_a_bridge_that_is_missing_is_shown_where_it_is_named(directory: Path) -> None:
    learn(directory, bridge=bridge(directory))
    (directory / "learned" / "bridge.t").unlink()
    assert found(directory) == ["walk-run.yaml:7:11: error: there is no bridging script 'learned/bridge.t'"]


def test_what_nothing_uses_is_a_warning(directory: Path) -> None:
    (directory / "learned" / "old.yaml").write_text("node: run\ntarget: {program: d}\n")
    assert found(directory) == [
        f"old.yaml: warning: this learned file {UNUSED}",
        f"bridge.t: warning: this script of a learned edge {UNUSED}",
    ]
    Project(directory).require_learned()


# --- hashes ---


def hashes(directory: Path) -> dict[str, str]:
    project = Project(directory)
    edges = {str(edge): project.edge_hash(edge, "flat") for edge in project.graph.edges}
    return edges | {node.name: project.node_hash(node) for node in project.graph}


def changed_by(directory: Path, before: dict[str, str]) -> set[str]:
    return {name for name, value in hashes(directory).items() if value != before[name]}


def test_every_part_of_a_learned_file_is_in_its_edges_hash(directory: Path) -> None:
    seen = []
    for parts in (
        {"target": part(directory, "run", {0: 0.25})},
        {"target": part(directory, "run", {0: 0.26})},
        {"target": part(directory, "run", {0: 0.25}, cycles=1)},
        {"target": part(directory, "run", {1: 0.25})},
        {"target": part(directory, "run", {0: 0.25}), "source": part(directory, "walk", {}, cycles=1)},
        {"target": part(directory, "run", {0: 0.25}), "source": part(directory, "walk", {}, cycles=2)},
        {"target": part(directory, "run", {0: 0.25}), "bridge": bridge(directory)},
        {"target": part(directory, "run", {0: 0.25}), "bridge": bridge(directory, pause=0.2)},
    ):
        learn(directory, **parts)
        seen.append(hashes(directory))
    assert len({each["walk -> run"] for each in seen}) == len(seen)
    others = [{name: value for name, value in each.items() if name != "walk -> run"} for each in seen]
    assert all(each == others[0] for each in others)


def test_a_changed_bridge_is_another_edge(directory: Path) -> None:
    learn(directory, bridge=bridge(directory))
    before = hashes(directory)
    alter(directory, "learned/bridge.t")
    assert changed_by(directory, before) == {"walk -> run"}


def test_an_adapted_file_is_in_the_hash_of_its_node_and_of_the_edges_that_it_is_an_end_of(directory: Path) -> None:
    before = hashes(directory)
    adapt(directory, [0.4, 0.3, 0.25])
    assert changed_by(directory, before) == {"walk", "stand -> walk", "walk -> run", "run -> walk", "walk -> stand"}


def test_how_something_was_found_is_in_no_hash(directory: Path) -> None:
    before = hashes(directory)
    learn(directory, target=part(directory, "run", {0: 0.25}), search={"seed": 7}, held_out={"seed": 8})
    assert changed_by(directory, before) == set()
