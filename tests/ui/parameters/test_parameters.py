"""The form of parameters in the window: the template is checked with the typed values."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from heatstudio.ui.documents.document import Document
from heatstudio.ui.parameters.pane import ParametersPane
from heatstudio.ui.widgets.appearance import Appearance, Scheme
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.workspace.session import Session
from tests.ui.opening import opened_document, plan_of

TEXT = """heat_template_version: 2021-04-16
parameters:
  count: {type: number, label: Number of servers, default: 2, constraints: [{range: {min: 1, max: 10}}]}
  flavor: {type: string, default: m1.small, constraints: [{allowed_values: [m1.small, m1.large]}]}
  zone: {type: string, immutable: true}
  password: {type: string, hidden: true, default: secret}
  public: {type: boolean, default: true}
  names: {type: comma_delimited_list, default: "a,b"}
  tags: {type: json, default: {team: web}}
resources:
  value: {type: OS::Heat::Value, properties: {value: {get_param: count}}}
"""


@pytest.fixture
def pane(qtbot: QtBot, real_session: Session, appearance: Appearance) -> ParametersPane:
    pane = ParametersPane(real_session, appearance)
    qtbot.addWidget(pane)
    pane.resize(500, 600)
    pane.show()
    return pane


@pytest.fixture
def document(qtbot: QtBot, pane: ParametersPane, real_session: Session) -> Document:
    document = real_session.new(TEXT)
    qtbot.waitUntil(lambda: bool(pane.rows), timeout=10_000)
    return document


def type_into(pane: ParametersPane, name: str, text: str) -> None:
    widget = pane.rows[name].input.widget
    assert isinstance(widget, QLineEdit | QPlainTextEdit)
    widget.setFocus()
    QTest.keyClicks(widget, text)


@pytest.mark.usefixtures("document")
def test_every_type_has_a_fitting_input(pane: ParametersPane) -> None:
    kinds = {name: type(row.input.widget) for name, row in pane.rows.items()}
    assert [name for name, kind in kinds.items() if issubclass(kind, QComboBox)] == ["flavor", "public"]
    assert [name for name, kind in kinds.items() if kind is QPlainTextEdit] == ["tags"]
    password = pane.rows["password"].input.widget
    assert isinstance(password, QLineEdit)
    assert password.echoMode() is QLineEdit.EchoMode.Password
    assert "secret" not in password.placeholderText()
    assert pane.rows["count"].input.widget.accessibleName() == "Number of servers"


@pytest.mark.usefixtures("document")
def test_value_is_validated_while_typing(pane: ParametersPane) -> None:
    row = pane.rows["count"]
    assert row.note.text() == "default, line 3"
    assert "1 to 10" in row.details
    type_into(pane, "count", "11")
    assert row.note.text() == "11 is not between 1 and 10."
    QTest.keyClick(row.input.widget, Qt.Key.Key_Backspace)
    assert row.note.text() == "typed here"
    QTest.keyClick(row.input.widget, Qt.Key.Key_Backspace)
    assert row.note.text() == "default, line 3"
    assert pane.rows["zone"].note.text() == "Required"
    type_into(pane, "zone", "east")
    assert pane.rows["zone"].note.text() == "typed here"
    assert "Immutable: Heat rejects an update that changes it." in pane.rows["zone"].details


@pytest.mark.usefixtures("document")
def test_missing_value_is_not_an_error(pane: ParametersPane, appearance: Appearance) -> None:
    def color(name: str) -> QColor:
        return pane.rows[name].note.palette().windowText().color()

    type_into(pane, "count", "11")
    assert color("zone") == appearance.theme.color(Color.INFORMATION)
    assert color("count") == appearance.theme.color(Color.ERROR)


@pytest.mark.usefixtures("document")
def test_details_follow_the_focus(pane: ParametersPane) -> None:
    assert pane._title.text() == "zone · string · immutable", "the first row, which has no value"
    pane.rows["count"].input.widget.setFocus()
    assert pane._title.text() == "Number of servers · count · number"
    assert pane.details.text() == "1 to 10.\nValue: default, line 3."
    assert "secret" not in pane.rows["password"].details


@pytest.mark.usefixtures("document")
def test_enter_and_arrow_keys_go_from_field_to_field(pane: ParametersPane) -> None:
    fields = [row.input.widget for row in pane.rows.values()]
    assert next(iter(pane.rows)) == "zone", "the parameter without a value comes first"
    pane.filter.setFocus()
    QTest.keyClick(pane.filter, Qt.Key.Key_Down)
    assert fields[0].hasFocus()
    QTest.keyClick(fields[0], Qt.Key.Key_Return)
    assert fields[1].hasFocus()
    QTest.keyClick(fields[1], Qt.Key.Key_Up)
    assert fields[0].hasFocus()


def _has_rows(pane: ParametersPane, names: set[str]) -> bool:
    return set(pane.rows) == names


def test_filter_keeps_the_values_of_other_rows(qtbot: QtBot, pane: ParametersPane, document: Document) -> None:
    type_into(pane, "zone", "east")
    for query, names in (("servers", {"count"}), ("MISSING", {"zone"}), ("default p", {"password", "public"})):
        pane.filter.setText(query)
        qtbot.waitUntil(partial(_has_rows, pane, names))
    pane.filter.setText("nothing like it")
    qtbot.waitUntil(lambda: not pane.rows)
    assert pane.reported.text() == "No parameter matches “nothing like it”."
    pane.filter.clear()
    qtbot.waitUntil(lambda: len(pane.rows) == 7)
    assert pane.values() == document.parameter_values == {"zone": "east"}


@pytest.mark.parametrize(("width", "is_beside"), [(500, False), (1000, True)])
@pytest.mark.usefixtures("document")
def test_details_are_beside_the_table_if_there_is_room(pane: ParametersPane, width: int, is_beside: bool) -> None:
    pane.resize(width, 320)
    QTest.qWait(0)
    assert (pane._side.geometry().left() > pane._area.geometry().right()) is is_beside
    assert (pane._side.geometry().bottom() < pane._area.geometry().top()) is not is_beside
    heights = {row.height() for row in pane.rows.values()}
    assert max(heights) <= 24, "a row for each parameter"


def test_environments_beside_the_template_are_offered(
    qtbot: QtBot, pane: ParametersPane, real_session: Session, tmp_path: Path
) -> None:
    for name, text in (("a.yaml", TEXT), ("a_env.yaml", "parameters: {zone: east}\n"), ("notes.yaml", "a: b\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    document = opened_document(real_session, tmp_path / "a.yaml")
    qtbot.waitUntil(lambda: bool(pane.rows), timeout=10_000)
    type_into(pane, "zone", "west")
    pane.write.menu().aboutToShow.emit()
    offered = "a_env.yaml\tnot used yet"
    qtbot.waitUntil(lambda: pane.write.menu().actions()[0].text() == offered, timeout=10_000)
    assert [action.text() for action in pane.write.menu().actions()] == [offered, "", "New or Other File…"]
    pane.write.menu().actions()[0].trigger()
    qtbot.waitUntil(lambda: document.environments == (tmp_path / "a_env.yaml",))
    assert (tmp_path / "a_env.yaml").read_text("utf-8") == "parameters: {zone: west}\n"


def test_typed_values_are_used_in_the_analysis(qtbot: QtBot, pane: ParametersPane, document: Document) -> None:
    type_into(pane, "count", "5")
    pane.rows["flavor"].input.set_text("m1.large")
    pane.rows["flavor"].changed.emit()

    def seen() -> bool:
        analysis = document.current_analysis
        return analysis is not None and dict(analysis.source.parameter_values) == {"count": 5, "flavor": "m1.large"}

    qtbot.waitUntil(seen, timeout=10_000)
    assert document.state is not None
    assert document.state.analysis.stack.parameter("count") == 5
    qtbot.waitUntil(lambda: bool((plan := plan_of(document)) and plan.get("value")), timeout=10_000)
    line = pane.rows["count"].input.widget
    assert isinstance(line, QLineEdit)
    assert line.text() == "5"


def test_values_are_saved_to_an_environment(
    qtbot: QtBot, pane: ParametersPane, document: Document, real_session: Session, tmp_path: Path
) -> None:
    file = tmp_path / "web.env.yaml"
    file.write_text("# mine\nparameters:\n  nobody: 1\n", encoding="utf-8")
    pane.write_to(file)  # no value is typed
    assert document.environments == ()
    type_into(pane, "zone", "east")
    pane.write_to(file)
    qtbot.waitUntil(lambda: document.environments == (file,))
    assert file.read_text("utf-8") == "# mine\nparameters:\n  nobody: 1\n  zone: east\n"
    qtbot.waitUntil(lambda: "line 4" in pane.rows["zone"].note.text(), timeout=10_000)
    assert pane.values() == {}
    qtbot.waitUntil(lambda: "nobody" in pane.reported.text(), timeout=10_000)
    assert pane.reported.text() == "web.env.yaml, line 3: Unknown parameter nobody."


def test_read_only_file_gives_a_reason(qtbot: QtBot, pane: ParametersPane, document: Document, tmp_path: Path) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text("parameters: {a: [", encoding="utf-8")
    type_into(pane, "zone", "east")
    pane.write_to(file)
    qtbot.waitUntil(lambda: pane.reported.text() != "")
    assert pane.values() == {"zone": "east"}
    assert document.environments == ()


@pytest.mark.usefixtures("document")
def test_tab_reaches_every_input(pane: ParametersPane) -> None:
    for row in pane.rows.values():
        assert row.input.widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    tags = pane.rows["tags"].input.widget
    assert isinstance(tags, QPlainTextEdit)
    assert tags.tabChangesFocus()


def test_each_document_has_its_own_values(
    qtbot: QtBot, pane: ParametersPane, document: Document, real_session: Session, appearance: Appearance
) -> None:
    type_into(pane, "zone", "east")
    qtbot.waitUntil(lambda: document.parameter_values == {"zone": "east"})
    with qtbot.waitSignal(real_session.plan_changed):
        real_session.new(TEXT)
    qtbot.waitUntil(lambda: pane.values() == {}, timeout=10_000)
    appearance.choose(Scheme.DARK)
    real_session.make_current(document)
    qtbot.waitUntil(lambda: pane.values() == {"zone": "east"}, timeout=10_000)


PARENT = "heat_template_version: 2021-04-16\nresources:\n  web: {type: child.yaml, properties: {flavor: big}}\n"
CHILD = """heat_template_version: 2021-04-16
parameters:
  flavor: {type: string, default: small}
  zone: {type: string, default: west, description: Where the servers are, constraints: [{length: {max: 8}}]}
