"""Poses and impacts of a body on the constraint surface: the start of a stage from the end of the previous stage.

On the constraint surface q is a function of theta, and q' is dq/dtheta theta' (Abe and Popovic 2011, eq. 6). An impact
maps dq/dtheta to L dq/dtheta (eq. 7), which determines the next stage's rows and slopes. So its constraints are
consistent (eq. 8) by construction.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ctrlgraph.character.model import Character
from ctrlgraph.control.tracking.arrays import FLAT, Row, tracking_data
from ctrlgraph.control.tracking.constraints import contact_place, contact_rows
from ctrlgraph.control.tracking.phase import phase_of_motion, phase_row, place_of
from ctrlgraph.control.tracking.schema import TrackingEntry
from ctrlgraph.control.tracking.tracking import new_tracking
from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.kernels.planar.arrays import Floats
from ctrlgraph.kernels.planar.dynamics import ROOT_COORDINATES, impact, link_angle_jacobian, mass_matrix, place

_NEWTON_STEPS = 40
_CLOSE = 1e-11
_LONGEST = 0.3  # rad or m, largest change of a coordinate in one Newton step


class StageStart(NamedTuple):
    """Start of a stage."""

    theta: float
    """rad."""
    rows: Floats
    """(R,) values."""
    slopes: Floats
    """(R,) their derivatives with respect to theta."""
    ratio: float
    """Theta's rate after the transition divided by that before it."""


