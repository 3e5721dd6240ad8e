"""Every command is documented: its section in docs/commands.md names every option and exit code."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import click
import pytest

from ctrlgraph.cli.main import COMMANDS, cli

ROOT = Path(__file__).parents[2]
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


def test_the_sections_are_exactly_the_commands() -> None:
    assert list(SECTIONS) == list(COMMANDS)


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/README.md", "docs/commands.md"])
def test_links_lead_to_files_that_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
    assert [link for link in links if not ((ROOT / page).parent / link).exists()] == []


def test_readme_begins_with_the_two_commands() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:8]
    assert any(line.startswith("make walk") for line in lines)
    assert any(line.startswith("make test") for line in lines)
