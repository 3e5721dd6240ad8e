"""ODE's messages are counted and not printed."""

from __future__ import annotations

import ctypes

from ctrlgraph.engine.ode import library as ode


def test_the_engine_s_messages_are_caught_and_counted(capfd) -> None:
    engine = ode.load().handle
    engine.dMessage.argtypes = [ctypes.c_int, ctypes.c_char_p]
    before = ode.message_count()
    engine.dMessage(3, b"LCP internal error")
    assert ode.message_count() == before + 1
    assert capfd.readouterr() == ("", "")
