"""Films of spatial motions: formats, texts, footprints, pushes, and a camera that follows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ctrlgraph.errors import CtrlGraphError
from ctrlgraph.pictures.film import SIZE
from ctrlgraph.pictures.spatial import VIEWS
from ctrlgraph.pictures.spatial.spatial_clip import SpatialClip, SpatialStage
from ctrlgraph.pictures.spatial.spatial_video import SpatialFilm, write_spatial_video
from ctrlgraph.pictures.spatial.spatial_view import view_of
from ctrlgraph.simulation.recording.spatial_trace import SpatialTrace
from ctrlgraph.terrain.spatial import SpatialTerrain, parse_spatial
from tests.pictures.posing import durations
from tests.pictures.spatial.spatial_posing import balls, moving, of_trunk, quadruped, trotting

CHARACTER = quadruped()
TROT = trotting(0.4)
SMALL = (160, 90)


def film(
    trace: SpatialTrace, view: str = "three-quarter", size: tuple[int, int] = SMALL, **shown: object
) -> SpatialFilm:
    return SpatialFilm(SpatialStage(SpatialClip(trace, CHARACTER, **shown), view_of(view)), size)


def pixel(shot: SpatialFilm, sample: int, place: np.ndarray) -> tuple[int, int]:
    """Return row and column of a point of the world in the picture of a sample."""
    middle = shot.stage.camera[sample] + shot.framing.lift * shot.stage.view.up
    right, up, _ = shot.stage.view.axes @ (place - middle) / shot.scale
    return int(shot.size[1] / 2 - up), int(shot.size[0] / 2 + right)


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_a_spatial_film_runs_at_the_true_speed_and_shows_the_labels(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    labels = [(0.0, "stand"), (0.2, "trot")]
    write_spatial_video(TROT, path, character=CHARACTER, labels=labels, fps=20, size=(320, 180))
    assert sum(durations(path)) / 1000 == pytest.approx(0.45, abs=0.06)
    with Image.open(path) as shown:
        assert shown.size == (320, 180) and shown.info["loop"] == 0
        corners = []
        for frame in (0, shown.n_frames - 1):
            shown.seek(frame)
            picture = shown.convert("RGB")
            assert picture.getpixel((319, 0)) == (255, 255, 255)
            corners.append({c for _, c in picture.crop((0, 0, 80, 40)).getcolors(10**5)})
    stand, trot = (0x3A, 0x6E, 0xA5), (0x5B, 0x8E, 0x7D)
    assert [(stand in corner, trot in corner) for corner in corners] == [(True, False), (False, True)]


@pytest.mark.parametrize(("name", "beginning"), [("a.mp4", b"ftyp"), ("a.webm", b"\x1aE\xdf\xa3")])
def test_ffmpeg_writes_a_spatial_film_with_progress(tmp_path: Path, name: str, beginning: bytes) -> None:
    imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")
    path, calls = tmp_path / name, list[tuple[int, int]]()
    write_spatial_video(
        TROT, path, character=CHARACTER, fps=10, size=SMALL, progress=lambda *done: calls.append(done), view="side"
    )
    assert calls == [(i, 5) for i in range(1, 6)]
    assert beginning in path.read_bytes()[:8]
    assert imageio_ffmpeg.count_frames_and_secs(str(path))[0] == 5


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("terrain", [None, parse_spatial("slope=6 bank=4"), parse_spatial("hills=0.5 seed=3")])
@pytest.mark.parametrize("size", [SMALL, (90, 160)])
def test_the_camera_keeps_the_body_in_the_picture_on_a_long_walk(
    view: str, terrain: SpatialTerrain | None, size: tuple[int, int]
) -> None:
    walk = trotting(20.0, speed=0.8, turn=0.15)
    if terrain is not None:
        walk.pose[:, :, 2] += np.array([terrain.height(x, y) for x, y in walk.com[:, :2].tolist()])[:, None]
    shot = film(walk, view, size, terrain=terrain)
    axes, lift = shot.stage.view.axes[:2], np.array([0.0, shot.framing.lift])
    places = (
        np.stack([shot.stage.figure.placed(pose).point for pose in walk.pose[::40]]) - shot.stage.camera[::40, None]
    )
    shown = np.abs(places @ axes.T - lift) / shot.scale
    assert (shown < np.array(size) / 2).all()
    picture = of_trunk(shot.scene(700))
    assert picture.sum() > 0.004 * picture.size
    assert not picture[0].any() and not picture[-1].any() and not picture[:, 0].any() and not picture[:, -1].any()


def test_footprints_appear_where_and_when_feet_touch() -> None:
    ball = balls(1)
    sides = (1.0, 0.0, 0.0, 0.0)
    hop = moving(ball, 2.0, lambda t: ((0.4 * t, 0.0, 0.1 if t < 0.1 else 0.4, *sides), np.zeros(0)),
                 lambda t: (0,) if t < 0.1 or 1.0 <= t < 1.1 else ())  # fmt: skip
    stage = SpatialStage(SpatialClip(hop, ball), view_of("three-quarter"))
    assert [(p.time, p.place.round(6).tolist()) for p in stage.footprints] == [(0.0, [0, 0, 0]), (1.0, [0.4, 0, 0])]
    shot = SpatialFilm(stage, (640, 360))

    def marked(sample: int, x: float) -> bool:
        return bool(of_trunk(shot.scene(sample))[pixel(shot, sample, np.array([x, 0.0, 0.0]))])

    assert [marked(sample, 0.4) for sample in (40, 49, 52)] == [False, False, True]
    assert [marked(sample, 0.0) for sample in (20, 30)] == [True, True]


def test_footprints_lie_on_the_ground_and_have_the_color_of_their_side() -> None:
    terrain = parse_spatial("slope=8 bank=5")
    walk = trotting(2.0)
    stage = SpatialStage(SpatialClip(walk, CHARACTER, terrain), view_of("top"))
    assert len(stage.footprints) > 8
    for each in stage.footprints:
        x, y, z = each.place.tolist()
        assert z == pytest.approx(terrain.height(x, y))
        assert (each.drawn.solid.point[:, 2] > [terrain.height(*p) for p in each.drawn.solid.point[:, :2]]).all()
        red, _, blue = each.drawn.color
        assert (blue < 0.5 * red) == (y < 0.0)


def test_the_arrow_of_a_push_ends_at_its_point_while_the_push_acts() -> None:
    pushes = np.array([[0.1, 0.36, 0, 0.0, 50.0, 0.0, 0.1, 0.0, 0.05]])
    shot = film(TROT, "top", (320, 180), pushes=pushes)
    teal = []
    for sample in (0, 10, 19):
        picture = shot.scene(sample).astype(int)
        rows, columns = np.nonzero(picture[:, :, 1] > picture[:, :, 0] + 60)
        teal.append(len(rows))
        if sample == 10:
            tip = pixel(shot, sample, TROT.pose[sample, 0, :3] + (0.1, 0.0, 0.05))
            assert rows.min() == pytest.approx(tip[0], abs=3)
            assert columns.mean() == pytest.approx(tip[1], abs=2)
    assert teal[0] == 0 and teal[1] > 50 and teal[2] == 0


@pytest.mark.parametrize(
    ("trace", "name", "options", "sentence"),
    [
        (TROT, "a.avi", {}, "a video must be a .gif, .webp, .mp4 or .webm file, not 'a.avi'"),
        (TROT.between(7.0, 8.0), "a.gif", {}, "the trace has no samples to film: record a longer motion"),
        (TROT, "a.gif", {"view": "back"}, "a view must be three-quarter, side, front, top or behind, not 'back'"),
        (
            TROT,
            "a.gif",
            {"size": (321, 240)},
            "width and height of a video must be even numbers from 64 to 4096 (pixels), not 321x240",
        ),
    ],
)
def test_invalid_spatial_films_are_reported_in_a_sentence(
    tmp_path: Path, trace: SpatialTrace, name: str, options: dict[str, object], sentence: str
) -> None:
    with pytest.raises(CtrlGraphError) as caught:
        write_spatial_video(trace, tmp_path / name, character=CHARACTER, **options)
    assert str(caught.value) == sentence
    assert list(tmp_path.iterdir()) == []


def test_a_motion_that_restarts_elsewhere_stays_in_the_picture() -> None:
    first, second = trotting(0.4), trotting(0.4)
    second.pose[:, :, :2] += (30.0, -20.0)
    second.com[:, :2] += (30.0, -20.0)
    second.time[:] += 0.42
    shot = film(SpatialTrace.concatenate([first, second]), "side")
    assert shot.framing.height == pytest.approx(film(first, "side").framing.height, rel=0.05)
    assert all(of_trunk(shot.scene(sample)).sum() > 50 for sample in (0, 20, 21, 41))


def test_the_default_size_is_that_of_planar_films(tmp_path: Path) -> None:
    write_spatial_video(TROT.between(0.0, 0.0), tmp_path / "a.gif", character=CHARACTER)
    with Image.open(tmp_path / "a.gif") as shown:
        assert shown.size == SIZE
