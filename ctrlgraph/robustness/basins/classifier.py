"""Classifier of a basin of attraction: predicts from which initial states a node succeeds.

A random forest learns from samples: `features` of states, and whether the node succeeded from them. Platt's sigmoid
turns the votes of the forest into probabilities.

For a test, the samples are divided into groups by their source (the predecessor of the node). If there is only one
source, they are divided by noise level; if there is only one noise level, into fifths. Each group in turn is held out:
the classifier is fitted to the other samples and predicts the group. The Brier score is the mean squared difference
between the predicted probability and the outcome (0 or 1). It is compared with the Brier score of always predicting the
base rate: the share of the other samples that succeeded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.extras import require
from ctrlgraph.robustness.basins.basin import Sample
from ctrlgraph.statistics import SuccessCount

Numbers = NDArray[np.float64]

BINS = 5
FOLDS = 5
TREES = 100

MIN_SAMPLES = 10
"""Minimum number of samples for a test."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Comparison of prediction and outcome for the states whose predicted probability of success is in an interval."""

    low: float
    """Lower limit of the predicted probability."""
    high: float
    """Upper limit of the predicted probability."""
    predicted: float
    """Mean predicted probability of the states, or the middle of the interval if there are none."""
    states: int
    """Number of states."""
    succeeded: int
    """Number of states from which the node succeeded."""

    @property
    def count(self) -> SuccessCount:
        """Number of states from which the node succeeded, and of all states in the interval."""
        return SuccessCount(self.succeeded, self.states)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields and the share of successes with its confidence interval as data for JSON."""
        low, high = self.count.interval
        return asdict(self) | {"observed": self.count.share, "observed_low": low, "observed_high": high}


@dataclass(frozen=True)
class Calibration:
    """Test of a classifier: predictions for states that it has not learned from, compared with their outcomes."""

    left_out: str
    """How the states were divided into held-out groups: by "source", "noise level", or "state" (fifths)."""
    groups: int
    """Number of groups, each of which was held out once."""
    states: int
    """Number of predicted states."""
    accuracy: float
    """Share of states whose outcome was predicted correctly."""
    brier: float
    """Brier score of the predictions: mean squared error of the probabilities."""
    base_brier: float
    """Brier score if the share of successes in the other groups is predicted for every state."""
    bins: tuple[Bin, ...]
    """Predictions compared with outcomes, for each of `BINS` intervals of the predicted probability."""

    def as_dict(self) -> dict[str, Any]:
        """Return the test as data for JSON, with `bins` under the name "reliability"."""
        fields = {name: value for name, value in asdict(self).items() if name != "bins"}
        return fields | {"reliability": [found.as_dict() for found in self.bins]}


@dataclass(frozen=True)
class Basin:
    """Basin of attraction of a node: sampled initial states, and a classifier that predicts success from others."""

    node: str
    """Name of the node."""
    samples: tuple[Sample, ...]
    """Initial states with their outcomes."""
    model: Any
    """Classifier with the method `predict_proba`. None: the share of successes is predicted for every state."""
    calibration: Calibration | None = None
    """Test of the classifier on held-out states. None: there are too few samples."""

    @property
    def count(self) -> SuccessCount:
        """Number of sampled states from which the node succeeded, and of all sampled states."""
        return SuccessCount.of(sample.succeeded for sample in self.samples)

    @property
    def accuracy(self) -> SuccessCount | None:
        """Number of held-out states with correct prediction, and of all. None without a classifier or its test."""
        if self.model is None or self.calibration is None:
            return None
        return SuccessCount(round(self.calibration.accuracy * len(self.samples)), len(self.samples))

    @property
    def majority(self) -> float:
        """Share of correct predictions if the more frequent outcome were predicted for every sample."""
        share = self.count.share or 0.0
        return max(share, 1.0 - share)

    def probability(self, states: Numbers) -> Numbers:
        """Predict the probability that the node succeeds, for each of n initial states, (n,).

        Args:
            states: Features of the states, (n, features).
        """
        return predicted(self.model, states, self.count.share or 0.0)

    def as_dict(self) -> dict[str, Any]:
        """Return counts of samples and the test of the classifier as data for JSON, without the states."""
        sources: dict[str, dict[str, int]] = {}
        for sample in self.samples:
            counts = sources.setdefault(sample.source, {"samples": 0, "succeeded": 0})
            counts["samples"] += 1
            counts["succeeded"] += sample.succeeded
        accuracy = self.accuracy
        low, high = (None, None) if accuracy is None else accuracy.interval
        return {
            "node": self.node,
            "samples": len(self.samples),
            "succeeded": self.count.successes,
            "majority": self.majority,
            "accuracy": None if accuracy is None else accuracy.share,
            "low": low,
            "high": high,
            "sources": sources,
            "calibration": None if self.calibration is None else self.calibration.as_dict(),
        }


def learn_basin(node: str, samples: Sequence[Sample], seed: int = 0) -> Basin:
    """Fit the classifier of a node to samples, and test it on held-out states.

    Args:
        node: Name of the node.
        samples: Samples of the node's basin of attraction.
        seed: Seed of the classifier.

    Raises:
        CtrlGraphError: scikit-learn is not installed, or there are no samples.
    """
    if not samples:
        raise CtrlGraphError(f"'{node}' was not reached in any trial: correct the nodes before it, which failed")
    states, succeeded = _arrays(samples)
    calibration = calibrate(samples, seed)
    model = None
    if min(succeeded.sum(), (~succeeded).sum()) >= 2:  # nothing can be learned from a single exception
        model = fitted(states, succeeded, groups_of(samples)[1], seed)
    return Basin(node, tuple(samples), model, calibration)


def fitted(states: Numbers, succeeded: NDArray[np.bool_], groups: NDArray[Any], seed: int) -> Any:
    """Fit a classifier whose probabilities are calibrated, and return it. None if all states have the same outcome.

    Args:
        states: Features of the states, (n, features).
        succeeded: True for each state from which the node succeeded, (n,).
        groups: Group of each state, such as its predecessor, (n,). If possible, probabilities are calibrated on groups
            that are left out when the forest is fitted.
        seed: Seed of the random forest.

    Raises:
        CtrlGraphError: scikit-learn is not installed.
    """
    if succeeded.all() or not succeeded.any():
        return None
    require("basins")
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import LeaveOneGroupOut, StratifiedKFold

    forest = RandomForestClassifier(TREES, min_samples_leaf=2, random_state=seed % 2**32)
    folds = min(FOLDS, int(succeeded.sum()), int((~succeeded).sum()))
    splits: Any = []
    if len(set(groups.tolist())) > 1:
        splits = list(LeaveOneGroupOut().split(states, succeeded, groups))
    if not splits or any(succeeded[train].all() or not succeeded[train].any() for train, _ in splits):
        if folds < 2:  # a single exception leaves nothing to calibrate with
            return forest.fit(states, succeeded)
        splits = StratifiedKFold(folds, shuffle=True, random_state=seed % 2**32)
    return CalibratedClassifierCV(forest, method="sigmoid", cv=splits, ensemble=False).fit(states, succeeded)


def predicted(model: Any, states: Numbers, otherwise: float) -> Numbers:
    """Predict the probability that a node succeeds, for each of n initial states, (n,).

    Args:
        model: Classifier, or None if there is none.
        states: Features of the states, (n, features).
        otherwise: Probability that is returned for every state if there is no classifier.
    """
    if model is None:
        return np.full(len(states), otherwise)
    found: Numbers = model.predict_proba(states)[:, 1]
    return found


def calibrate(samples: Sequence[Sample], seed: int) -> Calibration | None:
    """Test a classifier by cross-validation: predict each group of samples after fitting it to the other groups.

    The groups are the sources of the samples, or their noise levels if all samples have one source.

    Args:
        samples: Samples of a node's basin of attraction.
        seed: Seed of the classifier.

    Returns:
        Predictions compared with the outcomes. None if there are fewer than `MIN_SAMPLES` samples, or a group has
        fewer than two.

    Raises:
        CtrlGraphError: scikit-learn is not installed.
    """
    states, succeeded = _arrays(samples)
    left_out, groups = groups_of(samples)
    names = list(dict.fromkeys(groups.tolist()))
    if len(samples) < MIN_SAMPLES or any((groups != name).sum() < 2 for name in names):
        return None
    probability, base = np.zeros(len(succeeded)), np.zeros(len(succeeded))
    for name in names:
        out = groups == name
        rest = ~out
        base[out] = succeeded[rest].mean()
        model = fitted(states[rest], succeeded[rest], groups[rest], seed)
        probability[out] = predicted(model, states[out], float(succeeded[rest].mean()))
    return Calibration(
        left_out=left_out,
        groups=len(names),
        states=len(succeeded),
        accuracy=float(((probability > 0.5) == succeeded).mean()),
        brier=float(((probability - succeeded) ** 2).mean()),
        base_brier=float(((base - succeeded) ** 2).mean()),
        bins=_bins(succeeded, probability),
    )


def groups_of(samples: Sequence[Sample]) -> tuple[str, NDArray[Any]]:
    """Divide samples into groups for a test of the classifier.

    Returns:
        Criterion of the groups ("source", "noise level" or "state"), and the group of each sample, (n,).
    """
    by = {"source": [sample.source for sample in samples], "noise level": [f"{sample.noise:g}" for sample in samples]}
    for name, groups in by.items():
        if len(set(groups)) > 1:
            return name, np.array(groups)
    return "state", np.arange(len(samples)) % FOLDS


def _arrays(samples: Sequence[Sample]) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return the features of the states, (n, features), and whether the node succeeded from each, (n,)."""
    return np.array([sample.state for sample in samples]), np.array([sample.succeeded for sample in samples])


def _bins(succeeded: NDArray[np.bool_], probability: Numbers) -> tuple[Bin, ...]:
    which = np.minimum((probability * BINS).astype(int), BINS - 1)
    found = []
    for k in range(BINS):
        mine = which == k
        mean = float(probability[mine].mean()) if mine.any() else (k + 0.5) / BINS
        found.append(Bin(k / BINS, (k + 1) / BINS, mean, int(mine.sum()), int(succeeded[mine].sum())))
    return tuple(found)
