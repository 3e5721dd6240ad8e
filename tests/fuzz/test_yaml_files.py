"""A small share of the mutated YAML files; `make fuzz` runs many more."""

from __future__ import annotations

import random

import pytest
from fuzz import yaml_files
from sampling import sampled


@pytest.mark.slow
@pytest.mark.parametrize("kind", yaml_files.READERS)
def test_no_mutated_file_breaks_a_law(kind: str) -> None:
    for number in range(15):
        verdict = yaml_files.run(kind, random.Random(f"20261121 {number}"))
        assert verdict.broken is None, f"case {number}: {verdict.material!r}"


@pytest.mark.parametrize("kind", sampled(yaml_files.READERS, ["character", "gate", "scenario"]))
def test_what_is_shipped_is_accepted_and_opens_nothing_outside(kind: str) -> None:
    yaml_files.shipped()
    yaml_files.learned_project()
    for name in yaml_files.SAMPLES[kind]:
        yaml_files.opened_outside()
        yaml_files.READERS[kind](yaml_files.project_directory() / name)
        (yaml_files.project_directory() / name).write_text(yaml_files.original(name), encoding="utf-8")
        assert yaml_files.opened_outside() == ""


def test_a_case_depends_on_nothing_but_the_seed_and_its_number() -> None:
    cases = [[yaml_files.attempt(seed, number).material for number in range(3)] for seed in (1, 1, 2)]
    assert cases[0] == cases[1] != cases[2]


def test_what_is_opened_outside_is_noticed() -> None:
    link = yaml_files.project_directory() / "links" / "out.t"
    yaml_files.opened_outside()
    assert link.read_text().startswith(yaml_files.SECRET)
    assert yaml_files.opened_outside() == str(link.resolve())
