"""Projects for tests: any graph with shipped parts, and a small one in which searches are quick.

The small one has three controllers, of which one holds from one node and not from the other.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLD_HUMANOID = Path(__file__).resolve().parent / "data" / "old_humanoid"  # motions that nobody tunes

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/stand.t, args: [0.5, 0.5], kind: static, timeout: 4.5,
          success: {torso: [-.3, .3], com_height: [0.88, 1.1], com_speed: [0, 0.1]}}
  squat: {script: controllers/squat.t, args: [0.6], kind: static, timeout: 4,
          success: {torso: [-.4, 1.1], com_height: [0.45, 0.75], com_speed: [0, 0.1]}}
  # from the squat it is too fast
  spring: {script: controllers/spring.t, timeout: 4,
           success: {torso: [-.3, .3], com_height: [0.88, 1.1], com_speed: [0, 0.3], flight: [0, 0.05]}}
edges:
  - {from: stand, to: squat, weight: 2}  # down
  - {from: squat, to: stand}  # and slowly up
  - {from: stand, to: spring}
  # what leads back: {from: squat, to: spring} would not
  - {from: spring, to: stand}
"""


def endless(graph: str) -> str:
    """Return the small graph with a spring from which nothing leads back to a static pose, only to a twitch and on."""
    there = "  twitch: {script: controllers/stand.t, args: [0.5, 0.5]}\nedges:\n"
    back = "  - {from: spring, to: twitch}\n  - {from: twitch, to: spring}\n"
    return graph.replace("edges:\n", there).replace("  - {from: spring, to: stand}\n", back)


SPRING = """\
# Straightens the legs at once: from a stand there is little to straighten, from a squat it is a jump.
SCRIPTS straighten.t;
BEGINSCRIPT spring(void)
  PHASE 0
    > straighten.t(0.12 <0.05, 1>);   # in so many seconds
    TRANSITION to(-1).after(complete);
  ENDPHASE
ENDSCRIPT
"""

STRAIGHTEN = """\
# Straightens everything in a time, then waits for rest.
BEGINSCRIPT straighten(time)
  PHASE 0
    ACTIONS
      LIPOSE waist(0, 600, 10).time(time), lTorso2uTorso(0, 600, 60).time(time);
      LIPOSE rShoulder(0).time(time), lShoulder(0).time(time);
      LIPOSE rHip(0).time(time), lHip(0).time(time);
      LIPOSE rKnee(0).time(time), lKnee(0).time(time);
      LIPOSE rAnkle(0).time(time), lAnkle(0).time(time);
      VFFB uTorso(2000, 250).by(rAnkle).over(cop), uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(1).after(time time);
  ENDPHASE
  PHASE 1
    ACTIONS
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(fallen x 1.2);
    TRANSITION to(-1).after(stable .05);
  ENDPHASE
ENDSCRIPT
"""


def make_project(
    directory: Path,
    graph: str | None = None,
    *,
    shipped: tuple[str, ...] = ("controllers", "characters"),
    files: Mapping[str, str] | None = None,
    origin: Path = ROOT,
) -> Path:
    """Make a project directory: these files and directories of an origin, files by path, the graph (the origin's)."""
    for name in (*shipped, *(["graph.yaml"] if graph is None else [])):
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        if (origin / name).is_dir():
            shutil.copytree(origin / name, directory / name)
        else:
            shutil.copy(origin / name, directory / name)
    for name, text in {**({} if graph is None else {"graph.yaml": graph}), **(files or {})}.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text, encoding="utf-8")
    return directory


def make_small(directory: Path) -> Path:
    """Make a project whose `spring` holds from the stand and, as its script has it, not from the squat."""
    poses = {
        name: (OLD_HUMANOID / "controllers" / "poses" / name).read_text(encoding="utf-8")
        for name in ("stand.t", "squat.t")
    }
    scripts = {**poses, "spring.t": SPRING, "straighten.t": STRAIGHTEN}
    files = {f"controllers/{name}": text for name, text in scripts.items()}
    return make_project(directory, GRAPH, shipped=("characters",), files=files)


# Without a fall exit: from a stand it tips over and comes to rest on its back, and ends there.
FALLING_SIT = """\
BEGINSCRIPT sit(time)
  PHASE 0
    ACTIONS
      LIPOSE neck2head(0, 1000, 100).time(time), uTorso2neck(0, 1000, 100).time(time);
      LIPOSE lTorso2uTorso(0.2, 900, 90).time(time), waist(0.2, 900, 90).time(time);
      LIPOSE rShoulder(-1.2).time(time), lShoulder(-1.2).time(time);
      LIPOSE rHip(-2.5, 500, 60).time(time), lHip(-2.5, 500, 60).time(time);
      LIPOSE rKnee(2, 500, 60).time(time), lKnee(2, 500, 60).time(time);
      LIPOSE rAnkle(-.2, 300, 40).time(time), lAnkle(-.2, 300, 40).time(time);
      POSE rElbow(0, 50, 30), lElbow(0, 50, 30);
    ENDACTIONS
    TRANSITION to(1).after(time 1.5*time);
  ENDPHASE
  PHASE 1
    TRANSITION to(-1).after(stable .05);
  ENDPHASE
ENDSCRIPT
"""


def texts(directory: Path) -> dict[str, str]:
    """Return the texts of all files of a directory by path."""
    return {path.relative_to(directory).as_posix(): path.read_text() for path in directory.rglob("*") if path.is_file()}
