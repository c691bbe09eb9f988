"""The type browser: search, the page of a type, and dragging of a type into the text."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QTreeView
from pytestqt.qtbot import QtBot

from heatstudio.catalog.load import load_catalog
from heatstudio.catalog.release import Status
from heatstudio.ui.browser.life_line import LifeLine
from heatstudio.ui.browser.pane import TypesModel
from heatstudio.ui.browser.search import TypeIndex
from heatstudio.ui.browser.type_page import PageHead
from heatstudio.ui.browser.type_tree import attribute_branches
from heatstudio.ui.widgets.appearance import Scheme
from heatstudio.ui.widgets.dragged_type import TYPE_MIME, put_type
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import CELL_ROLE, Cell
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench


def life_of(window: Window) -> str:
    line = bench(window).type_page.findChild(LifeLine)
    assert line
    return line.accessibleDescription()


@pytest.mark.parametrize(
    ("name", "life"),
    [
        ("OS::Neutron::Port", "SUPPORTED since the first release"),
        (
            "OS::Neutron::LoadBalancer",
            "SUPPORTED since 2014.1 (Icehouse), then DEPRECATED since 7.0.0 (Newton), then HIDDEN since 9.0.0 (Pike)",
        ),
    ],
)
def test_support_status_of_a_type_names_the_releases(real: Window, name: str, life: str) -> None:
    bench(real).insert_controller.show_type(name)
    assert life_of(real) == life


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("OS::Octavia::Listener", ["22.0.0 (2024.1 Caracal)", "loadbalancer: required (previously: optional)"]),
        ("OS::Neutron::Port", ["Unchanged in all releases from Heat 18.0 on."]),
    ],
)
def test_page_lists_the_changes_of_releases(real: Window, name: str, shown: list[str]) -> None:
    bench(real).insert_controller.show_type(name)
    views = bench(real).type_page.findChildren(QTreeView)
    model = next(one.model() for one in views if one.accessibleName() == "Releases")
    release = model.index(0, 0)
    below = [model.index(row, 0, release) for row in range(model.rowCount(release))]
    assert [str(one.data()) for one in (release, *below)] == shown


def test_key_opens_the_successor(qtbot: QtBot, real: Window) -> None:
    bench(real).insert_controller.show_type("OS::Neutron::LoadBalancer")
    name = "Show OS::Octavia::LoadBalancer, the replacement"
    link = next(one for one in bench(real).type_page.findChildren(QPushButton) if one.accessibleName() == name)
    qtbot.waitUntil(lambda: link.text() == "Use OS::Octavia::LoadBalancer")
    link.setFocus()
    QTest.keyClick(link, Qt.Key.Key_Space)
    shown_type = bench(real).type_page.type
    assert shown_type is not None
    assert shown_type.name == "OS::Octavia::LoadBalancer"
    assert not link.isVisible()


@pytest.mark.parametrize("language", ["HOT", "CFN"])
def test_snippet_has_the_colors_of_the_editor(qtbot: QtBot, real: Window, language: str) -> None:
    bench(real).insert_controller.show_type("OS::Nova::Server")
    page = bench(real).type_page
    page._language.setCurrentText(language)
    page._full.setChecked(True)
    qtbot.waitUntil(lambda: page._highlighter.is_complete)
    for scheme in (Scheme.LIGHT, Scheme.DARK):
        real.appearance.choose(scheme)
        qtbot.waitUntil(lambda: page._highlighter.is_complete)
        document, theme = page._snippet.document(), real.appearance.theme
        colors: dict[str, str] = {}
        block = document.firstBlock()
        while block.isValid():
            text = block.text()
            colors |= {
                text[one.start : one.start + one.length]: one.format.foreground().color().name().upper()
                for one in block.layout().formats()
            }
            block = block.next()
        assert document.blockCount() > 60
        assert colors["OS::Nova::Server"] == theme.value(Color.RESOURCE_TYPE)
        assert colors["server" if language == "HOT" else "Server"] == theme.value(Color.KEY)
        assert colors["user_data_format"] == theme.value(Color.KEY)
    assert not document.firstBlock().layout().formats()[0].format.font().bold(), "a resource is no section"


def test_type_that_the_target_release_does_not_have_yet_says_so(real: Window) -> None:
    bench(real).target_controller.releases.chosen.emit("Liberty")
    bench(real).insert_controller.show_type("OS::Octavia::LoadBalancer")
    assert "Not available in Liberty, the target release." in bench(real).type_page._status.text()


def test_type_dropped_on_the_text_becomes_a_resource(qtbot: QtBot, real: Window, file: Path) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    editor = real.area.editor
    assert editor
    editor.go_to_line(editor.text()[: editor.text().index("  router:\n")].count("\n"))
    place = QPointF(editor.editor.cursorRect().center())
    data = QMimeData()
    put_type(data, "OS::Neutron::Net")
    actions, buttons = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    drop = QDropEvent(place, actions, data, buttons, Qt.KeyboardModifier.NoModifier)
    before = editor.text()
    editor.editor.dropEvent(drop)
    assert drop.isAccepted()
    added = "  net:\n    type: OS::Neutron::Net\n"
    assert added in editor.text()
    assert (
        editor.text().index("  router:\n") < editor.text().index(added) < editor.text().index("  router_interface:\n")
    )
    real.actions_by_name["undo"].trigger()
    assert editor.text() == before


def test_line_shows_where_a_dragged_type_would_be_inserted(qtbot: QtBot, real: Window, file: Path) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    assert real.area.editor
    editor = real.area.editor.editor
    real.area.editor.go_to_line(real.area.editor.text()[: real.area.editor.text().index("  router:\n")].count("\n"))
    before, place = editor.viewport().grab().toImage(), editor.cursorRect().center()
    data = QMimeData()
    put_type(data, "OS::Neutron::Net")
    move = QDragMoveEvent(
        place, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    editor.dragMoveEvent(move)
    marked = editor.viewport().grab().toImage()
    accent = real.appearance.theme.color(Color.ACCENT)
    end = editor.document().find("network: {get_param: public_network}").block()
    assert editor.document().findBlock(real.area.editor.decorations.insertion or 0) == end
    rows = [y for y in range(marked.height()) if marked.pixelColor(marked.width() - 40, y) == accent]
    assert len(rows) in range(1, 4)
    editor.dragLeaveEvent(QDragLeaveEvent())
    assert editor.viewport().grab().toImage() == before


def test_dragged_rows_carry_the_name(real: Window) -> None:
    bench(real).browser.search.setText("OS::Nova::Server")
    bench(real).browser.refresh()
    data = bench(real).browser.model.mimeData([bench(real).browser.view.currentIndex()])
    assert bytes(data.data(TYPE_MIME).data()) == b"OS::Nova::Server"
    assert data.text() == "OS::Nova::Server"
    assert type(data) is QMimeData


DRAG_AND_LEAVE = """
import sys
from PySide6.QtCore import QModelIndex, QTimer
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QApplication, QTreeView
from heatstudio.catalog.load import load_catalog
from heatstudio.catalog.release import Status
from heatstudio.ui.browser.pane import TypesModel
from heatstudio.ui.browser.search import TypeIndex

