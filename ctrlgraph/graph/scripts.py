"""What a graph file asks of the files that it names: character, scripts, learned constants."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ctrlgraph.errors import Finding, suggestion
from ctrlgraph.yaml_source import YamlSource

SCRIPT_SUFFIXES = (".t", ".s")


def character_path(directory: Path, name: str) -> Path:
    """The file that a graph's `character` means: a path, or the bare name of a file in characters/."""
    if "/" in name or Path(name).suffix:
        return directory / name
    return directory / "characters" / f"{name}.yaml"


def check_character_file(source: YamlSource, directory: Path) -> list[Finding]:
    """The character file exists."""
    name = source.data.get("character")
    if not isinstance(name, str) or character_path(directory, name).is_file():
        return []
    folder = character_path(directory, name).parent
    known = [path.stem if folder == directory / "characters" else path.name for path in sorted(folder.glob("*.yaml"))]
    message = f"no character '{name}': there is no file {_relative(character_path(directory, name), directory)}"
    return [source.finding("missing-character", message, ["character"], hint=suggestion(name, known))]


def check_parameter_files(source: YamlSource, directory: Path) -> list[Finding]:
    """The files of learned constants exist."""
    edges = source.data.get("edges")
    findings = []
    for i, entry in enumerate(edges if isinstance(edges, list) else []):
        name = entry.get("parameters") if isinstance(entry, dict) else None
        if isinstance(name, str) and not (directory / name).is_file():
            message = f"there is no file of learned constants '{name}'"
            findings.append(source.finding("missing-parameters", message, ["edges", i, "parameters"]))
    return findings


def check_scripts(source: YamlSource, directory: Path, nodes: Mapping[str, dict[str, Any]]) -> list[Finding]:
    """Every node's script exists, takes as many arguments as are given, and loads no saved state."""
    findings = []
    for name, data in nodes.items():
        script = data.get("script")
        if not isinstance(script, str):
            continue
        path = directory / script
        if not path.is_file():
            folder = path.parent if path.parent.is_dir() else directory
            files = (file for file in folder.rglob("*") if file.suffix in SCRIPT_SUFFIXES)
            hint = suggestion(script, sorted(_relative(file, directory) for file in files))
            message = f"no script '{script}' for node '{name}'"
            findings.append(source.finding("unknown-script", message, ["nodes", name, "script"], hint=hint))
    return findings


def _relative(path: Path, directory: Path) -> str:
    return path.relative_to(directory).as_posix() if path.is_relative_to(directory) else str(path)
