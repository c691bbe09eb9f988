"""Documents with the same title are distinguished by their folders."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from heatstudio.text import FileDocument
from heatstudio.ui.commands.navigation import file_choices
from heatstudio.ui.documents.document import NO_FILE, Document, FileOnDisk, shown_names
from heatstudio.ui.window.window import Window


def named(path: str) -> Document:
    return Document(Path(path).name, FileOnDisk(FileDocument("", Path(path) if "/" in path else None)))


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["/a/main.yaml", "/b/net.yaml"], ["main.yaml", "net.yaml"]),
        (["/a/main.yaml", "/b/main.yaml"], ["main.yaml — a", "main.yaml — b"]),
        (["/a/x/main.yaml", "/b/x/main.yaml"], ["main.yaml — a/x", "main.yaml — b/x"]),
        (["/x/main.yaml", "/b/x/main.yaml"], ["main.yaml — /x", "main.yaml — b/x"]),
        (["/a/main.yaml", "main.yaml"], ["main.yaml — a", f"main.yaml — {NO_FILE}"]),
    ],
)
def test_only_documents_with_the_same_title_show_their_folder(paths: list[str], names: list[str]) -> None:
    documents = [named(path) for path in paths]
    shown = shown_names(documents)
    assert [shown[document] for document in documents] == names


def test_folder_is_shown_in_tabs_title_choices_and_questions(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "main.yaml").write_text("heat_template_version: 2021-04-16\n")
        window.files.open([str(tmp_path / folder / "main.yaml")])
    tabs, (first, second) = window.area.tabs, window.session.documents
    assert [tabs.tabText(row) for row in range(2)] == ["main.yaml — one", "main.yaml — two"]
    assert window.windowTitle().startswith("main.yaml — two")
    assert [choice.text for choice in file_choices(window.session, print)[:2]] == [tabs.tabText(0), tabs.tabText(1)]
    asked: list[str] = []

    def answer(box: QMessageBox) -> QMessageBox.StandardButton:
        asked.append(box.text())
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "exec", answer)
    second.change("changed")
    window.files.close(second)
    assert second in window.session.documents
    assert asked == ["Save changes to main.yaml — two? They are lost if you discard them."]
    window.session.close(first)
    assert tabs.tabText(0) == "main.yaml"
    assert window.windowTitle().startswith("main.yaml[*]")


def test_file_open_in_another_tab_is_not_overwritten(
    window: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "main.yaml"
    path.write_text("heat_template_version: 2021-04-16\n")
    window.files.open([str(path)])
    other = window.session.documents[0]
    window.files.new()
    document = window.session.current
    assert document is not None
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_words: (str(path), ""))
    window.files.save(document)
    assert document.path is None
    assert "main.yaml is open in another tab" in window.area.banner.sentence
    assert path.read_text() == "heat_template_version: 2021-04-16\n"
    window.area.banner.press("Close Other Tab and Save")
    assert window.session.documents == (document,)
    assert other is not document
    assert document.path == path
    assert path.read_text() == document.text
    assert not window.area.banner.sentence
