"""Controllers written as scripts: compiled to a program, and interpreted tick by tick."""

__all__ = [
    "bounds",
    "checks",
    "codes",
    "compiler",
    "constants",
    "correspondence",
    "departure",
    "execution",
    "expansion",
    "identity",
    "library",
    "mirror",
    "program",
    "rewrite",
    "script_kind",
    "sequence",
    "syntax",
]
