"""A project in which searches are quick: three controllers, one of which holds from one node and not from the other."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

GRAPH = """\
character: humanoid
start: stand
nodes:
  stand: {script: controllers/stand.t, args: [0.5, 0.5], kind: static, timeout: 4,
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


def make_small(directory: Path) -> Path:
    """A project whose `spring` holds from the stand and, as its script has it, not from the squat."""
    shutil.copytree(ROOT / "characters", directory / "characters")
    (directory / "controllers").mkdir()
    for name in ("stand", "squat"):
        shutil.copy(ROOT / "controllers" / "poses" / f"{name}.t", directory / "controllers")
    (directory / "controllers" / "spring.t").write_text(SPRING)
    (directory / "controllers" / "straighten.t").write_text(STRAIGHTEN)
    (directory / "graph.yaml").write_text(GRAPH)
    return directory
