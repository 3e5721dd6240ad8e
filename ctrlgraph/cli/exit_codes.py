"""Exit codes of the commands of `ctrlgraph`."""

from __future__ import annotations

import enum


class ExitCode(enum.IntEnum):
    """Number with which a command ends, such as 0 for success."""

    meaning: str
    """Sentence about the meaning of the code, for the documentation."""

    def __new__(cls, code: int, meaning: str) -> ExitCode:
        """Create an exit code from its number and a sentence about its meaning."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    @classmethod
    def of(cls, well: bool) -> ExitCode:
        """Return DONE (0) if a command succeeded (`well`), otherwise FAILED (1)."""
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
    BROKEN_PIPE = 141, "the program that reads stdout has closed the pipe"  # 128 + SIGPIPE
