"""The graph pane: its content, its keys, and its updates with the text."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, QXmlStreamReader
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QImage, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.ui.documents.document import Baseline, Document
from heatstudio.ui.graph import export
from heatstudio.ui.graph.items import FADED, Card, service_color
from heatstudio.ui.graph.pane import GraphPane
from heatstudio.ui.graph.view import READABLE
from heatstudio.ui.widgets.appearance import Appearance, Scheme
from heatstudio.ui.widgets.dragged_type import put_type
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.workspace.session import Session
from heatstudio.update.plan.update_plan import Action, Reason, ResourceChange, Subject, SubjectKind, UpdatePlan
from tests.ui.fresh_paint import find_difference
from tests.ui.opening import opened_document

CIRCLE = """heat_template_version: 2021-04-16
resources:
  a: {type: OS::Heat::Value, properties: {value: {get_resource: c}}}
  b: {type: OS::Heat::Value, properties: {value: {get_resource: a}}}
  c: {type: OS::Heat::Value, depends_on: b}
  d: {type: OS::Heat::Value, depends_on: d}
"""
EMPTY = "heat_template_version: 2021-04-16\n"
Show = Callable[[str], None]


def set_plan(document: Document, plan: UpdatePlan) -> None:
    assert document.state is not None
    document.state = document.state._replace(plan=plan)


@pytest.fixture
def pane(qtbot: QtBot, real_session: Session, appearance: Appearance) -> GraphPane:
    pane = GraphPane(real_session, appearance)
    qtbot.addWidget(pane)
    pane.resize(900, 600)
    pane.show()
    return pane


@pytest.fixture
def show(qtbot: QtBot, pane: GraphPane, real_session: Session) -> Show:
    def open_text(text: str) -> None:
        with qtbot.waitSignal(real_session.plan_changed):
            document = real_session.new(text)
        qtbot.waitUntil(
            lambda: (
                pane.scene.graph is not None
                and document.state is not None
                and set(pane.scene.cards) == set(document.state.analysis.stack.all_resource_names)
            )
        )

    return open_text


def test_every_resource_is_a_card_and_every_dependency_an_edge(pane: GraphPane, show: Show, sample: str) -> None:
    show(sample)
    assert set(pane.scene.cards) >= {"server", "port", "network", "subnet"}
    edges = {(line.edge.source, line.edge.target) for line in pane.scene.lines}
    assert {("server", "port"), ("port", "network"), ("port", "subnet")} <= edges
    assert all(source in pane.scene.cards and target in pane.scene.cards for source, target in edges)
    assert pane.counts.text().startswith(f"{len(pane.scene.cards)} resources")


def test_graph_without_resources_shows_a_placeholder(pane: GraphPane, show: Show) -> None:
    show(EMPTY)
    assert pane.empty.isVisible()


def test_cycle_is_red_and_counted(pane: GraphPane, show: Show) -> None:
    show(CIRCLE)
    assert sum(line.edge.in_circle for line in pane.scene.lines) == 4
    assert "4 of them in a cycle" in pane.counts.text()
    reported = next(line.describe() for line in pane.scene.lines if line.edge.source == "a")
    assert reported.splitlines() == [
        "a depends on c (get_resource)",
        "a.properties.value",
        "Part of a dependency cycle: Heat rejects the stack.",
    ]


def test_arrow_keys_follow_the_edges(qtbot: QtBot, pane: GraphPane, show: Show, sample: str) -> None:
    show(sample)
    walked: list[str] = []
    pane.scene.selected.connect(walked.append)
    pane.view.choose("server")
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Right):
        QTest.keyClick(pane.view, key)
    graph = pane.scene.graph
    assert graph is not None
    assert walked[0] in graph.needs["server"]
    assert walked[1] in graph.needs[walked[0]]
    assert walked[2] in graph.needed_by[walked[1]]
    assert "Depends on" in pane.view.accessibleDescription()
    assert walked[2] in pane.view.accessibleDescription()
    QTest.keyClick(pane.view, Qt.Key.Key_Home)
    assert walked[-1] == next(iter(pane.scene.cards))


def test_up_and_down_keys_stay_in_the_column(qtbot: QtBot, pane: GraphPane, show: Show, sample: str) -> None:
    show(sample)
    cards = pane.scene.cards
    column = sorted((card for card in cards.values() if card.x() == cards["server"].x()), key=Card.y)
    assert len(column) > 1
    pane.view.choose(column[0].node.name)
    for card in column[1:]:
        QTest.keyClick(pane.view, Qt.Key.Key_Down)
        assert pane.scene.chosen() == card.node.name
    QTest.keyClick(pane.view, Qt.Key.Key_Down)
    assert pane.scene.chosen() == column[-1].node.name


def test_enter_requests_the_position_in_the_text(qtbot: QtBot, pane: GraphPane, show: Show, sample: str) -> None:
    show(sample)
    pane.view.choose("port")
    with qtbot.waitSignal(pane.selected) as asked:
        QTest.keyClick(pane.view, Qt.Key.Key_Return)
    assert asked.args == ["port"]


def test_name_with_a_slash_links_to_its_text(qtbot: QtBot, pane: GraphPane, real_session: Session) -> None:
    text = f"{EMPTY}resources:\n  a/b: {{type: OS::Heat::None}}\n  c: {{type: OS::Heat::None, depends_on: a/b}}\n"
    real_session.new(text)
    qtbot.waitUntil(lambda: len(pane.scene.cards) == 2)
    pane.follow_caret(text.index("a/b"))
    chosen = pane.scene.chosen()
    assert chosen is not None
    assert pane.scene.cards[chosen].node.label == "a/b"
    assert pane.scene.cards[chosen].toolTip().startswith("a/b\n")
    assert [line.describe().splitlines()[0] for line in pane.scene.lines] == ["c depends on a/b (depends_on)"]
    with qtbot.waitSignal(pane.selected) as asked:
        QTest.keyClick(pane.view, Qt.Key.Key_Return)
    assert asked.args == ["a/b"]


def test_cursor_selects_a_card_and_requests_no_position(qtbot: QtBot, pane: GraphPane, show: Show, sample: str) -> None:
    show(sample)
    pane.view.clearFocus()
    with qtbot.assertNotEmitted(pane.selected):
        pane.follow_caret(sample.index("  server:\n") + 4)
        assert pane.scene.chosen() == "server"
        pane.follow_caret(0)
        assert pane.scene.chosen() is None


def test_keys_and_the_wheel_zoom(qtbot: QtBot, pane: GraphPane, show: Show, sample: str) -> None:
    show(sample)
    fitted = pane.view.zoom
    QTest.keyClick(pane.view, Qt.Key.Key_Plus)
    assert pane.view.zoom > fitted
    QTest.keyClick(pane.view, Qt.Key.Key_0)
    assert pane.view.zoom == pytest.approx(fitted)
    middle = QPointF(pane.view.viewport().rect().center())
    wheel = QWheelEvent(
        middle, middle, QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton, Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    pane.view.wheelEvent(wheel)
    assert pane.view.zoom < fitted


def test_zoom_is_readable_in_a_small_pane_unless_all_is_shown(pane: GraphPane, show: Show, sample: str) -> None:
    pane.resize(760, 300)
    show(sample)
    QTest.qWait(20)
    assert pane.view.zoom == pytest.approx(READABLE)
    QTest.keyClick(pane.view, Qt.Key.Key_0)
    whole = pane.view.zoom
    assert READABLE / 2 < whole < READABLE
    pane.resize(770, 300)
    QTest.qWait(20)
    assert whole < pane.view.zoom < READABLE, "who asked for everything keeps it"
    QTest.keyClick(pane.view, Qt.Key.Key_Plus)
    zoom = pane.view.zoom
    pane.resize(780, 300)
    QTest.qWait(20)
    assert pane.view.zoom == zoom


class _ScrollBarChanges(QObject):
    """An event filter that counts how often a view shows or hides scroll bars, and blocks an endless series."""

    most = 50

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self.count = 0
        view.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        self.count += event.type() is QEvent.Type.MetaCall
        return self.count > self.most


def test_zoom_and_scroll_bars_are_stable_in_every_size(pane: GraphPane, show: Show, sample: str) -> None:
    show(sample)
    pane.scene.show_only(frozenset({"server", "port"}))
    changes = _ScrollBarChanges(pane.view)
    for width in range(750, 1_000, 20):
        for height in range(120, 240, 10):
            changes.count = 0
            pane.resize(width, height)
            for _ in range(3):
                QApplication.processEvents()
            assert changes.count < changes.most, f"in {width} x {height}"


def test_the_graph_can_be_copied(qtbot: QtBot, pane: GraphPane, show: Show) -> None:
    clipboard = QGuiApplication.clipboard()
    clipboard.clear()
    pane.copy("mermaid")
    assert clipboard.text() == "", "there is nothing yet"
    show(CIRCLE.replace("  d:", '  d"e:'))
    qtbot.waitUntil(lambda: clipboard.text().startswith("flowchart BT\n"))
    lines = clipboard.text().splitlines()
    assert lines[4].startswith('    r3["d#34;e<br/>OS::Heat::Value')
    assert "    r1 --> r0" in lines
    pane.copy("svg")
    qtbot.waitUntil(lambda: "<svg" in clipboard.text())
    assert QSvgRenderer(clipboard.mimeData().data("image/svg+xml")).isValid()
    pane.copy("image")
    qtbot.waitUntil(lambda: clipboard.mimeData().hasImage())
    assert clipboard.image().width() > 0


def test_cards_show_the_outcomes_of_an_update(pane: GraphPane, show: Show, sample: str, real_session: Session) -> None:
    show(sample)
    document = real_session.current
    assert document is not None
    set_plan(
        document,
        UpdatePlan(
            (
                ResourceChange("port", "OS::Neutron::Port", Action.REPLACED),
                ResourceChange("network", "OS::Neutron::Net", Action.UPDATED, certain=False),
            )
        ),
    )
    real_session.plan_changed.emit(document)
    assert "Replaced" in pane.scene.cards["port"].describe()
    assert "May be updated in place" in pane.scene.cards["network"].describe()
    assert pane.only_grave.isEnabled()
    pane.only_grave.click()
    assert pane.scene.cards["server"].opacity() == 1.0
    assert pane.scene.cards["network"].opacity() == pytest.approx(FADED, abs=0.01)
    pane.only_grave.click()
    assert pane.scene.cards["network"].opacity() == 1.0


def test_outcomes_are_shown_beside_errors_that_cannot_change_them(
    qtbot: QtBot, pane: GraphPane, show: Show, real_session: Session
) -> None:
    old = """heat_template_version: 2021-04-16
