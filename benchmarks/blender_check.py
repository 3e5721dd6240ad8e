"""Import a glTF file and a BVH file into Blender, and compare with the table of signals of the same motion.

Run by `exports.py` with a Python that has the package bpy. Arguments: the three files, and the frames per second.
"""

from __future__ import annotations

import csv
import json
import sys

import bpy

SAMPLES = 40


def main() -> None:
    gltf, bvh, table, rate = sys.argv[1:]
    with open(table, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    links = [name[2:] for name in rows[0] if name.startswith("x.")]
    space = "com_z" in rows[0]
    start = float(rows[0]["time"])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = round(float(rate))
    bpy.ops.import_scene.gltf(filepath=gltf)
    bpy.ops.import_anim.bvh(filepath=bvh, axis_forward="-Z", axis_up="Y")
    armature = next(each for each in bpy.data.objects if each.type == "ARMATURE")
    root, worst, of_root = armature.pose.bones[0], 0.0, 0.0
    for row in rows[:: max(1, len(rows) // SAMPLES)]:
        frame = (float(row["time"]) - start) * float(rate)
        show(frame)
        for link in links:
            found = bpy.data.objects[link].matrix_world.translation
            worst = max(worst, distance(found, place(row, link, space)))
        if abs(frame - round(frame)) > 1e-4:  # a motion can end between two frames of the BVH file
            continue
        show(frame + 1.0)  # Blender's first frame of a BVH file is 1, and that of a glTF file is 0
        found = armature.matrix_world @ root.head
        of_root = max(of_root, distance(found, place(row, root.name, space)))
    print(json.dumps({"version": bpy.app.version_string, "gltf": worst, "bvh_root": of_root}))


def show(frame: float) -> None:
    """Show a moment, in frames, which need not be a whole number."""
    whole = int(frame + 1e-4)
    bpy.context.scene.frame_set(whole, subframe=max(0.0, frame - whole))


def place(row: dict[str, str], link: str, space: bool) -> tuple[float, float, float]:
    """The centre of mass of a link in Blender's axes, in which a figure faces -Y, and X is on its left."""
    if space:
        x, y, z = (float(row[f"{axis}.{link}"]) for axis in "xyz")
    else:
        x, y, z = float(row[f"x.{link}"]), 0.0, float(row[f"y.{link}"])
    return y, -x, z


def distance(found: tuple[float, float, float], wanted: tuple[float, float, float]) -> float:
    return max(abs(a - b) for a, b in zip(found, wanted, strict=True))


if __name__ == "__main__":
    main()
