"""Two bodies and one joint in free space: the engine's motor against the analytic step response."""

from __future__ import annotations

import pytest

from ctrlgraph.character.yaml_reader import parse_character

ROTOR = """
name: rotor
gains: {kp: 40, kd: 1.5}
links:
  base: {mass: 5, size: [.6, .6], at: [0, 0], contacts: [[0, 0, .1]]}
  disc: {mass: 2, size: [.5, .5], at: [0, 0]}
joints:
  axle: {parent: base, child: disc, at: [0, 0], limits: [-3, 3], torque: [500, 500]}
"""


@pytest.mark.parametrize("dt", [0.0005, 0.002, 0.004])
def test_the_motor_takes_the_implicit_step_of_the_pd_law_exactly(dt, simulate, handmade, engine) -> None:
    """Two discs on one axle, from rest at 0, with a PD target."""
    character = parse_character(ROTOR, "rotor.yaml")
    first, second = (link.inertia for link in character.links)
    inertia = first * second / (first + second)
    kp, kd, target = 40.0, 1.5, 0.8
    simulation, program = simulate(character, dt=dt, gravity=0.0), handmade.program()
    simulation.reset(height=50.0)
    simulation._take(program)
    simulation._state.targets[0, 1] = target
    q = v = 0.0
    for _ in range(40):
        simulation.run(program, timeout=dt)
        v = (v + dt / inertia * kp * (target - q)) / (1 + dt / inertia * (dt * kp + kd))
        q += dt * v
        # ODE turns a body by atan(w dt / 2), not by w dt / 2
        assert simulation._kin.joint[0, 0] == pytest.approx(q, abs=1e-4 if engine == "ode" else 1e-9)
