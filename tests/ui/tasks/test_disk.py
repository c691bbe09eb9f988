"""A slow disk: the window goes on, files are opened and saved in order, and closing waits for the last file."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from threading import Event, current_thread, main_thread
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from heatstudio.text import FileDocument, read_document, save_document
from heatstudio.ui.commands import file_operations
from heatstudio.ui.commands.file_operations import FileOperations
from heatstudio.ui.documents import document as documents
from heatstudio.ui.tasks import disk
from heatstudio.ui.tasks.disk import DiskWatch
from heatstudio.ui.tasks.jobs import Jobs, no_op
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.opening import opened_document

Result = TypeVar("Result")


class SlowDisk:
    """A disk whose next calls wait until they are released."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.released = Event()
        self.calls: list[str] = []
        monkeypatch.setattr(disk, "PATIENCE", 0.0)
        monkeypatch.setattr(documents, "read_document", self._slow(read_document))
        monkeypatch.setattr(documents, "save_document", self._slow(save_document))
        monkeypatch.setattr(file_operations, "make_new", self._slow(disk.make_new))

    def _slow(self, call: Callable[..., Result]) -> Callable[..., Result]:
        def wait(what: Path | FileDocument, *arguments: object, **options: object) -> Result:
            assert current_thread() is not main_thread()
            path = what.path if isinstance(what, FileDocument) else what
            self.calls.append(path.name if path is not None else "")
            assert self.released.wait(60)
            return call(what, *arguments, **options)

        return wait


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    found = [tmp_path / f"{name}.yaml" for name in "abc"]
    for file in found:
        file.write_text(f"# {file.name}\n", encoding="utf-8")
    return found


@pytest.fixture
def operations(window: Window) -> FileOperations:
    return FileOperations(window.session, window.files, window.area.banner, window)


