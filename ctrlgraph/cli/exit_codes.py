"""Exit codes of commands."""

from __future__ import annotations

import enum


class ExitCode(enum.IntEnum):
    """Exit code of a command."""

    meaning: str
    """Meaning of the code, for the documentation."""

    def __new__(cls, code: int, meaning: str) -> ExitCode:
        """Create a member from its number and its meaning."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    @classmethod
    def of(cls, well: bool) -> ExitCode:
        """Return DONE if `well` is true, otherwise FAILED."""
        return cls.DONE if well else cls.FAILED

    DONE = 0, "done"
    FAILED = (
        1,
        "an error, reported in one sentence per fault; or a negative result (a check that finds errors, a replay that"
        " differs, a missing part, a controller or walk that failed)",
    )
    USAGE = 2, "the command line is not valid"
    INTERNAL = 70, "a fault in ctrlgraph itself; `ctrlgraph -v` shows where"  # EX_SOFTWARE of sysexits.h
    INTERRUPTED = 130, "interrupted; all finished attempts are in the log"  # 128 + SIGINT
    BROKEN_PIPE = 141, "the reader of stdout closed it"  # 128 + SIGPIPE
