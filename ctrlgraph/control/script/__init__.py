"""Controllers written as scripts: compiled to a program, and interpreted tick by tick."""
