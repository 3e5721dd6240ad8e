"""Walk a project's graph at random, then to a goal, and see how reliable each edge has been."""

from ctrlgraph import Project, go_to, walk_random

project = Project.find()
walk = walk_random(project, transitions=10, seed=7)
print(f"run {walk.run}: {walk.as_dict()['succeeded']} of {walk.as_dict()['transitions']} transitions succeeded")

goal = go_to(project, "hands_and_knees", seed=7)
print(f"run {goal.run}: hands_and_knees")
