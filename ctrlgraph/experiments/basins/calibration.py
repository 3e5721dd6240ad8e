"""Calibration of a basin's predictions on states of sources that the classifier was not trained on.

Each source of the samples is left out in turn, the classifier is fitted and calibrated without it, and predicts its
states. With a single source, noise levels are left out instead; with a single noise level, single states. The Brier
score (mean squared difference between predicted probability and outcome, 0 or 1) is compared with that of always
predicting the base rate of the other samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ctrlgraph.experiments.basins.domain import REACHES, outlierness, spread_of
from ctrlgraph.extras import require
from ctrlgraph.statistics import SuccessCount

if TYPE_CHECKING:
    from ctrlgraph.experiments.basins.domain import Sample

Numbers = NDArray[np.float64]

BINS = 5
FOLDS = 5
TREES = 100

SMALL_SCORE = 0.02
"""Brier score up to which predictions are informative, even if the base rate's is as small."""

FEWEST = 10
"""Minimum number of held-out states in the domain."""


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
    """Brier score of all states."""
    base_brier: float
    """Brier score of the base rate."""
    reach: float | None
    """Local outlier factor up to which predictions are informative (see `domain`). None: nowhere."""
    inside: int
    """Number of held-out states in the domain, or in the smallest one if `reach` is None."""
    inside_brier: float | None
    """Brier score in the domain."""
    inside_base_brier: float | None
    """Brier score of the base rate in the domain."""
    bins: tuple[Bin, ...]
    """Reliability table of the domain."""

    @property
    def inside_share(self) -> float:
        """Fraction of the held-out states in the domain."""
        return self.inside / self.states

    def lowest(self, probability: float) -> float:
        """Return the lower end of Wilson's interval of the success among held-out states with a similar prediction, 0
        without any.
        """
        return self.bins[bin_of(probability)].count.lowest

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as JSON."""
        fields = {name: value for name, value in asdict(self).items() if name != "bins"}
        share = {"inside_share": self.inside_share}
        return fields | share | {"reliability": [found.as_dict() for found in self.bins]}


def bin_of(probability: float) -> int:
    """Return the bin of a predicted probability."""
    return min(int(probability * BINS), BINS - 1)


def fitted(states: Numbers, succeeded: NDArray[np.bool_], groups: NDArray[Any], seed: int) -> Any:
    """Return a calibrated classifier, or None if all states have the same outcome.

    It is a random forest. Platt's sigmoid, fitted to votes on groups left out, makes its votes into probabilities.

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
    """Measure the predictions on groups left out in turn, or return None with too few samples.

    Args:
        samples: Samples of a node.
        seed: Seed of the classifier.

    Raises:
        CtrlGraphError: scikit-learn is not installed.
    """
    states, succeeded, sources = arrays_of(samples)
    left_out, groups = groups_of(samples)
    if len(samples) < FEWEST or any((groups != group).sum() < 2 for group in groups):
        return None
    names = list(dict.fromkeys(groups.tolist()))
    probability, base, far = (np.zeros(len(succeeded)) for _ in range(3))
    for name in names:
        out = groups == name
        rest = ~out
        base[out] = succeeded[rest].mean()
        model = fitted(states[rest], succeeded[rest], groups[rest], seed)
        probability[out] = predicted(model, states[out], float(succeeded[rest].mean()))
        far[out] = outlierness(states[out], states[rest], spread_of(states[rest], sources[rest]))
    reach = _reach(succeeded, probability, base, far)
    inside = far <= (REACHES[-1] if reach is None else reach)
    errors, base_errors = (probability - succeeded) ** 2, (base - succeeded) ** 2
    return Calibration(
        left_out=left_out,
        groups=len(names),
        states=len(succeeded),
        accuracy=float(((probability > 0.5) == succeeded).mean()),
        brier=float(errors.mean()),
        base_brier=float(base_errors.mean()),
        reach=reach,
        inside=int(inside.sum()),
        inside_brier=float(errors[inside].mean()) if inside.any() else None,
        inside_base_brier=float(base_errors[inside].mean()) if inside.any() else None,
        bins=_bins(succeeded[inside], probability[inside]),
    )


def arrays_of(samples: Sequence[Sample]) -> tuple[Numbers, NDArray[np.bool_], NDArray[Any]]:
    """Return the states (n, features), outcomes (n,) and sources (n,) of samples."""
    states = np.array([sample.state for sample in samples])
    return states, np.array([s.succeeded for s in samples]), np.array([s.source for s in samples])


def groups_of(samples: Sequence[Sample]) -> tuple[str, NDArray[Any]]:
    """Return what is left out in turn, and the group of each sample."""
    by = (
        ("source", [sample.source for sample in samples]),
        ("noise level", [f"{sample.noise:g}" for sample in samples]),
    )
    for name, groups in by:
        if len(set(groups)) > 1:
            return name, np.array(groups)
    return "state", np.arange(len(samples)) % FOLDS


def _reach(succeeded: NDArray[np.bool_], probability: Numbers, base: Numbers, far: Numbers) -> float | None:
    """Return the largest reach within which the predictions are informative."""
    for reach in REACHES:
        inside = far <= reach
        if inside.sum() < FEWEST:
            continue
        score, plain = (((guess - succeeded)[inside] ** 2).mean() for guess in (probability, base))
        if score < plain or score <= SMALL_SCORE:
            return reach
    return None


def _bins(succeeded: NDArray[np.bool_], probability: Numbers) -> tuple[Bin, ...]:
    which = np.array([bin_of(p) for p in probability], dtype=int)
    found = []
    for k in range(BINS):
        mine = which == k
        mean = float(probability[mine].mean()) if mine.any() else (k + 0.5) / BINS
        found.append(Bin(k / BINS, (k + 1) / BINS, mean, int(mine.sum()), int(succeeded[mine].sum())))
    return tuple(found)
