"""Navigation from rows of the update preview to their lines in the template, nested templates and the baseline."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from heatstudio.ui.window.window import Window
from tests.ui.bench import bench
from tests.ui.opening import plan_of

HEAD = "heat_template_version: 2021-04-16\n"
OLD = (
    HEAD
    + """\
parameters:
  size: {type: number, default: 1}
resources:
  gone:
    type: OS::Heat::RandomString
    properties:
      length: 7
  server:
    type: OS::Nova::Server
    properties:
      flavor: small
      image: linux
      name: web
      networks:
        - network: a
          fixed_ip: 10.0.0.1
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def:
        type: OS::Heat::RandomString
        properties:
          length: 8
  kids:
    type: OS::Heat::ResourceGroup
    properties:
      count: 1
      resource_def:
        type: lib/child.yaml
        properties:
          length: 8
"""
)
CHILD = (
    HEAD
    + """\
parameters:
  length: {type: number}
  note: {type: string, default: ""}
resources:
  text:
    type: OS::Heat::RandomString
    properties:
      length: {get_param: length}
  note_value: {type: OS::Heat::Value, properties: {value: {get_param: note}}}
"""
)
NEW = (
    OLD.replace("  gone:\n    type: OS::Heat::RandomString\n    properties:\n      length: 7\n", "")
    .replace("fixed_ip: 10.0.0.1", "fixed_ip: 10.0.0.2")
    .replace("count: 2", "count: 3")
    .replace("length: 8", "length: 9")
)
Planned = Callable[[str, str], Window]


@pytest.fixture
def planned(qtbot: QtBot, real: Window, tmp_path: Path) -> Planned:
    """Return a function that saves one text, replaces it with another one and previews the change."""

    def open_as(old: str, new: str) -> Window:
        (tmp_path / "lib").mkdir()
        (tmp_path / "lib" / "child.yaml").write_text(CHILD, encoding="utf-8")
        path = tmp_path / "main.yaml"
        path.write_text(old, encoding="utf-8")
        real.files.open([str(path)])
        document, editor = real.session.current, real.area.editor
        assert document is not None
        assert editor is not None
        editor.replace_text(new)
        qtbot.waitUntil(lambda: document.current_analysis is not None and plan_of(document) is not None)
        bench(real).preview.refresh()
        return real

    return open_as


def choose(window: Window, *names: str) -> None:
    """Activate the row with these texts in its path; each text may be a prefix."""
    model = bench(window).preview.model
    above = next(index for index in model.indexes() if str(index.data()).startswith(names[0]))
    for name in names[1:]:
        rows = (model.index(row, 0, above) for row in range(model.rowCount(above)))
        above = next(index for index in rows if str(index.data()).startswith(name))
    bench(window).preview.view.setCurrentIndex(above)
    bench(window).preview.view.activated.emit(above)


def line(window: Window) -> str:
    editor = window.area.editor
    assert editor is not None
    return editor.text().splitlines()[editor.editor.caret_line()].strip()


def test_row_links_to_the_line_that_differs(planned: Planned) -> None:
    window = planned(OLD, NEW)
    choose(window, "server")
    assert line(window) == "server:"
    choose(window, "server", "networks")
    assert line(window) == "fixed_ip: 10.0.0.2"


def test_tool_tips_of_rows_with_a_target_name_the_keys(planned: Planned) -> None:
    model = bench(planned(OLD, NEW)).preview.model
    tips = {str(index.data()): str(index.data(Qt.ItemDataRole.ToolTipRole)) for index in model.indexes()}
    assert tips["server"].endswith("Enter goes to the line; Shift+Enter shows the baseline.")
    assert tips["resource_def.properties.length"].endswith("shows the baseline.")
    assert tips["From 2 to 3 members."] == "From 2 to 3 members."


def test_member_links_to_its_definition_in_the_group(planned: Planned) -> None:
    window = planned(OLD, NEW)
    choose(window, "group", "0", "length")
    assert line(window) == "length: 9"
    choose(window, "group", "0")
    assert line(window) == "resource_def:"
    choose(window, "group", "2")
    assert line(window) == "count: 3"


def test_nested_row_links_to_its_file(planned: Planned) -> None:
    window = planned(OLD, NEW)
    choose(window, "kids", "0", "length")
    assert line(window) == "length: 9"
    choose(window, "kids", "0", "text", "length")
    assert window.session.current is not None
    assert window.session.current.title == "child.yaml"
    assert line(window) == "length: {get_param: length}"


def old_line(window: Window) -> str:
    pane = bench(window).stack_panes.compare
    old = pane.old if pane.old.isVisible() else pane.new  # one column if there is not enough width
    return old.text_document.text().splitlines()[old.caret_line()].strip()


def test_deleted_resource_is_shown_in_the_baseline(qtbot: QtBot, planned: Planned) -> None:
    window = planned(OLD, NEW)
    choose(window, "gone")
    qtbot.waitUntil(lambda: bench(window).stack_panes.compare.comparison.runs != ())
    qtbot.waitUntil(lambda: old_line(window) == "gone:")
    assert window.area.groups.is_shown("Comparison")


def test_key_shows_the_previous_text(qtbot: QtBot, planned: Planned) -> None:
    window = planned(OLD, NEW)
    choose(window, "server", "networks")
    window.activateWindow()
    bench(window).preview.view.setFocus()
    qtbot.waitUntil(bench(window).preview.view.hasFocus)
    QTest.keyClick(bench(window).preview.view, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: bench(window).stack_panes.compare.comparison.runs != ())
    qtbot.waitUntil(lambda: old_line(window) == "fixed_ip: 10.0.0.1")
    choose(window, "group", "0", "length")
    bench(window).preview._show_before.trigger()
    qtbot.waitUntil(lambda: old_line(window) == "length: 8")


def with_child(qtbot: QtBot, window: Window, text: str, name: str = "lib/child.yaml") -> None:
    """Replace the text of another file without saving it, and return to the template."""
    main = window.session.current
    assert main is not None
    assert main.path is not None
    window.files.open([str(main.path.parent / name)])
    editor = window.area.editor
    assert editor is not None
    with qtbot.waitSignal(window.session.plan_changed):
        editor.replace_text(text)
    window.session.make_current(main)
    with qtbot.waitSignal(window.session.plan_changed):
        window.session.check()
    bench(window).preview.refresh()


def choose_quietly(window: Window, *names: str) -> None:
    with QSignalBlocker(bench(window).preview):
        choose(window, *names)


def test_nested_row_is_shown_in_the_baseline_of_its_template(qtbot: QtBot, planned: Planned) -> None:
    window = planned(OLD, OLD)
    with_child(qtbot, window, CHILD.replace("length: {get_param: length}", "length: 5\n      salt: x"))
    choose_quietly(window, "kids", "0", "text", "length")
    bench(window).preview._show_before.trigger()
    qtbot.waitUntil(lambda: line(window) == "length: {get_param: length}")
    shown = window.session.current
    assert shown is not None
    assert shown.is_read_only
    assert shown.title == "lib/child.yaml (as opened)"
    assert shown.text == CHILD
    count = len(window.session.documents)
    window.session.make_current(window.session.documents[0])
    choose_quietly(window, "kids", "0", "text")
    bench(window).preview._show_before.trigger()
    qtbot.waitUntil(lambda: line(window) == "text:")
    assert len(window.session.documents) == count


def test_unchanged_nested_template_is_opened_instead_of_a_comparison(qtbot: QtBot, planned: Planned) -> None:
    window = planned(OLD, NEW)
    choose_quietly(window, "kids", "0", "text", "length")
    bench(window).preview._show_before.trigger()
    qtbot.waitUntil(lambda: line(window) == "length: {get_param: length}")
    shown = window.session.current
    assert shown is not None
    assert shown.title == "child.yaml"
    assert window.statusBar().currentMessage() == "lib/child.yaml is the same in both versions."


def test_new_nested_resource_is_not_in_the_baseline(qtbot: QtBot, planned: Planned) -> None:
    window = planned(OLD, OLD)
    with_child(qtbot, window, CHILD + "  more: {type: OS::Heat::RandomString}\n")
    choose_quietly(window, "kids", "0", "more")
    bench(window).preview._show_before.trigger()
    words = "more is new; it is not in the baseline."
    qtbot.waitUntil(lambda: window.statusBar().currentMessage() == words)


def test_changed_file_is_opened(qtbot: QtBot, planned: Planned, tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("one\n")
    text = HEAD + "resources:\n  a: {type: OS::Heat::Value, properties: {value: {get_file: run.sh}}}\n"
    window = planned(text, text)
    with_child(qtbot, window, "two\n", "run.sh")
    choose(window, "a", "value", "File `run.sh`")
    assert window.session.current is not None
    assert window.session.current.path == tmp_path / "run.sh"


REASONS = (
    HEAD
    + """\
