"""Malicious texts and files in the window: opened and closed, and the window stays responsive."""

from __future__ import annotations

import os
import random
import sys
import time
from functools import partial
from itertools import chain, pairwise
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.text import is_file
from heatstudio.ui.documents.document import Document
from heatstudio.ui.window.window import Window
from tests.hostile.inputs import (
    INPUTS,
    Hostile,
    bytes_that_are_no_template,
    files_that_are_none,
    templates_out_of_shape,
    yaml_that_goes_too_far,
)
from tests.sampling import EVERYTHING, sample

SHOWN = (bytes_that_are_no_template, yaml_that_goes_too_far, templates_out_of_shape, files_that_are_none)
"""The inputs to show; functions and environments only affect the engine, which the command line tests."""

SAMPLE = 15
MOST_TIME = 20
"""Seconds after which the test opens no more inputs."""
LONGEST_STEP = 12
"""The longest event loop iteration, relative to `floor`; Qt needs half of it for a line of a megabyte."""


def test_every_text_and_file_is_opened_and_closed(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    session = real.session
    for at, (_, one) in enumerate(sample(chain.from_iterable(make() for make in SHOWN), SAMPLE)):
        template = one.write(tmp_path / str(at))
        before = {id(document) for document in session.documents}
        if not template.is_dir():
            real.files.open([str(template)])
        for document in [document for document in session.documents if id(document) not in before]:
            qtbot.waitUntil(partial(is_settled, document))
            QApplication.processEvents()
            session.close(document)
    real.files.new()
    editor = QApplication.focusWidget()
    assert editor is not None
    QTest.keyClicks(editor, "a: 1")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert session.current is not None
    assert "a: 1\n" in session.current.text


def floor() -> float:
    """Return the CPU seconds of a fixed piece of work on this machine."""
    began = time.thread_time()
    sorted(map(str, range(600_000)))
    return time.thread_time() - began


def is_settled(document: Document) -> bool:
    return document.is_large or document.state is not None


def test_typed_letter_is_undone(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    """The test prints its seed; HEATSTUDIO_SEED sets it."""
    seed = int(os.environ.get("HEATSTUDIO_SEED") or random.SystemRandom().randrange(10**9))
    sys.stdout.write(f"HEATSTUDIO_SEED={seed}\n")
    longest = LONGEST_STEP * floor()
    beats = [time.thread_time()]
    beat = QTimer(real, interval=10)
    beat.timeout.connect(lambda: beats.append(time.thread_time()))
    beat.start()
    end = time.monotonic() + MOST_TIME
    for at, name in enumerate(random.Random(seed).sample(sorted(INPUTS), len(INPUTS) if EVERYTHING else SAMPLE)):
        if time.monotonic() > end:
            break
        sys.stdout.write(f"{name}\n")
        type_and_take_back(qtbot, real, INPUTS[name], tmp_path / str(at))
        assert max((after - before for before, after in pairwise(beats)), default=0) < longest


def type_and_take_back(qtbot: QtBot, real: Window, one: Hostile, folder: Path) -> None:
    """Type and undo a letter in a template with its environments, and in each environment; files are not changed."""
    session, template = real.session, one.write(folder)
    environments = tuple(folder / name for name in one.environments)
    for path in (path for path in (template, *environments) if not path.is_dir()):
        before = {id(document) for document in session.documents}
        content = path.read_bytes() if is_file(path) else b""
        real.files.open([str(path)])
        for document in [document for document in session.documents if id(document) not in before]:
            if path == template:
                session.set_environments(document, environments)
            text, editor = document.text, real.area.editor
            assert editor is not None
            for press in (
                partial(QTest.keyClicks, editor.editor, "x"),
                partial(QTest.keyClick, editor.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier),
            ):
                qtbot.waitUntil(partial(is_settled, document))
                qtbot.waitUntil(lambda: not session.is_analyzing)
                press()
            assert document.text == text
            session.close(document)
            QApplication.processEvents()
            assert path.read_bytes() == content
