"""Walkthroughs: sequences of nodes run through simulations, logged, and simulated again."""

from ctrlgraph.walkthrough.goal import GoalSummary, go_to
from ctrlgraph.walkthrough.random import LostWalk, RunSummary, walk_random
from ctrlgraph.walkthrough.replay import WalkReplay, replay_walk
from ctrlgraph.walkthrough.tally import Tally
from ctrlgraph.walkthrough.walker import StartFailed, Walker, WalkObserver
from ctrlgraph.walkthrough.world import WalkWorld

__all__ = [
    "GoalSummary",
    "LostWalk",
    "RunSummary",
    "StartFailed",
    "Tally",
    "WalkObserver",
    "WalkReplay",
    "WalkWorld",
    "Walker",
    "go_to",
    "replay_walk",
    "walk_random",
]
