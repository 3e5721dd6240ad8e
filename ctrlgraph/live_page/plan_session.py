"""A session of the page on which planned robots are steered: a thread that plans in real time."""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ctrlgraph import compilation
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.footsteps.paths import Command, PathFollower
from ctrlgraph.footsteps.planner import FootstepPlanner
from ctrlgraph.footsteps.posing import BodyPoser, trunk_corners
from ctrlgraph.footsteps.robots import ROBOTS
from ctrlgraph.footsteps.survey import ROUNDING_M, hull_distance
from ctrlgraph.kernels.footsteps.footstep_arrays import HALF, TIME
from ctrlgraph.live_page.plan_protocol import Begin, Impulse, Pause, UnsafePlace, Velocity, Way
from ctrlgraph.live_page.workspace import SendItems

if TYPE_CHECKING:
    from ctrlgraph.walks.logged_walk import WalkSummary

MAX_UNSAFE, MAX_WAY = 50, 2000
"""Maximum number of unsafe places, and of way-points of a path."""
MAX_WAY_M = 1000.0
"""Largest length of a path, m."""
UNSAFETY = 5.0
"""Height of the Gaussian bump of an unsafe place."""
SHOWN_S = 1.2
"""Time of the next footsteps that pages show, s."""
LATE_S = 0.25
"""Delay after which the plan goes on from now instead of catching up, s."""
LOST_M = 1.0
"""Distance of the centre of mass from the middle of the feet at which the robot is lost and begins anew, m."""
_DIGITS = 4
STILL: Command = (0.0, 0.0, 0.0)
"""Command to stop."""


class SteeredPlan:
    """A robot that plans while pages steer it.

    Args:
        robot: Name of the robot.
    """

    def __init__(self, robot: str) -> None:
        _warm_up(robot)
        self.planner = FootstepPlanner(ROBOTS[robot])
        self.poser = BodyPoser(self.planner.robot)
        self.command: Command = STILL
        self.follower: PathFollower | None = None

    def act(self, message: Velocity | Way | Impulse | UnsafePlace) -> None:
        """Do what a message of a page says.

        Raises:
            CtrlGraphError: There are too many way-points or unsafe places.
        """
        planner = self.planner
        if isinstance(message, Velocity):
            self.command, self.follower = (message.forward, message.left, message.turn), None
        elif isinstance(message, Impulse):
            planner.push((message.x, message.y))
        elif isinstance(message, UnsafePlace):
            if len(planner.unsafe) >= MAX_UNSAFE:
                raise CtrlGraphError(f"there can be at most {MAX_UNSAFE} unsafe places: begin anew")
            planner.unsafe = np.vstack([planner.unsafe, [message.x, message.y, message.radius, UNSAFETY]])
        else:
            follower = self.follower
            if follower is None or not message.more:
                x, y, _ = planner.centre_of_mass
                follower = PathFollower(planner.robot, [(float(x), float(y))])
            if len(follower.points) + len(message.points) > MAX_WAY:
                raise CtrlGraphError(f"a path can have at most {MAX_WAY:,} way-points: draw a new one")
            if follower.length_m + _length([follower.points[-1], *message.points]) > MAX_WAY_M:
                raise CtrlGraphError(f"a path can have at most {MAX_WAY_M:,.0f} m: draw a new one")
            follower.extend(message.points)
            self.follower = follower

    def tick(self) -> dict[str, Any]:
        """Plan one tick further, and return the message for the pages."""
        planner, poser = self.planner, self.poser
        if self.follower is not None:
            x, y, _ = planner.centre_of_mass
            followed = self.follower.command((float(x), float(y)), planner.heading)
            self.command = STILL if followed is None else followed
            self.follower = None if followed is None else self.follower
        planner.update(self.command)
        pose = poser.pose(planner.centre_of_mass, planner.heading, planner.lean, planner.foot_pose, planner.foot_height)
        outside = hull_distance(planner)
        outside = 0.0 if outside <= ROUNDING_M else outside
        return {
            "type": "plan",
            "time": planner.time_s,
            "mass": _rounded(planner.centre_of_mass[:2]),
            "pressure": _rounded(planner.centre_of_pressure),
            "heading": round(planner.heading, _DIGITS),
            "poses": _rounded(planner.foot_pose),
            "ground": planner.on_ground.tolist(),
            "legs": _rounded(poser.skeleton()),
            "trunk": _rounded(trunk_corners(planner.robot, pose[:1])[0]),
            "next": self._next_steps(),
            "outside": round(outside, _DIGITS) if math.isfinite(outside) else None,
            "unsafe": planner.unsafe.tolist(),
            "way": [] if self.follower is None else _rounded(np.array(self.follower.ahead)),
            "command": _rounded(np.array(self.command)),
            "feasible": _rounded(planner.target),
            "standing": planner.is_standing,
            "ms": round(planner.update_ms, 3),
        }

    @property
    def is_lost(self) -> bool:
        """Return whether the robot is too far from its feet to go on."""
        away = self.planner.centre_of_mass[:2] - self.planner.foot_pose[:, :2].mean(axis=0)
        return not float(np.linalg.norm(away)) < LOST_M

    def _next_steps(self) -> list[list[float]]:
        """Return foot, x, y, angle and time until touch-down of the next steps."""
        state, work = self.planner.state, self.planner.work
        early = state.middle + state.offset[:, :, TIME] - state.half - state.offset[:, :, HALF] - state.clock[0]
        found = np.argwhere((early > 0.0) & (early < SHOWN_S))
        return [[int(f), *_rounded(work.pose[f, s]), round(float(early[f, s]), 3)] for f, s in found]


