"""The outline belongs to the current text, and hides only entries that were collapsed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.ui.documents.document import Document
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench

HEAD = "heat_template_version: 2021-04-16\n"
RESOURCES = "resources:\n  a: {type: OS::Heat::None}\n"
WITH_PARAMETERS = f"{HEAD}parameters:\n  ape: {{type: string, default: a}}\n{RESOURCES}"
WITH_OUTPUTS = f"{HEAD}{RESOURCES}outputs:\n  ape: {{value: 1}}\n"


def unfolded(window: Window) -> dict[str, bool]:
    """The sections that can be folded, and whether what is in them is seen."""
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


def test_a_section_of_another_name_is_not_folded_because_it_stands_at_the_same_place(
    qtbot: QtBot, real: Window, open_text: Callable[[str], Document]
) -> None:
    first = open_text(WITH_PARAMETERS)
    bench(real).outline.view.collapse(next(bench(real).outline.model.parents()))
    assert unfolded(real) == {"parameters": False, "resources": True}
    open_text(WITH_OUTPUTS)
    assert unfolded(real) == {"resources": True, "outputs": True}
    real.session.make_current(first)
    qtbot.waitUntil(lambda: unfolded(real) == {"parameters": False, "resources": True})


def test_what_a_filter_finds_is_seen_also_if_it_finds_everything(
    qtbot: QtBot, real: Window, open_text: Callable[[str], Document]
) -> None:
    open_text(WITH_PARAMETERS)
    bench(real).outline.view.collapse(next(bench(real).outline.model.parents()))
    bench(real).outline.filter.setText("a")
    qtbot.waitUntil(lambda: unfolded(real) == {"parameters": True, "resources": True})
    bench(real).outline.filter.setText("")
    qtbot.waitUntil(lambda: unfolded(real) == {"parameters": False, "resources": True})


def test_rows_are_those_of_the_text_in_front_at_once(real: Window, open_text: Callable[[str], Document]) -> None:
    first = open_text(WITH_PARAMETERS)
    open_text(WITH_OUTPUTS)
    asked: list[object] = []
    bench(real).outline.location_requested.connect(asked.append)
    real.session.make_current(first)
    assert set(unfolded(real)) == {"parameters", "resources"}
    bench(real).outline.view.activated.emit(next(bench(real).outline.model.parents()))
    assert len(asked) == 1
