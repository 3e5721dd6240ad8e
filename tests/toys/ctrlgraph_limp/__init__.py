"""A toy kind of controller, as a package of somebody else would bring it: it lets go for as long as its file says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ctrlgraph.control.common_kernels import no_requests
from ctrlgraph.control.controller import FINISHED, RUNNING, ControllerKernels, ControllerKind
from ctrlgraph.control.parameters import Parameter
from ctrlgraph.kernels.jit import kernel


@dataclass(frozen=True)
class Limp:
    kind: ClassVar[str] = "limp"

    name: str
    path: str
    constants: Any

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return (Parameter("limp/seconds", "seconds", "time"),)

    @property
    def digest(self) -> str:
        return f"limp {self.constants[0]}"

    def with_constants(self, constants):
        return Limp(self.name, self.path, constants)


class Data(NamedTuple):
    seconds: Any  # (1,) s


class State(NamedTuple):
    began: Any  # (1,) s
    angles: Any  # (J,) rad: nothing is held, and so many joints there are


@kernel
def start(kin, data, state, cycles, time):
    state.began[0] = time


@kernel
def hold(kin, state):
    pass


@kernel
def tick(body, kin, data, state, motors, time):
    for j in range(motors.kp.size):
        motors.kp[j] = motors.kd[j] = motors.target[j] = motors.torque[j] = 0.0
        for k in range(2):  # a slice would be an array
            motors.limit[j, k] = body.torque[j, 0, k]
    return FINISHED if time - state.began[0] >= data.seconds[0] - 1e-9 else RUNNING


@kernel
def phase_of(state):
    return 0


class LimpKind(ControllerKind[Limp, Data, State]):
    name = "limp"
    kernels = ControllerKernels(start, hold, tick, phase_of, no_requests)
    suffixes = (".limp",)

    def read(self, path, args, character, library):
        return Limp(path.stem, str(path), np.array([float(path.read_text())]))

    def new_data(self, controller):
        return Data(controller.constants.copy())

    def new_state(self, n_joints):
        return State(np.zeros(1), np.zeros(n_joints))


LIMP = LimpKind()
