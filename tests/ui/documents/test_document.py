"""Documents on disk, and their analysis in the session."""

from __future__ import annotations

import json
from pathlib import Path

from pytestqt.qtbot import QtBot

from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.service.workspace.workspace import TextState
from heatstudio.text import DocumentError
from heatstudio.ui.documents.document import AS_OPENED, Baseline, Document
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.opening import opened_document


def test_saved_file_keeps_its_line_ends(tmp_path: Path, session: Session) -> None:
    file = tmp_path / "template.yaml"
    file.write_bytes(b"a: 1\r\nb: 2\r\n")
    document = opened_document(session, file)
    assert (document.text, document.newline_word, document.modified) == ("a: 1\nb: 2\n", "CRLF", False)
    document.change("a: 1\nb: 3\n")
    assert document.modified
    session.save(document)
    assert file.read_bytes() == b"a: 1\r\nb: 3\r\n"
    assert not document.modified
    assert list(tmp_path.glob(".*saving*")) == []


def test_saving_keeps_the_permissions_and_follows_links(tmp_path: Path, session: Session) -> None:
    file, link = tmp_path / "real.yaml", tmp_path / "link.yaml"
    file.write_text("a: 1\n")
    file.chmod(0o640)
    link.symlink_to(file)
    document = opened_document(session, link)
    document.change("a: 2\n")
    session.save(document)
    assert file.read_text() == "a: 2\n"
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640


def test_same_file_is_opened_once(file: Path, session: Session) -> None:
    assert opened_document(session, file) is opened_document(session, file)
    assert len(session.documents) == 1


def test_analysis_has_the_version_of_the_text(qtbot: QtBot, session: Session, file: Path) -> None:
    session.start()
    with qtbot.waitSignal(session.plan_changed):
        document = opened_document(session, file)
    assert document.current_analysis is not None
    with qtbot.waitSignal(session.analysis_changed):
        document.change(document.text.replace("network_id", "network"))
    assert document.current_analysis is not None
    assert document.state
    assert all("network_id" not in found.message for found in document.state.analysis.diagnostics)


def test_outdated_analysis_is_not_shown(qtbot: QtBot, session: Session, heat: Engine) -> None:
    document = session.new("a: 1\n")
    late = TextState(document.version - 1, heat, Snapshot(""), heat.analyze(Snapshot(""), None), {})
    with qtbot.assertNotEmitted(session.analysis_changed):
        session._take(document, late, False)


def test_many_changes_cause_few_analyses(qtbot: QtBot, session: Session, asked: list[Snapshot]) -> None:
    session.start()
    document = session.new("a: 1\n")
    for number in range(50):
        document.change(f"a: {number}\n")
    qtbot.waitUntil(lambda: document.current_analysis is not None)
    assert asked[-1].text == "a: 49\n"
    assert len(asked) < 5


def test_change_by_another_program_is_reported(qtbot: QtBot, session: Session, file: Path) -> None:
    document = opened_document(session, file)
    with qtbot.waitSignal(session.changed_on_disk, check_params_cb=lambda changed: changed is document):
        file.write_text("other: text\n")
    session.reload(document)
    assert document.text == "other: text\n"
    assert not document.modified


def test_own_save_is_not_a_change_by_another_program(qtbot: QtBot, session: Session, file: Path) -> None:
    document = opened_document(session, file)
    document.change("a: 1\n")
    with qtbot.assertNotEmitted(session.changed_on_disk, wait=150):
        session.save(document)


def test_baseline_is_used_as_the_old_template() -> None:
    document = Document("x")
    document.change("new")
    assert (document.baseline, document.old_text) == (Baseline(AS_OPENED, ""), "")
    document.baseline = Baseline("git HEAD", "old")
    assert document.old_text == "old"


def test_baseline_of_a_new_text_is_what_is_saved_first(session: Session, tmp_path: Path) -> None:
    document = session.new("first")
    session.save(document, tmp_path / "a.yaml")
    document.change("second")
    session.save(document)
    assert (document.saved_text, document.old_text) == ("second", "first")


def test_closing_activates_another_document(session: Session) -> None:
    first, second = session.new(), session.new()
    session.close(second)
    assert session.current is first
    session.close(first)
    assert session.current is None


def test_settings_of_the_first_start_and_of_files(settings: Settings) -> None:
    assert settings.take_first_start()
    assert not settings.take_first_start()
    assert (settings.scheme, settings.files, settings.recent_files) == ("system", [], [])
    settings.files = ["/one"]
    assert settings.files == ["/one"]
    for number in range(20):
        settings.add_recent_file(f"/{number % 15}")
    assert settings.recent_files[:2] == ["/4", "/3"]
    assert len(settings.recent_files) == 12


def test_missing_file_cannot_be_opened(session: Session, tmp_path: Path) -> None:
    errors: list[DocumentError] = []
    session.open(tmp_path / "none.yaml", failed=errors.append)
    assert "no such file" in errors[0].message
    assert session.documents == ()


def test_line_index_is_updated_with_the_text() -> None:
    document = Document("a.yaml")
    assert document.lines is document.lines
    document.change("a\nb\nc")
    assert document.lines.position(4).line == 2


def test_json_in_a_long_line_is_shown_as_a_formatted_copy(window: Window, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"resources": {f"r{number}": "x" * 40 for number in range(3_000)}}), encoding="utf-8")
    window.files.open([str(path)])
    document = window.session.current
    assert document is not None
    assert (document.title, document.path, document.is_read_only) == ("a.formatted.json", None, True)
    assert json.loads(document.text) == json.loads(path.read_text("utf-8"))
    assert "a.json has a line that is too long for an editor" in window.area.banner.sentence


def test_long_line_that_is_not_json_is_refused(window: Window, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(f"description: {'x' * 200_000}\n", encoding="utf-8")
    window.files.open([str(path)])
    assert window.session.current is None
    assert "has a line of 200,013 characters" in window.area.banner.sentence
