"""Signals in space: they are the states of the recorded motion, and obey the laws that it was made by."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder, Signals, names_of

DIRECTORY = Path(__file__).parents[2] / "projects" / "quadruped"
NODES = ("stand", "leap", "stand")


@dataclass
class Recording:
    signals: Signals
    trace: SpatialTrace
    character: SpatialCharacter
    gravity: float
    dt: float

    def of_links(self, *quantities: str) -> np.ndarray:
        """Values (n, L, quantities) of all links."""
        columns, links = self.signals.columns, self.character.link_names
        return np.stack([[columns[f"{name}.{link}"] for link in links] for name in quantities]).transpose(2, 1, 0)

    def whole(self, *names: str) -> np.ndarray:
        return np.column_stack([self.signals.columns[name] for name in names])


def simulate(engine: str, rate: float | None) -> tuple[str, Recording | None]:
    project = Project(DIRECTORY, engine=engine)
    with project.environment().simulation(project.character) as simulation:
        recorder = None if rate is None else SignalRecorder(simulation, rate, project.relative)
        for name in NODES:
            if recorder is not None:
                recorder.begin(name)
            assert simulation.run_rollout(project.rollout(None, name, 1)).succeeded
        digest, settings = simulation.history_digest(), simulation.settings
        if recorder is None:
            return digest, None
        assert isinstance(project.character, SpatialCharacter)
        signals, trace = recorder.signals(), simulation.trace
        return digest, Recording(signals, trace, project.character, settings.gravity, settings.dt)


@pytest.fixture(scope="module", params=["ode", "mujoco"])
def leap(request: pytest.FixtureRequest) -> Recording:
    """Every step of a leap."""
    recording = simulate(request.param, 500.0)[1]
    assert recording is not None
    return recording


def test_watching_does_not_change_the_motion(leap: Recording) -> None:
    assert len({simulate("mujoco", rate)[0] for rate in (None, 100.0)}) == 1


def test_the_columns_are_those_that_were_announced(leap: Recording) -> None:
    assert tuple(leap.signals.columns) == names_of(leap.character)
    quantities = leap.signals.quantities
    assert (quantities.unit("wz.trunk"), quantities.unit("com_vy"), quantities.unit("node")) == ("rad/s", "m/s", "")
    assert quantities.meaning("com_y") == "centre of mass, to the left"


def test_poses_and_angles_are_those_of_the_trace(leap: Recording) -> None:
    time, trace = leap.signals.columns["time"], leap.trace
    shared = np.flatnonzero(np.isin(trace.time.round(9), time))
    rows = np.searchsorted(time, trace.time[shared].round(9))
    assert len(rows) > 0.9 * len(trace)
    pose = leap.of_links("x", "y", "z", "qw", "qx", "qy", "qz")[rows]
    assert np.abs(pose - trace.pose[shared]).max() < 1e-9
    angles = leap.whole(*(f"angle.{name}" for name in leap.character.joint_names))[rows]
    assert np.abs(angles - trace.joint_angle[shared]).max() < 1e-9
    assert np.abs(leap.whole("com_x", "com_y", "com_z")[rows] - trace.com[shared]).max() < 1e-9


def test_the_ground_s_forces_and_gravity_move_the_centre_of_mass(leap: Recording) -> None:
    mass, columns = leap.character.mass, leap.signals.columns
    whole = np.diff(columns["time"]) > 0.75 * leap.dt
    for axis in "xyz":
        gained = mass * np.diff(columns[f"com_v{axis}"]) / leap.dt
        pushed = np.nansum(leap.of_links(f"force_{axis}"), axis=(1, 2))[:-1] - mass * leap.gravity * (axis == "z")
        assert np.percentile(np.abs(gained - pushed)[whole], 97) < 0.02 * mass * leap.gravity
    assert np.nanmax(np.abs(leap.of_links("force_z"))) > 0.5 * mass * leap.gravity


def test_velocities_are_the_rates_of_the_poses(leap: Recording) -> None:
    flight = ~(leap.of_links("contact") > 0).any(axis=(1, 2))
    inner = flight[:-1] & flight[1:]
    assert inner.sum() > 20
    moved = np.diff(leap.of_links("x", "y", "z"), axis=0) / leap.dt
    assert np.abs(moved - leap.of_links("vx", "vy", "vz")[1:])[inner].max() < 0.1
    turned = leap.of_links("qx", "qy", "qz", "qw")
    for link in range(len(leap.character.links)):
        before, after = Rotation.from_quat(turned[:-1, link]), Rotation.from_quat(turned[1:, link])
        spin = (after * before.inv()).as_rotvec() / leap.dt
        assert np.abs(spin - leap.of_links("wx", "wy", "wz")[1:, link])[inner].max() < 0.5


def test_energies_are_the_sums_of_those_of_the_links(leap: Recording) -> None:
    kinetic, potential = leap.whole("kinetic_energy", "potential_energy").T
    links = leap.character.links
    wanted = np.zeros(len(kinetic))
    for i, link in enumerate(links):
        xx, yy, zz, xy, xz, yz = link.inertia
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        turned = Rotation.from_quat(leap.of_links("qx", "qy", "qz", "qw")[:, i]).as_matrix()
        spin, velocity = leap.of_links("wx", "wy", "wz")[:, i], leap.of_links("vx", "vy", "vz")[:, i]
        world = turned @ tensor @ turned.transpose(0, 2, 1)
        wanted += (link.mass * (velocity**2).sum(axis=1) + np.einsum("ni,nij,nj->n", spin, world, spin)) / 2
    assert kinetic == pytest.approx(wanted, abs=1e-9)
    heights = leap.of_links("z")[:, :, 0] @ np.array([link.mass for link in links]) * leap.gravity
    assert potential == pytest.approx(heights, abs=1e-9)


def test_the_centre_of_pressure_of_a_foot_is_below_it_and_that_of_the_body_is_among_the_feet(leap: Recording) -> None:
    feet = [leg.foot for leg in leap.character.roles.legs]
    force, pressure = leap.of_links("force_z")[:, :, 0], leap.of_links("pressure_x", "pressure_y", "pressure_z")
    place = leap.of_links("x", "y", "z")
    pushed = np.nan_to_num(force) > 1.0
    assert np.isnan(pressure[np.nan_to_num(force) == 0.0]).all()
    assert np.abs(pressure[pushed][:, 2]).max() < 0.02
    for foot in feet:
        away = np.linalg.norm(pressure[pushed[:, foot], foot] - place[pushed[:, foot], foot], axis=1)
        assert away.max() < 0.2
    whole = leap.whole("pressure_x", "pressure_y")
    stands = pushed[:, feet].all(axis=1)
    weight = force[stands] / force[stands].sum(axis=1, keepdims=True)
    mean = np.einsum("nl,nlk->nk", weight, np.nan_to_num(pressure[stands]))[:, :2]
    assert np.abs(mean - whole[stands]).max() < 1e-3


def test_the_end_has_no_forces(leap: Recording) -> None:
    for name in ("torque.FL_knee", "force_z.FL_shank", "pressure_x", "moment_x.FL_shank"):
        assert np.isnan(leap.signals.columns[name][-1])
    assert np.isfinite(leap.signals.columns["angle.FL_knee"][-1])
