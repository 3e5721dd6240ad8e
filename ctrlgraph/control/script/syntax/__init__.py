"""From the text of a script to its syntax tree, and back to text in the canonical layout."""

__all__ = ["builder", "formatter", "forms", "parser", "recovery", "syntax", "wording", "words"]
