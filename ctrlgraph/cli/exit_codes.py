"""Exit codes: what a command tells whoever started it, one number for each kind of end."""

from __future__ import annotations

import enum


class ExitCode(enum.IntEnum):
    """How a command ended; `meaning` is what the documentation says of it."""

    meaning: str

    def __new__(cls, code: int, meaning: str) -> ExitCode:
        """Return the member of this number."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    @classmethod
    def of(cls, well: bool) -> ExitCode:
        """Return DONE where what was asked turned out well, else FAILED."""
        return cls.DONE if well else cls.FAILED

    DONE = 0, "done"
    FAILED = (
        1,
        "an error, told in one sentence for each fault; or what was asked turned out wrong (a check that finds errors,"
        " a replay that differs, a doctor's missing part, a controller or walk that failed)",
    )
    USAGE = 2, "the command line itself is wrong"
    INTERNAL = 70, "a fault in ctrlgraph itself; `-v` shows where"  # EX_SOFTWARE of sysexits.h
    INTERRUPTED = 130, "interrupted; every attempt that had ended is in the log"  # 128 + SIGINT, as shells have it
    BROKEN_PIPE = 141, "the reader of stdout went away"  # 128 + SIGPIPE