resources:
  net: {type: OS::Neutron::Net, properties: {name: a}}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}, mac_address: 'fa:16:3e:00:00:01'}}
  text: {type: OS::Heat::RandomString, properties: {length: 8}}
  user: {type: OS::Heat::Value, properties: {value: {get_resource: text}}}
outputs: {a: {value: 1}}
"""
    show(old)
    document = real_session.current
    assert document is not None

    def update(text: str) -> dict[str, bool]:
        with qtbot.waitSignal(real_session.plan_changed):
            document.change(text)
        qtbot.waitUntil(lambda: not real_session.is_outdated())
        return {name: card.verdict is not None for name, card in pane.scene.cards.items()}

    real_session.set_baseline(document, Baseline("old", old))
    all_known = dict.fromkeys(("net", "port", "text", "user"), True)
    changed = old.replace("name: a", "name: b")
    assert update(changed) == all_known
    assert update(changed.replace("length: 8", "lenght: 8")) == all_known | {"text": False, "user": False}
    assert "Updated in place" in pane.scene.cards["net"].describe()
    assert "fix the errors to see 2 outcomes" in pane.counts.text()
    assert update(changed.replace("{value: 1}", "{valu: 1}")) == all_known
    assert update(changed.replace("resources:", "parametres: {}\nresources:")) == dict.fromkeys(all_known, False)
    assert "fix the errors to see the outcomes" in pane.counts.text()


def test_edges_of_a_chain_of_changes_have_the_color_of_the_outcome(
    pane: GraphPane, show: Show, sample: str, real_session: Session
) -> None:
    show(sample)
    document = real_session.current
    assert document is not None
    because = (Reason("`subnet` is replaced", Subject(SubjectKind.RESOURCE, "subnet")),)
    replaced = ResourceChange("subnet", "OS::Neutron::Subnet", Action.REPLACED)
    set_plan(
        document, UpdatePlan((replaced, ResourceChange("port", "OS::Neutron::Port", Action.UPDATED, because=because)))
    )
    real_session.plan_changed.emit(document)
    colored = {(line.edge.source, line.edge.target): line.outcome for line in pane.scene.lines if line.outcome}
    assert colored == {("port", "subnet"): Color.UPDATED}
    set_plan(document, UpdatePlan())
    real_session.plan_changed.emit(document)
    assert not any(line.outcome for line in pane.scene.lines)


def exported(qtbot: QtBot, pane: GraphPane, path: Path) -> bool:
    """Export the graph to a file, and return whether the file was written."""
    with qtbot.waitSignal(pane.exporter.exported) as reported:
        pane.exporter.export(pane.scene, path)
    assert reported.args
    assert reported.args[0] == path
    return bool(reported.args[1])


def test_part_of_a_dashed_edge_is_painted_like_the_whole(pane: GraphPane, show: Show) -> None:
    names = [f"r{number}" for number in range(9)]
    needs = "".join(f"  {name}: {{type: OS::Heat::Value, depends_on: root}}\n" for name in names)
    show(f"{EMPTY}resources:\n  root: {{type: OS::Heat::Value}}\n{needs}")
    viewport, chance = pane.view.viewport(), Random(1)
    pane.view.zoom_by(1.3)
    assert find_difference() is None
    for _ in range(20):
        size = QSize(chance.randint(10, 200), chance.randint(10, 200))
        viewport.repaint(QRect(QPoint(chance.randrange(viewport.width()), chance.randrange(viewport.height())), size))
        assert find_difference() is None


def test_graph_can_be_exported(qtbot: QtBot, pane: GraphPane, show: Show, sample: str, tmp_path: Path) -> None:
    show(sample)
    pane.view.choose("port")
    assert exported(qtbot, pane, tmp_path / "graph.svg")
    assert exported(qtbot, pane, tmp_path / "graph.png")
    assert "server" in (tmp_path / "graph.svg").read_text("utf-8")
    image = QImage(str(tmp_path / "graph.png"))
    assert image.width() == int(pane.scene.sceneRect().width() * 2)
    assert pane.scene.chosen() == "port"
    assert not exported(qtbot, pane, tmp_path / "missing" / "graph.png")
    assert pane.counts.text() == "Cannot write graph.png. Choose another folder."


def drawn(path: Path) -> QImage:
    """Return the image of an SVG file."""
    image = QImage(600, 600, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(path)).render(painter)
    painter.end()
    return image


def test_drawing_in_steps_equals_drawing_at_once(
    qtbot: QtBot, pane: GraphPane, show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(CIRCLE)
    paths = [tmp_path / f"{part}.svg" for part in (1, 2, 1_000)]
    for path in paths:
        monkeypatch.setattr(export, "_PART", int(path.stem))
        assert exported(qtbot, pane, path)
        reader = QXmlStreamReader(path.read_text("utf-8"))
        while not reader.atEnd():
            reader.readNext()
        assert not reader.hasError()
    assert len({path.stat().st_size for path in paths}) == 3
    one, two, whole = map(drawn, paths)
    assert one == two == whole
    assert len(set(bytes(whole.constBits()))) > 8


def test_export_shows_the_graph_at_the_time_of_the_request(
    qtbot: QtBot, pane: GraphPane, show: Show, sample: str, tmp_path: Path
) -> None:
    show(sample)
    pane.scene.show_only(frozenset({"server", "port"}))
    area = pane.scene.sceneRect()
    seen = QImage((area.size() * 2).toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    seen.fill(pane.view.backgroundBrush().color())
    painter = QPainter(seen)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pane.scene.render(painter, QRectF(seen.rect()), area)
    painter.end()
    with qtbot.waitSignal(pane.exporter.exported):
        pane.exporter.export(pane.scene, tmp_path / "graph.png")
        show(CIRCLE)
    written = QImage(str(tmp_path / "graph.png"))
    assert written.size() == seen.size()
    first, second = (one.scaled(200, 200, mode=Qt.TransformationMode.SmoothTransformation) for one in (written, seen))
    colors = ((first.pixelColor(x, y), second.pixelColor(x, y)) for x in range(200) for y in range(200))
    assert max(abs(one.lightness() - other.lightness()) for one, other in colors) < 16


def test_background_of_a_large_picture_is_filled_in_small_bands() -> None:
    picture = export.PngImage(QRectF(0, 0, 72_000, 13_000))
    bands = list(picture.bands())
    assert max(band.width() * band.height() for band in bands) <= 130_000
    assert bands[0].topLeft() == picture.ground.topLeft()
    assert all(one.bottomLeft() == other.topLeft() for one, other in pairwise(bands))
    assert all(band.width() == picture.ground.width() for band in bands)
    assert bands[-1].bottom() == picture.ground.bottom()


def test_canceled_export_keeps_the_existing_file(
    qtbot: QtBot, pane: GraphPane, show: Show, real_session: Session, tmp_path: Path
) -> None:
    show(CIRCLE)
    kept = tmp_path / "graph.png"
    kept.write_text("what was there before")
    reported: list[object] = []
    pane.exporter.exported.connect(lambda *arguments: reported.append(arguments))
    pane.exporter.export(pane.scene, kept)
    job = next(job for job in real_session.jobs._running if job.name == "Exporting graph.png")
    job.stop()
    qtbot.waitUntil(real_session.jobs._pool.waitForDone)
    QTest.qWait(50)
    assert kept.read_text() == "what was there before"
    assert reported == []
    assert list(tmp_path.glob("graph.png*")) == [kept]


def test_unchanged_graph_keeps_its_scene(qtbot: QtBot, pane: GraphPane, show: Show, real_session: Session) -> None:
    show(CIRCLE)
    layout = pane.scene.layout_of_graph
    document = real_session.current
    assert document is not None
    with qtbot.waitSignal(real_session.plan_changed):
        document.change(CIRCLE + "# later\n")
    qtbot.waitUntil(lambda: document.state is not None and pane._asked is document.state.analysis)
    assert pane.scene.layout_of_graph is layout


MANY = "".join(
    (
        "heat_template_version: 2021-04-16\nresources:\n  r0: {type: OS::Heat::Value}\n",
        "  net: {type: OS::Neutron::Net, depends_on: r7}\n",
        *(f"  r{at}: {{type: OS::Heat::Value, depends_on: r{at // 2}}}\n" for at in range(1, 300)),
    )
)
VALUES = "/OS::Heat::Value"


@pytest.fixture
def many(qtbot: QtBot, pane: GraphPane, real_session: Session) -> GraphPane:
    """Show a template with 301 resources of two types in the pane."""
    pane.resize(700, 300)
    with qtbot.waitSignal(real_session.plan_changed):
        real_session.new(MANY)
    qtbot.waitUntil(lambda: set(pane.scene.cards) == {VALUES, "net"})
    return pane


def test_many_resources_of_a_type_share_a_card(qtbot: QtBot, many: GraphPane, real_session: Session) -> None:
    assert many.counts.text().startswith("301 resources · 300 dependencies")
    assert many.legend.accessibleName().startswith("Legend: Heat 300, Neutron 1")
    assert "300 resources; Space shows each of them" in many.scene.cards[VALUES].describe()
    many.follow_caret(MANY.index("r7:"))
    assert many.scene.chosen() == VALUES
    with qtbot.waitSignal(many.selected) as asked:
        many.view.opened.emit(VALUES)
    assert asked.args == ["r0"]
    document = real_session.current
    assert document is not None
    replaced = ResourceChange("r7", "OS::Heat::Value", Action.REPLACED)
    set_plan(document, UpdatePlan((ResourceChange("r8", "OS::Heat::Value", Action.UPDATED), replaced)))
    real_session.plan_changed.emit(document)
    verdict = many.scene.cards[VALUES].verdict
    assert verdict is not None
    assert verdict.tail[0] == "1 replaced"
    assert many.scene.grave() == {VALUES, "net"}
    owner = ResourceChange("r9", "OS::Heat::Value", Action.UPDATED, members=(replaced,))
    set_plan(document, UpdatePlan((ResourceChange("r8", "OS::Heat::Value", Action.UPDATED), owner)))
    real_session.plan_changed.emit(document)
    assert many.scene.grave() == {VALUES, "net"}, "also where it is inside of one of them"
    many.only_changed.click()
    assert many.scene.cards["net"].opacity() == pytest.approx(FADED, abs=0.01)


def test_large_graph_is_shown_at_a_readable_zoom(qtbot: QtBot, many: GraphPane) -> None:
    many.scene.toggle(VALUES)
    qtbot.waitUntil(lambda: len(many.scene.cards) == 301)
    QTest.qWait(20)
    assert many.view.zoom == pytest.approx(READABLE)
    assert many.open_all.text() == "Collapse all"
    many.open_all.click()
    qtbot.waitUntil(lambda: set(many.scene.cards) == {VALUES, "net"})


def test_up_and_down_keys_follow_the_edges_in_a_vertical_layout(qtbot: QtBot, many: GraphPane) -> None:
    many.scene.toggle(VALUES)
    qtbot.waitUntil(lambda: len(many.scene.cards) == 301)
    graph, layout = many.scene.graph, many.scene.layout_of_graph
    assert graph is not None
    assert layout is not None
    assert not layout.is_sideways
    many.view.choose("r0")
    for place, key in enumerate((Qt.Key.Key_Down, Qt.Key.Key_Up)):
        QTest.keyClick(many.view, key)
        chosen = many.scene.chosen()
        assert chosen in ((graph.needed_by["r0"], ("r0",))[place])


def test_legend_names_services_and_kinds_of_lines(pane: GraphPane, show: Show, sample: str) -> None:
    show(sample)
    assert pane.legend.accessibleName().startswith("Legend: Neutron ")
    assert pane.legend.accessibleName().endswith("reference, depends_on, implied by the resource types")
    assert pane.legend.toolTip() == pane.legend.accessibleName()
    heights = [(pane.resize(width, 400), pane.counts.height(), pane.legend.height())[1:] for width in (900, 300)]
    assert heights[0] == heights[1], "one line each, however narrow the pane is"


@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK])
def test_small_zoom_hides_the_text(pane: GraphPane, show: Show, appearance: Appearance, scheme: Scheme) -> None:
    appearance.choose(scheme)
    show(CIRCLE)
    pane.view.resetTransform()
    pane.view.scale(0.2, 0.2)
    card = pane.scene.cards["a"]
    place = pane.view.mapFromScene(card.sceneBoundingRect()).boundingRect()
    picture = pane.view.viewport().grab(place).toImage()
    text = appearance.theme.color(Color.TEXT)
    colors = {picture.pixelColor(x, y).rgb() for x in range(picture.width()) for y in range(picture.height())}
    assert text.rgb() not in colors


def test_most_used_services_have_distinct_colors() -> None:
    colors = {service_color(service) for service in ("OS::Nova", "OS::Neutron", "OS::Cinder", "OS::Heat")}
    assert len(colors) == 4
    assert Color.MUTED not in colors
    assert service_color("AWS::EC2") is service_color("Mine::Own") is Color.MUTED


PARENT = """heat_template_version: 2021-04-16
resources:
  net: {type: OS::Neutron::Net}
  web: {type: child.yaml, properties: {net: {get_resource: net}}}
