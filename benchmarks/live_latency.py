"""Measure the time from a save to the first new frame of the live page, and its frames per second.

    python benchmarks/live_latency.py [--edits 50] [--motion walk] [--json]

In a copy of the shipped project, a constant of a script is changed in its file, as by an external editor. The time is
measured from just before the file is written until headless Chromium has drawn the first new sample. Needs playwright
and Chromium.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("graph.yaml", "controllers", "characters", "learned")


@dataclass(frozen=True)
class Motion:
    """Motion on the page, and the number of the script that changes."""

    name: str
    nodes: tuple[str, ...]
    script: str
    number: str  # pattern with the number as its only group
    within: float = 1e-3  # relative change


MOTIONS = (
    Motion("walk", ("walk",), "walk_step.t", r"PHASE 1\s+ACTIONS\s+LIPOSE rKnee\(([\d.]+),"),
    Motion("backflip", ("backflip",), "backflip.t", r"PHASE 3\s+ACTIONS\s+POSE bAnkle\((-?[\d.]+),"),
    Motion(
        "sequence of 20 s",
        ("stand", "walk", "walk_to_stop", "stand", "bow", "stand", "bow", "stand", "bow", "stand"),
        "bow.t",
        r"LIPOSE waist\((-?[\d.]+)",
    ),
)  # fmt: skip

ENDED = "() => ctrlgraphLive.state?.ended != null && ctrlgraphLive.present.samples > 50"


def wait(page: Any, condition: str, given: Any = None, seconds: float = 120.0) -> None:
    ends = time.monotonic() + seconds
    while not page.evaluate(condition, given):
        if time.monotonic() > ends:
            raise SystemExit(f"this has not come about: {condition}")
        page.wait_for_timeout(20)


def measured(page: Any, motion: Motion, directory: Path, edits: int) -> dict[str, Any]:
    """Change a number several times; return the latencies, ms."""
    file = next(directory.rglob(motion.script))
    text = file.read_text()
    found = re.search(motion.number, text)
    if found is None:
        raise SystemExit(f"{motion.script} has no number {motion.number}")
    value, begin, end = float(found[1]), found.start(1), found.end(1)
    latencies, findings, served = [], [], []
    for n in range(edits):
        wait(page, ENDED)
        version = page.evaluate("() => ctrlgraphLive.version")
        changed = f"{value * (1 + motion.within * (1 + n % 7)):.6g}"
        edited = text[:begin] + changed + text[end:]
        saved = 1000 * time.time()
        file.write_text(edited)
        wait(page, "(v) => ctrlgraphLive.version > v && ctrlgraphLive.firstFrames[ctrlgraphLive.version]", version, 30)
        drawn = page.evaluate("() => ctrlgraphLive.firstFrames[ctrlgraphLive.version]")
        findings_at = page.evaluate("() => Object.values(ctrlgraphLive.findingsAt).at(-1)")
        latencies.append(drawn - saved)
        findings.append(findings_at["at"] - saved)
        served.append(findings_at["ms"])
    wait(page, ENDED)
    file.write_text(text)
    page.wait_for_timeout(500)
    wait(page, ENDED)
    page.evaluate(
        "() => { ctrlgraphLive.player.setLoop(true); ctrlgraphLive.player.seek(0); ctrlgraphLive.player.play(); }"
    )
    before, at = page.evaluate("() => [ctrlgraphLive.frames, performance.now()]")
    page.wait_for_timeout(4000)
    after, then = page.evaluate("() => [ctrlgraphLive.frames, performance.now()]")
    page.evaluate("() => ctrlgraphLive.player.pause()")
    page.evaluate("() => ctrlgraphLive.player.seek(ctrlgraphLive.player.end)")
    return {
        "motion": motion.name,
        "seconds": round(page.evaluate("() => ctrlgraphLive.present.end"), 1),
        "edits": edits,
        "first frame ms": spread(latencies),
        "findings in the page ms": spread(findings),
        "check ms": spread(served),
        "frames a second": round(1000 * (after - before) / (then - at), 1),
    }


def spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median": round(statistics.median(ordered), 1),
        "p95": round(ordered[min(int(0.95 * len(ordered)), len(ordered) - 1)], 1),
        "greatest": round(ordered[-1], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=50)
    parser.add_argument("--motion", action="append", help="walk, backflip or sequence; all without it")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        directory = Path(name)
        for part in PARTS:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, directory / part)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        results = []
        for motion in MOTIONS:
            if given.motion and motion.name.split()[0] not in given.motion:
                continue
            command = [
                sys.executable,
                "-m",
                "ctrlgraph",
                "--project",
                name,
                "edit",
                "--no-browser",
                "--forget",
                *motion.nodes,
            ]
            server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            try:
                assert server.stdout is not None
                address = server.stdout.readline().strip()
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                page.goto(address)
                wait(page, ENDED, seconds=600)
                wait(page, "() => document.querySelector('#graph svg')", seconds=600)  # its process is over
                results.append(measured(page, motion, directory, given.edits))
                page.close()
            finally:
                server.terminate()
                server.wait()
            if not given.json:
                print(json.dumps(results[-1]))
        if given.json:
            print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
