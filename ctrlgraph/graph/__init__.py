"""The controller graph: its file, its rules, its planners, and its form for other tools."""

__all__ = [
    "checks",
    "conditions",
    "editor",
    "export",
    "goal_planner",
    "ground",
    "model",
    "random_planner",
    "reader",
    "schema",
    "scripts",
    "stride",
    "visits",
]
