"""Files that are not UTF-8 are opened, saved byte for byte, and converted on request."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.cli import run
from heatstudio.text import Severity, Span, TextEdit
from heatstudio.ui.documents.document import Document
from heatstudio.ui.window.window import Window
from tests.ui.opening import plan_of

TEXT = "heat_template_version: 2021-04-16\r\n# Größe\r\nresources: {}\r\n"
ENCODED = {
    "UTF-8 with BOM": f"\ufeff{TEXT}".encode(),
    "UTF-16 LE": f"\ufeff{TEXT}".encode("utf-16-le"),
    "UTF-16 BE": f"\ufeff{TEXT}".encode("utf-16-be"),
    "ISO 8859-1": TEXT.encode("latin-1"),
    "Windows-1252": TEXT.replace("resources", "# “\r\nresources").encode("cp1252"),
}
CODECS = {
    "UTF-8 with BOM": "utf-8",
    "UTF-16 LE": "utf-16-le",
    "UTF-16 BE": "utf-16-be",
    "ISO 8859-1": "latin-1",
    "Windows-1252": "cp1252",
}
NOT_UTF_8 = sorted(ENCODED.keys() - {"UTF-8 with BOM"})
CONVERT = "Save with UTF-8"


def opened(qtbot: QtBot, window: Window, file: Path, content: bytes) -> Document:
    file.write_bytes(content)
    with qtbot.waitSignal(window.session.plan_changed):
        window.files.open([str(file)])
    document = window.session.current
    assert document
    return document


def type_in(window: Window, text: str) -> None:
    assert window.area.editor
    window.area.editor.apply_edits([TextEdit(Span(0, 0), text)])


def refusals(document: Document) -> list[str]:
    assert document.state
    return [one.message for one in document.state.analysis.diagnostics if one.code == "client-syntax"]


@pytest.mark.parametrize("word", ENCODED)
def test_file_keeps_its_encoding(qtbot: QtBot, real: Window, tmp_path: Path, word: str) -> None:
    file, content = tmp_path / "a.yaml", ENCODED[word]
    document = opened(qtbot, real, file, content)
    assert document.text.startswith("heat_template_version: 2021-04-16\n# Größe\n")
    assert not document.modified
    assert real.status.encoding.text() == word
    assert real.status.encoding.isVisible()
    type_in(real, "# ü\n")
    real.actions_by_name["save"].trigger()
    before = content.decode(CODECS[word])
    mark = "\ufeff" if before.startswith("\ufeff") else ""
    assert file.read_bytes() == f"{mark}# ü\r\n{before.removeprefix(mark)}".encode(CODECS[word])
    assert not document.modified
    real.session.reload(document)
    assert real.status.encoding.text() == word


@pytest.mark.parametrize("word", NOT_UTF_8)
def test_template_that_is_not_utf_8_has_a_problem(qtbot: QtBot, real: Window, tmp_path: Path, word: str) -> None:
    file = tmp_path / "a.yaml"
    document = opened(qtbot, real, file, ENCODED[word])
    assert refusals(document) == [f"This file is {word}, but Heat reads only UTF-8. Save it as UTF-8."]
    plan = plan_of(document)
    assert plan
    assert [one.severity for one in document.problems or ()] == [Severity.ERROR]
    assert plan.refusals
    assert real.area.banner.sentence == f"a.yaml is {word}. Heat reads templates as UTF-8."
    with qtbot.waitSignal(real.session.plan_changed):
        real.area.banner.press(CONVERT)
    assert file.read_bytes() == document.text.replace("\n", "\r\n").encode()
    assert real.area.banner.sentence == ""
    assert real.status.encoding.text() == ""
    assert not real.status.encoding.isVisible()
    assert not document.modified
    qtbot.waitUntil(lambda: refusals(document) == [])


@pytest.mark.parametrize("word", NOT_UTF_8)
def test_command_line_rejects_a_template_that_is_not_utf_8(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], word: str
) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(ENCODED[word])
    assert run(["check", str(file)]) == 2
    assert "a.yaml is not UTF-8" in "".join(capsys.readouterr())


def test_byte_order_mark_is_accepted_by_heat(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    document = opened(qtbot, real, file, ENCODED["UTF-8 with BOM"])
    assert document.problems == ()
    assert real.area.banner.sentence == ""
    real.actions_by_name["save-utf8"].trigger()
    assert file.read_bytes() == TEXT.encode()
    assert real.status.encoding.text() == ""


@pytest.mark.parametrize(("word", "is_refused"), [("UTF-16 LE", False), ("ISO 8859-1", True)])
def test_environment_in_utf_16_is_accepted(
    qtbot: QtBot, real: Window, tmp_path: Path, word: str, is_refused: bool
) -> None:
    text = "parameter_defaults: {a: ü}\n"
    content = f"\ufeff{text}".encode("utf-16-le") if word == "UTF-16 LE" else text.encode("latin-1")
    assert bool(refusals(opened(qtbot, real, tmp_path / "env.yaml", content))) is is_refused


def test_character_missing_in_the_encoding_is_reported(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    document = opened(qtbot, real, file, ENCODED["ISO 8859-1"])
    type_in(real, "# 5 €\n")
    real.actions_by_name["save"].trigger()
    message = "a.yaml was not saved: ISO 8859-1 cannot encode € (U+20AC, line 1)."
    assert real.area.banner.sentence == message
    assert file.read_bytes() == ENCODED["ISO 8859-1"]
    assert document.modified
    real.files.save(document)
    assert document.modified
    real.area.banner.press(CONVERT)
    assert file.read_bytes() == f"# 5 €\r\n{TEXT}".encode()
    assert real.area.banner.sentence == ""
    assert not document.modified


def test_conversion_that_cannot_be_saved_is_kept_in_memory(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    document = opened(qtbot, real, file, ENCODED["ISO 8859-1"])
    theirs = b"# theirs, and longer\r\n" + ENCODED["ISO 8859-1"]
    file.write_bytes(theirs)
    real.actions_by_name["save-utf8"].trigger()
    assert file.read_bytes() == theirs
    assert document.modified
    assert real.status.state.text() == "Modified"
    real.session.reload(document)
    assert not document.modified
    assert real.status.encoding.text() == "ISO 8859-1"


def test_parent_template_reports_that_heat_cannot_read_the_child(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    child = tmp_path / "child.yaml"
    parent = b"heat_template_version: 2021-04-16\nresources:\n  a: {type: child.yaml}\n"
    document = opened(qtbot, real, tmp_path / "parent.yaml", parent)
    opened(qtbot, real, child, ENCODED["ISO 8859-1"])
    type_in(real, "# ü\n")
    qtbot.waitUntil(lambda: any("UTF-8" in one.message for one in document.problems or ()))
    real.actions_by_name["save-utf8"].trigger()
    qtbot.waitUntil(lambda: document.problems == ())


def test_save_as_keeps_the_encoding(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    document = opened(qtbot, real, tmp_path / "a.yaml", ENCODED["UTF-16 BE"])
    real.session.save(document, tmp_path / "b.yaml")
    assert (tmp_path / "b.yaml").read_bytes() == ENCODED["UTF-16 BE"]
    QApplication.processEvents()
    assert real.status.encoding.text() == "UTF-16 BE"
