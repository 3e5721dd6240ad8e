"""Write docs/reference/commands.md, the reference of the command line, from the commands themselves.

python scripts/commands_reference.py
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import click

from ctrlgraph.cli.exit_codes import ExitCode
from ctrlgraph.cli.main import GROUPS, SUBCOMMANDS, TOP_LEVEL, cli, load_command

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "commands.md"

HEAD = """\
# Commands

<!-- Written by scripts/commands_reference.py; do not edit. -->

The command line works in a *project directory*, which contains a `graph.yaml`: the nearest one upwards from the current
directory, or that of `--project`. `ctrlgraph init DIR` creates one.

- Results go to stdout; progress and notes go to stderr. `--json` prints results for other programs.
- `--engine NAME` selects the physics engine, `--with NAME=VALUE` the world or the perturbations, `--seed N` the seed of
  all random numbers, `-o FILE` the file to write.
- `--jobs N` never changes a result. At most four processes per core are started.
- An option with a single value is refused when it is repeated. Repeatable options say so.
- Control characters in names and texts are printed as escapes such as `\\x1b`; `--json` uses the escapes of JSON.
- The first simulation after an installation compiles the simulation, which takes up to a minute. `NUMBA_CACHE_DIR` is
  the directory of the compiled code where neither the package's directory nor `~/.cache` is writable.
- In a project that you do not trust, run `ctrlgraph`, not `python -m ctrlgraph`, which imports modules of the current
  directory.
"""

COMPLETION = """\
## Completion

Commands, options, nodes, drafts, scripts and runs are completed by the shell after one line in its settings:

| shell | file | line |
| --- | --- | --- |
| bash (4.4 or newer) | `~/.bashrc` | `eval "$(_CTRLGRAPH_COMPLETE=bash_source ctrlgraph)"` |
| zsh | `~/.zshrc` | `eval "$(_CTRLGRAPH_COMPLETE=zsh_source ctrlgraph)"` |
| fish | `~/.config/fish/completions/ctrlgraph.fish` | `_CTRLGRAPH_COMPLETE=fish_source ctrlgraph \\| source` |

Names with characters that are special to a shell are not offered.
"""


def reference() -> str:
    """Return the page."""
    parts = [HEAD, "## Commands by topic\n"]
    for title, commands in GROUPS.items():
        rows = "".join(f"| [`{name}`](#ctrlgraph-{name}) | {text} |\n" for name, text in commands.items())
        parts.append(f"**{title}**\n\n| command | |\n| --- | --- |\n{rows}")
    parts.append("## Options before the command\n\n" + options_table(cli))
    codes = "".join(f"| {code.value} | {code.meaning} |\n" for code in ExitCode)
    parts.append(f"## Exit codes\n\n| exit code | |\n| --- | --- |\n{codes}")
    parts.append(COMPLETION)
    for name in TOP_LEVEL:
        if name in SUBCOMMANDS:
            parts.append(f"## `ctrlgraph {name}`\n\n{TOP_LEVEL[name]}\n")
            parts += [section(f"{name} {command}", "###") for command in SUBCOMMANDS[name]]
        else:
            parts.append(section(name, "##"))
    return "\n".join(parts)


def section(name: str, marks: str) -> str:
    """Return the section of a command.

    Args:
        name: Words of the command, such as "record keyframes".
        marks: Marks of the heading.
    """
    command = load_command(name)
    context = click.Context(command, info_name=f"ctrlgraph {name}")
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    text, _, examples = inspect.cleandoc(command.help or "").partition("\b\n")
    lines = [line.strip() for line in examples.splitlines()[1:] if line.strip()]
    return (
        f"{marks} `ctrlgraph {name}`\n\n```text\n{usage}\n```\n\n"
        + f"{escaped(text.strip())}\n\n"
        + (f"```sh\n{chr(10).join(lines)}\n```\n\n" if lines else "")
        + options_table(command)
    )


def options_table(command: click.Command) -> str:
    """Return a table of the options of a command, without --help."""
    context = click.Context(command, show_default=True)
    rows = []
    for option in command.params:
        record = option.get_help_record(context) if isinstance(option, click.Option) else None
        if record is not None:
            names, text = record
            names = names.replace("INTEGER RANGE", "N").replace("FLOAT RANGE", "X")
            rows.append(f"| `{names.replace('|', '¦')}` | {escaped(text)} |\n".replace("¦", "\\|"))
    return "| option | meaning |\n| --- | --- |\n" + "".join(rows)


def escaped(text: str) -> str:
    """Return a text without characters that Markdown would interpret."""
    text = re.sub(r"(?<=\S)  +", " ", text)
    return re.sub(r"([|*<>\[\]])", r"\\\1", text) if "|" in text or "[" in text else text


def main() -> None:
    """Write the page."""
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(reference(), encoding="utf-8")


if __name__ == "__main__":
    main()