@cache
def _warm_up(robot: str) -> None:
    """Compile before times are shown."""
    FootstepPlanner(ROBOTS[robot]).update(STILL)


def _length(points: list[tuple[float, float]]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(points))


def _rounded(values: Any) -> Any:
    return np.round(values, _DIGITS).tolist()


class PlanSession:
    """A session: a thread that executes the messages of pages, and plans in real time while a page is connected.

    Args:
        robot: Name of the robot.
        send: Function that sends items to pages.

    Attributes:
        is_compiling: True if the session is compiling and cannot execute messages.
    """

    def __init__(self, robot: str, send: SendItems) -> None:
        self._robot, self._send = robot, send
        self._plan: SteeredPlan | None = None
        self._shown: list[dict[str, Any]] = []  # the last message for the pages
        self._pages: set[int | None] = set()
        self._left: set[int | None] = set()  # pages of which messages may still be queued
        self._begun: dict[int | None, Begin] = {}  # the last one of each page that is queued
        self._is_paused = False
        self._messages: queue.SimpleQueue[tuple[int | None, Any, Callable[[], None]]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="plan", daemon=True)
        self.is_compiling = False

    @property
    def names(self) -> list[str]:
        """Return the name of the robot."""
        return [self._robot]

    @property
    def logged(self) -> list[WalkSummary]:
        """Return an empty list: plans are not logged."""
        return []

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def post(self, page: int | None, message: Any, done: Callable[[], None] = lambda: None) -> None:
        """Add a message to the queue of the session. Any thread can call this method.

        Args:
            page: Number of the page that has sent the message.
            message: Message of `plan_protocol`; "join" if a page has connected, "left" if it has disconnected; "stop"
                to end the session.
            done: Called after the message has been executed.
        """
        if message == "left":
            self._left.add(page)
        elif isinstance(message, Begin):
            self._begun[page] = message
        self._messages.put((page, message, done))

    def stop(self, timeout: float = 10.0) -> bool:
        """Stop the thread of the session, and return whether it has stopped. The function waits for no compilation.

        Args:
            timeout: Maximum time to wait for the thread, s.
        """
        self.post(None, "stop")
        ends = time.monotonic() + timeout
        while self._thread.is_alive() and not self.is_compiling and time.monotonic() < ends:
            self._thread.join(0.05)
        return not self._thread.is_alive()

    def _work(self) -> None:
        with compilation.watched(self._tell_compiling):
            due = time.monotonic()
            while self._execute_until(due):
                now = time.monotonic()
                due = now if now - due > LATE_S else due
                if self._runs and now >= due:
                    self._report_errors(self._tick, None)
                    assert self._plan is not None
                    due += self._plan.planner.settings.tick_s
                elif not self._runs:
                    due = now

    @property
    def _runs(self) -> bool:
        return bool(self._pages) and not self._is_paused and self._plan is not None

    def _execute_until(self, due: float) -> bool:
        """Execute messages until a time, or wait for one if the plan does not run; return False after "stop"."""
        while True:
            try:
                wait = max(due - time.monotonic(), 0.0) if self._runs else None
                page, message, done = self._messages.get(timeout=wait) if wait != 0.0 else self._messages.get_nowait()
            except queue.Empty:
                return True
            if isinstance(message, str) and message == "stop":
                return False
            self._report_errors(lambda page=page, message=message: self._execute(page, message), page)  # type: ignore[misc]
            done()
            if not self._runs:
                continue
            if time.monotonic() >= due:
                return True

    def _tick(self) -> None:
        assert self._plan is not None
        message = self._plan.tick()
        if self._plan.is_lost:
            self._restart(self._robot)
            raise CtrlGraphError("the robot has lost its balance, and begins anew")
        self._shown = [message]
        self._send(self._shown, None, False)

    def _restart(self, robot: str) -> None:
        self._robot, self._plan, self._shown = robot, SteeredPlan(robot), []

    def _execute(self, page: int | None, message: Any) -> None:
        if message == "left":
            self._pages.discard(page)
            self._left.discard(page)
            self._begun.pop(page, None)
        elif page in self._left:
            return
        elif message == "join":
            self._plan = self._plan or SteeredPlan(self._robot)
            self._pages.add(page)
            self._welcome(page)
        elif isinstance(message, Begin):
            if self._begun.get(page) is not message:  # a later one of this page is queued
                return
            self._restart(message.robot)
            self._is_paused = False
            self._welcome(None)
        elif isinstance(message, Pause):
            self._is_paused = message.on
        elif self._plan is not None:
            self._plan.act(message)

    def _welcome(self, page: int | None) -> None:
        robot = ROBOTS[self._robot]
        welcome = {
            "type": "welcome",
            "robot": self._robot,
            "robots": list(ROBOTS),
            "hips": robot.hips_m,
            "contact": robot.contact_m,
            "speed": robot.speed_mps,
            "turning": robot.turning_radps,
            "paused": self._is_paused,
        }
        self._send([welcome, *self._shown], page, page is not None)

    def _tell_compiling(self, now: bool) -> None:
        self.is_compiling = now
        self._send([{"type": "compiling", "now": now}], None, True)

    def _report_errors(self, act: Callable[[], None], page: int | None) -> None:
        """Call a function, and show an error on a page, or on all if `page` is None. The session goes on."""
        try:
            act()
        except CtrlGraphError as error:
            sentence = str(error)
        except Exception as error:
            fault = printable(f"{type(error).__name__}: {error}")
            sentence = f"a fault in ctrlgraph itself: {fault}; please report this fault"
        else:
            return
        self._send([{"type": "notice", "kind": "error", "message": sentence}], page, False)
