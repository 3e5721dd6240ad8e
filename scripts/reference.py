"""Write the generated tables of docs/reference/: measures, forms of the language, signals.

Each table lies between two marker lines of its page. `python scripts/reference.py` rewrites it; a test fails when a
page is out of date.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from ctrlgraph.control.script.checks.ranges import VALUE_BOUNDS
from ctrlgraph.control.script.syntax.forms import (
    CONDITION_FORMS,
    FEEDBACK_USAGE,
    FEEDBACK_VALUES,
    PRIMITIVE_FORMS,
    STATE_FORMS,
    STATE_VARIABLES,
    PrimitiveForm,
    Value,
)
from ctrlgraph.simulation.measures import MEASURES
from ctrlgraph.simulation.signals.planar_signals import PLANAR_QUANTITIES
from ctrlgraph.simulation.signals.signal_quantities import Quantities
from ctrlgraph.simulation.signals.spatial_signals import SPATIAL_QUANTITIES

DOCS = Path(__file__).resolve().parents[1] / "docs" / "reference"
BEGIN, END = "<!-- written by scripts/reference.py: {} -->", "<!-- up to here -->"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of Markdown."""
    names = list(head)
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def measures() -> str:
    """Return the table of all measures."""
    rows = (
        (
            f"`{each.name}`",
            "" if each.unit == "1" else each.unit,
            "end" if each.sampled == "end" else "course",
            each.moves,
            "yes" if each.is_bound else "",
            each.needed,
            each.description,
        )
        for each in sorted(MEASURES.values(), key=lambda each: each.moves == "space")
    )
    return table(("measure", "unit", "of", "in", "bound", "needs", "what it is"), rows)


def primitives() -> str:
    """Return the table of the primitives with their numbers."""
    forms = {form.usage: form for form in PRIMITIVE_FORMS.values()}
    rows = [(f"`{usage}`", _numbers(_values(form))) for usage, form in forms.items()]
    rows.append((f"`{FEEDBACK_USAGE}`", _numbers(FEEDBACK_VALUES)))
    return table(("primitive", "its numbers"), rows)


def conditions() -> str:
    """Return the table of the conditions of transitions."""
    rows = ((f"`{form.usage}`", _numbers(form.values)) for form in CONDITION_FORMS.values())
    return table(("condition", "its numbers"), rows)


def quantities() -> str:
    """Return the table of state variables that expressions can read."""
    forms = [*STATE_FORMS.values(), *STATE_VARIABLES.values()]
    rows = ((f"`{form.usage}`", form.quantity, VALUE_BOUNDS[form.quantity].unit) for form in forms)
    return table(("quantity", "what it is", "unit"), rows)


def limits() -> str:
    """Return the table of the bounds of each kind of number."""
    rows = []
    for quantity, bounds in VALUE_BOUNDS.items():
        low = f"above {bounds.low:g}" if bounds.low_is_open else f"{bounds.low:g}"
        rows.append((quantity, bounds.unit, low, f"{bounds.high:g}"))
    return table(("kind of number", "unit", "least", "greatest"), rows)


def _values(form: PrimitiveForm) -> tuple[Value, ...]:
    return (*form.values, *(value for modifier in form.modifiers for value in modifier.values))


def _numbers(values: Iterable[Value]) -> str:
    return ", ".join(f"{v.role} ({v.quantity})" if v.role != v.quantity else v.role for v in values)


def _columns(of: str, columns: dict[str, tuple[str, str]], name: str) -> str:
    rows = ((f"`{name.format(column)}`", unit, meaning) for column, (unit, meaning) in columns.items())
    return table((of, "unit", ""), rows)


def quantities_of_signals(quantities: Quantities) -> str:
    """Return the tables of the columns of a trace.

    Args:
        quantities: Quantities of planar or spatial motions.
    """
    return "\n\n".join(
        (
            _columns("of the whole body", quantities.whole, "{}"),
            _columns("of each joint", quantities.joint, "{}.JOINT"),
            _columns("of each link", quantities.link, "{}.LINK"),
        )
    )


TABLES: dict[tuple[str, str], Callable[[], str]] = {
    ("measures", "measures"): measures,
    ("forms", "primitives"): primitives,
    ("forms", "conditions"): conditions,
    ("forms", "quantities"): quantities,
    ("forms", "limits"): limits,
    ("signals", "planar columns"): partial(quantities_of_signals, PLANAR_QUANTITIES),
    ("signals", "spatial columns"): partial(quantities_of_signals, SPATIAL_QUANTITIES),
}
"""Functions that return the tables, by page and by the word in the marker line."""


def written(page: str, text: str) -> str:
    """Return the text of a page with its tables rewritten.

    Args:
        page: Name of the page, without directory and suffix.
        text: Its present text.

    Raises:
        ValueError: The page lacks the marker lines of a table.
    """
    for (name, word), make in TABLES.items():
        if name == page:
            begin = BEGIN.format(word)
            pattern = re.compile(re.escape(begin) + r"\n.*?" + re.escape(END), re.DOTALL)
            if len(pattern.findall(text)) != 1:
                raise ValueError(f"docs/reference/{page}.md needs the lines '{begin}' and '{END}'")
            block = f"{begin}\n\n{make()}\n\n{END}"
            text = pattern.sub(lambda _, block=block: block, text)
    return text


def main() -> None:
    """Rewrite the tables of all pages."""
    for page in dict.fromkeys(page for page, _ in TABLES):
        path = DOCS / f"{page}.md"
        path.write_text(written(page, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
