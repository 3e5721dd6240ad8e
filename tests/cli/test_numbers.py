"""Numbers on the command line."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from ctrlgraph.cli.main import COMMANDS, cli, load_command
from ctrlgraph.cli.options.numbers import Finite


def kinds(kind: click.ParamType) -> Iterator[click.ParamType]:
    """A type, or those of a tuple's parts."""
    parts = kind.types if isinstance(kind, click.Tuple) else [kind]
    return iter(parts)


def test_every_number_of_every_command_is_finite() -> None:
    floats = [
        (name, parameter.name, kind)
        for name in COMMANDS
        for parameter in load_command(name).params
        for kind in kinds(parameter.type)
        if isinstance(kind, click.types.FloatParamType)
    ]
    assert len(floats) > 20
    assert [(name, parameter) for name, parameter, kind in floats if not isinstance(kind, Finite)] == []


@pytest.mark.parametrize(
    "words",
    [
        ["trace", "stand", "-o", "x.csv", "--rate"],
        ["export", "stand", "-o", "x.bvh", "--rate"],
        ["trace", "stand", "-o", "x.csv", "--seconds"],
    ],
)
def test_what_is_no_number_is_a_usage_error(words: list[str]) -> None:
    result = CliRunner().invoke(cli, [*words, "nan"])
    assert result.exit_code == 2
    assert f"Invalid value for '{words[-1]}': 'nan' is not a finite number." in result.output
