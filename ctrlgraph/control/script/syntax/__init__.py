"""From the text of a script to its syntax tree, and back to text in the canonical layout."""
