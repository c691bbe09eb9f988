"""Backups of unsaved text survive a crash of the program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from shutil import rmtree

from PySide6.QtCore import QLockFile
from pytestqt.qtbot import QtBot

from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.recovery import Recovery, TextBackup
from heatstudio.ui.workspace.session import Session
from tests.ui.opening import opened_document

TYPING = """
import sys
from pathlib import Path
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from heatstudio.ui.workspace.recovery import Recovery
from heatstudio.ui.workspace.session import Session
from heatstudio.ui.documents.settings import Settings

application = QApplication([])
settings = Settings(QSettings(sys.argv[1] + "/settings.ini", QSettings.Format.IniFormat))
session = Session(settings, lambda: None)
recovery = Recovery(session, Path(sys.argv[1]) / "unsaved")
session.open(Path(sys.argv[2]), lambda document: document.change("heat_template_version: 2021-04-16\\n# typed\\n"))
session.new("a: 1\\n", "mine.yaml")
print("typed", flush=True)
application.exec()
"""


def test_killed_program_keeps_its_backups(
    qtbot: QtBot, session: Session, window: Window, file: Path, tmp_path: Path
) -> None:
    before = file.read_text()
    command = [sys.executable, "-c", TYPING, str(tmp_path), str(file)]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as running:
        assert running.stdout
        assert running.stdout.readline() == b"typed\n"
        folder = tmp_path / "unsaved"
        recovery = Recovery(session, folder)
        qtbot.waitUntil(lambda: len(list(folder.glob("*/*.json"))) == 2)
        assert recovery.take() == []  # the program that owns it still runs
        running.send_signal(signal.SIGKILL)
    found = recovery.take()
    assert file.read_text() == before
    assert {one.title: one.text for one in found} == {
        "web-server.yaml": "heat_template_version: 2021-04-16\n# typed\n",
        "mine.yaml": "a: 1\n",
    }
    assert recovery.take() == []
    window.memory.restore(found)
    assert "after an unexpected exit" in window.area.banner.sentence
    texts = {document.title: (document.text, document.modified) for document in session.documents}
    assert texts["web-server.yaml"] == ("heat_template_version: 2021-04-16\n# typed\n", True)
    assert texts["mine.yaml"] == ("a: 1\n", True)
    assert file.read_text() == before
    recovery.stop()


def test_saved_and_closed_texts_are_not_backed_up(qtbot: QtBot, session: Session, file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "unsaved"
    recovery = Recovery(session, folder)
    document = opened_document(session, file)
    document.change("a: 1\n")
    qtbot.waitUntil(lambda: len(list(folder.glob("*/*.json"))) == 1)
    session.save(document)
    qtbot.waitUntil(lambda: not list(folder.glob("*/*.json")))
    document.change("a: 2\n")
    qtbot.waitUntil(lambda: len(list(folder.glob("*/*.json"))) == 1)
    session.close(document)
    qtbot.waitUntil(lambda: not list(folder.glob("*/*.json")))
    recovery.stop()
    assert list(folder.iterdir()) == []


def test_folder_that_cannot_be_written_is_reported_once(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    recovery = Recovery(session, tmp_path / "file" / "unsaved")
    with qtbot.waitSignal(recovery.failed):
        session.new("a: 1\n")
    assert recovery.take() == []
    recovery.stop()


def test_lock_with_a_reused_process_id_is_ignored(session: Session, tmp_path: Path) -> None:
    folder = tmp_path / "unsaved" / "old"
    folder.mkdir(parents=True)
    (folder / "1.json").write_text('{"title": "x", "text": "y", "path": "", "modified": 0}')
    holder = QLockFile(str(folder / "running"))
    assert holder.tryLock(0)
    lock = (folder / "running").read_bytes()
    holder.unlock()
    (folder / "running").write_bytes(lock)  # the id of this process in an unlocked file
    recovery = Recovery(session, tmp_path / "unsaved")
    assert recovery.take() == [TextBackup("x", "y")]
    recovery.stop()
    assert not folder.exists()


def test_removed_folder_is_created_again(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    folder = tmp_path / "unsaved"
    recovery = Recovery(session, folder)
    document = session.new("a: 1\n")
    qtbot.waitUntil(lambda: len(list(folder.glob("*/*.json"))) == 1)
    rmtree(folder)
    document.change("a: 2\n")
    qtbot.waitUntil(lambda: len(list(folder.glob("*/*.json"))) == 1)
    assert Recovery(session, folder).take() == []
    recovery.stop()


def test_damaged_backups_are_harmless(session: Session, tmp_path: Path) -> None:
    folder = tmp_path / "unsaved" / "old"
    folder.mkdir(parents=True)
    (folder / "1.json").write_text("{")
    (folder / "2.json").write_text('{"title": "x", "text": 3, "path": "", "modified": 0}')
    (folder / "3.json").write_text('{"title": "x", "text": "y", "path": "", "modified": 0}')
    assert Recovery(session, tmp_path / "unsaved").take() == [TextBackup("x", "y")]


def test_file_changed_since_the_backup_is_reported(window: Window, session: Session, file: Path) -> None:
    window.memory.restore([TextBackup(file.name, "a: 1\n", str(file), 1)])
    assert "Changed on disk in the meantime: web-server.yaml" in window.area.banner.sentence
    document = session.current
    assert document
    window.area.banner.press("Discard")
    assert document.text == file.read_text()
    assert not document.modified
