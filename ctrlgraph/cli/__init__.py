"""The command line: one module a command, each parses, calls the library and prints."""
