"""Learned files: what may stand in them, how constants find their places, and how values follow the ground."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.project.learned import (
    LearnedBridge,
    LearnedConstant,
    LearnedFile,
    LearnedPart,
    apply_constants,
    constants_of,
    read_learned,
)
from ctrlgraph.project.learned_writer import write_learned
from ctrlgraph.project.project import Project
from ctrlgraph.terrain.terrain import TerrainPreview
from ctrlgraph.yaml_loader import unprintable

NAMED = "'id' must be a parameter id, such as walk.t/0/call simbicon/dt"

WHOLE = """\
edge: walk -> stand
condition: {slope: [-8, 0, 8]}
source:
  cycles: 1
  program: d1
  constants: [{id: walk.t/0/call simbicon/dt, old: 0.3, new: 0.28}]
bridge: {script: learned/walk-stand.t, args: [0.5], program: d2}
target:
  cycles: 2
  program: d3
  constants:
    - {id: stand.t/argument/rise, old: 0.5, new: [0.4, 0.5, 0.6]}
search: {command: ctrlgraph learn walk stand, seed: 3, terms: {distance: 0.1}}
held_out: {seed: 4, naive: {trials: 40, successes: 30}, notes: null}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "learned.yaml"


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("learned")


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def complaint(path: Path, text: str) -> str:
    """The first line of what is said about a file with this text."""
    with pytest.raises(SourceError) as raised:
        read_learned(written(path, text))
    return str(raised.value).splitlines()[0].removeprefix(f"{path}:")


# --- the file ---


def test_a_whole_file_is_read(path: Path) -> None:
    learned = read_learned(written(path, WHOLE))
    assert (learned.edge, learned.node, learned.condition) == ("walk -> stand", None, {"slope": (-8, 0, 8)})
    assert learned.source is not None and learned.target is not None
    assert learned.source.constants[0] == LearnedConstant(id="walk.t/0/call simbicon/dt", old=0.3, new=0.28)
    assert learned.bridge == LearnedBridge(script="learned/walk-stand.t", args=[0.5], program="d2")
    assert (learned.target.cycles, learned.target.constants[0].new) == (2, (0.4, 0.5, 0.6))
    assert learned.search["terms"] == {"distance": 0.1}
    assert learned.held_out["naive"] == {"trials": 40, "successes": 30}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "target: {program: d}",
            "1:1: error: a learned file needs either the field 'edge' (such as walk -> stand) or the field 'node'",
        ),
        (
            "edge: a -> b\nnode: a\ntarget: {program: d}",
            "2:7: error: a learned file needs either the field 'edge' (such as walk -> stand) or the field 'node'",
        ),
        ("edge: a -> b", "1:1: error: the file changes nothing: add the field source, bridge or target"),
        (
            "node: a\nsource: {program: d}",
            "2:1: error: 'source' is a field for edges; the learned file of a node can only have a 'target'",
        ),
        (
            "node: a\ntarget: {program: d, cycles: 1}",
            "2:22: error: 'cycles' is a field for edges; a node runs all its cycles with the learned constants",
        ),
        (
            "node: a\ncondition: {slpoe: [1]}\ntarget: {program: d}",
            "2:12: error: condition must name one of slope, obstacle and its values, as in {slope: [-5, 0, 5]}",
        ),
        (
            "node: a\ncondition: {slope: [0, 0]}\ntarget: {program: d}",
            "2:12: error: condition must give the values of slope in rising order, each only once",
        ),
        (
            "node: a\ncondition: {slope: steep}\ntarget: {program: d}",
            "2:12: error: condition must give a list of numbers for slope, not 'steep'",
        ),
        (
            "node: a\nsearch: {command: !!set {a}}\ntarget: {program: d}",
            "2:9: error: search can contain only finite numbers, texts, lists and mappings, not {'a'}",
        ),
    ],
)
def test_a_fault_is_one_sentence_at_its_place(path: Path, text: str, said: str) -> None:
    assert complaint(path, text) == said


