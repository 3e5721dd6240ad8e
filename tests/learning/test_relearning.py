"""Commands in learned files: they only set options that determine the result, within bounds, for their own edge."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from mistakes import read_mistakes

from ctrlgraph.cli.commands.learn import command
from ctrlgraph.errors import CtrlGraphError, SourceError
from ctrlgraph.learning.relearning import (
    ALLOWED,
    COMMAND_LINE_ONLY,
    LearnOptions,
    parse_words,
    recorded_arguments,
    words_of,
)
from ctrlgraph.project.project import Project

ROOT = Path(__file__).parents[2]
MISTAKES, RECORDED = read_mistakes("learn_commands.txt"), read_mistakes("recorded_commands.txt")


def test_every_option_of_the_command_is_either_for_files_or_for_the_command_line_alone():
    names = {name[2:] for p in command.params for name in p.opts if name.startswith("--")} | {"help"}
    assert names == {*ALLOWED, *COMMAND_LINE_ONLY}
    assert not COMMAND_LINE_ONLY & {*ALLOWED}


def test_words_come_back_as_they_were_given():
    words = "walk stand --source-cycles 2 --no-numerics --over noise=0.02/0.03 --over quickstep=50 --sigma 0.5 --refine"
    source, target, options = parse_words(shlex.split(words))
    assert (source, target) == ("walk", "stand")
    assert parse_words(words_of(source, target, options)) == (source, target, options)
    assert parse_words(["--sigma=0.5", "--over=push=-250", "a", "b"])[2] == {"sigma": 0.5, "over": ["push=-250"]}


@pytest.mark.parametrize("path", sorted((ROOT / "learned").glob("*.yaml")), ids=lambda path: path.stem)
def test_the_commands_in_shipped_files_can_be_repeated(path):
    for line in path.read_text().splitlines():
        words = shlex.split(line.partition("command: ")[2])
        if words[:2] == ["ctrlgraph", "learn"]:
            source, target, options = parse_words(words[2:])
            assert f"{source}-{target}" == path.stem and isinstance(LearnOptions.model_validate(options), LearnOptions)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        *((words, mistake.shown) for words, mistake in MISTAKES.items()),
        (
            "a b --population " + "9" * 5000,
            "the option --population of 'learn' cannot be '" + "9" * 36 + "...: see 'ctrlgraph learn --help'",
        ),
    ],
)
def test_a_command_that_is_more_than_what_a_file_may_ask_for_is_refused(words, says):
    with pytest.raises(CtrlGraphError) as caught:
        parse_words(shlex.split(words))
    assert str(caught.value) == says


LEARNED = """\
edge: squat -> spring
target:
  program: "0"
  constants: []
search:
  command: {command}
  seed: {seed}
"""


class Summary:
    """As much of a learned file's summary as is asked for."""

    path, name = "learned/squat-spring.yaml", "squat -> spring"


@pytest.fixture
def recorded(small, monkeypatch):
    monkeypatch.chdir(small.directory)

    def recorded(command: str, seed: object = 3):
        (small.directory / "learned").mkdir()
        (small.directory / Summary.path).write_text(LEARNED.format(command=command, seed=seed))
        return recorded_arguments(Project(small.directory), Summary())

    return recorded


def test_a_recorded_command_is_repeated_with_its_seed(recorded):
    found = recorded("ctrlgraph --project . learn squat spring --only time --refine")
    assert found == [["squat", "spring", "--only", "time", "--seed", "3"]]


@pytest.mark.parametrize("command", RECORDED)
def test_a_recorded_command_that_is_no_learning_of_this_edge_is_shown_where_it_stands(recorded, command):
    with pytest.raises(SourceError) as caught:
        recorded(command)
    first, *_, hint = str(caught.value).splitlines()
    said = RECORDED[command].shown
    assert first == f"learned/squat-spring.yaml:6:12: error: this command cannot be repeated: {said}"
    assert hint == "    use 'ctrlgraph learn' for squat -> spring"


@pytest.mark.parametrize("seed", ["-1", "1.5", "'3 --cluster x'", "[1]", "true"])
def test_a_recorded_seed_is_a_whole_number(recorded, seed):
    with pytest.raises(
        SourceError, match=r"^learned/squat-spring\.yaml:7:9: error: a seed must be a whole number from 0"
    ):
        recorded("ctrlgraph learn squat spring", seed)
