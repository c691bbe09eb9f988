"""The layout of the panes keeps every pane reachable, whatever is done to it or read from the settings."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.ui.window.layout import (
    LEAST_HEIGHT,
    LEAST_TEXT_WIDTH,
    LEAST_WIDTH,
    PANES,
    SIDES,
    TABS,
    Layout,
    Row,
    restored,
)

STRIP = 30
JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.sampled_from([*PANES, *Row]), st.lists, max_leaves=4)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["show", "choose", "toggle", "zen", "resize", "restart"]),
        st.sampled_from([*PANES]),
        st.integers(-50, 3000),
        st.booleans(),
    ),
    max_size=10,
)


def after(steps: list[tuple[str, str, int, bool]]) -> Layout:
    """Return the layout after random steps, each with a pane, a size and whether the window is narrow."""
    layout = Layout()
    for kind, pane, size, is_narrow in steps:
        layout, row = replace(layout, is_narrow=is_narrow), PANES[pane].row
        match kind:
            case "show":
                layout = layout.show(pane)
            case "choose":
                layout = layout.choose(pane)
            case "toggle":
                layout = layout.toggle(row.side)
            case "zen":
                layout = layout.toggle_zen()
            case "resize":
                layout = layout.resize(row, size)
            case "restart":
                layout = restarted(layout)
    return layout


def restarted(layout: Layout) -> Layout:
    return replace(restored(json.loads(json.dumps(asdict(layout)))), is_narrow=layout.is_narrow)


LAYOUTS = STEPS.map(after)


def is_sound(layout: Layout) -> bool:
    """Return whether each row has one of its own panes in front."""
    return all(layout.fronts[row] in TABS[row] for row in Row)


@given(LAYOUTS, st.sampled_from([*PANES]))
def test_every_pane_can_be_shown_and_folded(layout: Layout, pane: str) -> None:
    assert is_sound(layout)
    shown = layout.show(pane)
    assert shown.open_rows()[PANES[pane].row] == pane
    assert shown.show(pane) == shown
    folded = shown.choose(pane)
    assert PANES[pane].row not in folded.open_rows()
    assert folded.choose(pane).open_rows() == shown.open_rows()


@given(LAYOUTS, st.sampled_from(sorted(SIDES)))
def test_what_is_folded_comes_back_as_it_was(layout: Layout, side: Row) -> None:
    twice = layout.toggle(side).toggle(side)
    assert (twice.open_rows(), twice.sizes) == (layout.open_rows(), layout.sizes)
    zen = layout.toggle_zen()
    assert zen.open_rows() != layout.open_rows()
    if layout.open_rows() and layout.before_zen is None:
        assert zen.open_rows() == {}
        assert zen.toggle_zen() == layout


@given(LAYOUTS)
def test_layout_is_restored_after_a_restart(layout: Layout) -> None:
    assert restarted(layout) == layout


@given(st.dictionaries(st.sampled_from(["fronts", "sizes", "unfolded", "before_zen", "closed", "docks"]), JSON))
def test_unknown_saved_data_are_ignored(data: dict[str, object]) -> None:
    assert is_sound(restored(data))


def test_pane_that_no_longer_exists_is_not_in_front() -> None:
    layout = restored({"fronts": {"bottom": "Console", "right": "Type"}, "sizes": {"left": 300, "Console": 200}})
    assert set(layout.open_rows().values()) == {"Types", "Outline", "Type", "Problems"}
    assert layout.fit(1280, 700, STRIP)[Row.LEFT] == 300


@given(LAYOUTS, st.integers(500, 4000), st.integers(400, 2000))
def test_sizes_fit_the_window(layout: Layout, width: int, height: int) -> None:
    sizes, is_open = layout.fit(width, height, STRIP), layout.open_rows()
    sides = {row.side for row in is_open}
    least = 2 * LEAST_WIDTH + LEAST_TEXT_WIDTH
    assert width < least or sizes[Row.LEFT] + sizes[Row.RIGHT] + LEAST_TEXT_WIDTH <= width
    for side in (Row.LEFT, Row.RIGHT):
        assert sizes[side] == STRIP if side not in sides else sizes[side] >= LEAST_WIDTH
    assert sizes[Row.BOTTOM] == STRIP if Row.BOTTOM not in sides else LEAST_HEIGHT <= sizes[Row.BOTTOM] < height
    chosen = layout
    for row in layout.resizable_rows():
        chosen = chosen.resize(row, sizes[row])
    assert chosen.fit(width, height, STRIP) == sizes


def test_sides_grow_with_the_window_until_the_user_chooses_their_width() -> None:
    layout = Layout()
    usual = {width: layout.fit(width, 700, STRIP) for width in (1280, 1920)}
    for side in (Row.LEFT, Row.RIGHT):
        assert usual[1920][side] >= usual[1280][side] + 100
        chosen = layout.resize(side, 300)
        assert {chosen.fit(width, 700, STRIP)[side] for width in (1280, 1920)} == {300}


def test_tall_pane_has_its_own_height() -> None:
    layout = Layout().show("Parameters").resize(Row.BOTTOM, 400)
    heights = {pane: layout.show(pane).fit(1280, 700, STRIP)[Row.BOTTOM] for pane in PANES}
    assert heights["Parameters"] == 400
    assert heights["Search"] == heights["Heat"] == 350
    assert heights["Problems"] < 200


def test_narrow_window_folds_left_and_right_until_the_user_unfolds_them() -> None:
    narrow = Layout(is_narrow=True)
    assert set(narrow.open_rows()) == {Row.BOTTOM}
    unfolded = narrow.show("Types")
    assert set(unfolded.open_rows()) == {Row.LEFT, Row.LOWER_LEFT, Row.BOTTOM}
    assert set(unfolded.toggle(Row.RIGHT).open_rows()) == set(Row)
    for layout in (narrow, unfolded, narrow.toggle(Row.RIGHT)):
        assert set(replace(layout, is_narrow=False).open_rows()) == set(Row)


@pytest.mark.parametrize("pane", ["Types", "Outline"])
def test_row_beside_another_is_folded_alone(pane: str) -> None:
    layout = Layout().choose(pane)
    folded = PANES[pane].row
    assert set(layout.open_rows()) == {*Row} - {folded}
    sizes = layout.fit(1280, 700, STRIP)
    assert sizes[Row.LOWER_LEFT] == (STRIP if folded is Row.LOWER_LEFT else 700 - STRIP)
    assert layout.toggle(Row.LEFT).toggle(Row.LEFT) == layout
