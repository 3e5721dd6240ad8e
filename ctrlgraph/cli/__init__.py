"""The command line `ctrlgraph`. The module of each command parses options, calls the library and prints the result."""

__all__ = ["commands", "completion", "console", "display", "entry", "exit_codes", "main", "options", "streams"]