application = QApplication(sys.argv)
catalog = load_catalog()
model = TypesModel()
model.show(TypeIndex(catalog.get(name) for name in catalog.names()).search("", frozenset(Status)))
view = QTreeView()
view.setModel(model)
view.show()
QApplication.clipboard().setText("the clipboard lives longer than Python")
for row in range(200):
    drag = QDrag(view)
    drag.setMimeData(model.mimeData([model.index(0, 0, model.index(row % 3, 0))]))
QApplication.clipboard().setMimeData(model.mimeData([model.index(0, 0, model.index(0, 0))]))
QTimer.singleShot(0, application.quit)
sys.exit(application.exec())
"""


def test_program_exits_normally_after_a_drag() -> None:
    """The program exits even if an unfinished drag or the clipboard still holds the data."""
    done = subprocess.run([sys.executable, "-c", DRAG_AND_LEAVE], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize(
    ("query", "first"), [("network port", "Port"), ("server key_name", "Server"), ("compute keypair", "KeyPair")]
)
def test_each_word_may_match_another_part_of_a_type(real: Window, query: str, first: str) -> None:
    bench(real).browser.search.setText(query)
    bench(real).browser.refresh()
    assert bench(real).browser.view.currentIndex().data() == first


def test_search_without_results_has_a_reason(real: Window) -> None:
    browser = bench(real).browser
    browser.search.setText("no such thing")
    browser.refresh()
    assert browser.model.rowCount() == 0
    assert browser.view.nothing.startswith("No name, property, attribute or description matches “no such thing”")
    browser.search.setText("OS::Neutron::RouterGateway")
    browser.refresh()
    assert browser.view.nothing == "1 match hidden by the filter next to the search field."
    for entry in browser._statuses.values():
        entry.setChecked(True)
    assert browser.model.rowCount()


def test_aws_types_come_after_equally_good_matches() -> None:
    catalog = load_catalog()
    types = [found for name in catalog.names() if (found := catalog.get(name))]
    names = [match.type.name for match in TypeIndex(types).search("volume", frozenset(Status))]
    assert names.index("OS::Cinder::Volume") < names.index("AWS::EC2::Volume")


def test_descriptions_match_after_names_and_at_word_starts() -> None:
    catalog = load_catalog()
    index = TypeIndex(found for name in catalog.names() if (found := catalog.get(name)))
    reasons = {match.type.name: match.reason for match in index.search("anti-spoofing", frozenset(Status))}
    assert reasons["OS::Neutron::Port"] == "property port_security_enabled"
    assert index.search("nti-spoofing", frozenset(Status)) == []
    first = index.search("subnet", frozenset(Status))[0]
    assert first.type.name == "OS::Neutron::Subnet"


def test_support_status_with_three_states_fits_in_a_small_window(qtbot: QtBot, real: Window) -> None:
    real.resize(900, 600)
    bench(real).insert_controller.show_type("OS::Neutron::LoadBalancer")
    line = bench(real).type_page.findChild(LifeLine)
    assert line
    qtbot.waitUntil(lambda: line.height() >= line.heightForWidth(line.width()))
    button = bench(real).type_page._successor
    qtbot.waitUntil(lambda: line.geometry().bottom() < button.geometry().top())
    assert button.geometry().right() < bench(real).type_page.width()
    assert button.toolTip() == "Use OS::Octavia::LoadBalancer"


def test_first_page_header_is_completely_visible(qtbot: QtBot, real: Window) -> None:
    head = bench(real).type_page.findChild(PageHead)
    assert head
    real.actions_by_name["show-types"].trigger()
    bench(real).browser.search.setText("server")
    qtbot.waitUntil(lambda: head.isVisible() and bench(real).type_page._name.text() != "")
    qtbot.waitUntil(lambda: head.verticalScrollBar().maximum() == 0, timeout=5000)


@pytest.mark.parametrize("name", ["OS::Neutron::Port", "OS::Neutron::LoadBalancer"])
def test_parts_of_the_page_header_do_not_overlap_in_a_low_page(qtbot: QtBot, real: Window, name: str) -> None:
    real.resize(900, 600)
    bench(real).insert_controller.show_type(name)
    bench(real).type_page.setFixedHeight(160)
    page = bench(real).type_page
    head = page.findChild(PageHead)
    assert head
    inside = head.widget()
    assert inside
    qtbot.waitUntil(lambda: head.height() < inside.height())
    parts = (page._name, *inside.findChildren(LifeLine), page._successor, page._hidden)
    places = [part.geometry() for part in parts if part.isVisible()]
    assert len(places) >= 3
    assert all(above.bottom() < below.top() for above, below in pairwise(places))
    assert page._tabs.height() >= page._tabs.minimumHeight()
    page.setFixedHeight(500)
    qtbot.waitUntil(lambda: head.height() == inside.height())


def test_hidden_types_are_found_last() -> None:
    catalog = load_catalog()
    index = TypeIndex(found for name in catalog.names() if (found := catalog.get(name)))
    for query in ("loadbalancer", "server", "pool"):
        are_hidden = [one.type.support_status.status is Status.HIDDEN for one in index.search(query, frozenset(Status))]
        assert are_hidden == sorted(are_hidden)
    assert index.search("loadbalancer", frozenset(Status))[0].type.name == "OS::Octavia::LoadBalancer"


def test_service_with_only_hidden_matches_comes_last(qapp: QApplication) -> None:
    catalog = load_catalog()
    types = [found for name in catalog.names() if (found := catalog.get(name)) is not None]
    model = TypesModel()
    model.show(TypeIndex(types).search("load bal", frozenset(Status)))
    first = model.index(0, 0)
    assert model.index(0, 0, first).data() == "LoadBalancer"
    assert not model.index(0, 0, first).data(CELL_ROLE).badge, "the hidden OS::Neutron::LoadBalancer matches as well"


def test_hidden_attributes_are_shown_on_demand() -> None:
    server = load_catalog().get("OS::Nova::Server")
    assert server
    names = [
        {row.value.text for row in attribute_branches(server.attributes, hidden) if isinstance(row.value, Cell)}
        for hidden in (False, True)
    ]
    assert names[1] - names[0] == {"first_address"}


def test_page_shows_the_properties_that_match_the_filter(qtbot: QtBot, real: Window) -> None:
    page = bench(real).type_page
    bench(real).insert_controller.show_type("OS::Nova::Server", "allowed_address_pairs")
    rows = page._properties
    assert "allowed_address_pairs" in [index.data() for index in rows.indexes()]
    assert rows.rowCount() == 1
    page.filter.clear()
    qtbot.waitUntil(lambda: page._properties.rowCount() > 20)


@pytest.mark.parametrize(
    ("query", "first"), [("wait until ready", "OS::Heat::WaitCondition"), ("server that boots", "OS::Nova::Server")]
)
def test_types_with_some_of_the_words_are_found_if_none_has_all(query: str, first: str) -> None:
    catalog = load_catalog()
    index = TypeIndex([type_ for name in catalog.names() if (type_ := catalog.get(name))])
    assert index.search(query, frozenset(Status))[0].type.name == first
