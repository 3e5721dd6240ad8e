"""Searches for the least cost with one interface, ask and tell; they know nothing of simulations.

    optimizer = make_optimizer("1+1", x0, 0.1, seed=1, target_cost=1e-8, max_evaluations=2000)
    while optimizer.stop is None:
        candidates = optimizer.ask()
        optimizer.tell(candidates, [cost(x) for x in candidates])

`json.dumps(optimizer.state())` is a checkpoint, at any moment; `restore_optimizer` goes on from it exactly as the
undisturbed search does.
"""

from ctrlgraph.optimization.cmaes.factory import make_optimizer, restore_optimizer
from ctrlgraph.optimization.cmaes.interface import FloatArray, Optimizer, Stop
from ctrlgraph.optimization.cmaes.plan import KINDS

__all__ = ["KINDS", "FloatArray", "Optimizer", "Stop", "make_optimizer", "restore_optimizer"]
