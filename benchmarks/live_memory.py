"""Measure the memory of the live page's server after many edits and many invalid messages.

    python benchmarks/live_memory.py [--edits 200] [--messages 2000] [--rounds 3]

In a copy of the shipped project, a constant of the walk is edited over a socket, each time after the previous motion
has ended. Then invalid messages are sent. The resident memory of the server's process is read after each part (Linux).
Several rounds show whether it grows.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("graph.yaml", "controllers", "characters", "learned")
SCRIPT = "controllers/gaits/walk_step.t"
NUMBER = r"PHASE 1\s+ACTIONS\s+LIPOSE rKnee\(([\d.]+),"
BAD = (
    "nonsense",
    "[" * 5000,
    '{"type":"rm","path":"/"}',
    '{"type":"open","path":"../../etc/passwd"}',
    '{"type":"plan","nodes":["no such node"]}',
    '{"type":"set","values":{"a":1e999}}',
    '{"type":"push","time":0.5,"link":"tail","x":1,"y":1}',
    '{"type":"write","files":{"controllers/gaits/walk_step.t":{"values":{"x":1},"digest":"0"}}}',
    json.dumps({"type": "edit", "path": SCRIPT, "text": "x" * 400_000, "base": -1}),
)


def resident_mb(process: int) -> float:
    """Return the resident memory of a process, MB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


class Page:
    """Client of the page without a browser."""

    def __init__(self, socket: Any, token: str) -> None:
        self._socket = socket
        self.say(type="hello", token=token)

    def say(self, **message: Any) -> None:
        self._socket.send(json.dumps(message))

    def raw(self, text: str) -> None:
        self._socket.send(text)

    def until(self, type: str, **having: Any) -> dict[str, Any]:
        while True:
            text = self._socket.recv(timeout=300)
            message = {} if isinstance(text, bytes) else json.loads(text)
            if message.get("type") == type and all(message.get(name) == value for name, value in having.items()):
                return message


def edit(page: Page, times: int) -> None:
    page.say(type="open", path=SCRIPT)
    script = page.until("script", path=SCRIPT)
    text, revision = script["text"], script["revision"]
    found = re.search(NUMBER, text)
    assert found is not None
    for k in range(times):
        changed = f"{float(found[1]) * (1 + 1e-3 * (1 + k % 7)):.6g}"
        page.say(
            type="edit", path=SCRIPT, text=text[: found.start(1)] + changed + text[found.end(1) :], base=revision + k
        )
        page.until("script", path=SCRIPT, revision=revision + k + 1)
        page.until("branch")
        while page.until("state")["ended"] is None:
            pass
    page.say(type="edit", path=SCRIPT, text=text, base=revision + times)
    page.until("branch")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--messages", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    from websockets.sync.client import connect

    rng = random.Random(0)
    with tempfile.TemporaryDirectory() as name:
        for part in PARTS:
            copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, Path(name) / part)
        command = [sys.executable, "-m", "ctrlgraph", "--project", name, "edit", "--no-browser", "--forget", "walk"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            at = urlsplit(server.stdout.readline().strip())
            with connect(f"ws://{at.netloc}/live", origin=f"http://{at.netloc}", max_size=None) as socket:  # type: ignore[arg-type]
                page = Page(socket, at.fragment)
                page.until("state", ended="success")
                page.until("graph")
                print(json.dumps({"after": "the first motion", "MB": round(resident_mb(server.pid))}), flush=True)
                for turn in range(given.rounds):
                    edit(page, given.edits)
                    print(json.dumps({"round": turn, "after": "edits", "MB": round(resident_mb(server.pid))}))
                    for _ in range(given.messages):
                        page.raw(rng.choice(BAD))
                    page.say(type="open", path=SCRIPT)
                    page.until("constants")
                    time.sleep(1.0)
                    report = {"round": turn, "after": "bad messages", "MB": round(resident_mb(server.pid))}
                    print(json.dumps(report), flush=True)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
