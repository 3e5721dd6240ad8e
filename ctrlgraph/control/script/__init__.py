"""Controllers written as scripts. A script is compiled to arrays, the program, which are interpreted in each tick."""

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
