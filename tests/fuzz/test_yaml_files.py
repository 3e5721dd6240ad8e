"""A small share of the mutated YAML files; `make fuzz` runs many more."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import yaml_files
from common import run_number


@pytest.mark.parametrize("kind", yaml_files.READERS)
def test_no_mutated_file_breaks_a_law(kind: str) -> None:
    for number in range(15):
        case = run_number(yaml_files.run, [kind], 20261121, number)
        assert case.broken == "", f"case {number}:\n{case.data.decode(errors='replace')}"


@pytest.mark.parametrize("kind", yaml_files.READERS)
def test_what_is_shipped_is_accepted_and_opens_nothing_outside(kind: str) -> None:
    yaml_files.shipped()
    for name in yaml_files.SAMPLES[kind]:
        yaml_files.opened_outside()
        yaml_files.READERS[kind](yaml_files.project_directory() / name)
        (yaml_files.project_directory() / name).write_text(yaml_files.original(name), encoding="utf-8")
        assert yaml_files.opened_outside() == ""


def test_a_seed_decides_every_case() -> None:
    def data(number: int) -> bytes:
        return yaml_files.mutated(yaml_files.original("graph.yaml"), random.Random(f"1 {number}"))

    assert [data(number) for number in range(5)] == [data(number) for number in range(5)]


def test_what_is_opened_outside_is_noticed() -> None:
    link = yaml_files.project_directory() / "links" / "out.t"
    yaml_files.opened_outside()
    assert link.read_text().startswith(yaml_files.SECRET)
    assert yaml_files.opened_outside() == str(link.resolve())
