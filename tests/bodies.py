"""Fixtures for whatever moves a body: poses as the kernels see them, a program that ticks on them, simulations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from ctrlgraph.kernels.planar.arrays import Body, Kinematics, body_arrays, new_kinematics
from ctrlgraph.kernels.planar.kinematics import pose_links, update_joints

Posed = Callable[..., Kinematics]


@pytest.fixture(scope="session")
def body(humanoid: Any) -> Body:
    return body_arrays(humanoid)


@pytest.fixture(scope="session")
def posed(humanoid: Any, body: Body) -> Posed:
    """Kinematics of joint angles and rates (J,), 0 if not given, and the root's pose and velocity (x, y, angle)."""

    def kinematics(
        angles: Any = None, root: Any = (0.0, 1.0, 0.0), rates: Any = None, root_rate: Any = (0, 0, 0)
    ) -> Any:
        angles, rates = (
            np.zeros(len(humanoid.joints)) if each is None else np.asarray(each, float) for each in (angles, rates)
        )
        kin = new_kinematics(len(humanoid.links), len(humanoid.joints))
        root, root_rate = np.asarray(root, float), np.asarray(root_rate, float)
        kin.link[:, :3] = pose_links(body, angles, humanoid.root, *root)
        h = 1e-6
        preview = pose_links(body, angles + h * rates, humanoid.root, *(root + h * root_rate))
        behind = pose_links(body, angles - h * rates, humanoid.root, *(root - h * root_rate))
        kin.link[:, 3:] = (preview - behind) / (2 * h)
        kin.turn[:, 0], kin.turn[:, 1] = np.cos(kin.link[:, 2]), np.sin(kin.link[:, 2])
        update_joints(body, kin)
        return kin

    return kinematics


@pytest.fixture(scope="session")
def within_limits(humanoid: Any) -> Any:
    """A hypothesis strategy: joint angles (J,) inside their limits."""
    from hypothesis import strategies as st

    return st.tuples(*(st.floats(j.lower, j.upper) for j in humanoid.joints)).map(np.array)


class Machine:
    """A program with its control state, ticked on kinematics that the test sets."""

    def __init__(self, body: Body, program: Any, cycles: int = 1, state: Any = None, kin: Any = None) -> None:
        from ctrlgraph.control.script.execution import interpreter
        from ctrlgraph.control.script.execution.state import code_arrays, new_control_state
        from ctrlgraph.kernels.arrays import new_motors
        from ctrlgraph.kernels.planar.arrays import new_kinematics

        joints, links = body.parent.size, body.mass.size
        self.body, self.code = body, code_arrays(program)
        self.kin = kin if kin is not None else new_kinematics(links, joints)
        self.state = state if state is not None else new_control_state(joints)
        self.motors = new_motors(joints)
        self._interpreter = interpreter
        interpreter.start(self.kin, self.code, self.state, cycles, 0.0)

    def tick(self, time: float) -> int:
        return int(self._interpreter.tick(self.body, self.kin, self.code, self.state, self.motors, time))

    @property
    def phase(self) -> int:
        """Row of the innermost active phase."""
        return int(self._interpreter.active_phase(self.state))

    def phases(self, times: Any) -> list[int]:
        """The active phase after a tick at each time; -1 once the program has ended."""
        from ctrlgraph.control.controller import FINISHED

        return [-1 if self.tick(t) == FINISHED else self.phase for t in times]


@pytest.fixture(scope="session")
def machine(body: Body) -> Callable[..., Machine]:
    def make(program: Any, *, character: Any = None, **options: Any) -> Machine:
        from ctrlgraph.kernels.planar.arrays import body_arrays

        return Machine(body if character is None else body_arrays(character), program, **options)

    return make


@pytest.fixture
def simulate(humanoid: Any) -> Iterator[Any]:
    """Makes simulations and frees them at the test's end."""
    from ctrlgraph.engine.engine import DEFAULT_ENGINE, ENGINES
    from ctrlgraph.simulation.simulation import Simulation

    made: list[Any] = []

    def make(character: Any = None, **options: Any) -> Any:
        kind = ENGINES[options.get("engine", DEFAULT_ENGINE)].settings
        settings = kind(**{name: options.pop(name) for name in list(options) if name in kind.__dataclass_fields__})
        made.append(Simulation(character or humanoid, settings=settings, **options))
        return made[-1]

    yield make
    for simulation in made:
        simulation.close()
