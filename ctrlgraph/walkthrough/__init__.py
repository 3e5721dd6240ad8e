"""Walkthroughs: sequences of nodes in a simulation, logged and replayed."""

from ctrlgraph.walkthrough.course_walk import CourseSummary, go_past
from ctrlgraph.walkthrough.courses import CourseBenchmark, walk_courses
from ctrlgraph.walkthrough.goal_walk import GoalSummary, go_to
from ctrlgraph.walkthrough.random_run import LostWalk, RunSummary, walk_random
from ctrlgraph.walkthrough.replay import WalkReplay, replay_walk
from ctrlgraph.walkthrough.tally import Tally
from ctrlgraph.walkthrough.walker import StartFailed, Walker, WalkObserver

__all__ = [
    "CourseBenchmark",
    "CourseSummary",
    "GoalSummary",
    "LostWalk",
    "RunSummary",
    "StartFailed",
    "Tally",
    "WalkObserver",
    "WalkReplay",
    "Walker",
    "go_past",
    "go_to",
    "replay_walk",
    "walk_courses",
    "walk_random",
]
