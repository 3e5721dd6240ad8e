"""The search that a session watches: its checkpoint, looked at now and then."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.paths import contained
from ctrlgraph.web import searches
from ctrlgraph.web.searches import SearchProgress

_EVERY_S = 1.0


class SearchPanel:
    """Watches a search of the project in a directory; `path`: its checkpoint, None where none is watched."""

    def __init__(self, directory: Path) -> None:
        self.path: str | None = None
        self._directory = directory
        self._seen: tuple[float, int] = (0.0, 0)
        self._looked = 0.0

    @property
    def is_due(self) -> bool:
        """Tell whether it is time to look again."""
        return self.path is not None and time.monotonic() - self._looked >= _EVERY_S

    def watch(self, path: str | None) -> None:
        """Watch another search from now on, or none."""
        self.path, self._seen = path, (0.0, 0)

    def look(self) -> SearchProgress | None:
        """Return how the search has gone on; None where it has not.

        Raises:
            CtrlGraphError: it cannot be watched; then none is.
        """
        self._looked = time.monotonic()
        assert self.path is not None
        try:
            status = contained(self._directory, self.path).stat()
            seen = status.st_mtime, status.st_size
            if seen == self._seen:
                return None
            self._seen = seen
            return searches.read_progress(self._directory, self.path)
        except OSError:
            path, self.path = self.path, None
            raise CtrlGraphError(f"{printable(str(path))} cannot be watched: it is not there") from None
        except CtrlGraphError:
            self.path = None
            raise

    def told(self) -> dict[str, Any]:
        """Return what can be watched and what is, as pages are told of it."""
        return {"type": "searches", "files": searches.checkpoints(self._directory), "watched": self.path}