@pytest.mark.parametrize(
    ("constant", "said"),
    [
        ("{id: walk.t, old: 1, new: 2}", f"{NAMED}, not 'walk.t'"),
        ("{old: 1, new: 2}", "target.constants[0] needs the field 'id'"),
        ("{id: a.t/0/b/c, old: 1, new: two}", "must be a finite number or a list of them, not 'two'"),
        ("{id: a.t/0/b/c, old: 1, new: [.nan]}", "must be a finite number or a list of them, not [.nan]"),
        (
            "{id: a.t/0/b/c, old: 1, new: [1, 2]}",
            "a list of values needs the field 'condition' with the same number of values",
        ),
    ],
)
def test_a_constant_has_an_id_and_numbers(path: Path, constant: str, said: str) -> None:
    text = f"node: a\ntarget: {{program: d, constants: [{constant}]}}"
    assert complaint(path, text).endswith(said)


def test_a_list_has_one_number_for_each_value_of_the_condition(path: Path) -> None:
    text = "node: a\ncondition: {slope: [0, 5]}\ntarget: {program: d, constants: [{id: a.t/0/b/c, old: 1, new: [1]}]}"
    assert complaint(path, text) == "3:63: error: 'condition' has 2 values, but 'new' has 1"


def test_no_constant_is_given_twice(path: Path) -> None:
    twice = "{id: a.t/0/b/c, old: 1, new: 2}, {id: a.t/0/b/c, old: 1, new: 3}"
    said = complaint(path, f"node: a\ntarget: {{program: d, constants: [{twice}]}}")
    assert said == "2:72: error: the constant a.t/0/b/c is given twice: remove one"


numbers = st.floats(-1e6, 1e6)


def words(**size: int) -> st.SearchStrategy[str]:
    """Texts without what a terminal obeys, which is refused where a file is read."""
    return st.text(**size).filter(lambda text: unprintable(text) is None)


ids = st.one_of(
    st.builds("a.t/argument/{}".format, st.sampled_from("abc")),
    st.builds("{}.t/{}/POSE rKnee#{}/kp".format, st.sampled_from("abc"), st.integers(0, 99), st.integers(2, 9)),
    st.builds("{}.t/{}/after fallen >/angle".format, st.sampled_from("abc"), st.integers(0, 99)),
)
free = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | numbers | words(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words(min_size=1, max_size=5), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def learned_files(draw: st.DrawFn) -> LearnedFile:
    condition = draw(st.none() | st.sets(st.floats(-20, 20), min_size=1, max_size=3).map(sorted))
    new = numbers if condition is None else st.tuples(*(numbers for _ in condition))
    constants = st.lists(
        st.builds(LearnedConstant, id=ids, old=numbers, new=new), max_size=4, unique_by=lambda constant: constant.id
    )
    part = st.builds(LearnedPart, program=st.text("0123456789abcdef", min_size=16, max_size=16), constants=constants)
    return LearnedFile(
        edge="walk -> stand",
        condition=None if condition is None else {"slope": condition},
        source=draw(st.none() | part),
        target=draw(part),
        search=draw(st.dictionaries(words(min_size=1, max_size=5), free, max_size=3)),
        held_out=draw(st.dictionaries(words(min_size=1, max_size=5), free, max_size=3)),
    )


@given(learned_files())
def test_what_is_written_is_read_back_bit_for_bit(
    tmp_path_factory: pytest.TempPathFactory, learned: LearnedFile
) -> None:
    path = tmp_path_factory.mktemp("learned") / "a.yaml"
    write_learned(path, learned)
    assert read_learned(path) == learned


@pytest.mark.parametrize("digest", ["12e4567890123456", "0000000000000008", "1234567890123456", "0x12"])
def test_a_digest_that_looks_like_a_number_stays_a_text(path: Path, digest: str) -> None:
    write_learned(path, LearnedFile(node="walk", target=LearnedPart(program=digest)))
    assert read_learned(path).target == LearnedPart(program=digest)


def test_a_file_is_written_for_people_too(path: Path) -> None:
    write_learned(path, read_learned(written(path, WHOLE)))
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# walk -> stand: learned constants, made by `ctrlgraph learn walk stand`."
    assert "`ctrlgraph learned walk-stand` shows them" in lines[1]
    row = "    - {id: walk.t/0/call simbicon/dt, old: 0.3, new: 0.28}"
    assert row in lines and "condition: {slope: [-8.0, 0.0, 8.0]}" in lines


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "learned").write_text("in the way")
    learned = LearnedFile(node="walk", target=LearnedPart(program="d"))
    with pytest.raises(CtrlGraphError, match=r"cannot write .*learned/walk\.yaml': (file exists|not a directory)$"):
        write_learned(tmp_path / "learned" / "walk.yaml", learned)
    assert [each.name for each in tmp_path.iterdir()] == ["learned"]


