"""Options that are given more than once: each value counts, or the repetition is an error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click
import pytest

from ctrlgraph.cli.main import COMMANDS, cli, load_command, main


def commands() -> Iterator[tuple[list[str], click.Command]]:
    """Every command, with the words that call it; first `ctrlgraph` itself."""
    yield [], cli
    for name in COMMANDS:
        yield name.split(), load_command(name)


def options(command: click.Command) -> Iterator[click.Option]:
    return (option for option in command.params if isinstance(option, click.Option) and not option.multiple)


@pytest.mark.parametrize(("words", "command"), [pytest.param(*each, id=" ".join(each[0])) for each in commands()])
def test_an_option_with_a_single_value_is_refused_when_repeated(
    words: list[str], command: click.Command, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in options(command):
        name = max(option.opts, key=len)
        if option.is_flag or option.count:
            continue
        given = [name, *["1"] * option.nargs]
        assert main([*words, *given, *given]) == 2
        assert capsys.readouterr().err.endswith(f"Error: {name} is given more than once: give the option once\n")


def test_a_switch_and_its_opposite_contradict_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    switches = [(words, o) for words, command in commands() for o in options(command) if o.secondary_opts]
    assert len(switches) >= 3
    for words, option in switches:
        assert main([*words, option.opts[0], option.secondary_opts[0]]) == 2
        assert "is given more than once" in capsys.readouterr().err


def test_a_flag_may_be_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measures", "--json", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("robustness sweep stand --with push=100 --with push=200", "push is given twice (100 and 200): remove one"),
        ("robustness sweep stand slope=1,2 slope=3", "the axis slope is given twice: remove one of the two"),
        ("robustness limit stand push push=5", "the axis push is given twice: give each axis once"),
        ("robustness endurance spring --with push=1 --with push=2", "push is given twice (1 and 2): remove one"),
        ("tune spring --with mass=1.1 --with mass=1.2", "mass is given twice (1.1 and 1.2): remove one"),
        ("tune spring --weigh time=1 --weigh time=2", "--weigh gives the weight of time twice: give each weight once"),
        (
            "run spring --success torso=0:1 --success torso=0:2",
            "the measure torso is given twice: give one range for each measure",
        ),
    ],
)
def test_one_name_with_two_values_is_refused(run: Any, words: str, sentence: str) -> None:
    assert run(*words.split()) == (1, "", f"error: {sentence}\n")


def test_each_limit_that_is_asked_for_is_searched(run: Any) -> None:
    question = ("robustness", "limit", "stand", "slope=40", "friction=5", "--jobs", "1", "--seed", "1")
    code, out, _ = run(*question, "--json")
    found = json.loads(out)
    assert code == 0
    assert {limit["axis"] for limit in found["limits"]} == {"slope", "friction"}
    first, second = found["sweeps"]
    assert (first.partition(".")[0], first[-2:], second[-2:]) == (second.partition(".")[0], ".1", ".2")
