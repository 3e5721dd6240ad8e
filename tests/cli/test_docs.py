"""Every command is documented: its section in docs/commands.md names every option and exit code."""

from __future__ import annotations

import importlib
import re
import signal
from pathlib import Path

import click
import pytest
import yaml

from ctrlgraph.character.mjcf import parse_mjcf
from ctrlgraph.character.schema import CharacterEntry, GainsEntry, JointEntry, LinkEntry, RolesEntry, SidecarEntry
from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.main import COMMANDS, cli

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
PAGES += sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))
TEXT = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## `ctrlgraph ([\w-]+)[^\n]*\n(.*?)(?=^## |\Z)", TEXT, flags=re.MULTILINE | re.DOTALL))


def options(command: click.Command) -> set[str]:
    return {max(p.opts, key=len) for p in command.params if isinstance(p, click.Option) and not p.hidden}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_section_that_names_its_options(name: str) -> None:
    assert name in SECTIONS
    command = importlib.import_module(f"ctrlgraph.cli.{name.replace('-', '_')}").command
    assert {option for option in options(command) if f"`{option}" not in SECTIONS[name]} == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_section_names_no_option_that_its_command_lacks(name: str) -> None:
    command = importlib.import_module(f"ctrlgraph.cli.{name.replace('-', '_')}").command
    table = "\n".join(line for line in SECTIONS[name].splitlines() if line.startswith("| `--"))
    spellings = {opt for p in command.params for opt in (*p.opts, *p.secondary_opts)}
    assert set(re.findall(r"`(--[a-z-]+)", table)) <= spellings


def test_the_options_before_the_command_are_documented() -> None:
    general = TEXT.partition("\n## `ctrlgraph ")[0]
    assert {option for option in options(cli) - {"--help"} if f"`{option}" not in general} == set()


def test_the_table_of_exit_codes_is_that_of_the_code() -> None:
    table = re.search(r"^\| exit code \| \|\n\| --- \| --- \|\n((?:\|.*\n)+)", TEXT, flags=re.MULTILINE)
    assert table is not None
    assert table[1].splitlines() == [f"| {code.value} | {code.meaning} |" for code in ExitCode]


def test_exit_codes_are_numbers_in_their_own_table_only() -> None:
    literal = re.compile(r"\bexit\(\d|\breturn \d+ if .* else \d|\bEXIT_[A-Z]+ = ")
    modules = (ROOT / "ctrlgraph" / "cli").glob("*.py")
    found = {path.name: literal.findall(path.read_text(encoding="utf-8")) for path in modules}
    assert {name: spellings for name, spellings in found.items() if spellings} == {}


def test_a_signal_s_exit_code_is_the_shell_s() -> None:
    assert (ExitCode.INTERRUPTED, ExitCode.BROKEN_PIPE) == (128 + signal.SIGINT, 128 + signal.SIGPIPE)


def test_the_sections_are_exactly_the_commands() -> None:
    assert list(SECTIONS) == list(COMMANDS)


@pytest.fixture(scope="module")
def nodes() -> int:
    """How many nodes the shipped graph has."""
    return len(yaml.safe_load((ROOT / "graph.yaml").read_text(encoding="utf-8"))["nodes"])


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_counts_the_nodes_of_the_graph_counts_right(page: str, nodes: int) -> None:
    counted = re.findall(r"\ball (\d+) nodes\b", (ROOT / page).read_text(encoding="utf-8"))
    assert set(counted) <= {str(nodes)}


def test_the_page_on_characters_names_every_field_with_its_unit_and_default() -> None:
    text = (ROOT / "docs" / "character.md").read_text(encoding="utf-8")
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
    text = (ROOT / "docs" / "character.md").read_text(encoding="utf-8")
    model, roles = (text.partition(f"```{kind}\n")[2].partition("```")[0] for kind in ("xml", "yml"))
    character = parse_mjcf(model, "monopod.xml", roles)
    (hip,) = character.joints
    assert (hip.kp, hip.torque_limit.upper, hip.hard_torque_limit.upper) == (300, 80, 120)


def test_readme_begins_with_the_two_commands() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:8]
    assert any(line.startswith("make walk") for line in lines)
    assert any(line.startswith("make test") for line in lines)