def test_numbers_of_numpy_are_plain_numbers_in_a_file(path: Path) -> None:
    search = {"seed": np.int64(3), "cost": np.float64(0.5), "terms": (np.float64(1.0),)}
    write_learned(path, LearnedFile(node="walk", target=LearnedPart(program="d"), search=search))
    assert read_learned(path).search == {"seed": 3, "cost": 0.5, "terms": [1.0]}


# --- constants and their parameters ---


@pytest.mark.slow
def test_every_constant_of_every_shipped_controller_has_an_id_of_its_own(project: Project) -> None:
    for node in project.graph:
        program = project.program(node)
        found = [parameter.id for parameter in program.parameters]
        assert len(set(found)) == len(found) == program.constants.size
        arguments = [name for name in found if name.split("/")[1] == "argument"]
        assert arguments == found[: len(node.args)] and len(arguments) == len(node.args)


@given(st.data())
def test_changed_constants_come_back_from_their_ids(project: Project, data: st.DataObject) -> None:
    program = project.program(data.draw(st.sampled_from(["walk", "walk_to_stop", "stand"])))
    indices = st.integers(0, program.constants.size - 1)
    values = data.draw(st.dictionaries(indices, numbers, max_size=6))
    entries = constants_of(program, values)
    wanted = program.constants.copy()
    for index, value in values.items():
        wanted[index] = value
    assert apply_constants(program, entries).constants.tolist() == wanted.tolist()
    assert [entry.old for entry in entries] == [program.constants[index] for index in sorted(values)]


def test_an_id_that_no_parameter_has_is_one_sentence(project: Project) -> None:
    entry = LearnedConstant(id="walk.t/0/call simbicon/td", old=1.0, new=2.0)
    with pytest.raises(CtrlGraphError, match=r"^'walk' has no constant walk\.t/0/call simbicon/td$"):
        apply_constants(project.program("walk"), [entry])


# --- values that follow the ground ---


def test_where_nothing_was_learned_an_adapted_program_keeps_its_own(project: Project) -> None:
    plain = project.program("walk")
    adapted = plain.with_constants(plain.constants + 0.01)
    old = float(plain.constants[0])
    entry = LearnedConstant(id=plain.parameters[0].id, old=old, new=[old, old + 1.0])
    condition = {"obstacle": [0.0, 0.1]}
    level, box = (
        apply_constants(adapted, [entry], condition, TerrainPreview(obstacle=height)) for height in (0.0, 0.1)
    )
    assert level.constants.tolist() == adapted.constants.tolist()
    assert box.constants[0] == old + 1.0 and box.constants[1:].tolist() == adapted.constants[1:].tolist()


def test_one_number_holds_on_any_ground_and_an_obstacle_is_read_as_one() -> None:
    assert (
        LearnedConstant(id="a.t/argument/x", old=0.0, new=2.0).value({"slope": [0, 5]}, TerrainPreview(slope=3.0))
        == 2.0
    )
    constant = LearnedConstant(id="a.t/argument/x", old=0.0, new=[0.0, 1.0])
    assert constant.value({"obstacle": [0.0, 0.2]}, TerrainPreview(slope=30.0, obstacle=0.05)) == pytest.approx(0.25)
