"""The domain of a basin: states where its samples lie as densely as among themselves.

How far out a state lies is its local outlier factor: how much thinner the samples are around it than around those that
are next to it. 1 is amidst them, 2 half as dense. A plain distance will not do: samples that were perturbed much are
far apart, and anything lies nearer to one of them than they do to each other; those that were perturbed little lie
densely, and a state beside them is another one.

Features are measured in the spread that the samples of one source have (sources lie far apart, and their distances
would hide what is odd about a state). A link that touches the ground where it does in no sample has no spread: such a
state is far away from everything.

Source: M. M. Breunig et al., LOF: identifying density-based local outliers, SIGMOD (2000).
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.extras import require

Numbers = NDArray[np.float64]

REACHES = (4.0, 3.0, 2.0)
"""Local outlier factors up to which a domain may reach, the widest first."""

NEIGHBOURS = 8

_LEAST_SPREAD = 1e-3


def spread_of(states: Numbers, sources: NDArray[Any]) -> Numbers:
    """(features,) standard deviation of each feature within a source, pooled over the sources (n,) of states."""
    apart = np.zeros_like(states)
    for source in set(sources.tolist()):
        mine = sources == source
        apart[mine] = states[mine] - states[mine].mean(axis=0)
    spread: Numbers = np.sqrt((apart**2).mean(axis=0)) + _LEAST_SPREAD
    return spread


def distance_to_samples(states: Numbers, known: Numbers, spread: Numbers) -> Numbers:
    """(n,) distance of each state to the nearest known one: root mean square over the features, in spreads."""
    squares = (((states[:, None, :] - known[None, :, :]) / spread) ** 2).mean(axis=2)
    nearest: Numbers = np.sqrt(squares.min(axis=1))
    return nearest


def outlierness(states: Numbers, known: Numbers, spread: Numbers) -> Numbers:
    """(n,) local outlier factor of each state among the known ones, of which there must be two at least.

    Raises:
        CtrlGraphError: scikit-learn is not installed.
    """
    require("basins")
    from sklearn.neighbors import LocalOutlierFactor

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of equal samples; around them nothing else is dense enough
        factor = LocalOutlierFactor(n_neighbors=min(NEIGHBOURS, len(known) - 1), novelty=True).fit(known / spread)
        found: Numbers = -factor.score_samples(states / spread)
    return found
