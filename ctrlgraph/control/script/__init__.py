"""Controllers written as scripts: compiled to arrays, the program, which an interpreter executes in each tick."""

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
