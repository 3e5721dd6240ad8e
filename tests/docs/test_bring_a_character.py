"""Run the files of the guides to a character of one's own with a model in the style of dm_control's walker."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrlgraph.cli.main import main
from tests.docs.pages import blocks

PAGES = ("docs/guides/import-a-mujoco-model.md", "docs/guides/bring-a-character.md")

LEG = """
      <body name="{side}_thigh" pos="0 {y} -.28">
        <joint name="{side}_hip" range="-30 95"/>
        <geom pos="0 0 -.21" size=".05 .2"/>
        <body name="{side}_leg" pos="0 0 -.66">
          <joint name="{side}_knee" pos="0 0 .24" range="-140 -2"/>
          <geom size=".04 .24"/>
          <body name="{side}_foot" pos=".05 0 -.24">
            <joint name="{side}_ankle" pos="-.05 0 0" range="-50 50"/>
            <geom zaxis="1 0 0" size=".05 .1"/>
          </body>
        </body>
      </body>"""
MODEL = f"""\
<mujoco model="planar walker">
  <include file="./common/visual.xml"/>
  <include file="./common/materials.xml"/>
  <default>
    <joint axis="0 -1 0" damping=".1" limited="true"/>
    <geom type="capsule" material="self" contype="1" conaffinity="0"/>
  </default>
  <worldbody>
    <geom name="floor" type="plane" conaffinity="1" size="9 1 1" material="grid"/>
    <body name="torso" pos="0 0 1.25">
      <joint name="rootz" axis="0 0 1" type="slide" limited="false"/>
      <joint name="rootx" axis="1 0 0" type="slide" limited="false"/>
      <joint name="rooty" limited="false"/>
      <geom size=".07 .28"/>{LEG.format(side="right", y="-.05")}{LEG.format(side="left", y=".05")}
    </body>
  </worldbody>
  <actuator>
    {
    "".join(
        f'<motor joint="{s}_{j}" gear="{g}" ctrlrange="-1 1"/>'
        for s in ("right", "left")
        for j, g in (("hip", 100), ("knee", 60), ("ankle", 25))
    )
}
  </actuator>
</mujoco>
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the files of the pages around a model of our own."""
    (tmp_path / "characters").mkdir()
    (tmp_path / "controllers").mkdir()
    (tmp_path / "characters" / "walker.xml").write_text(MODEL)
    for block in (each.text for each in blocks("yaml", "yml", "text") if each.page in PAGES):
        if block.startswith("roles:"):
            (tmp_path / "characters" / "walker.roles.yaml").write_text(block)
        elif block.startswith("character:"):
            (tmp_path / "graph.yaml").write_text(block)
        elif "BEGINSCRIPT" in block:
            name = block.split("BEGINSCRIPT ")[1].split("(")[0]
            (tmp_path / "controllers" / f"{name}.t").write_text(block)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_files_of_the_page_are_a_project_in_which_the_character_stands(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check"]) == 0
    assert "checked 3 scripts, 1 graph, 1 character: 0 errors" in capsys.readouterr().out
    assert main(["run", "stand"]) == 0
