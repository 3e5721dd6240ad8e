"""Motion as a recording of rerun, read back by rerun's own reader."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ctrlgraph.export import write_motion
from ctrlgraph.project.project import Project
from ctrlgraph.simulation.signals.recorded_signals import Signals
from ctrlgraph.terrain.spatial import parse_spatial
from tests.export.recorded import QUADRUPED, RATE, record

pytest.importorskip("rerun")


@pytest.fixture(scope="module")
def motion(project: Project) -> Signals:
    return record(project, "run")


@pytest.fixture(scope="module")
def entities(motion: Signals, project: Project, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list]]:
    """The columns of each entity on the timeline, by name."""
    path: Path = tmp_path_factory.mktemp("rerun") / "run.rrd"
    write_motion(motion, project.character, path, RATE)
    return read(path)


def read(path: Path) -> dict[str, dict[str, list]]:
    from rerun.chunk import RrdReader

    found: dict[str, dict[str, list]] = {}
    for chunk in RrdReader(path).stream().to_chunks():
        batch = chunk.to_record_batch()
        entity = found.setdefault(chunk.entity_path, {})
        for name in batch.schema.names[1:]:
            entity.setdefault(name, []).extend(batch.column(name).to_pylist())
    return found


def seconds(entity: dict[str, list]) -> list[float]:
    return [each.total_seconds() for each in entity["sim_time"]]


def test_every_link_has_its_place_and_turn_at_every_sample(entities, motion: Signals, project: Project) -> None:
    for link in project.character.links:
        entity = entities[f"/body/{link.name}"]
        assert np.allclose(seconds(entity), motion.columns["time"], atol=1e-8)
        place = np.array(entity["Transform3D:translation"])[:, 0]
        wanted = np.column_stack([motion.columns[f"x.{link.name}"], motion.columns[f"y.{link.name}"]])
        assert np.abs(place[:, [0, 2]] - wanted).max() < 1e-5
        x, y, z, w = np.array(entity["Transform3D:quaternion"])[:, 0].T
        assert not x.any()
        assert not z.any()
        turned = np.unwrap(2 * np.arctan2(y, w))
        assert (
            np.abs(
                turned
                - turned[0]
                - motion.columns[f"rotation.{link.name}"]
                + motion.columns[f"rotation.{link.name}"][0]
            ).max()
            < 1e-5
        )
        half = entity["Boxes3D:half_sizes"][0][0]
        assert (2 * half[0], 2 * half[2]) == pytest.approx((link.width, link.height), rel=1e-6)


def test_joints_have_their_curves_without_what_is_not_there(entities, motion: Signals, project: Project) -> None:
    for joint in project.character.joints:
        for quantity in ("angle", "velocity", "torque"):
            column = motion.columns[f"{quantity}.{joint.name}"]
            there = np.isfinite(column)
            entity = entities[f"/joints/{joint.name}/{quantity}"]
            assert np.allclose(np.array(entity["Scalars:scalars"])[:, 0], column[there])
            assert np.allclose(seconds(entity), motion.columns["time"][there], atol=1e-8)


def test_phases_are_a_log_of_where_they_begin(entities, motion: Signals) -> None:
    entity, columns = entities["/phase"], motion.columns
    changes = np.flatnonzero(np.diff(columns["phase"]) != 0) + 1
    assert set(np.round(columns["time"][changes], 6)) <= set(np.round(seconds(entity), 6))
    first = entity["TextLog:text"][0][0]
    assert first == f"run, phase {columns['phase'][0]}, {columns['script'][0]}:{columns['line'][0]}"


def test_in_space_links_are_surfaces_with_their_poses_and_forces(tmp_path: Path) -> None:
    project = Project(QUADRUPED)
    motion, path = record(project, "leap"), tmp_path / "leap.rrd"
    write_motion(motion, project.character, path, RATE, parse_spatial("rough=0.02 seed=1"))
    entities, columns = read(path), motion.columns
    for link in project.character.link_names:
        entity = entities[f"/body/{link}"]
        place, turn = (np.array(entity[f"Transform3D:{part}"])[:, 0] for part in ("translation", "quaternion"))
        assert np.abs(place - np.column_stack([columns[f"{axis}.{link}"] for axis in "xyz"])).max() < 1e-5
        wanted = np.column_stack([columns[f"q{part}.{link}"] for part in "xyzw"])
        assert np.abs((turn * wanted).sum(axis=1)) == pytest.approx(1.0, abs=1e-6)
        assert len(entity["Mesh3D:vertex_positions"][0]) == len(entity["Mesh3D:vertex_colors"][0]) > 8
    assert np.ptp(np.array(entities["/ground"]["Mesh3D:vertex_positions"][0])[:, 2]) > 0.01
    force = np.array(entities["/forces/FL_shank/z"]["Scalars:scalars"])[:, 0]
    assert np.allclose(force, columns["force_z.FL_shank"][:-1])
