"""A hostile name is shown as text, with its invisible characters, wherever the window shows it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QLabel, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.text.invisible import invisible, visible
from heatstudio.ui.graph.export import mermaid
from heatstudio.ui.widgets.tree_model import CELL_ROLE, Cell
from heatstudio.ui.window.window import Window
from tests.cli.test_sinks import NAME, PATH, template, xml_strings
from tests.ui.bench import bench
from tests.ui.opening import opened_document
from tests.ui.screens import editor_of, go


def texts(window: QWidget) -> Iterator[str]:
    """Yield every text of a window: of labels, buttons, tabs and rows, of their tool tips, and for screen readers."""
    yield window.windowTitle()
    for widget in window.findChildren(QWidget):
        yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        if isinstance(widget, QTabBar):
            yield from (widget.tabText(at) for at in range(widget.count()))
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from rows(widget, QModelIndex())


def rows(view: QAbstractItemView, parent: QModelIndex) -> Iterator[str]:
    roles = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole
    model = view.model()
    for row in range(model.rowCount(parent)):
        for column in range(model.columnCount(parent)):
            index = model.index(row, column, parent)
            yield from (str(index.data(role)) for role in roles if isinstance(index.data(role), str))
            cell = index.data(CELL_ROLE)
            if isinstance(cell, Cell):
                yield cell.detail
                yield cell.badge[0] if cell.badge else ""
        yield from rows(view, model.index(row, 0, parent))


def unclean(found: Iterable[str]) -> list[str]:
    return [text for text in found for line in re.sub("(_|::)\u200b", r"\1", text).split("\n") if list(invisible(line))]


def test_window_shows_the_invisible_characters_of_names(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    path = tmp_path / f"{PATH}.json"
    path.write_text(template(0, is_valid=True), "utf-8")
    opened_document(real.session, path)
    for pane in ("outline", "problems", "preview", "graph", "parameters"):
        real.actions_by_name[f"show-{pane}"].trigger()
    for number, is_valid in ((1, True), (2, False)):
        with qtbot.waitSignal(real.session.plan_changed):
            editor_of(real).set_text(template(number, is_valid=is_valid))
        bench(real).preview.view.expandAll()
        qtbot.waitUntil(lambda: sum(visible(PATH) in one for one in texts(real)) > 10)
        assert unclean(texts(real)) == []


def test_graph_of_hostile_names_is_well_formed(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    real.session.new(template(1, is_valid=True), "new.json")
    real.actions_by_name["show-graph"].trigger()
    graph = bench(real).stack_panes.graph
    qtbot.waitUntil(lambda: graph.scene.graph is not None and PATH in graph.scene.graph.nodes)
    with qtbot.waitSignal(graph.exporter.exported):
        graph.exporter.export(graph.scene, tmp_path / "graph.svg")
    assert any("a`|*b*_c_" in string for string in xml_strings((tmp_path / "graph.svg").read_text("utf-8")))
    assert graph.scene.graph is not None
    diagram = mermaid(graph.scene.graph, {})
    assert re.fullmatch(r'flowchart BT\n( {4}r\d+(\["[\w :./,#;-]*(<br/>[\w :./,#;-]*)?"\]| -*> r\d+)\n)*', diagram)


def test_hover_has_no_tags_of_a_name(qtbot: QtBot, real: Window) -> None:
    text = template(2, is_valid=False)
    with qtbot.waitSignal(real.session.analysis_changed):
        real.session.new(text, "bad.json")
    for word in ("get_param", "OS::Heat::Value", "subnet_id", json.dumps(f"{NAME}x")[2:], json.dumps(f"{NAME}4")[2:]):
        editor = go(real, word)
        editor.help.hover.show_at_caret()
        qtbot.waitUntil(editor.help.hover.popup.isVisible)
        found = editor.help.hover.popup.label
        assert set(re.findall(r"<(\w+)", found.text())) <= {"b", "br", "code", "div", "span"}
        assert unclean([found.plain_text()]) == []


HIDDEN = """\
heat_template_version: 2021-04-16
parameters:
  pw: {type: string, hidden: true, default: hunter2x, constraints: [{length: {max: 2}}]}
  other: {type: string, default: x-hunter2x-y}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {get_param: pw}}}
  subnet: {type: OS::Neutron::Subnet, properties: {network: n, cidr: {get_param: other}}}
"""


def test_window_shows_no_hidden_value(qtbot: QtBot, real: Window, tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(HIDDEN.replace("hunter2x", "swordfish"), "utf-8")
    opened_document(real.session, path)
    for pane in ("outline", "problems", "preview", "parameters"):
        real.actions_by_name[f"show-{pane}"].trigger()
    for is_valid in (True, False):
        with qtbot.waitSignal(real.session.plan_changed):
            editor_of(real).set_text(HIDDEN.replace("max: 2}", "max: 20}") if is_valid else HIDDEN)
        bench(real).preview.view.expandAll()
        assert [text for text in texts(real) if "hunter2x" in text or "swordfish" in text] == []
    for word in ("hunter2x,", "pw}", "other}"):
        editor = go(real, word)
        editor.help.hover.show_at_caret()
        qtbot.waitUntil(editor.help.hover.popup.isVisible)
        assert "hunter2x" not in editor.help.hover.popup.label.text()
