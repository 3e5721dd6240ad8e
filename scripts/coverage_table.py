"""Print the coverage that was measured, by package and lowest modules first."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

WORST = 12


def main() -> int:
    """Print a row for each package, then the modules with the lowest shares."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "coverage.json"
        subprocess.run([sys.executable, "-m", "coverage", "json", "--quiet", "-o", str(path)], check=True)
        files = json.loads(path.read_text(encoding="utf-8"))["files"]
    packages: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    modules = []
    for name, found in files.items():
        covered, total = found["summary"]["covered_lines"], found["summary"]["num_statements"]
        for package in (str(Path(name).parent), "all"):
            packages[package][0] += covered
            packages[package][1] += total
        if total:
            modules.append((covered / total, name))
    for package, (covered, total) in sorted(packages.items()):
        print(f"{100 * covered / max(total, 1):5.1f} %  {covered:6d} of {total:6d} lines  {package}")
    print("lowest:")
    for share, name in sorted(modules)[:WORST]:
        print(f"{100 * share:5.1f} %  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