"""
CHILD = """heat_template_version: 2021-04-16
parameters: {net: {type: string}}
resources:
  port: {type: OS::Neutron::Port, properties: {network: {get_param: net}}}
  value: {type: OS::Heat::Value, properties: {value: {get_resource: port}}}
"""


@pytest.fixture
def nested(qtbot: QtBot, pane: GraphPane, real_session: Session, tmp_path: Path) -> Path:
    (tmp_path / "child.yaml").write_text(CHILD, encoding="utf-8")
    (tmp_path / "parent.yaml").write_text(PARENT, encoding="utf-8")
    opened_document(real_session, tmp_path / "parent.yaml")
    qtbot.waitUntil(lambda: set(pane.scene.cards) == {"net", "web"}, timeout=10_000)
    return tmp_path


def test_keys_expand_a_nested_stack_and_select_inside(qtbot: QtBot, pane: GraphPane, nested: Path) -> None:
    walked: list[str] = []
    pane.selected.connect(walked.append)
    pane.follow_caret(PARENT.index("web:") + 1)
    assert "Space expands its nested stack" in pane.view.accessibleDescription()
    QTest.keyClick(pane.view, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: set(pane.scene.cards) == {"net", "web", "web/port", "web/value"}, timeout=10_000)
    assert pane.scene.chosen() == "web"
    frame, inner = pane.scene.cards["web"], pane.scene.cards["web/port"]
    assert frame.sceneBoundingRect().contains(inner.sceneBoundingRect())
    assert inner.zValue() > frame.zValue()
    QTest.keyClick(pane.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert pane.scene.chosen() == "web/port"
    QTest.keyClick(pane.view, Qt.Key.Key_Right)
    assert pane.scene.chosen() == "web/value"
    assert walked == ["web", "web"]
    with qtbot.waitSignal(pane.nested_location_requested) as asked:
        QTest.keyClick(pane.view, Qt.Key.Key_Return)
    assert asked.args == [str(nested / "child.yaml"), "value"]
    pane.follow_caret(PARENT.index("web:") + 1)
    assert pane.scene.chosen() == "web/value", "the caret is in its owner already"
    QTest.keyClick(pane.view, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert pane.scene.chosen() == "web"
    QTest.keyClick(pane.view, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: set(pane.scene.cards) == {"net", "web"}, timeout=10_000)


GROUPS = """heat_template_version: 2021-04-16
parameters: {none: {type: number}}
resources:
  group: {type: OS::Heat::ResourceGroup, properties: {count: 1200, resource_def: {type: OS::Heat::None}}}
  asked: {type: OS::Heat::ResourceGroup, properties: {count: {get_param: none}, resource_def: {type: OS::Heat::None}}}
  scaled: {type: OS::Heat::AutoScalingGroup, properties: {min_size: 1, max_size: 5, resource: {type: OS::Heat::None}}}
  single: {type: OS::Heat::None}
