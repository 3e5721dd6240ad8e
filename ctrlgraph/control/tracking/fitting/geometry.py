"""Poses and impacts of a body on the constraint surface: the start of a step from the end of the previous one.

On the constraint surface q is a function of theta, and q' is dq/dtheta theta' (Abe and Popovic 2011, eq. 6). An impact
maps dq/dtheta to L dq/dtheta (eq. 7), which determines the next step's rows and slopes. So its constraints are
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


class RowStart(NamedTuple):
    """Start of a step."""

    theta: float
    """rad."""
    rows: Floats
    """(R,) values."""
    slopes: Floats
    """(R,) their derivatives with respect to theta."""
    ratio: float
    """Theta's rate after the impact divided by that before it."""


class Geometry:
    """A body with the contact and rows of an entry of one stage. Its working arrays restrict it to one thread.

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

    def rows(self, side: int = 0) -> Floats:
        """Return the tracked values (R,) of the model's pose with a standing side."""
        model, found = self.data.model, []
        for r in range(self.data.counts[0, 0]):
            kind, index = self.data.row_kind[0, r], self.data.row_index[side, 0, r]
            angle = model.q[3 + index] if kind == Row.JOINT else model.kin.link[index, 2]
            found.append(float(np.angle(np.exp(1j * angle))) if kind == Row.LINK else float(angle))
        return np.array(found)

    def _row_rates(self, side: int) -> Floats:
        """Return the derivatives of the rows' rates with respect to the velocities, (R, N)."""
        model, n_rows = self.data.model, self.data.counts[0, 0]
        rows = np.zeros((n_rows, model.q.size))
        for r in range(n_rows):
            kind, index = self.data.row_kind[0, r], self.data.row_index[side, 0, r]
            if kind == Row.JOINT:
                rows[r, 3 + index] = 1.0
            else:
                link_angle_jacobian(model.body, model.tree, model.kin, index, model.space, rows[r])
        return rows

    def _theta_row(self, side: int) -> Floats:
        """Return the derivative of theta' with respect to the velocities, (N,)."""
        row = np.zeros(self.data.model.q.size)
        phase_row(self.data, 0, side, row)
        return row

    def sole_height(self, foot: str) -> float:
        """Return the height of the lower end of a foot's sole, m."""
        link = self.character.link_names.index(foot)
        _, y, angle = self.data.model.kin.link[link, :3]
        circles = self.character.links[link].contacts
        return float(min(y + c.y * np.cos(angle) - c.x * np.sin(angle) - c.radius for c in circles))

    def foot_distance(self, feet: tuple[str, str]) -> float:
        """Return the distance by which the second foot is ahead of the first one in the model's pose, m."""
        first, second = (self.data.model.kin.link[self.character.link_names.index(name), 0] for name in feet)
        return float(second) - float(first)

    def pose(self, theta: float, rows: Floats, guess: Floats) -> Floats:
        """Return q (N,) in which the rows have these values: the standing foot at x = 0, on level ground at y = 0.

        Args:
            theta: rad.
            rows: (R,) values.
            guess: (N,) initial pose.

        Raises:
            CtrlGraphError: there is no such pose near the guess.
        """
        data, model = self.data, self.data.model
        link, kind = data.contact_link[0, 0, 0], data.contact_kind[0, 0]
        q = guess.copy()
        for _ in range(_NEWTON_STEPS):
            self.place(q)
            jacobian = self._jacobian()
            off = [*contact_place(data, model.kin, link, kind)]
            if kind == FLAT:
                off.append(float(model.kin.link[link, 2]))
            missing = np.array([*off, *(self.rows() - rows), self.theta() - theta])
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
        raise CtrlGraphError(
            "no pose has the contacts, tracked angles and theta of the fit: check the recording and the stages"
        )

    def _jacobian(self) -> Floats:
        """Return the rows of the contact, the tracked values and theta (N, N) in the model's pose."""
        contacts = self.data.model.contact[: contact_rows(self.data, 0, 0)].copy()
        return np.vstack([contacts, self._row_rates(0), self._theta_row(0)])

    def direction(self, slopes: Floats) -> Floats:
        """Return dq/dtheta (N,) in the model's pose for the derivatives (R,) of the rows with respect to theta."""
        jacobian = self._jacobian()
        still = np.zeros(jacobian.shape[0] - slopes.size - 1)
        return np.asarray(np.linalg.solve(jacobian, np.concatenate([still, slopes, [1.0]])))

    def next_start(self, direction: Floats) -> RowStart:
        """Return rows and rates at the start of the next step: after the swinging foot lands in the model's pose.

        Args:
            direction: (N,) derivative of the generalized coordinates by theta before the landing.

        Raises:
            CtrlGraphError: no impulse fulfils all contacts after the landing, or theta would decrease.
        """
        data, model = self.data, self.data.model
        mass_matrix(model.body, model.tree, model.kin, model.space, model.mass)
        count = contact_rows(data, 0, 1)
        if not impact(model.mass, model.contact[:count], direction, model.space, model.right, model.impulse):
            raise CtrlGraphError("the contacts of a landing contradict each other")
        after = model.right.copy()
        rate = float(self._theta_row(1) @ after)
        if rate <= 0.0:
            raise CtrlGraphError("theta would decrease after a landing")
        return RowStart(self.theta(1), self.rows(1), self._row_rates(1) @ after / rate, rate)
