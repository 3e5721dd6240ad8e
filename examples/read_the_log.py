"""Read the log of runs: every attempt, and the success of nodes and edges with 95 % intervals."""

from ctrlgraph import Project, summarize

project = Project.find()
with project.read_log() as log:
    attempts = [attempt for run in log.runs() for attempt in log.attempts(run.id)]
for attempt in attempts[:5]:
    print(attempt.run, attempt.node, attempt.status, f"{attempt.simulated_s:.2f} s", attempt.reason)
for edge in summarize(attempts).edges:
    print(f"{edge.source} -> {edge.target}: {edge.success.count}")
