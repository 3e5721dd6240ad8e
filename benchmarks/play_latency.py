"""Measure the time from a key on the page of `ctrlgraph play` to the first new frame, and to the first new motion.

    python benchmarks/play_latency.py [--keys 20] [--project DIRECTORY | --footsteps ROBOT] [--json]

A headless Chromium presses keys at intervals. "frame": time until the page has drawn the first sample that was
simulated after the key. "motion": simulated time from the key to the beginning of the next node. With --footsteps,
"frame" is the time until the page has drawn the first plan with the new command. Needs playwright and Chromium.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from live_latency import PARTS, ROOT, spread, wait

PLANE = ("ArrowRight", "ArrowRight", "ArrowRight", " ", "x", "ArrowDown", "ArrowUp")
SPACE = ("w", "w", "a", "d", "q", "w", "s", "s", "x")
PLANNED = ("w", "w", "s", "x")
INTERVAL_MS = 2500
PLANNED_MS = 400
ANSWERS = """() => {
  window.answers = [];
  let [pressed, before] = [null, ""];
  const command = () => JSON.stringify(ctrlgraphPlan.command());
  addEventListener("keydown", () => { [pressed, before] = [performance.now(), command()]; }, true);
  const look = () => {
    if (pressed !== null && command() !== before) { answers.push(performance.now() - pressed); pressed = null; }
    requestAnimationFrame(look);
  };
  look();
}"""


def measured(page: Any, keys: tuple[str, ...], count: int) -> dict[str, Any]:
    """Press keys one after another; return the latencies."""
    frames, motions = [], []
    for n in range(count):
        page.wait_for_timeout(INTERVAL_MS)
        version, begins = page.evaluate("() => [ctrlgraphLive.version, ctrlgraphLive.player.time]")
        pressed = 1000 * time.time()
        page.keyboard.press(keys[n % len(keys)])
        drawn = "(v) => ctrlgraphLive.version > v && ctrlgraphLive.firstFrames[ctrlgraphLive.version]"
        ends = time.monotonic() + 15.0
        while not page.evaluate(drawn, version) and time.monotonic() < ends:
            page.wait_for_timeout(5)
        at = page.evaluate(drawn, version)
        if not at:
            continue  # the key changes nothing, such as "up" while it stands
        frames.append(at - pressed)
        page.wait_for_timeout(INTERVAL_MS)
        begun = page.evaluate("(t) => ctrlgraphLive.state.segments.find((each) => each.from > t)?.from", begins)
        if begun is not None:
            motions.append(begun - begins)
    return {"keys": len(frames), "frame ms": spread(frames), "motion s": spread(motions) if motions else None}


def planned(page: Any, count: int) -> dict[str, Any]:
    """Press keys that change the command of a planned robot; return the latencies."""
    page.evaluate(ANSWERS)
    for n in range(count):
        page.wait_for_timeout(PLANNED_MS)
        page.keyboard.press(PLANNED[n % len(PLANNED)])
    page.wait_for_timeout(PLANNED_MS)
    frames = page.evaluate("() => answers")
    return {"keys": len(frames), "frame ms": spread(frames)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keys", type=int, default=20)
    parser.add_argument("--project", type=Path, help="project to copy; the shipped one without it")
    parser.add_argument("--footsteps", metavar="ROBOT", help="steer this robot with planned footsteps")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    from playwright.sync_api import sync_playwright

    origin = given.project or ROOT
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        for part in PARTS:
            if (origin / part).exists():
                copy = shutil.copytree if (origin / part).is_dir() else shutil.copy
                copy(origin / part, Path(name) / part)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        command = [sys.executable, "-m", "ctrlgraph", "--project", name, "play", "--no-browser"]
        command += ["--footsteps", given.footsteps] if given.footsteps else []
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(address)
            if given.footsteps:
                wait(page, "() => window.ctrlgraphPlan?.time() > 1", seconds=600)
                found = planned(page, given.keys)
            else:
                wait(page, "() => window.ctrlgraphLive?.present.samples > 50", seconds=600)
                is_plane = page.evaluate("() => document.documentElement.dataset.dimensions === '2'")
                found = measured(page, PLANE if is_plane else SPACE, given.keys)
            page.close()
        finally:
            server.terminate()
            server.wait()
    print(json.dumps(found, indent=2 if given.json else None))


if __name__ == "__main__":
    main()
