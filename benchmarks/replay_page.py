"""Measure the replay page of a character of 30 links: its size, and its frames per second in headless Chromium.

    python benchmarks/replay_page.py [--seconds 60] [--terrain rough=0.03] [-o FILE.html] [--json]
    python benchmarks/replay_page.py --page FILE.html

An animal of 30 links moves all joints on ODE. Its motion is encoded and played, with shadows, forces, footprints and
three ghosts. With `--page`, a page that `ctrlgraph replay --page` has written is played instead. "Page" is the
processor time of the page's main thread per frame, in which everything but the drawing by the graphics card happens; 60
frames per second need less than 16.7 ms. Headless Chromium without a graphics card draws in software, so its frames per
second are a lower bound; those without drawing are an upper bound. Needs playwright and Chromium.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from spatial_bodies import creature

from ctrlgraph.control.keyframes.keyframes import Keyframes, new_keyframes
from ctrlgraph.playback import PlaybackEncoder
from ctrlgraph.playback.assets import SPACE, module
from ctrlgraph.playback.page import ReplayedMotion, replay_page
from ctrlgraph.simulation.signals.recorded_signals import SignalRecorder
from ctrlgraph.simulation.simulation import Simulation
from ctrlgraph.terrain.spatial import parse_spatial
from ctrlgraph.walks.replay_page import RATE

FRAMES = 120
"""Number of frames that are played."""
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PLAYS = """async (frames) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  player.play();
  const began = performance.now();
  for (let k = 0; k < frames; k++) await frame();
  player.pause();
  return (1000 * frames) / (performance.now() - began);
}"""
"""Plays some frames, and returns the frames per second."""
STOPS_DRAWING = "() => { panels[0].figure._renderer.render = () => {}; }"
"""Lets the page do everything but draw."""
DRAWN = "() => panels[0].figure.drawn"
"""Returns the numbers of draw calls and triangles of the last frame."""


def swaying(character: Any) -> Keyframes:
    """Return a controller that moves all joints of the character, in a loop of 4 s."""
    rng, n = np.random.default_rng(4), len(character.joints)
    time = np.linspace(0.0, 4.0, 41)
    legs = np.array([character.links[joint.child].name[0] in "fh" for joint in character.joints])
    phase, reach = rng.uniform(0.0, 2.0 * np.pi, n), np.where(legs, 0.1, 0.25)
    angles = reach * np.sin(0.5 * np.pi * np.outer(time, rng.integers(1, 4, n)) + phase)
    gains = np.array([(joint.kp, joint.kd) for joint in character.joints])
    names = tuple(joint.name for joint in character.joints)
    return new_keyframes("sway", names, np.arange(n), time, angles, gains, loop=True)


def write_page(path: Path, seconds: float, terrain: str) -> tuple[int, int]:
    """Write the page. Return the bytes of the encoded motion in it, and the number of links.

    Args:
        path: File to write.
        seconds: Duration of the motion, simulated s.
        terrain: Words that describe the ground.
    """
    character, ground = creature(), parse_spatial(terrain)
    with Simulation(character, ground, keep_trace=False) as simulation:
        recorder = SignalRecorder(simulation, RATE)
        recorder.begin("sway", 0.0)
        simulation.run(swaying(character), cycles=1000, timeout=seconds)
    message = PlaybackEncoder(character, ground, tick=0.002).message(recorder.signals())
    row = {"time": 0.0, "seconds": seconds, "node": "sway", "source": None, "kind": "start"}
    row |= {"cycles": 1, "status": "completed", "reason": ""}
    graph = {"width": 1, "height": 1, "nodes": [], "edges": [], "left_out": 0}
    motion = ReplayedMotion("animal of 30 links", "Not from a log.", False, message, [row])
    path.write_text(replay_page("animal of 30 links", [motion], graph, in_space=True), encoding="utf-8")
    return round(len(gzip.compress(message, 9)) * 4 / 3), len(character.links)


def measure(path: Path) -> dict[str, dict[str, float]]:
    """Return the measurements of the page in headless Chromium, without and with all layers."""
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, CHROMIUMS)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]")
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})

        def measured() -> dict[str, float]:
            def spent() -> float:
                metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
                return 1000.0 * float(metrics["TaskDuration"])

            page.evaluate(PLAYS, 10)
            before = spent()
            rate = page.evaluate(PLAYS, FRAMES)
            return {"rate": rate, "page_ms": (spent() - before) / FRAMES, **page.evaluate(DRAWN)}

        found = {"usual layers": measured()}
        for box in page.locator(".layers input").all():
            box.check()
        found["all layers"] = measured()
        page.evaluate(STOPS_DRAWING)
        found["all layers"]["rate_without_drawing"] = page.evaluate(PLAYS, FRAMES)
        browser.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--terrain", default="flat")
    parser.add_argument("-o", dest="output", type=Path)
    parser.add_argument("--page", type=Path, help="replay page to play")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.page is not None:
        print_frames(measure(given.page.absolute()))
        return
    with tempfile.TemporaryDirectory() as directory:
        path = (given.output or Path(directory) / "page.html").absolute()
        motion, links = write_page(path, given.seconds, given.terrain)
        library = sum(len(module(name).encode()) for name in SPACE)
        found: dict[str, Any] = {"links": links, "page": path.stat().st_size, "motion": motion, "library": library}
        found |= measure(path)
    if given.json:
        print(json.dumps(found, indent=2))
        return
    size, minute = found["page"], 60.0 * motion / given.seconds
    print(f"{links} links, {given.seconds:g} s: page {size:,} bytes, of which three.js and drawing {library:,};")
    print(f"motion {minute:,.0f} bytes per minute")
    print_frames(found)


def print_frames(found: dict[str, Any]) -> None:
    """Print the measurements of the frames of a page."""
    for name in ("usual layers", "all layers"):
        each = found[name]
        print(f"{name}: page {each['page_ms']:.2f} ms per frame, {each['calls']} draw calls,", end=" ")
        print(f"{each['triangles']} triangles; {each['rate']:.0f} frames per second in software")
    print(f"all layers without drawing: {found['all layers']['rate_without_drawing']:.0f} frames per second")


if __name__ == "__main__":
    main()
