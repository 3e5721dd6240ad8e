"""Files of learned constants: the numbers that a learned edge's target runs with instead of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ctrlgraph.control.program import Program
from ctrlgraph.errors import SourceError
from ctrlgraph.yaml_source import read_yaml, validate


class LearnedConstants(BaseModel):
    """A file of learned constants.

    program: digest of the program that they were learned for; constants: all its constants, in its
    order; success: success rate on held-out seeds; seed: of the search.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    program: Annotated[str, Field(strict=True)]
    constants: list[Annotated[float, Field(strict=True, allow_inf_nan=False)]]
    success: Annotated[float, Field(strict=True, ge=0, le=1)] | None = None
    seed: Annotated[int, Field(strict=True, ge=0)] | None = None


def load_constants(path: Path, program: Program) -> Program:
    """The program with the constants of a file.

    Raises:
        SourceError: the file has faults, or its constants were learned for another program.
    """
    source = read_yaml(path, "learned constants")
    learned, findings = validate(source, LearnedConstants)
    if learned is not None and learned.program != program.digest:
        message = f"these constants were learned for another version of '{program.name}' than the present one"
        findings.append(source.finding("stale-constants", message, ["program"], hint="learn them anew"))
    elif learned is not None and len(learned.constants) != program.constants.size:
        message = f"'{program.name}' has {program.constants.size} constants, not {len(learned.constants)}"
        findings.append(source.finding("bad-value", message, ["constants"], key=True))
    if learned is None or findings:
        raise SourceError(findings)
    return program.with_constants(np.array(learned.constants, dtype=np.float64))
