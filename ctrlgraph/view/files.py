"""Writing a picture so that the file is either the old one or the whole new one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ctrlgraph.errors import CtrlGraphError


@contextmanager
def replacing(path: Path | str) -> Iterator[Path]:
    """A temporary file beside `path`, of the same suffix, which becomes `path` where nothing fails.

    Raises:
        CtrlGraphError: the directory does not exist or cannot be written.
    """
    path = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
    except OSError as error:
        raise CtrlGraphError(f"cannot write '{path}': {(error.strerror or str(error)).lower()}") from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
