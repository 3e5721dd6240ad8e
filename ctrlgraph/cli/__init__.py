"""The command line: one module a command, each parses, calls the library and prints."""

__all__ = ["commands", "completion", "console", "display", "entry", "exit_codes", "main", "options", "streams"]
