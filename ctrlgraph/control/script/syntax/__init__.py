"""Parser of scripts, syntax tree, and formatter."""

__all__ = ["builder", "formatter", "forms", "parser", "recovery", "syntax", "wording", "words"]
