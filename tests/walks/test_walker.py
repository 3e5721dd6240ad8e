"""What a walk does when things go right and when they go wrong."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from walk_fakes import DIVERGES, FALLS_BACKWARD, FALLS_FORWARD, LIES, OK, STANDS_WRONG, End, FakeProject, FakeSimulation

from ctrlgraph.graph.random_planner import PlannedTransition
from ctrlgraph.run_log.record import RunRecord
from ctrlgraph.walks.logged_walk import static_nodes
from ctrlgraph.walks.tally import Tally
from ctrlgraph.walks.walker import MAX_RECOVERY_ATTEMPTS, Walker, WalkIdentity


@pytest.fixture
def walk(project: FakeProject):
    """A walker that meets these ends, at the start node; and the log's view of it."""
    with project.log() as log:
        log.begin_run(RunRecord("r", "", 0.0, 0, "", {}, {}))

        class Walk:
            def begin(self, *ends: End) -> Walker:
                self.simulation = FakeSimulation([OK, *ends], 0.0, 0, len(project.character.links))
                self.walker = Walker(project, self.simulation, log, WalkIdentity("r", 0, 5, "world"))
                self.walker.start()
                return self.walker

            def take(self, target: str) -> bool:
                edges = project.graph.planned_edges(self.walker.node)
                edge = next(edge for edge in edges if edge.target == target)
                return self.walker.take(PlannedTransition(edge, 2)).succeeded

            def logged(self) -> list[str]:
                return [f"{a.source} -> {a.node} {a.edge_kind} {a.status}" for a in log.attempts()]

            def tally(self) -> Tally:
                return Tally.of(log.attempts(), static_nodes(project.graph))

        yield Walk()


def test_transitions_continue_from_the_state_in_which_the_last_one_ended(walk, project):
    walk.begin()
    assert walk.take("walk") and walk.take("walk") and walk.take("stand")
    assert walk.simulation.resets == 2  # its own at the making, and the start
    with project.read_log() as log:
        attempts = list(log.attempts())
    assert [attempt.started_s for attempt in attempts] == [0.0, 0.5, 1.5, 2.5]
    for before, after in itertools.pairwise(attempts):
        assert before.exit_digest == after.entry_digest


def test_an_attempt_is_logged_with_everything_about_it(walk, project):
    walk.begin(FALLS_FORWARD)
    walk.take("walk")
    with project.read_log() as log:
        attempt = list(log.attempts())[1]
    assert (attempt.run, attempt.walk, attempt.position, attempt.seed) == ("r", 0, 1, 5)
    assert (attempt.node, attempt.source, attempt.edge_kind, attempt.planned) == ("walk", "stand", "naive", True)
    assert (attempt.status, attempt.reason, attempt.cycles) == ("failed", "torso 1.2 is above 1", 2)
    assert (attempt.phase, attempt.script, attempt.line) == (1, "controllers/walk.t", 3)
    assert attempt.program_hash == "digest of walk"
    assert attempt.graph_hash == project.graph.digest
    assert attempt.measures == {"torso": 1.2}


def test_a_fall_is_recovered_by_its_corrective_edge(walk):
    walker = walk.begin(FALLS_FORWARD)
    walk.take("walk")
    assert walker.recover()
    assert walker.node == "prone"
    assert walk.logged()[-1] == "walk -> prone corrective completed"
    assert (walk.tally().failed, walk.tally().recovered, walk.tally().resets) == (1, 1, 0)


def test_a_dynamic_correction_is_followed_by_the_path_to_a_static_pose(walk):
    walker = walk.begin(FALLS_BACKWARD)
    walk.take("walk")
    assert walker.recover()
    assert walk.logged()[2:] == ["walk -> roll corrective completed", "roll -> supine naive completed"]
    assert walk.tally().transitions == 1  # what a recovery takes is no planned transition
    assert walk.tally().recovered == 1


def test_a_correction_that_fails_is_itself_corrected(walk):
    walker = walk.begin(FALLS_FORWARD, FALLS_BACKWARD, FALLS_FORWARD)
    walk.take("walk")
    assert walker.recover()
    assert walk.logged()[2:] == [
        "walk -> prone corrective failed",
        "prone -> prone corrective failed",
        "prone -> prone corrective completed",
    ]


def test_recovery_ends_after_the_maximum_number_of_attempts(walk):
    walker = walk.begin(*[FALLS_FORWARD] * 20)
    walk.take("walk")
    assert not walker.recover()
    assert len(walk.logged()) == 2 + MAX_RECOVERY_ATTEMPTS


def test_with_predicted_falls_a_recovery_continues_to_the_feet(walk):
    walker = walk.begin(FALLS_FORWARD, LIES, OK)
    walker.identity = replace(walker.identity, predicts_falls=True)
    walk.take("walk")
    assert walker.recover()
    assert walk.logged()[2:] == ["walk -> prone corrective completed", "prone -> stand naive completed"]


def test_a_body_that_cannot_get_up_has_recovered_when_it_lies_still(walk):
    walker = walk.begin(FALLS_FORWARD, LIES, LIES)
    walker.identity = replace(walker.identity, predicts_falls=True)
    walk.take("walk")
    assert walker.recover()
    assert walk.logged()[2:] == ["walk -> prone corrective completed", "prone -> stand naive completed"]


@pytest.mark.parametrize("end", [STANDS_WRONG, DIVERGES], ids=["no condition holds", "diverged"])
def test_without_a_correction_the_walk_is_reset(walk, end: End):
    walker = walk.begin(end)
    walk.take("walk")
    walker.recover_or_restart()
    assert walker.node == "stand"
    assert walk.logged()[2:] == ["None -> stand start completed"]
    assert (walk.tally().failed, walk.tally().recovered, walk.tally().resets) == (1, 0, 1)


def test_a_divergence_during_a_recovery_ends_it(walk):
    walker = walk.begin(FALLS_FORWARD, DIVERGES)
    walk.take("walk")
    assert not walker.recover()
    assert len(walk.logged()) == 3
