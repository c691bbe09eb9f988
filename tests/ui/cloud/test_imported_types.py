"""Import of a cloud's types from files, without a connection."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from heatstudio.service.engine import Engine
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.window import cloud_controller
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import bench, make_bench
from tests.ui.conftest import close_documents

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


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the cache folder for the types of clouds."""
    monkeypatch.setattr(cloud_controller, "cache_folder", lambda: tmp_path / "kept")
    return tmp_path / "kept"


def test_imported_types_are_known_until_they_are_removed(
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

    with qtbot.waitSignal(real.session.message_requested) as reported:
        real.actions_by_name["cloud-import"].trigger()
    assert reported.args is not None
    assert str(reported.args[0]).startswith("ours: 1 type added, ")
    qtbot.waitUntil(lambda: {"unknown-property", "not-in-cloud"} <= codes())
    bench(real).insert_controller.show_type("Acme::Own::Thing")
    assert "nly in ours" in bench(real).type_page._status.text()
    assert real.status.network.text() == "offline, types of ours"
    real.actions_by_name["cloud-disconnect"].trigger()  # keeps the types, as no cloud is connected
    assert bench(real).cloud.link.reported == "ours"
    real.actions_by_name["cloud-forget"].trigger()
    qtbot.waitUntil(lambda: codes().isdisjoint({"unknown-property", "not-in-cloud"}))
    assert real.status.network.text() == "offline"
    assert real.statusBar().currentMessage() == "Removed the imported types of ours."


def read_types(window: Window, file: Path, names: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(json.dumps([{"Resource Type": name} for name in names]))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_words: ([str(file)], ""))
    window.actions_by_name["cloud-import"].trigger()


def test_imported_types_are_kept_after_a_restart_until_they_are_removed(
    qtbot: QtBot,
    appearance: Appearance,
    settings: Settings,
    heat: Engine,
    tmp_path: Path,
    kept: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def start() -> Window:
        session = Session(settings, lambda: heat)
        window = Window(session, appearance)
        qtbot.addWidget(window, before_close_func=close_documents)
        make_bench(window)
        session.start()
        qtbot.waitUntil(lambda: session.catalog is not None and not session.jobs._running)
        return window

    def end(window: Window) -> None:
        qtbot.waitUntil(lambda: not window.session.jobs._running)
        window.session.stop()

    first = start()
    read_types(first, tmp_path / "older.json", ["Acme::Older"], monkeypatch)
    qtbot.waitUntil(lambda: not first.session.jobs._running)
    read_types(first, tmp_path / "ours.json", ["Acme::Thing"], monkeypatch)
    end(first)
    assert len(list(kept.rglob("*.json"))) == 1
    second = start()
    assert bench(second).cloud.link.reported == "ours"
    assert second.session.catalog is not None
    assert second.session.catalog.get("Acme::Thing") is not None
    assert second.session.catalog.get("Acme::Older") is None
    assert second.status.network.text() == "offline, types of ours"
    second.actions_by_name["cloud-forget"].trigger()
    end(second)
    assert not list(kept.rglob("*.json"))
    third = start()
    assert bench(third).cloud.link.known is None
    settings.imported_types = "lost"
    end(third)
    last = start()
    assert "types of lost" in last.area.banner.sentence
    assert settings.imported_types == ""
    last.session.stop()


def test_file_of_another_kind_is_rejected_with_advice(
    real: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}")
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_words: ([str(other)], ""))
    real.actions_by_name["cloud-import"].trigger()
    assert "other.json does not contain resource types in JSON format" in real.area.banner.sentence
    assert "resource type list -f json" in real.area.banner.sentence
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_words: ([], ""))
    real.actions_by_name["cloud-import"].trigger()
    assert bench(real).cloud.link.known is None
