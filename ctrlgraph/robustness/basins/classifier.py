"""Classifier of a basin: predicts from which states a node succeeds, tested on held-out sources.

A random forest learns from `features`. Platt's sigmoid, fitted to votes for groups left out, turns its votes into
probabilities. For the test, each source of the samples is left out in turn; the classifier is fitted without it and
predicts its states. With a single source, noise levels are left out instead; with a single noise level, fifths of the
states. The Brier score (mean squared difference between predicted probability and outcome, 0 or 1) is compared with
that of always predicting the base rate of the other samples.
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
    """Held-out states with similar predicted probabilities."""

    low: float
    """Lower limit of the probability."""
    high: float
    """Upper limit of the probability."""
    predicted: float
    """Mean predicted probability."""
    states: int
    """Number of states."""
    succeeded: int
    """Number of states that succeeded."""

    @property
    def count(self) -> SuccessCount:
        """Success count of the states."""
        return SuccessCount(self.succeeded, self.states)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON."""
        low, high = self.count.interval
        return asdict(self) | {"observed": self.count.share, "observed_low": low, "observed_high": high}


@dataclass(frozen=True)
class Calibration:
    """Predictions for held-out states compared with their outcomes."""

    left_out: str
    """What was left out in turn: "source", "noise level" or "state"."""
    groups: int
    """Number of groups left out."""
    states: int
    """Number of states predicted."""
    accuracy: float
    brier: float
    """Brier score of the predictions."""
    base_brier: float
    """Brier score of the base rate."""
    bins: tuple[Bin, ...]
    """Reliability table."""

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON."""
        fields = {name: value for name, value in asdict(self).items() if name != "bins"}
        return fields | {"reliability": [found.as_dict() for found in self.bins]}


@dataclass(frozen=True)
class Basin:
    """Samples of a node, and a classifier of its states."""

    node: str
    samples: tuple[Sample, ...]
    model: Any
    """Classifier with `predict_proba`. None: the base rate is predicted."""
    calibration: Calibration | None = None
    """Test of the classifier, None with too few samples."""

    @property
    def count(self) -> SuccessCount:
        """Success count of the samples."""
        return SuccessCount.of(sample.succeeded for sample in self.samples)

    @property
    def accuracy(self) -> SuccessCount | None:
        """Number of correct predictions for held-out states, None without a classifier or a test."""
        if self.model is None or self.calibration is None:
            return None
        return SuccessCount(round(self.calibration.accuracy * len(self.samples)), len(self.samples))

    @property
    def majority(self) -> float:
        """Accuracy of always predicting the more frequent outcome."""
        share = self.count.share or 0.0
        return max(share, 1.0 - share)

    def probability(self, states: Numbers) -> Numbers:
        """Return the predicted probability of success, (n,), of states, (n, features)."""
        return predicted(self.model, states, self.count.share or 0.0)

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON."""
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
    """Fit the classifier of a node and test it on held-out states.

    Args:
        node: Name of the node.
        samples: Samples of the node.
        seed: Seed of the classifier.

    Raises:
        CtrlGraphError: scikit-learn is not installed, or there are no samples.
    """
    if not samples:
        raise CtrlGraphError(f"no entry state of '{node}' could be reached")
    states, succeeded = _arrays(samples)
    calibration = calibrate(samples, seed)
    model = None
    if min(succeeded.sum(), (~succeeded).sum()) >= 2:  # nothing can be learned from a single exception
        model = fitted(states, succeeded, groups_of(samples)[1], seed)
    return Basin(node, tuple(samples), model, calibration)


def fitted(states: Numbers, succeeded: NDArray[np.bool_], groups: NDArray[Any], seed: int) -> Any:
    """Return a calibrated classifier, or None if all states have the same outcome.

    Args:
        states: States, (n, features).
        succeeded: Outcomes, (n,).
        groups: Groups to leave out, (n,).
        seed: Seed of the forest.

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
    """Return the probabilities of success, (n,).

    Args:
        model: Classifier.
        states: States, (n, features).
        otherwise: Probability without a classifier.
    """
    if model is None:
        return np.full(len(states), otherwise)
    found: Numbers = model.predict_proba(states)[:, 1]
    return found


def calibrate(samples: Sequence[Sample], seed: int) -> Calibration | None:
    """Test predictions on groups left out in turn, or return None with too few samples.

    Args:
        samples: Samples of a node.
        seed: Seed of the classifier.

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
    """Return what the samples are grouped by (source, noise level or fifth), and the group of each."""
    by = (
        ("source", [sample.source for sample in samples]),
        ("noise level", [f"{sample.noise:g}" for sample in samples]),
    )
    for name, groups in by:
        if len(set(groups)) > 1:
            return name, np.array(groups)
    return "state", np.arange(len(samples)) % FOLDS


def _arrays(samples: Sequence[Sample]) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return the states, (n, features), and outcomes, (n,), of samples."""
    return np.array([sample.state for sample in samples]), np.array([sample.succeeded for sample in samples])


def _bins(succeeded: NDArray[np.bool_], probability: Numbers) -> tuple[Bin, ...]:
    which = np.minimum((probability * BINS).astype(int), BINS - 1)
    found = []
    for k in range(BINS):
        mine = which == k
        mean = float(probability[mine].mean()) if mine.any() else (k + 0.5) / BINS
        found.append(Bin(k / BINS, (k + 1) / BINS, mean, int(mine.sum()), int(succeeded[mine].sum())))
    return tuple(found)