class Geometry:
    """A body with the contacts and rows of an entry's stages. Its working arrays restrict it to one thread.

    Raises:
        SimulationError: the entry cannot run with its numbers.
    """

    def __init__(self, entry: TrackingEntry, character: Character) -> None:
        self.entry, self.character = entry, character
        self.data = tracking_data(new_tracking("fit", entry, character))
        self._opposite = np.array([*range(ROOT_COORDINATES), *(3 + j for j in character.opposite_joints)])

    def mirrored(self, q: Floats) -> Floats:
        """Return coordinates (..., N) with right and left exchanged."""
        return np.asarray(q[..., self._opposite])

    def place(self, q: Floats, v: Floats | None = None) -> None:
        """Set the pose of the model."""
        model = self.data.model
        model.q[:], model.v[:] = q, 0.0 if v is None else v
        place(model.body, model.tree, model.q, model.v, model.kin)

    def theta(self, side: int = 0) -> float:
        """Return theta of the model's pose, rad."""
        return float(phase_of_motion(self.data, self.data.model.kin, side)[0])

    def ankle(self) -> float:
        """Return x of the point from which theta is measured: the standing ankle, or the end of the leg, m."""
        data = self.data
        return float(place_of(data.model.kin, data.phase_link[0, 0], *data.phase_point[0, 0])[0])

    def rows(self, stage: int, side: int = 0) -> Floats:
        """Return the tracked values (R,) of the model's pose.

        Args:
            stage: the stage.
            side: the standing side.
        """
        model, found = self.data.model, []
        for r in range(self.data.counts[stage, 0]):
            kind, index = self.data.row_kind[stage, r], self.data.row_index[side, stage, r]
            angle = model.q[3 + index] if kind == Row.JOINT else model.kin.link[index, 2]
            found.append(float(np.angle(np.exp(1j * angle))) if kind == Row.LINK else float(angle))
        return np.array(found)

    def row_rates(self, stage: int, side: int) -> Floats:
        """Return the derivatives of the rows' rates with respect to the velocities, (R, N).

        Args:
            stage: the stage.
            side: the standing side.
        """
        model, n_rows = self.data.model, self.data.counts[stage, 0]
        rows = np.zeros((n_rows, model.q.size))
        for r in range(n_rows):
            kind, index = self.data.row_kind[stage, r], self.data.row_index[side, stage, r]
            if kind == Row.JOINT:
                rows[r, 3 + index] = 1.0
            else:
                link_angle_jacobian(model.body, model.tree, model.kin, index, model.space, rows[r])
        return rows

    def _theta_row(self, stage: int, side: int) -> Floats:
        """Return the derivative of theta' with respect to the velocities, (N,)."""
        row = np.zeros(self.data.model.q.size)
        phase_row(self.data, stage, side, row)
        return row

    def sole_height(self, foot: str) -> float:
        """Return the height of the lower end of a foot's sole, m."""
        link = self.character.link_names.index(foot)
        _, y, angle = self.data.model.kin.link[link, :3]
        circles = self.character.links[link].contacts
        return float(min(y + c.y * np.cos(angle) - c.x * np.sin(angle) - c.radius for c in circles))

    def second_contact(self, stage: int, side: int = 0) -> float:
        """Return the distance of the second contact ahead of the first, m; 0 if there is only one contact.

        Args:
            stage: the stage.
            side: the standing side.
        """
        data = self.data
        if data.counts[stage, 1] < 2:
            return 0.0
        both = zip(data.contact_link[side, stage], data.contact_kind[stage], strict=True)
        first, second = (contact_place(data, data.model.kin, link, kind)[0] for link, kind in both)
        return float(second - first)

    def pose(self, stage: int, theta: float, rows: Floats, guess: Floats, second: float = 0.0) -> Floats:
        """Return q (N,) in which the rows have these values: the first foot at x = 0, on level ground at y = 0.

        Args:
            stage: the stage.
            theta: rad.
            rows: (R,) values.
            guess: (N,) initial pose.
            second: distance of the second contact ahead of the first, m.

        Raises:
            CtrlGraphError: there is no such pose near the guess.
        """
        data, model = self.data, self.data.model
        q = guess.copy()
        for _ in range(_NEWTON_STEPS):
            self.place(q)
            jacobian = self._jacobian(stage)
            off: list[float] = []
            for k in range(data.counts[stage, 1]):
                link, kind = data.contact_link[0, stage, k], data.contact_kind[stage, k]
                x, y = contact_place(data, model.kin, link, kind)
                off += [x - (second if k else 0.0), y]
                if kind == FLAT:
                    off.append(float(model.kin.link[link, 2]))
            missing = np.array([*off, *(self.rows(stage) - rows), self.theta() - theta])
            try:
                change = np.linalg.solve(jacobian, missing)
            except np.linalg.LinAlgError:
                break
            largest = float(np.abs(change).max())
            if not np.isfinite(largest):
                break
            q -= change * min(1.0, _LONGEST / largest) if largest > 0.0 else 0.0
            if np.abs(missing).max() < _CLOSE:
                self.place(q)
                return q
        raise CtrlGraphError(f"no pose meets the rows of the stage '{self.entry.stages[stage].name}'")

    def _jacobian(self, stage: int) -> Floats:
        """Return the rows of contacts, tracked values and theta (N, N) in the model's pose."""
        contacts = self.data.model.contact[: contact_rows(self.data, stage, 0)].copy()
        return np.vstack([contacts, self.row_rates(stage, 0), self._theta_row(stage, 0)])

    def direction(self, stage: int, slopes: Floats) -> Floats:
        """Return dq/dtheta (N,) in the model's pose.

        Args:
            stage: the stage.
            slopes: (R,) of the rows.
        """
        jacobian = self._jacobian(stage)
        still = np.zeros(jacobian.shape[0] - slopes.size - 1)
        return np.asarray(np.linalg.solve(jacobian, np.concatenate([still, slopes, [1.0]])))

    def next_start(self, stage: int, direction: Floats) -> StageStart:
        """Return the start of the next stage after the end of this one in the model's pose.

        Args:
            stage: the stage.
            direction: (N,) dq/dtheta.

        Raises:
            CtrlGraphError: the contacts of the next stage contradict each other in this pose, or theta would decrease.
        """
        data, model = self.data, self.data.model
        following = (stage + 1) % len(self.entry.stages)
        side = int(following == 0 and self.entry.swaps)
        after = direction
        if following == 0:  # a foot lands; within a step a foot only leaves the ground, without an impact
            mass_matrix(model.body, model.tree, model.kin, model.space, model.mass)
            count = contact_rows(data, following, side)
            if not impact(model.mass, model.contact[:count], direction, model.space, model.right, model.impulse):
                raise CtrlGraphError("the contacts of a landing contradict each other")
            after = model.right.copy()
        rate = float(self._theta_row(following, side) @ after)
        if rate <= 0.0:
            raise CtrlGraphError(f"theta would fall after the stage '{self.entry.stages[stage].name}'")
        slopes = self.row_rates(following, side) @ after / rate
        return StageStart(self.theta(side), self.rows(following, side), slopes, rate)
