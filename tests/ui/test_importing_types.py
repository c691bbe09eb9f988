"""Types of a cloud that cannot be asked come from files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from heatstudio.ui.window import Window

TEXT = """\
heat_template_version: 2021-04-16
resources:
  own:
    type: Acme::Own::Thing
    properties: {sice: 1}
  volume:
    type: OS::Cinder::Volume
    properties: {size: 1}
"""


def test_types_from_files_are_known_until_they_are_forgotten(
    qtbot: QtBot, real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed, shown = tmp_path / "ours.json", tmp_path / "thing.json"
    listed.write_text(json.dumps([{"Resource Type": name} for name in ("Acme::Own::Thing", "OS::Nova::Server")]))
    shown.write_text(json.dumps({"resource_type": "Acme::Own::Thing", "properties": {"size": {"type": "integer"}}}))
    names = [str(listed), str(shown)]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_words: (names, ""))
    document = real.session.new(TEXT)

    def codes() -> set[str]:
        return {one.code for one in document.current_analysis.diagnostics} if document.current_analysis else set()

    with qtbot.waitSignal(real.cloud.told) as told:
        real.actions_by_name["cloud-import"].trigger()
    assert told.args is not None
    assert str(told.args[0]).startswith("ours: 1 type of its own, ")
    qtbot.waitUntil(lambda: {"unknown-property", "not-in-cloud"} <= codes())
    real.inserting.show_type("Acme::Own::Thing")
    assert "nly in ours" in real.type_page._status.text()
    real.actions_by_name["cloud-disconnect"].trigger()
    qtbot.waitUntil(lambda: codes().isdisjoint({"unknown-property", "not-in-cloud"}))


def test_a_file_of_something_else_is_refused_with_the_way_out(
    real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}")
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_words: ([str(other)], ""))
    real.actions_by_name["cloud-import"].trigger()
    assert "other.json is no JSON that tells of resource types" in real.area.banner.sentence
    assert "resource type list -f json" in real.area.banner.sentence
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_words: ([], ""))
    real.actions_by_name["cloud-import"].trigger()
    assert real.cloud.link.known is None
