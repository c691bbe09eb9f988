"""Values and consequences at line ends, in a window with the real engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.text import Span, TextEdit
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.widgets.appearance import Scheme
from heatstudio.ui.window.window import Window
from tests.ui.conftest import SIZE, Shot

TEXT = f"""heat_template_version: 2021-04-16
parameters:
  flavor: {{type: string, default: m1.small}}
  secret: {{type: string, hidden: true, default: topsecret}}
  notes: {{type: string, default: {"long " * 60}}}
  free: {{type: string}}
conditions:
  small: {{equals: [{{get_param: flavor}}, m1.small]}}
resources:
  server:
    type: OS::Nova::Server
    condition: small
    properties:
      flavor: {{get_param: flavor}}
      admin_pass: {{get_param: secret}}
      image: {{get_param: free}}
      key_nam: {{get_param: flavor}}
      name: {{list_join: ['-', [{{get_param: flavor}}, {{get_param: notes}}, {{get_param: flavor}}]]}}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "a.yaml"
    file.write_text(TEXT, encoding="utf-8")
    return file


@pytest.fixture
def opened(qtbot: QtBot, real: Window, file: Path) -> Window:
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    return real


def pane_of(window: Window) -> EditorPane:
    assert window.area.editor is not None
    return window.area.editor


def hints(window: Window) -> dict[int, list[str]]:
    """Return the hints by line number."""
    editor = pane_of(window).editor
    found: dict[int, list[str]] = {}
    for one in editor.decorations.hints.all():
        found.setdefault(editor.document().findBlock(one.start).blockNumber(), []).append(one.mark.message)
    return found


def line_of(words: str) -> int:
    return TEXT[: TEXT.index(words)].count("\n")


def switch(window: Window) -> None:
    window.actions_by_name["value-hints"].trigger()


def test_values_are_shown_on_demand_and_hidden_ones_masked(qtbot: QtBot, opened: Window) -> None:
    qtbot.waitUntil(lambda: not opened.session.jobs._running)
    assert hints(opened) == {}
    switch(opened)
    qtbot.waitUntil(lambda: bool(hints(opened)))
    found = hints(opened)
    assert found[line_of("flavor: {get_param")] == ["flavor = m1.small"]
    assert found[line_of("condition: small")] == ["small = true"]
    assert line_of("image:") not in found
    assert "topsecret" not in str(found[line_of("admin_pass")])
    assert found[line_of("admin_pass")][0].startswith("secret = ")
    assert pane_of(opened).text() == TEXT
    assert opened.session.settings.is_on("value-hints", usually=False)
    switch(opened)
    assert hints(opened) == {}
    assert not opened.session.settings.is_on("value-hints", usually=False)


def test_values_follow_the_text_and_its_analysis(qtbot: QtBot, opened: Window) -> None:
    switch(opened)
    qtbot.waitUntil(lambda: bool(hints(opened)))
    at = TEXT.index("m1.small}")
    pane_of(opened).apply_edits([TextEdit(Span(0, 0), "# a\n"), TextEdit(Span(at, at + 8), "m1.tiny")])
    place = line_of("flavor: {get_param") + 1
    assert hints(opened)[place] == ["flavor = m1.small"]
    qtbot.waitUntil(lambda: hints(opened)[place] == ["flavor = m1.tiny"])
    assert hints(opened)[line_of("condition: small") + 1] == ["small = false"]


def test_values_are_shown_in_files_opened_later(qtbot: QtBot, real: Window, file: Path) -> None:
    switch(real)
    real.files.open([str(file)])
    qtbot.waitUntil(lambda: bool(hints(real)))


def test_consequences_are_shown_after_properties_next_to_values(qtbot: QtBot, opened: Window) -> None:
    opened.actions_by_name["consequences"].trigger()
    qtbot.waitUntil(lambda: hints(opened).get(line_of("flavor: {get")) == ["if changed: updated in place"])
    switch(opened)
    both = ["if changed: updated in place", "flavor = m1.small"]
    qtbot.waitUntil(lambda: hints(opened)[line_of("flavor: {get")] == both)
    opened.actions_by_name["consequences"].trigger()
    qtbot.waitUntil(lambda: hints(opened)[line_of("flavor: {get")] == both[1:])


@pytest.mark.parametrize("size", [SIZE, (1024, 640)], ids=["usual", "small"])
@pytest.mark.parametrize("scheme", [Scheme.LIGHT, Scheme.DARK, Scheme.HIGH_CONTRAST])
def test_pictures(qtbot: QtBot, opened: Window, scheme: Scheme, size: tuple[int, int], shot: Shot) -> None:
    opened.appearance.choose(scheme)
    opened.resize(*size)
    switch(opened)
    opened.actions_by_name["consequences"].trigger()
    qtbot.waitUntil(lambda: "if changed" in str(hints(opened)) and "=" in str(hints(opened)))
    pane_of(opened).editor.scroll_to(line_of("resources:"), 0)
    shot(opened, f"value-hints-{scheme}-{size[0]}")
