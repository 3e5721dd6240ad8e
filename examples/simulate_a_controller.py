"""Run one controller of a project and look at what it did: python simulate_a_controller.py [NODE]"""

import sys

from ctrlgraph import Project, Simulation, write_filmstrip

name = sys.argv[1] if len(sys.argv) > 1 else "squat"
project = Project.find()
node = project.graph.node(name)
with Simulation(project.character) as simulation:
    outcome = simulation.run(project.controller(name), timeout=node.timeout, success=node.success)
    print(name, outcome.status, outcome.reason)
    print(f"{outcome.simulated_s:.2f} s, {outcome.energy_j:.0f} J, highest {outcome.measures['max_com_height']:.2f} m")
    write_filmstrip(simulation.trace, f"{name}.png", character=project.character, title=name)
