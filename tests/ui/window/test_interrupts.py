"""Ctrl+C in the terminal is handled once, even while the event loop is idle."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from heatstudio.ui.window.app import Interrupts

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of Windows end the tests")


@pytest.fixture(autouse=True)
def untouched(interruptible: None) -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.set_wakeup_fd(-1) == -1


def test_first_interrupt_is_handled_and_the_next_has_the_default_action(qtbot: QtBot) -> None:
    heard: list[int] = []
    owner = QObject()
    interrupts = Interrupts(lambda: heard.append(1), owner)
    os.kill(os.getpid(), signal.SIGINT)
    qtbot.waitUntil(lambda: heard == [1])
    assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    interrupts.stop()
    interrupts.stop()


def test_ignored_interrupts_stay_ignored(qtbot: QtBot) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        heard: list[int] = []
        owner = QObject()
        interrupts = Interrupts(lambda: heard.append(1), owner)
        os.kill(os.getpid(), signal.SIGINT)
        qtbot.wait(20)
        interrupts.stop()
        assert heard == []
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
