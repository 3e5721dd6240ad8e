"""ODE as an engine."""

from __future__ import annotations

from ctrlgraph.engine.engine import Engine
from ctrlgraph.engine.ode import library as ode
from ctrlgraph.engine.ode.stepper import KERNELS
from ctrlgraph.engine.ode.world import OdeWorld

ODE = Engine("ode", KERNELS, OdeWorld, ode.message_count, lambda: ode.load().version)
