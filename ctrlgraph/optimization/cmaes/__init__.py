"""Searches for the minimum of a cost function, with an ask-and-tell interface. They are independent of simulations.

    optimizer = make_optimizer("1+1", x0, 0.1, seed=1, target_cost=1e-8, max_evaluations=2000)
    while optimizer.stop is None:
        candidates = optimizer.ask()
        optimizer.tell(candidates, [cost(x) for x in candidates])

A search is deterministic: the same arguments and the same costs give the same candidates. To resume a search, create
it again and pass it the costs of its earlier generations.
"""

from ctrlgraph.optimization.cmaes.bounds import FloatArray
from ctrlgraph.optimization.cmaes.factory import KINDS, make_optimizer
from ctrlgraph.optimization.cmaes.optimizer import Optimizer, Stop

__all__ = ["KINDS", "FloatArray", "Optimizer", "Stop", "make_optimizer"]