"""


def test_group_shows_its_number_of_members(
    qtbot: QtBot, pane: GraphPane, show: Show, real_session: Session, tmp_path: Path
) -> None:
    show(GROUPS)
    reported = {name: card.describe() for name, card in pane.scene.cards.items()}
    assert "OS::Heat::ResourceGroup, 1,200 members, Added" in reported["group"]
    assert "unknown number of members: a value is missing" in reported["asked"]
    assert "1 member initially" in reported["scaled"]
    assert "member" not in reported["single"]
    assert exported(qtbot, pane, tmp_path / "graph.svg")
    picture = (tmp_path / "graph.svg").read_text("utf-8")
    assert set(re.findall("\N{MULTIPLICATION SIGN} ([^<]+)<", picture)) == {"1,200", "?", "1"}
    pane.open_all.click()
    qtbot.waitUntil(lambda: "group/0" in pane.scene.cards, timeout=10_000)
    assert "1,200 members; all are like the one shown" in pane.scene.cards["group"].describe()
    document = real_session.current
    assert document
    with qtbot.waitSignal(real_session.plan_changed):
        document.change(GROUPS.replace("1200", "2"))
    qtbot.waitUntil(lambda: "2 members" in pane.scene.cards["group"].describe(), timeout=10_000)


@pytest.mark.usefixtures("nested")
def test_button_expands_and_collapses_all(qtbot: QtBot, pane: GraphPane) -> None:
    assert pane.open_all.text() == "Expand all"
    pane.open_all.click()
    qtbot.waitUntil(lambda: "web/port" in pane.scene.cards, timeout=10_000)
    assert pane.open_all.text() == "Collapse all"
    pane.open_all.click()
    qtbot.waitUntil(lambda: "web/port" not in pane.scene.cards, timeout=10_000)


@pytest.mark.usefixtures("nested")
def test_icon_on_a_card_expands_it(qtbot: QtBot, pane: GraphPane) -> None:
    card = pane.scene.cards["web"]
    place = pane.view.mapFromScene(card.mapToScene(card._sign().center()))
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: "web/port" in pane.scene.cards, timeout=10_000)


@pytest.mark.usefixtures("nested")
def test_cards_show_the_outcomes_inside_nested_stacks(
    qtbot: QtBot, pane: GraphPane, real_session: Session, tmp_path: Path
) -> None:
    pane.open_all.click()
    qtbot.waitUntil(lambda: "web/port" in pane.scene.cards, timeout=10_000)
    inner = ResourceChange("port", "OS::Neutron::Port", Action.REPLACED)
    document = real_session.current
    assert document is not None
    plan = UpdatePlan((ResourceChange("web", "child.yaml", Action.UPDATED, members=(inner,)),))
    set_plan(document, plan)
    real_session.plan_changed.emit(document)
    assert "Replaced" in pane.scene.cards["web/port"].describe()
    assert pane.scene.grave() == {"web", "web/port", "web/value"}
    assert "Updated in place, 1 replaced inside" in pane.scene.cards["web"].describe()
    assert exported(qtbot, pane, tmp_path / "graph.svg")
    assert "port" in (tmp_path / "graph.svg").read_text("utf-8")
    pane.open_all.click()
    qtbot.waitUntil(lambda: "web/port" not in pane.scene.cards, timeout=10_000)
    set_plan(document, plan)  # the files beside the template may have been checked again
    real_session.plan_changed.emit(document)
    assert "web" in pane.scene.grave(), "also where nobody looks into it"


def test_program_exits_with_a_picture_on_the_clipboard() -> None:
    code = """