def test_files_are_opened_in_order_while_the_window_goes_on(
    qtbot: QtBot, window: Window, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowDisk(monkeypatch)
    window.files.open(map(str, files))
    assert window.session.current is None
    qtbot.waitUntil(lambda: [job.name for job in window.session.jobs.shown][:1] == ["Opening a.yaml"])
    window.files.new()
    slow.released.set()
    qtbot.waitUntil(lambda: len(window.session.documents) == 4)
    titles = [document.title for document in window.session.documents]
    assert titles == ["untitled-1.yaml", "a.yaml", "b.yaml", "c.yaml"]
    assert slow.calls == ["a.yaml", "b.yaml", "c.yaml"]


def test_file_that_is_requested_twice_is_opened_once(
    qtbot: QtBot, session: Session, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowDisk(monkeypatch)
    shown: list[object] = []
    session.open(files[0], shown.append)
    session.open(files[0], shown.append)
    slow.released.set()
    qtbot.waitUntil(lambda: len(shown) == 2)
    assert session.documents == (shown[0],) == (shown[1],)


def test_text_that_is_typed_while_a_file_is_saved_stays_modified(
    qtbot: QtBot, window: Window, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    document = opened_document(window.session, files[0])
    document.change("first\n")
    slow = SlowDisk(monkeypatch)
    window.files.save(document)
    assert window.status.state.text() == "Saving…"
    assert not document.needs_saving
    document.change("second\n")
    assert document.needs_saving
    slow.released.set()
    qtbot.waitUntil(lambda: not document.is_being_saved)
    assert files[0].read_text("utf-8") == "first\n"
    assert (document.saved_text, document.text, document.modified) == ("first\n", "second\n", True)
    assert window.status.state.text() == "Modified"


def test_second_save_waits_for_the_first(
    qtbot: QtBot, window: Window, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    document = opened_document(window.session, files[0])
    slow = SlowDisk(monkeypatch)
    for text in ("first\n", "second\n", "third\n"):
        document.change(text)
        window.files.save(document)
    slow.released.set()
    qtbot.waitUntil(lambda: not document.modified)
    assert files[0].read_text("utf-8") == "third\n"
    assert window.area.banner.sentence == ""


def test_window_closes_after_the_last_file_is_saved(
    qtbot: QtBot, window: Window, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (opened_document(window.session, file) for file in files[:2])
    first.change("1\n")
    second.change("2\n")
    slow = SlowDisk(monkeypatch)
    monkeypatch.setattr(QMessageBox, "exec", lambda *_: QMessageBox.StandardButton.Save)
    window.files.save(first)
    assert not window.close()
    assert not window.close()  # a second time, without a question about files that are on their way
    slow.released.set()
    qtbot.waitUntil(lambda: window.is_closed)
    assert [file.read_text("utf-8") for file in files[:2]] == ["1\n", "2\n"]


def test_file_is_renamed_between_two_saves(
    qtbot: QtBot, window: Window, operations: FileOperations, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    document = opened_document(window.session, files[0])
    slow = SlowDisk(monkeypatch)
    document.change("first\n")
    window.files.save(document)
    operations.rename(files[0], "new.yaml")
    document.change("second\n")
    window.files.save(document)
    assert document.path == files[0]
    slow.released.set()
    new = files[0].with_name("new.yaml")
    qtbot.waitUntil(lambda: not document.modified and document.path == new)
    assert slow.calls == ["a.yaml", "new.yaml", "new.yaml"]
    assert (new.read_text("utf-8"), files[0].exists()) == ("second\n", False)
    assert window.area.banner.sentence == ""


def test_window_closes_after_a_file_is_renamed_and_saved(
    qtbot: QtBot, window: Window, operations: FileOperations, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    document = opened_document(window.session, files[0])
    document.change("mine\n")
    slow = SlowDisk(monkeypatch)
    monkeypatch.setattr(QMessageBox, "exec", lambda *_: QMessageBox.StandardButton.Save)
    operations.rename(files[0], "new.yaml")
    assert not window.close()
    slow.released.set()
    qtbot.waitUntil(lambda: window.is_closed)
    assert (files[0].with_name("new.yaml").read_text("utf-8"), files[0].exists()) == ("mine\n", False)


def test_files_and_folders_are_created_in_order_while_the_window_goes_on(
    qtbot: QtBot, window: Window, operations: FileOperations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = SlowDisk(monkeypatch)
    operations.create_folder(tmp_path, "folder")
    qtbot.waitUntil(lambda: slow.calls == ["folder"])
    qtbot.waitUntil(lambda: [job.name for job in window.session.jobs.shown] == ["Creating folder"])
    operations.create_file(tmp_path / "folder", "a.yaml")
    slow.released.set()
    path = tmp_path / "folder" / "a.yaml"
    qtbot.waitUntil(lambda: [one.path for one in window.session.documents] == [path])
    assert window.area.banner.sentence == ""


def test_name_that_was_taken_meanwhile_is_reported_once(
    qtbot: QtBot, window: Window, operations: FileOperations, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    document = opened_document(window.session, files[0])
    slow = SlowDisk(monkeypatch)
    operations.rename(files[0], "new.yaml")
    files[0].with_name("new.yaml").write_text("theirs\n", "utf-8")
    slow.released.set()
    qtbot.waitUntil(lambda: window.area.banner.sentence != "")
    sentence = "Cannot use the name “new.yaml”: a file or folder already has this name."
    assert window.area.banner.sentence == sentence
    assert (document.path, document.is_being_written) == (files[0], False)


def test_window_stays_open_if_a_file_cannot_be_saved(
    qtbot: QtBot, window: Window, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    document = opened_document(window.session, files[0])
    document.change("mine\n")
    files[0].write_text("theirs and longer\n", encoding="utf-8")
    slow = SlowDisk(monkeypatch)
    monkeypatch.setattr(QMessageBox, "exec", lambda *_: QMessageBox.StandardButton.Save)
    window.close()
    slow.released.set()
    qtbot.waitUntil(lambda: "changed" in window.area.banner.sentence)
    qtbot.waitUntil(lambda: not document.is_being_saved)
    assert not window.is_closed
    assert document.needs_saving


def test_watched_files_and_folders_are_reported(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    file, folder = tmp_path / "a", tmp_path / "folder"
    folder.mkdir()
    watch = DiskWatch(session.disk, session)
    with qtbot.waitSignal(watch.changed):  # it may have changed before the first look
        watch.follow([file, folder])
    for change in (file.touch, (folder / "x").touch, lambda: file.write_text("1"), (folder / "x").unlink, file.unlink):
        with qtbot.waitSignal(watch.changed):
            change()
    file.touch()
    other = DiskWatch(session.disk, session)
    with qtbot.assertNotEmitted(other.changed, wait=500):
        other.follow([folder], disk.stamps([folder]))


def test_calls_in_one_turn_wait_no_longer_than_one(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    times, timeouts = count(0, 0.01), list[float]()

    class Recording(Event):
        def wait(self, timeout: float | None = None) -> bool:
            timeouts.append(timeout or 0)
            return super().wait()

    monkeypatch.setattr(disk, "PATIENCE", 0.1)
    monkeypatch.setattr(disk, "monotonic", lambda: next(times))
    monkeypatch.setattr(disk, "Event", Recording)
    jobs = Jobs()
    own = disk.Disk(jobs)
    for _ in range(2):
        turn = len(timeouts)
        for _ in range(20):
            own.run("", no_op, no_op)
        assert timeouts[turn] > timeouts[turn + 2] > timeouts[-1] == 0
        qtbot.wait(1)
