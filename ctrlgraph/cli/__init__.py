"""The command line. Each command has a module, which parses the options, calls the library and prints the result."""

__all__ = ["commands", "completion", "console", "display", "entry", "exit_codes", "main", "options", "streams"]
