"""Write the gaits and the table that projects/tracking/stepping/few.yaml names.

    python benchmarks/stepping.py

They are those of the hundred gaits with the strides FEW_STRIDES and the speeds FEW_SPEEDS.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ctrlgraph.character.files import load_character
from ctrlgraph.control.stepping.gait_set import GaitSet
from ctrlgraph.control.stepping.sampler import StepSampler
from ctrlgraph.control.stepping.stepping import read_entry
from ctrlgraph.policies import tabulate

PROJECT = Path(__file__).resolve().parents[1] / "projects" / "tracking"
FEW_STRIDES = (0.30, 0.38, 0.46, 0.54, 0.62, 0.66)
FEW_SPEEDS = (0.60, 0.70, 0.80)


def main() -> None:
    """Write the gaits and the table."""
    folder = PROJECT / "stepping"
    character = load_character(PROJECT / "characters" / "walker.yaml")
    every = GaitSet.load(folder / "gaits.npz", character.digest)
    kept = sorted({every.nearest(stride, speed) for stride in FEW_STRIDES for speed in FEW_SPEEDS})
    few = GaitSet(**{name: array[kept] for name, array in every._arrays.items()}, character=every.character)
    few.save(folder / "few_gaits.npz")
    sampler = StepSampler(character, few, read_entry(folder / "few.yaml")[1].feedback)
    table = tabulate(sampler.space, sampler.outcomes, folder / "few_steps.npz")
    print(f"{few.count} gaits, {table.status.size} steps; strides {np.unique(few.stride.round(2)).tolist()}")


if __name__ == "__main__":
    main()
