"""A small share of the mutated MuJoCo models; `make fuzz` runs many more."""

from __future__ import annotations

import random

from fuzz import mjcf_files

from ctrlgraph.character.mjcf import parse_mjcf


def test_no_mutated_model_breaks_a_law() -> None:
    for number in range(60):
        verdict = mjcf_files.run(random.Random(f"20261122 {number}"))
        assert verdict.broken is None, f"case {number}: {verdict.broken}\n{verdict.material!r}"


def test_what_is_mutated_is_good() -> None:
    for model, roles in mjcf_files.samples():
        assert mjcf_files.broken_character(parse_mjcf(model, "x.xml", roles)) == ""


def test_a_case_depends_on_nothing_but_the_seed_and_its_number() -> None:
    cases = [[mjcf_files.attempt(seed, number).material for number in range(6)] for seed in (1, 1, 2)]
    assert cases[0] == cases[1] != cases[2]