resources:
  value: {type: OS::Heat::Value, properties: {value: {get_param: zone}}}
"""


def test_parameters_of_nested_templates_become_defaults_for_the_tree(
    qtbot: QtBot, pane: ParametersPane, real_session: Session, tmp_path: Path
) -> None:
    (tmp_path / "child.yaml").write_text(CHILD, encoding="utf-8")
    (tmp_path / "parent.yaml").write_text(PARENT, encoding="utf-8")
    document = opened_document(real_session, tmp_path / "parent.yaml")
    qtbot.waitUntil(lambda: set(pane.nested_rows) == {"flavor", "zone"}, timeout=10_000)
    flavor, zone = pane.nested_rows["flavor"], pane.nested_rows["zone"]
    assert not flavor.input.widget.isEnabled()
    assert flavor.note.text() == "property of web"
    assert "A property of web sets the value and overrides every default." in flavor.details
    assert "Declared by child.yaml (web)." in zone.details
    assert zone.note.text() == "child.yaml, line 4 (default)"
    assert isinstance(zone.input.widget, QLineEdit)
    QTest.keyClicks(zone.input.widget, "far too east")
    assert "A length of 12 is " in zone.note.text()
    zone.input.widget.selectAll()
    QTest.keyClicks(zone.input.widget, "east")

    def seen() -> bool:
        analysis = document.current_analysis
        return analysis is not None and analysis.stack.environment.parameter_defaults == {"zone": "east"}

    qtbot.waitUntil(seen, timeout=10_000)
    file = tmp_path / "web.env.yaml"
    file.write_text("# mine\nparameter_defaults:\n  other: 1  # stays\n", encoding="utf-8")
    pane.write_to(file)
    qtbot.waitUntil(lambda: document.environments == (file,))
    assert file.read_text("utf-8") == "# mine\nparameter_defaults:\n  other: 1  # stays\n  zone: east\n"
    qtbot.waitUntil(lambda: "line 4 (parameter_defaults)" in zone.note.text(), timeout=10_000)
    assert document.parameter_defaults == {}


def test_rows_of_a_long_form_are_created_on_scroll(qtbot: QtBot, pane: ParametersPane, real_session: Session) -> None:
    names = [f"p{number}" for number in range(90)]
    declared = "".join(f"  {name}: {{type: string, default: x}}\n" for name in names)
    document = real_session.new(f"heat_template_version: 2021-04-16\nparameters:\n{declared}resources: {{}}\n")
    document.parameter_values = {"p89": "typed before"}
    qtbot.waitUntil(lambda: bool(pane.rows), timeout=10_000)
    assert pane.values() == {"p89": "typed before"}, "also while its row is not made yet"
    bar = pane._area.verticalScrollBar()

    def scrolled_to_the_end() -> bool:
        bar.setValue(bar.maximum())
        return len(pane.rows) == 90

    qtbot.waitUntil(scrolled_to_the_end, timeout=30_000)
    assert list(pane.rows) == names
    assert pane.values() == {"p89": "typed before"}
    type_into(pane, "p0", "a")
    assert document.parameter_values == {"p0": "a", "p89": "typed before"}


def test_origin_shows_the_line_in_the_unsaved_environment(
    qtbot: QtBot, pane: ParametersPane, document: Document, real_session: Session, tmp_path: Path
) -> None:
    file = tmp_path / "web.env.yaml"
    file.write_text("parameters:\n  zone: east\n", encoding="utf-8")
    real_session.set_environments(document, (file,))
    qtbot.waitUntil(lambda: "line 2" in pane.rows["zone"].note.text())
    environment = opened_document(real_session, file)
    environment.change("# above\nparameters:\n  zone: east\n")
    real_session.make_current(document)
    qtbot.waitUntil(lambda: "line 3" in pane.rows["zone"].note.text())
