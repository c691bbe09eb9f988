"""The outline shows the current text, and hides only entries that the user collapsed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.service.engine import Engine
from heatstudio.service.workspace.job import Job
from heatstudio.text import Span
from heatstudio.ui.documents.document import Document
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench

HEAD = "heat_template_version: 2021-04-16\n"
RESOURCES = "resources:\n  a: {type: OS::Heat::None}\n"
WITH_PARAMETERS = f"{HEAD}parameters:\n  ape: {{type: string, default: a}}\n{RESOURCES}"
WITH_OUTPUTS = f"{HEAD}{RESOURCES}outputs:\n  ape: {{value: 1}}\n"


def unfolded(window: Window) -> dict[str, bool]:
    """Return whether each section with entries is expanded, by name."""
    outline = bench(window).outline
    return {index.data(): outline.view.isExpanded(index) for index in outline.model.parents()}


@pytest.fixture
def open_text(qtbot: QtBot, real: Window) -> Callable[[str], Document]:
    def open_one(text: str) -> Document:
        document = real.session.new(text)
        last = text.splitlines()[-2].rstrip(":")
        qtbot.waitUntil(lambda: last in unfolded(real))
        return document

    return open_one


def test_section_with_another_name_at_the_same_position_is_not_collapsed(
    qtbot: QtBot, real: Window, open_text: Callable[[str], Document]
) -> None:
    first = open_text(WITH_PARAMETERS)
    bench(real).outline.view.collapse(next(bench(real).outline.model.parents()))
    assert unfolded(real) == {"parameters": False, "resources": True}
    open_text(WITH_OUTPUTS)
    assert unfolded(real) == {"resources": True, "outputs": True}
    real.session.make_current(first)
    qtbot.waitUntil(lambda: unfolded(real) == {"parameters": False, "resources": True})


def test_filter_matches_are_expanded_even_if_everything_matches(
    qtbot: QtBot, real: Window, open_text: Callable[[str], Document]
) -> None:
    open_text(WITH_PARAMETERS)
    bench(real).outline.view.collapse(next(bench(real).outline.model.parents()))
    bench(real).outline.filter.setText("a")
    qtbot.waitUntil(lambda: unfolded(real) == {"parameters": True, "resources": True})
    bench(real).outline.filter.setText("")
    qtbot.waitUntil(lambda: unfolded(real) == {"parameters": False, "resources": True})


def test_rows_change_immediately_with_the_current_document(real: Window, open_text: Callable[[str], Document]) -> None:
    first = open_text(WITH_PARAMETERS)
    open_text(WITH_OUTPUTS)
    asked: list[object] = []
    bench(real).outline.location_requested.connect(asked.append)
    real.session.make_current(first)
    assert set(unfolded(real)) == {"parameters", "resources"}
    bench(real).outline.view.activated.emit(next(bench(real).outline.model.parents()))
    assert len(asked) == 1


def test_cursor_behind_an_empty_value_is_in_its_resource(real: Window, open_text: Callable[[str], Document]) -> None:
    text = f"{HEAD}resources:\n  a:\n    type: \n  b: {{type: OS::Heat::None}}\n"
    document = open_text(text + "outputs:\n  o: {value: 1}\n")
    outline = bench(real).outline
    outline.refresh()
    end = text.index("\n  b:")
    real.area.editor_of(document).go_to(Span(end, end))
    real.follow_caret_now()
    assert outline.view.currentIndex().data() == "a"


def test_contents_of_a_long_text_are_listed_in_a_thread(
    qtbot: QtBot, real: Window, open_text: Callable[[str], Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    document, outline = open_text(WITH_PARAMETERS), bench(real).outline
    began: list[str] = []
    run = real.session.run

    def note(name: str, work: Callable[[Engine, Job], object], take: Callable[[object], object]) -> Job:
        began.append(name)
        return run(name, work, take)

    monkeypatch.setattr(real.session, "run", note)
    outline.refresh_for(document.text + "#" * 1_000_000)
    qtbot.waitUntil(lambda: f"Listing the contents of {document.title}" in began)  # beside jobs of other panes


def test_cursor_at_the_end_of_the_text_is_in_the_last_entry(real: Window, open_text: Callable[[str], Document]) -> None:
    open_text(WITH_OUTPUTS)
    outline = bench(real).outline
    assert outline.model.index_at(len(WITH_OUTPUTS)).data() == "ape"
