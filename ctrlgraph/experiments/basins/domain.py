"""The domain of a basin: states whose neighbourhood is about as dense as those of its samples.

The measure is the local outlier factor: how much sparser the samples are around a state than around its neighbours; 1
is typical, 2 is half as dense. A plain distance fails: samples with much noise are far apart, and samples with little
noise are dense, so that a state near them is still different.

Features are scaled by their standard deviation within a source, since distances between sources would hide unusual
features. A link in contact that is in contact in no sample has no deviation, so such a state is far from everything.

Source: M. M. Breunig et al., LOF: identifying density-based local outliers, SIGMOD (2000).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.extras import require

Numbers = NDArray[np.float64]

REACHES = (4.0, 3.0, 2.0)
"""Local outlier factors that may limit a domain, the largest first."""

NEIGHBOURS = 8

_LEAST_SPREAD = 1e-3


def spread_of(states: Numbers, sources: NDArray[Any]) -> Numbers:
    """Return the standard deviation of each feature within a source, (features,), pooled over the sources.

    Args:
        states: States, (n, features).
        sources: Source of each state, (n,).
    """
    apart = np.zeros_like(states)
    for source in set(sources.tolist()):
        mine = sources == source
        apart[mine] = states[mine] - states[mine].mean(axis=0)
    spread: Numbers = np.sqrt((apart**2).mean(axis=0)) + _LEAST_SPREAD
    return spread


def outlierness(states: Numbers, known: Numbers, spread: Numbers) -> Numbers:
    """Return the local outlier factor of each state among the known ones, (n,).

    Args:
        states: States, (n, features).
        known: At least two known states, (m, features).
        spread: Scale of each feature, (features,).

    Raises:
        CtrlGraphError: scikit-learn is not installed.
    """
    require("basins")
    from sklearn.neighbors import LocalOutlierFactor

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about equal samples, around which nothing else is dense enough
        factor = LocalOutlierFactor(n_neighbors=min(NEIGHBOURS, len(known) - 1), novelty=True).fit(known / spread)
        found: Numbers = -factor.score_samples(states / spread)
    return found


@dataclass(frozen=True)
class Sample:
    """An entry state and its outcome."""

    source: str
    """Predecessor."""
    noise: float
    """Start-state noise."""
    state: NDArray[np.float64]
    """Features, (features,)."""
    succeeded: bool
    """True if the node succeeded and a static pose followed."""
