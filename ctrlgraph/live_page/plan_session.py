"""A session of the page on which planned robots are steered: a thread that plans in real time."""

from __future__ import annotations

import queue
import shlex
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ctrlgraph import compilation
from ctrlgraph.errors import CtrlGraphError, printable
from ctrlgraph.footsteps.robots import ROBOTS
from ctrlgraph.live_page.plan_log import PlanLog
from ctrlgraph.live_page.plan_protocol import Begin, Pause
from ctrlgraph.live_page.steered_plan import SteeredPlan
from ctrlgraph.live_page.workspace import SendItems
from ctrlgraph.paths import display_path

LATE_S = 0.25
"""Delay after which the plan goes on from now instead of catching up, s."""


class PlanSession:
    """A session: a thread that executes the messages of pages, and plans in real time while a page is connected.

    Args:
        robot: Name of the robot.
        send: Function that sends items to pages.
        directory: Directory of the logs. None: nothing is logged.

    Attributes:
        logs: Logs of the motions so far.
        is_compiling: True if the session is compiling and cannot execute messages.
    """

    def __init__(self, robot: str, send: SendItems, directory: Path | None = None) -> None:
        self._robot, self._send, self._directory = robot, send, directory
        self.logs: list[PlanLog] = []
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
    def logged(self) -> list[tuple[float, str]]:
        """Return the duration, s, of each logged motion, and the command that replays it, without `ctrlgraph`."""
        return [
            (log.seconds, f"footsteps {log.robot} --replay {shlex.quote(display_path(log.path))}")
            for log in self.logs
            if log.path is not None and log.seconds
        ]

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
            self._report_errors(self._end_log, None)

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
        self._report_errors(self.logs[-1].tick, None)
        if self._plan.has_fallen:
            self._restart(self._robot)
            raise CtrlGraphError("the robot has fallen; it starts again")
        self._shown = [message]
        self._send(self._shown, None, False)

    def _restart(self, robot: str) -> None:
        self._report_errors(self._end_log, None)
        self._robot, self._plan, self._shown = robot, SteeredPlan(robot), []
        self.logs.append(PlanLog(self._directory, robot, self._plan))

    def _end_log(self) -> None:
        """Close the log of the motion; forget it if it has no file."""
        if self.logs:
            self.logs[-1].close()
            if self.logs[-1].path is None:
                self.logs.pop()

    def _execute(self, page: int | None, message: Any) -> None:
        if message == "left":
            self._pages.discard(page)
            self._left.discard(page)
            self._begun.pop(page, None)
        elif page in self._left:
            return
        elif message == "join":
            if self._plan is None:
                self._restart(self._robot)
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
            self.logs[-1].add(message)

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