parameters:
  size: {type: number, default: %s}
conditions:
  big: {equals: [{get_param: size}, 9]}
resources:
  one: {type: OS::Heat::RandomString, properties: {length: {get_param: size}}}
  two: {type: OS::Heat::RandomString, properties: {length: {if: [big, 9, 8]}}}
  old: {type: OS::Heat::RandomString, condition: {not: big}}
  three: {type: OS::Heat::Value, properties: {value: {get_resource: one}}}
  four: {type: OS::Heat::Value, properties: {value: {get_attr: [three, value]}}}
  kid: {type: lib/child.yaml, properties: {length: {get_param: size}}}
  niece: {type: lib/child.yaml, properties: {length: 8, note: {get_attr: [one, value]}}}
"""
)


@pytest.mark.parametrize(
    ("names", "expected", "title"),
    [
        (("one", "length", "Parameter"), "size: {type: number, default: 9}", "main.yaml"),
        (("two", "length", "Condition"), "big: {equals: [{get_param: size}, 9]}", "main.yaml"),
        (("old", "The condition"), "old: {type: OS::Heat::RandomString, condition: {not: big}}", "main.yaml"),
        (
            ("four", "value", "`three` is"),
            "three: {type: OS::Heat::Value, properties: {value: {get_resource: one}}}",
            "",
        ),
        (("kid", "text", "length", "Parameter `length`"), "length: {type: number}", "child.yaml"),
        (("niece", "note_value", "value", "Parameter `size`"), "size: {type: number, default: 9}", "main.yaml"),
    ],
)
def test_reason_links_to_its_subject(planned: Planned, names: tuple[str, ...], expected: str, title: str) -> None:
    window = planned(REASONS % 8, REASONS % 9)
    choose(window, *names)
    assert line(window) == expected
    assert window.session.current is not None
    assert title in window.session.current.title


def test_new_resource_is_not_in_the_baseline(planned: Planned) -> None:
    window = planned(NEW, OLD)
    choose(window, "gone")
    assert line(window) == "gone:"
    bench(window).preview._show_before.trigger()
    assert window.statusBar().currentMessage() == "gone is new; it is not in the baseline."


def test_disabled_resource_is_still_in_the_text(planned: Planned) -> None:
    text = HEAD + "conditions: {c: %s}\nresources:\n  a: {type: OS::Heat::Value, condition: c}\n"
    window = planned(text % "true", text % "false")
    choose(window, "a")
    assert line(window).startswith("a:")
