"""Write a controller as text, check it, compile it, run it, and change one of its numbers."""

from pathlib import Path

from ctrlgraph import Project, Simulation

TEXT = """
BEGINSCRIPT wave(void)
  PHASE 0
    ACTIONS
      LIPOSE rShoulder(-2.8).time(.6);
      VFFB uTorso(2000, 250).by(rAnkle).over(cop);
      VFFB uTorso(2000, 250).by(lAnkle).over(cop);
    ENDACTIONS
    TRANSITION to(-1).after(time 1);
  ENDPHASE
ENDSCRIPT
"""

project = Project.find()
character = project.character
script = Path("wave.t")
script.write_text(TEXT)
program = project.compile(script)
for parameter, value in zip(program.parameters, program.constants, strict=True):
    print(f"{parameter.id} = {value:g} {parameter.unit}")

with Simulation(character) as simulation:
    start = simulation.snapshot()
    for angle in (-2.8, -1.4):
        constants = program.constants.copy()
        constants[0] = angle
        simulation.restore(start)
        simulation.run(program.with_constants(constants))
        trace = simulation.last_trace
        arm, torso = character.link_index("rArm"), character.link_index("uTorso")
        print(f"asked for {angle:g}, got {trace.angle[-1, arm] - trace.angle[-1, torso]:.2f} rad")
