"""What was said before the command's name; commands receive it through `click.pass_obj`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctrlgraph.project.project import Project


@dataclass(frozen=True, slots=True)
class Settings:
    """`project_directory` is --project (None: search upwards); `verbose` counts -v."""

    project_directory: Path | None = None
    verbose: int = 0

    def project(self) -> Project:
        """Return the project of --project, or of the nearest directory upwards.

        Raises:
            CtrlGraphError: there is none.
        """
        from ctrlgraph.project.project import Project

        return Project.find() if self.project_directory is None else Project(self.project_directory)