from PySide6.QtCore import QByteArray, QTimer
from PySide6.QtWidgets import QApplication
from heatstudio.ui.graph.export import _put_on_clipboard
application = QApplication([])
_put_on_clipboard(QByteArray(b"<svg/>"), as_svg=True)
QTimer.singleShot(0, application.quit)
application.exec()
"""
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=Path(__file__).parents[3]).returncode == 0


def test_dragging_a_card_to_another_requests_a_reference(
    qtbot: QtBot, pane: GraphPane, show: Show, sample: str
) -> None:
    show(sample)
    view, cards = pane.view, pane.scene.cards
    start, end = (view.mapFromScene(cards[name].head().center()) for name in ("network", "server"))
    viewport, left = view.viewport(), Qt.MouseButton.LeftButton
    with qtbot.waitSignal(pane.link_requested) as requested:
        QTest.mousePress(viewport, left, pos=start)
        for place in (start + QPoint(20, 20), end):
            move(viewport, place)
        before = view.grab().toImage()
        QTest.mouseRelease(viewport, left, pos=end)
    assert requested.args == ["network", "server"]
    assert view.grab().toImage() != before, "the line is gone"
    with qtbot.assertNotEmitted(pane.link_requested):
        QTest.mouseClick(viewport, left, pos=end)
        QTest.mousePress(viewport, left, pos=start)
        move(viewport, end)
        QTest.keyClick(view, Qt.Key.Key_Escape)
        QTest.mouseRelease(viewport, left, pos=end)
    view.choose("network")
    with qtbot.waitSignal(pane.link_requested) as requested:
        QTest.keyClick(view, Qt.Key.Key_L)
    assert requested.args == ["network", ""]


def move(viewport: QWidget, place: QPoint) -> None:
    """Move the mouse with the left button pressed."""
    left = Qt.MouseButton.LeftButton
    where, no_key = QPointF(place), Qt.KeyboardModifier.NoModifier
    event = QMouseEvent(
        QEvent.Type.MouseMove, where, viewport.mapToGlobal(where), Qt.MouseButton.NoButton, left, no_key
    )
    QApplication.sendEvent(viewport, event)


def test_a_type_can_be_dropped_on_a_card(pane: GraphPane, show: Show, sample: str) -> None:
    show(sample)
    data = QMimeData()
    put_type(data, "OS::Neutron::Port")
    place = QPointF(pane.view.mapFromScene(pane.scene.cards["network"].head().center()))
    buttons = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(place.toPoint(), *buttons)
    QApplication.sendEvent(pane.view.viewport(), enter)
    assert enter.isAccepted()
    emitted: list[str] = []
    pane.selected.connect(emitted.append)
    pane.type_dropped.connect(emitted.append)
    QApplication.sendEvent(pane.view.viewport(), QDropEvent(place, *buttons))
    assert emitted == ["network", "OS::Neutron::Port"]


def test_each_document_keeps_the_place_of_its_graph(
    qtbot: QtBot, pane: GraphPane, show: Show, sample: str, real_session: Session
) -> None:
    show(sample)
    first = real_session.current
    for _ in range(4):
        pane.view.zoom_by(1.25)
    pane.view.horizontalScrollBar().setValue(150)
    kept = pane.view.place
    assert kept is not None
    show(CIRCLE)
    assert pane.view.place is None, "the other graph is fitted"
    real_session.make_current(first)
    qtbot.waitUntil(lambda: "server" in pane.scene.cards)
    assert pane.view.place == kept
