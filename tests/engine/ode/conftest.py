"""A probe of ODE's feedback of motors, stops and joints."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from ctrlgraph.simulation.simulation import Simulation


class Probe:
    """Reads the torques and forces of every motor, stop and root joint from the engine's own feedback."""

    def __init__(self, simulation: Simulation) -> None:
        from odepy.common import dJointFeedback

        self.simulation = simulation
        handles = simulation._world.handles
        engine = simulation._world._lib
        self.motors = (dJointFeedback * len(handles.motor))()
        self.stops = (dJointFeedback * len(handles.stop))()
        for joints, feedback in ((handles.motor, self.motors), (handles.stop, self.stops)):
            for joint, record in zip(joints, feedback, strict=True):
                engine.dJointSetFeedback(int(joint), ctypes.addressof(record))
        self.root = dJointFeedback()
        engine.dBodyGetNumJoints.argtypes = [ctypes.c_void_p]
        engine.dBodyGetJoint.argtypes, engine.dBodyGetJoint.restype = [ctypes.c_void_p, ctypes.c_int], ctypes.c_void_p
        engine.dJointGetType.argtypes = [ctypes.c_void_p]
        body = int(handles.body[simulation.character.root])
        joints = [engine.dBodyGetJoint(body, k) for k in range(engine.dBodyGetNumJoints(body))]
        plane = [joint for joint in joints if engine.dJointGetType(joint) == 11]  # dJointTypePlane2D
        assert len(plane) == (simulation.settings.pins != "distances")
        for joint in plane:
            engine.dJointSetFeedback(joint, ctypes.addressof(self.root))

    def torques(self, records: Any) -> tuple[np.ndarray, np.ndarray]:
        """Torques about z on the first body (child) and the second (parent) of every joint."""
        return (np.array([record.t1[2] for record in records]), np.array([record.t2[2] for record in records]))


@pytest.fixture
def engine() -> str:
    """These tests look into ODE itself."""
    return "ode"


@pytest.fixture
def probe() -> Any:
    return Probe
