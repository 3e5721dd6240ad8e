"""Writer of learned files, with each constant on one line and a comment about how the constants were found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from ctrlgraph.files import write_text
from ctrlgraph.project.learned import LearnedFile, LearnedPart
from ctrlgraph.yaml_loader import NUMBER

_HEADER = """\
# {title}: learned constants, made {how}.
# `ctrlgraph learned {name}` shows them; docs/reference/learned.md describes the fields. After a change of a program
# its constants are stale and are rejected.
"""


class _Dumper(yaml.SafeDumper):
    """Writer of YAML that indents lists. A `_Row`, and a list without lists or mappings in it, are put on one line."""

    yaml_implicit_resolvers = {k: list(v) for k, v in yaml.SafeDumper.yaml_implicit_resolvers.items()}  # noqa: RUF012

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


class _Row(dict[str, Any]):
    """A mapping that `_Dumper` writes on one line."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    """Return the YAML node of a text, in quotes if the text has characters that YAML could treat as line breaks."""
    odd = any(not character.isprintable() for character in text)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if odd else None)


# otherwise a digest such as 12e4567890123456 would be written without quotes and read as a number
_Dumper.add_implicit_resolver("tag:yaml.org,2002:float", NUMBER, list("-+0123456789."))
_Dumper.add_representer(str, _text)
_Dumper.add_representer(
    _Row, lambda dumper, row: dumper.represent_mapping("tag:yaml.org,2002:map", row, flow_style=True)
)
_Dumper.add_multi_representer(float, lambda dumper, value: dumper.represent_float(float(value)))  # numpy's, too
_Dumper.add_representer(
    list, lambda dumper, row: dumper.represent_sequence("tag:yaml.org,2002:seq", row, flow_style=_is_flat(row))
)


def write_learned(path: Path | str, learned: LearnedFile) -> None:
    """Write a learned file. Create its directory if necessary. After an error, an existing file is unchanged.

    Args:
        path: File to write.
        learned: Contents of the file.

    Raises:
        CtrlGraphError: The file cannot be written.
    """
    fields: dict[str, Any] = {"edge": learned.edge, "node": learned.node}
    if learned.condition is not None:
        fields["condition"] = _Row({name: list(values) for name, values in learned.condition.items()})
    blocks = {
        "source": _part(learned.source),
        "bridge": None if learned.bridge is None else learned.bridge.model_dump(mode="json"),
        "target": _part(learned.target),
        "search": learned.search,
        "held_out": learned.held_out,
    }
    head = _HEADER.format(title=learned.title, how=_how(learned.search), name=learned.title.replace(" -> ", "-"))
    head += "".join(_dumped(name, value) for name, value in fields.items() if value is not None)
    write_text(path, "\n".join([head, *(_dumped(name, value) for name, value in blocks.items() if value)]))


def _how(search: Mapping[str, Any]) -> str:
    """Return how a learned file was made, as the end of a sentence, such as "by a search".

    Args:
        search: Field `search` of the file. For a gain-scheduled node, it has an entry for each search.
    """
    found = [search, *(value for value in search.values() if isinstance(value, dict))]
    commands = dict.fromkeys(" ".join(str(each["command"]).split()) for each in found if each.get("command"))
    if commands:
        return "by " + ", ".join(f"`{command}`" for command in commands)
    return "by a search" if search else "by hand"


def _part(part: LearnedPart | None) -> dict[str, Any] | None:
    if part is None:
        return None
    cycles = {} if part.cycles is None else {"cycles": part.cycles}
    rows = [_Row(constant.model_dump(mode="json")) for constant in part.constants]
    return {**cycles, "program": part.program, "constants": rows}


def _dumped(key: str, value: object) -> str:
    return yaml.dump({key: value}, Dumper=_Dumper, sort_keys=False, width=10**6, allow_unicode=True)


def _is_flat(row: Sequence[object]) -> bool:
    return not any(isinstance(item, dict | list) for item in row)
