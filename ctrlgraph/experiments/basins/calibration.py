"""How far a basin's predictions can be trusted: measured on states of sources that the classifier was not shown.

A prediction for another node's end states is one for a source never seen. So it is measured: each source of the
samples is left out in turn, the classifier is fitted and calibrated without it, and predicts its states. Where there
is one source only, its noise levels take turns; where there is one of these, too, single states. What is compared is
the Brier score, the mean square of the difference between predicted probability and outcome (0 or 1), with that of
always predicting the base rate of the other samples.
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
    from ctrlgraph.experiments.basins.sample import Sample

Numbers = NDArray[np.float64]

BINS = 5
FOLDS = 5
TREES = 100

SMALL_SCORE = 0.02
"""Predictions tell something where their Brier score is below the base rate's, or as small as this (where nearly all
states have the same outcome, the base rate is as good as anything)."""

FEWEST = 10
"""Of held-out states, so many have to lie in the domain."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Held-out states whose predicted probability lies within low..high: their number, and how many held."""

    low: float
    high: float
    predicted: float
    states: int
    held: int

    @property
    def count(self) -> SuccessCount:
        """Return how many of the states held."""
        return SuccessCount(self.held, self.states)

    def as_dict(self) -> dict[str, Any]:
        low, high = self.count.interval
        return asdict(self) | {"observed": self.count.share, "observed_low": low, "observed_high": high}


@dataclass(frozen=True)
class Calibration:
    """Predictions for held-out states beside what came of them.

    left_out: what was left out in turn, "source", "noise level" or "state"; states: how many were predicted; brier
    and base_brier: over all of them; reach: the local outlier factor up to which a prediction can tell (see
    `domain`), None where it can nowhere; inside: how many of the held-out states lie there (where the reach is None,
    in the smallest one), with their own scores (None without any) and reliability table.
    """

    left_out: str
    groups: int
    states: int
    accuracy: float
    brier: float
    base_brier: float
    reach: float | None
    inside: int
    inside_brier: float | None
    inside_base_brier: float | None
    bins: tuple[Bin, ...]

    @property
    def inside_share(self) -> float:
        """Return the share of the held-out states that lie in the domain."""
        return self.inside / self.states

    def lowest(self, probability: float) -> float:
        """Return the lower end of Wilson's interval of what held among held-out states in the domain whose prediction
        was like this one; 0 where there were none."""
        return self.bins[bin_of(probability)].count.lowest

    def as_dict(self) -> dict[str, Any]:
        fields = {name: value for name, value in asdict(self).items() if name != "bins"}
        share = {"inside_share": self.inside_share}
        return fields | share | {"reliability": [found.as_dict() for found in self.bins]}


def bin_of(probability: float) -> int:
    """Return the bin of a predicted probability."""
    return min(int(probability * BINS), BINS - 1)


def fitted(states: Numbers, held: NDArray[np.bool_], groups: NDArray[Any], seed: int) -> Any:
    """Return a calibrated classifier of states (n, features), or None where all have the same outcome.

    A random forest; Platt's sigmoid makes its votes into probabilities, fitted to votes on groups left out.

    Raises:
        CtrlGraphError: scikit-learn is not installed.
    """
    if held.all() or not held.any():
        return None
    require("basins")
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import LeaveOneGroupOut, StratifiedKFold

    forest = RandomForestClassifier(TREES, min_samples_leaf=2, random_state=seed % 2**32)
    folds = min(FOLDS, int(held.sum()), int((~held).sum()))
    splits: Any = []
    if len(set(groups.tolist())) > 1:
        splits = list(LeaveOneGroupOut().split(states, held, groups))
    if not splits or any(held[train].all() or not held[train].any() for train, _ in splits):
        if folds < 2:  # one exception: nothing is left to calibrate with
            return forest.fit(states, held)
        splits = StratifiedKFold(folds, shuffle=True, random_state=seed % 2**32)
    return CalibratedClassifierCV(forest, method="sigmoid", cv=splits, ensemble=False).fit(states, held)


def predicted(model: Any, states: Numbers, otherwise: float) -> Numbers:
    """(n,) probabilities that states hold; `otherwise` without a model."""
    if model is None:
        return np.full(len(states), otherwise)
    found: Numbers = model.predict_proba(states)[:, 1]
    return found


def calibrate(samples: Sequence[Sample], seed: int) -> Calibration | None:
    """Measure the predictions on groups left out in turn; None where there are too few samples for that.

    Raises:
        CtrlGraphError: scikit-learn is not installed.
    """
    states, held, sources = arrays_of(samples)
    left_out, groups = groups_of(samples)
    if len(samples) < FEWEST or any((groups != group).sum() < 2 for group in groups):
        return None
    names = list(dict.fromkeys(groups.tolist()))
    probability, base, far = (np.zeros(len(held)) for _ in range(3))
    for name in names:
        out = groups == name
        rest = ~out
        base[out] = held[rest].mean()
        model = fitted(states[rest], held[rest], groups[rest], seed)
        probability[out] = predicted(model, states[out], float(held[rest].mean()))
        far[out] = outlierness(states[out], states[rest], spread_of(states[rest], sources[rest]))
    reach = _reach(held, probability, base, far)
    inside = far <= (REACHES[-1] if reach is None else reach)
    errors, base_errors = (probability - held) ** 2, (base - held) ** 2
    return Calibration(
        left_out=left_out,
        groups=len(names),
        states=len(held),
        accuracy=float(((probability > 0.5) == held).mean()),
        brier=float(errors.mean()),
        base_brier=float(base_errors.mean()),
        reach=reach,
        inside=int(inside.sum()),
        inside_brier=float(errors[inside].mean()) if inside.any() else None,
        inside_base_brier=float(base_errors[inside].mean()) if inside.any() else None,
        bins=_bins(held[inside], probability[inside]),
    )


def arrays_of(samples: Sequence[Sample]) -> tuple[Numbers, NDArray[np.bool_], NDArray[Any]]:
    """States (n, features), outcomes (n,) and sources (n,) of samples."""
    states = np.array([sample.state for sample in samples])
    return states, np.array([s.held for s in samples]), np.array([s.source for s in samples])


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


def _reach(held: NDArray[np.bool_], probability: Numbers, base: Numbers, far: Numbers) -> float | None:
    """The widest reach within which the predictions tell something."""
    for reach in REACHES:
        inside = far <= reach
        if inside.sum() < FEWEST:
            continue
        score, plain = (((guess - held)[inside] ** 2).mean() for guess in (probability, base))
        if score < plain or score <= SMALL_SCORE:
            return reach
    return None


def _bins(held: NDArray[np.bool_], probability: Numbers) -> tuple[Bin, ...]:
    which = np.array([bin_of(p) for p in probability], dtype=int)
    found = []
    for k in range(BINS):
        mine = which == k
        mean = float(probability[mine].mean()) if mine.any() else (k + 0.5) / BINS
        found.append(Bin(k / BINS, (k + 1) / BINS, mean, int(mine.sum()), int(held[mine].sum())))
    return tuple(found)
