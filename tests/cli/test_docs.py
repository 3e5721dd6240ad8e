"""Every command is documented: the reference is generated from the commands, and up to date."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import click
import pytest
import yaml

from ctrlgraph.character.mjcf import parse_mjcf
from ctrlgraph.character.schema import CharacterEntry, GainsEntry, JointEntry, LinkEntry, RolesEntry, SidecarEntry
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.main import COMMANDS, load_command
from scripts import commands_reference

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
PAGES += sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))


def test_the_reference_of_the_commands_is_up_to_date() -> None:
    """`python scripts/commands_reference.py` writes it anew."""
    assert commands_reference.PAGE.read_text(encoding="utf-8") == commands_reference.reference()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_reference_names_every_option_of_a_command(name: str) -> None:
    section = commands_reference.section(name, "##")
    options = {max(p.opts, key=len) for p in load_command(name).params if isinstance(p, click.Option)}
    assert {option for option in options if option not in section} == set()
    assert f"```sh\nctrlgraph {name.split()[0]}" in section


def test_exit_codes_are_numbers_in_their_own_table_only() -> None:
    literal = re.compile(r"\bexit\(\d|\breturn \d+ if .* else \d|\bEXIT_[A-Z]+ = ")
    modules = (ROOT / "ctrlgraph" / "cli").rglob("*.py")
    found = {path.name: literal.findall(path.read_text(encoding="utf-8")) for path in modules}
    assert {name: spellings for name, spellings in found.items() if spellings} == {}


def test_a_signal_s_exit_code_is_the_shell_s() -> None:
    assert (ExitCode.INTERRUPTED, ExitCode.BROKEN_PIPE) == (128 + signal.SIGINT, 128 + signal.SIGPIPE)


@pytest.fixture(scope="module")
def nodes() -> int:
    """How many nodes the shipped graph has."""
    return len(yaml.safe_load((ROOT / "graph.yaml").read_text(encoding="utf-8"))["nodes"])


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_counts_the_nodes_of_the_graph_counts_right(page: str, nodes: int) -> None:
    counted = re.findall(r"\ball (\d+) nodes\b", (ROOT / page).read_text(encoding="utf-8"))
    assert set(counted) <= {str(nodes)}


def test_the_page_on_characters_names_every_field_with_its_unit_and_default() -> None:
    text = (ROOT / "docs" / "reference" / "character.md").read_text(encoding="utf-8")
    for title, entry in (
        ("The whole character", CharacterEntry),
        ("A link", LinkEntry),
        ("A joint", JointEntry),
        ("Roles", RolesEntry),
        ("Gains", GainsEntry),
        ("The file of roles", SidecarEntry),
    ):
        section = re.split(r"\n##+ ", text.partition(f"## {title}\n")[2])[0]
        rows = re.findall(r"^\| `(\w+)` \|[^|]*\| ([^|]+) \|[^|]+\|$", section, flags=re.MULTILINE)
        assert [name for name, _ in rows] == list(entry.model_fields)
        needed = {name for name, default in rows if default == "needed"}
        assert needed == {name for name, field in entry.model_fields.items() if field.is_required()}


def test_the_example_of_a_model_and_its_roles_is_one() -> None:
    text = (ROOT / "docs" / "reference" / "character.md").read_text(encoding="utf-8")
    model, roles = (text.partition(f"```{kind}\n")[2].partition("```")[0] for kind in ("xml", "yml"))
    character = parse_mjcf(model, "monopod.xml", roles)
    (hip,) = character.joints
    assert (hip.kp, hip.torque_limit.upper, hip.hard_torque_limit.upper) == (300, 80, 120)


def test_readme_begins_with_the_two_commands() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:8]
    assert any(line.startswith("make walk") for line in lines)
    assert any(line.startswith("make test") for line in lines)
