"""Write motions to files, and check the files with the programs of others: the tables of docs/results/exports.md.

python benchmarks/exports.py --npm DIRECTORY [--blender PYTHON] [--opensim PYTHON]

`npm install --prefix DIRECTORY gltf-validator` installs the validator of glTF files. The options --blender and
--opensim name Pythons that have the packages bpy and opensim.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.result_header import ROOT, header
from ctrlgraph import Project
from ctrlgraph.character.spatial_model import SpatialCharacter
from ctrlgraph.export import write_motion
from ctrlgraph.project.rollout_request import carry_out, find_rollout
from ctrlgraph.simulation.signals.recorded_signals import Signals
from tests.export import test_bvh, test_spatial_keyframes

RATE = 100.0
QUADRUPED = ROOT / "projects" / "quadruped"
PLANAR = ("walk", "run", "backflip")
SPATIAL = ("sit", "bow", "push_ups", "hop", "step", "leap")
OPENSIM = "import opensim, sys; [print(opensim.TimeSeriesTable(f).getNumRows()) for f in sys.argv[1:]]"


@dataclass
class Written:
    """A motion and its files."""

    name: str
    project: Project
    signals: Signals
    path: Path

    def file(self, suffix: str) -> Path:
        """Return the path of a file, which is written if it does not exist."""
        path = self.path.with_suffix(suffix)
        if not path.exists():
            write_motion(self.signals, self.project.character, path, RATE)
        return path


def written(project: Project, name: str, directory: Path) -> Written:
    """Return a motion that begins in the state in which the node "stand" ends."""
    request = find_rollout(project, name)
    signals = carry_out(project, request, after=project.graph.node("stand"), signal_rate=RATE).signals
    assert signals is not None
    return Written(
        name, project, signals, directory / f"{project.character.name}_{name}_{project.environment().engine}"
    )


def issues(motion: Written, modules: Path) -> str:
    """Return the numbers of errors, warnings, infos and hints of the validator of the Khronos Group."""
    command = ["node", str(ROOT / "benchmarks" / "gltf_check.mjs"), str(modules.resolve()), str(motion.file(".glb"))]
    done = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return ", ".join(str(done[f"num{kind}"]) for kind in ("Errors", "Warnings", "Infos", "Hints"))


def in_blender(motion: Written, python: str | None) -> tuple[str, str]:
    """Return the errors of links of the glTF file and of the root of the BVH file in Blender, m."""
    if python is None:
        return "", ""
    files = [str(motion.file(suffix)) for suffix in (".glb", ".bvh", ".csv")]
    command = [python, str(ROOT / "benchmarks" / "blender_check.py"), *files, f"{RATE:g}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = json.loads(done.strip().splitlines()[-1])
    return f"{found['gltf']:.0e} m", f"{found['bvh_root']:.0e} m"


def in_opensim(motion: Written, python: str | None) -> str:
    """Return the numbers of rows that OpenSim reads from both of its files."""
    if python is None:
        return ""
    files = [str(motion.file(suffix)) for suffix in (".mot", ".sto")]
    lines = subprocess.run([python, "-c", OPENSIM, *files], check=True, capture_output=True, text=True).stdout
    return ", ".join(line for line in lines.splitlines() if line.isdigit())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--npm", type=Path, required=True, help="directory with the package gltf-validator")
    parser.add_argument("--blender", help="Python with the package bpy")
    parser.add_argument("--opensim", help="Python with the package opensim")
    given = parser.parse_args()
    print(header("ODE and MuJoCo", "none"))
    print("| motion | engine | samples | glTF | validator | glTF in Blender | BVH in Blender: root | rows in OpenSim |")
    print("| --- | --- | ---: | ---: | --- | ---: | ---: | --- |")
    errors = []
    with tempfile.TemporaryDirectory() as name:
        for directory, motions, engine in (
            (ROOT, PLANAR, "ode"),
            (QUADRUPED, SPATIAL, "ode"),
            (QUADRUPED, SPATIAL, "mujoco"),
        ):
            project = Project(directory, engine=engine)
            for each in motions:
                motion = written(project, each, Path(name))
                size = f"{motion.file('.glb').stat().st_size / 1e6:.2f} MB"
                words = [issues(motion, given.npm), *in_blender(motion, given.blender)]
                row = [each, engine, str(len(motion.signals)), size, *words, in_opensim(motion, given.opensim)]
                print("| " + " | ".join(row) + " |", flush=True)
                if isinstance(project.character, SpatialCharacter):
                    bones, links = (
                        f"{test.largest_error(motion.signals, project.character) * 1e3:.3f} mm"
                        for test in (test_bvh, test_spatial_keyframes)
                    )
                    errors.append((each, engine, bones, links))
    print("\n| motion in space | engine | BVH: joints | MuJoCo: links |\n| --- | --- | ---: | ---: |")
    for line in errors:
        print("| " + " | ".join(line) + " |")


if __name__ == "__main__":
    main()
