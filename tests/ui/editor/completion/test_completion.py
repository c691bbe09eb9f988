from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heatstudio.analysis.assist.sentences import Documentation
from heatstudio.analysis.assist.suggestion import Completion, Raw
from heatstudio.text import Span, TextEdit
from heatstudio.text.markup import Html
from heatstudio.ui.editor.completion.completion import PAUSE
from heatstudio.ui.editor.completion.completion_popup import TakeCompletions, fitting
from heatstudio.ui.editor.pane import EditorPane
from heatstudio.ui.editor.text.code_page import shown_frames
from heatstudio.ui.widgets import Color, Scheme
from tests.ui.bench import labels_of
from tests.ui.editor.conftest import EditorDriver, seen, show
from tests.ui.fresh_paint import find_difference

Key, Modifier = Qt.Key, Qt.KeyboardModifier


def suggestion(
    label: str,
    insert_text: str,
    replace: Span,
    *,
    documentation: str = "",
    deprecated: bool = False,
    foreign: bool = False,
    rank: int = 0,
) -> Completion:
    page = Documentation(documentation, ()) if documentation else None
    given = label, Raw(""), "property", "", rank, 0, deprecated, lambda: page, foreign
    return Completion(*given, insert_text=insert_text, replace=replace)


class Provider:
    """A completion provider that suggests the same words at any position."""

    def __init__(self, pane: EditorPane, words: dict[str, str], deprecated: Sequence[str] = ()) -> None:
        self.pane, self.words, self.deprecated = pane, words, deprecated
        self.asked: list[tuple[int, bool]] = []
        pane.help.completion.provider = self

    def __call__(self, offset: int, explicit: bool, take: TakeCompletions) -> None:
        self.asked.append((offset, explicit))
        take(self.suggestions(offset))

    def suggestions(self, offset: int) -> list[Completion]:
        text = self.pane.text()
        start = offset
        while start and (text[start - 1].isalnum() or text[start - 1] in "_:") and text[start - 1] != ":":
            start -= 1
        span = Span(start, offset)
        return [
            suggestion(label, insert, span, documentation=f"About {label}", deprecated=label in self.deprecated)
            for label, insert in self.words.items()
        ]


@pytest.fixture
def provider(pane: EditorPane) -> Provider:
    words = {"network": "network: ${1:name}", "networks": "networks:\n  - ", "name": "name: ", "fixed_net": "fixed_net"}
    return Provider(pane, words, deprecated=["networks"])


def test_typing_shows_matches_with_deprecated_ones_last(
    qtbot: QtBot, pane: EditorPane, hands: EditorDriver, provider: Provider
) -> None:
    show(pane, "  ¦")
    hands.type("n")
    qtbot.waitUntil(lambda: provider.asked == [(3, False)])
    hands.type("et")
    assert pane.help.completion.popup.isVisible()
    assert labels_of(pane.help.completion.popup) == ["network", "fixed_net", "networks"]
    assert len(provider.asked) == 1


def test_suggestions_that_do_not_match_are_hidden(pane: EditorPane, hands: EditorDriver, provider: Provider) -> None:
    show(pane, "  ¦")
    hands.type("nx")
    assert not pane.help.completion.popup.isVisible()
    hands.press(Key.Key_Backspace)
    hands.press(Key.Key_Space, Modifier.ControlModifier)
    assert pane.help.completion.popup.isVisible()
    hands.press(Key.Key_Escape)
    assert not pane.help.completion.popup.isVisible()
    assert seen(pane) == "  n¦"


@pytest.mark.parametrize("key", [Key.Key_Return, Key.Key_Tab])
def test_accepting_is_one_undo_step(pane: EditorPane, hands: EditorDriver, provider: Provider, key: Qt.Key) -> None:
    show(pane, "  nam¦ # 🚀")
    hands.press(Key.Key_Space, Modifier.ControlModifier)
    hands.press(key)
    assert seen(pane) == "  name: ¦ # 🚀"
    assert provider.asked[-1] == (8, False)
    hands.press(Key.Key_Escape)
    pane.editor.undo()
    assert pane.text() == "  nam # 🚀"


def test_lines_of_a_suggestion_are_indented(pane: EditorPane, hands: EditorDriver, provider: Provider) -> None:
    show(pane, "    networks¦")
    hands.press(Key.Key_Space, Modifier.ControlModifier)
    hands.press(Key.Key_Return)
    assert seen(pane) == "    networks:\n      - ¦"


def test_arrow_keys_select_and_wrap_around(pane: EditorPane, hands: EditorDriver, provider: Provider) -> None:
    show(pane, "¦")
    hands.press(Key.Key_Space, Modifier.ControlModifier)
    labels = labels_of(pane.help.completion.popup)
    hands.press(Key.Key_Up)
    current = pane.help.completion.popup.current()
    assert current is not None
    assert current.completion.label == labels[-1]
    hands.press(Key.Key_Down)
    hands.press(Key.Key_Down)
    current = pane.help.completion.popup.current()
    assert current is not None
    assert current.completion.label == labels[1]


def test_enter_breaks_the_line_if_no_suggestion_is_selected(
    qtbot: QtBot, pane: EditorPane, hands: EditorDriver, provider: Provider
) -> None:
    show(pane, "a:¦")
    hands.type(" ")
    qtbot.waitUntil(pane.help.completion.popup.isVisible)
    hands.press(Key.Key_Return)
    assert seen(pane) == "a: \n  ¦"


@pytest.mark.parametrize("deprecated", [[], ["net"]])
def test_enter_breaks_the_line_after_a_complete_word(
    qtbot: QtBot, pane: EditorPane, hands: EditorDriver, deprecated: list[str]
) -> None:
    Provider(pane, {"net": "net", "net2": "net2"}, deprecated)
    show(pane, "depends_on: ¦")
    hands.type("net")
    qtbot.waitUntil(pane.help.completion.popup.isVisible)
    hands.press(Key.Key_Return)
    assert seen(pane) == "depends_on: net\n¦"
    assert not pane.help.completion.popup.isVisible()


def test_foreign_suggestions_come_last_unless_they_are_typed(pane: EditorPane) -> None:
    span = Span(0, 2)
    suggestions = [suggestion("AWS::Ro", "", span, foreign=True), suggestion("OS::Neutron::Ro", "", span)]
    for typed, first in (("ro", "OS::Neutron::Ro"), ("aw", "AWS::Ro")):
        assert fitting(suggestions, typed, 2)[0].completion.label == first


def test_foreign_suggestions_come_before_scattered_matches(pane: EditorPane) -> None:
    span = Span(0, 3)
    names = {"AWS::EC2::Volume": True, "AWS::Vast::Ocean::Lake": True, "OS::Vast::Ocean::Lake": False}
    names["OS::Cinder::Volume"] = False
    suggestions = [suggestion(name, "", span, foreign=foreign) for name, foreign in names.items()]
    assert [one.completion.label for one in fitting(suggestions, "vol", 3)] == [
        "OS::Cinder::Volume",
        "AWS::EC2::Volume",
        "OS::Vast::Ocean::Lake",
        "AWS::Vast::Ocean::Lake",
    ]


def test_likelier_suggestion_comes_first_among_starts_of_the_last_part(pane: EditorPane) -> None:
    keys = {"OS::Nova::ServerGroup": 2, "OS::Nova::Server": 1, "OS::Zun::Ser": 3, "OS::Heat::ConfigServer": 0}
    suggestions = [suggestion(name, "", Span(0, 3), rank=key) for name, key in keys.items()]
    found = [one.completion.label for one in fitting(suggestions, "ser", 3)]
    assert found == ["OS::Nova::Server", "OS::Nova::ServerGroup", "OS::Zun::Ser", "OS::Heat::ConfigServer"]


def test_tab_after_a_complete_word_only_closes_the_list(pane: EditorPane, hands: EditorDriver) -> None:
    Provider(pane, {"net": "net", "net2": "net2"})
    show(pane, "depends_on: net¦")
    hands.press(Key.Key_Space, Modifier.ControlModifier)
    hands.press(Key.Key_Tab)
    assert seen(pane) == "depends_on: net¦"
    assert not pane.help.completion.popup.isVisible()


def test_suggestion_selected_by_key_is_accepted_after_a_complete_word(pane: EditorPane, hands: EditorDriver) -> None:
    Provider(pane, {"net": "net", "net2": "net2"})
    show(pane, "depends_on: net¦")
    hands.press(Key.Key_Space, Modifier.ControlModifier)
    hands.press(Key.Key_Down)
    hands.press(Key.Key_Return)
    assert seen(pane) == "depends_on: net2¦"


@pytest.mark.parametrize("before", ["a:", "  -", "a: "])
def test_trigger_characters(
    qtbot: QtBot, pane: EditorPane, hands: EditorDriver, provider: Provider, before: str
) -> None:
    show(pane, before + "¦")
    hands.type("[" if before.endswith(" ") else " ")
    qtbot.waitUntil(pane.help.completion.popup.isVisible)


def test_late_answer_does_not_move_the_cursor(pane: EditorPane, hands: EditorDriver, provider: Provider) -> None:
    show(pane, "  ¦")
    hands.type("n")
    hands.press(Key.Key_Left)
    QTest.qWait(2 * PAUSE)
    assert provider.asked == []


def test_moving_the_cursor_closes_the_list(pane: EditorPane, hands: EditorDriver, provider: Provider) -> None:
    show(pane, "ab: c\n¦")
    hands.press(Key.Key_Space, Modifier.ControlModifier)
    hands.press(Key.Key_Left)
    assert not pane.help.completion.popup.isVisible()


@pytest.mark.parametrize("leave", ["hide", "clearFocus"])
@pytest.mark.parametrize("key", [Key.Key_Space, Key.Key_I])
def test_leaving_the_editor_closes_its_popup(
    pane: EditorPane, hands: EditorDriver, provider: Provider, leave: str, key: Qt.Key
) -> None:
    show(pane, "  n¦")
    pane.help.hover.provider = lambda _offset, take: take(Html("A word"))
    hands.press(key, Modifier.ControlModifier)
    assert len(shown_frames(pane.editor)) == 1
    getattr(pane.editor, leave)()
    assert not shown_frames(pane.editor)


def test_suggestions_and_hover_never_cover_each_other(
    pane: EditorPane, hands: EditorDriver, provider: Provider
) -> None:
    pane.help.hover.provider = lambda _offset, take: take(Html("A word"))
    show(pane, "  n¦")
    for key, popup in (
        (Key.Key_I, pane.help.hover),
        (Key.Key_Space, pane.help.completion),
        (Key.Key_I, pane.help.hover),
    ):
        hands.press(key, Modifier.ControlModifier)
        assert shown_frames(pane.editor) == [popup.popup]
    hands.press(Key.Key_Space, Modifier.ControlModifier)
    pane.help.hover.show_at(2)  # as when the mouse rests there
    assert shown_frames(pane.editor) == [pane.help.completion.popup]


def test_list_has_the_size_of_its_suggestions_and_stays_at_the_top(
    pane: EditorPane, hands: EditorDriver, provider: Provider
) -> None:
    show(pane, "  ¦")
    about = {"name": "A name", "network": "A network with many words. " * 20, "none": ""}

    def suggest(offset: int, _explicit: bool, take: TakeCompletions) -> None:
        take([suggestion(label, label, Span(offset, offset), documentation=words) for label, words in about.items()])

    pane.help.completion.provider = suggest
    ask(hands)
    popup = pane.help.completion.popup
    sizes = []
    for _ in about:
        assert popup._list.y() < 10
        sizes.append(popup.size().toTuple())
        popup.move_choice(1)
        QApplication.processEvents()
    assert popup.size().toTuple() == sizes[0]
    assert sizes[1][1] > sizes[0][1] == sizes[2][1]
    assert sizes[2][0] < sizes[0][0] == sizes[1][0]


def test_hint_of_the_first_row_goes_when_the_last_row_is_selected(pane: EditorPane) -> None:
    show(pane, "  n¦")
    names = ("name", "network", "networks", "none")
    popup, rows = pane.help.completion.popup, [suggestion(name, name, Span(2, 3)) for name in names]
    popup.show_candidates(fitting(rows, "  n", 3), QRect(100, 100, 1, 20), typed="n", select=False, hint="Tab")
    QApplication.processEvents()
    assert find_difference() is None
    popup.move_choice(-1)
    assert find_difference() is None


def test_answer_after_leaving_the_editor_is_not_shown(
    pane: EditorPane, hands: EditorDriver, late: LateProvider
) -> None:
    show(pane, "  n¦")
    ask(hands)
    pane.editor.clearFocus()
    late.waiting.pop()()
    assert not pane.help.completion.popup.isVisible()


def test_tab_goes_through_the_fields(pane: EditorPane, hands: EditorDriver) -> None:
    Provider(pane, {"port": "port: ${1:a}\nnet: ${2:b}\n$0"})
    show(pane, "  port¦")
    hands.press(Key.Key_Space, Modifier.ControlModifier)
    hands.press(Key.Key_Return)
    assert seen(pane) == "  port: ¦a¦\n  net: b\n  "
    hands.type("🚀x")
    assert pane.help.snippets.is_active
    hands.press(Key.Key_Tab)
    assert seen(pane) == "  port: 🚀x\n  net: ¦b¦\n  "
    hands.press(Key.Key_Backtab, Modifier.ShiftModifier)
    assert seen(pane) == "  port: ¦🚀x¦\n  net: b\n  "
    hands.press(Key.Key_Tab)
    hands.press(Key.Key_Tab)
    assert seen(pane) == "  port: 🚀x\n  net: b\n  ¦"
    assert not pane.help.snippets.is_active


def test_escape_ends_a_snippet(pane: EditorPane, hands: EditorDriver) -> None:
    Provider(pane, {"port": "port: ${1:a} ${2:b}"})
    show(pane, "port¦")
    hands.press(Key.Key_Space, Modifier.ControlModifier)
    hands.press(Key.Key_Return)
    hands.press(Key.Key_Escape)
    hands.press(Key.Key_Tab)
    assert not pane.help.snippets.is_active
    assert pane.text() != "port: a b"


class OwnSuggestions(Provider):
    """A provider of the given suggestions."""

    def __init__(self, pane: EditorPane, *found: Completion) -> None:
        super().__init__(pane, {})
        self.found = found

    def suggestions(self, offset: int) -> list[Completion]:
        return list(self.found)


def test_enter_accepts_the_best_suggestion_before_a_letter_is_typed(
    qtbot: QtBot, pane: EditorPane, hands: EditorDriver
) -> None:
    best, other = suggestion("net", "{get_resource: net}", Span(3, 3)), suggestion("old", "old", Span(3, 3))
    OwnSuggestions(pane, replace(best, best=True, rank=0), replace(other, rank=1))
    show(pane, "a:¦")
    hands.type(" ")
    qtbot.waitUntil(pane.help.completion.popup.isVisible)
    hands.press(Key.Key_Return)
    assert seen(pane) == "a: {get_resource: net}¦"


def test_first_row_names_the_key_that_accepts_it_unless_it_is_selected(pane: EditorPane, hands: EditorDriver) -> None:
    def row() -> QImage:
        return pane.help.completion.popup.grab().toImage()

    provider = OwnSuggestions(pane, suggestion("x", "x", Span(3, 3)))
    show(pane, "a: ¦")
    pane.help.completion.begin(explicit=False)
    with_key = row()
    provider.found = (replace(provider.found[0], best=True),)
    pane.help.completion.begin(explicit=False)
    assert row() != with_key


def test_further_edits_belong_to_the_same_undo_step(pane: EditorPane, hands: EditorDriver) -> None:
    edit = TextEdit(Span(0, 0), "parameters: {🚀: {}}\n")
    behind = TextEdit(Span(5, 5), "# end\n")
    found = suggestion("image", "{get_param: image}", Span(3, 4))
    OwnSuggestions(pane, replace(found, further=lambda: (edit, behind)))
    show(pane, "a: i¦\n")
    pane.help.completion.begin(explicit=True)
    hands.type("m")
    hands.press(Key.Key_Return)
    assert seen(pane) == "parameters: {🚀: {}}\na: {get_param: image}¦\n# end\n"
    pane.editor.undo()
    assert pane.text() == "a: im\n"


def test_suggestion_in_a_field_keeps_the_other_fields(pane: EditorPane, hands: EditorDriver) -> None:
    new = TextEdit(Span(0, 0), "# new\n")
    OwnSuggestions(pane, replace(suggestion("image", "{get_param: image}", Span(7, 10)), further=lambda: (new,)))
    show(pane, "¦")
    pane.insert_snippet(TextEdit(Span(0, 0), "r${1:a}\nbb: ${2:img}\nc: ${3:other}\n"))
    hands.press(Key.Key_Tab)
    assert seen(pane) == "ra\nbb: ¦img¦\nc: other\n"
    assert pane.help.completion.popup.isVisible()
    hands.press(Key.Key_Down)
    hands.press(Key.Key_Return)
    assert seen(pane) == "# new\nra\nbb: {get_param: image}¦\nc: other\n"
    hands.press(Key.Key_Tab)
    assert seen(pane) == "# new\nra\nbb: {get_param: image}\nc: ¦other¦\n"


@pytest.mark.parametrize("value", ["<external>", "10.0.0.0/24", "a b"])
def test_suggestion_replaces_a_whole_field_that_is_no_word(pane: EditorPane, hands: EditorDriver, value: str) -> None:
    OwnSuggestions(pane, suggestion("image", "{get_param: image}", Span(3, 3)))
    show(pane, "¦")
    pane.insert_snippet(TextEdit(Span(0, 0), f"a: ${{1:{value}}}\nb: ${{2:other}}\n"))
    hands.press(Key.Key_Down)
    hands.press(Key.Key_Return)
    assert seen(pane) == "a: {get_param: image}¦\nb: other\n"


def test_enter_goes_to_the_next_field_instead_of_deleting_this_one(pane: EditorPane, hands: EditorDriver) -> None:
    show(pane, "¦")
    pane.insert_snippet(TextEdit(Span(0, 0), "a: ${1:value}\nb: ${2:other}\n"))
    hands.press(Key.Key_Return)
    assert seen(pane) == "a: value\nb: ¦other¦\n"
    hands.type("x")
    hands.press(Key.Key_Return)
    assert pane.text() == "a: value\nb: x\n\n"


def test_enter_goes_on_after_a_suggestion_and_inside_brackets(pane: EditorPane, hands: EditorDriver) -> None:
    OwnSuggestions(pane, suggestion("net", "net", Span(4, 4)))
    show(pane, "¦")
    pane.insert_snippet(TextEdit(Span(0, 0), "a: {${1:old}}\nb: ${2:<b>}\nc: ${3:c}\n"))
    hands.type("new")
    hands.press(Key.Key_Return)
    assert seen(pane) == "a: {new}\nb: ¦<b>¦\nc: c\n"
    OwnSuggestions(pane, suggestion("net", "net", Span(12, 12)))
    pane.help.completion.begin(explicit=True, is_offer=True)
    hands.press(Key.Key_Return)
    assert seen(pane) == "a: {new}\nb: net¦\nc: c\n"
    hands.press(Key.Key_Return)
    assert seen(pane) == "a: {new}\nb: net\nc: ¦c¦\n"


@pytest.mark.parametrize(("value", "taken"), [("<external>", "{get_param: image}"), ("10.0.0.0/24", "10.0.0.0/24")])
def test_enter_replaces_a_placeholder_but_no_example(
    pane: EditorPane, hands: EditorDriver, value: str, taken: str
) -> None:
    OwnSuggestions(pane, suggestion("image", "{get_param: image}", Span(3, 3)))
    show(pane, "¦")
    pane.insert_snippet(TextEdit(Span(0, 0), f"a: ${{1:{value}}}\nb: ${{2:other}}\n"))
    hands.press(Key.Key_Return)
    assert pane.text() == f"a: {taken}\nb: other\n"


def test_list_is_wide_enough_for_its_details(pane: EditorPane) -> None:
    show(pane, "  n¦")
    widths = []
    for label in ("name", "name " * 14):
        rows = [replace(suggestion(label, label, Span(2, 3)), detail="6 resources")]
        pane.help.completion.popup.show_candidates(
            fitting(rows, "  n", 3), QRect(100, 100, 1, 20), typed="", select=True
        )
        widths.append(pane.help.completion.popup._list.width())
    assert widths[0] < widths[1]


def test_inserted_lines_are_visible(pane: EditorPane) -> None:
    show(pane, "¦" + "a: 1\n" * 200)
    pane.editor.scroll_to(0, 0)
    rows = pane.editor.verticalScrollBar().pageStep()
    start = len("a: 1\n") * (rows - 2)
    pane.insert_snippet(TextEdit(Span(start, start), "${1:b}:\n" + "  c: 1\n" * 4))
    lines = [line.block.blockNumber() for line in pane.editor.visible_lines()]
    assert {rows - 2, rows + 2} <= set(lines[:-1])


def test_list_follows_the_theme(pane: EditorPane, qtbot: QtBot) -> None:
    pane.editor.appearance.restyle(pane)
    popup = pane.help.completion.popup
    for name in ("dark", "light"):
        pane.editor.appearance.choose(Scheme(name))
        qtbot.waitUntil(pane.updatesEnabled)
        shown = popup.grab(QRect(8, 8, 4, 4)).toImage()
        assert shown.pixelColor(shown.rect().bottomRight()) == pane.editor.theme.color(Color.RAISED_GROUND)


class LateProvider(Provider):
    """A provider whose answers wait until the test delivers them."""

    def __call__(self, offset: int, explicit: bool, take: TakeCompletions) -> None:
        self.asked.append((offset, explicit))
        suggestions = self.suggestions(offset)
        self.waiting.append(lambda: take(suggestions))

    def __init__(self, pane: EditorPane, words: dict[str, str]) -> None:
        super().__init__(pane, words)
        self.waiting: list[Callable[[], object]] = []


@pytest.fixture
def late(pane: EditorPane) -> LateProvider:
    return LateProvider(pane, {"network": "network: ", "name": "name: "})


def ask(hands: EditorDriver) -> None:
    hands.press(Key.Key_Space, Modifier.ControlModifier)


def test_typing_continues_while_suggestions_are_computed(
    pane: EditorPane, hands: EditorDriver, late: LateProvider
) -> None:
    show(pane, "  n¦ # x")
    ask(hands)
    hands.type("et")
    assert seen(pane) == "  net¦ # x"
    assert not pane.help.completion.popup.isVisible()
    late.waiting.pop()()
    assert labels_of(pane.help.completion.popup) == ["network"]
    hands.press(Key.Key_Return)
    assert seen(pane) == "  network: ¦ # x"


@pytest.mark.parametrize("meanwhile", ["\n", " ", "left", "escape", "undone"])
def test_suggestions_for_another_position_are_not_shown(
    pane: EditorPane, hands: EditorDriver, late: LateProvider, meanwhile: str
) -> None:
    show(pane, "  n¦ # x")
    hands.type("a")
    ask(hands)
    if meanwhile == "left":
        hands.press(Key.Key_Left)
    elif meanwhile == "escape":
        hands.press(Key.Key_Escape)
    elif meanwhile == "undone":
        hands.press(Key.Key_Backspace)
    else:
        hands.type(meanwhile)
    before = seen(pane)
    late.waiting.pop()()
    assert not pane.help.completion.popup.isVisible()
    assert seen(pane) == before


def test_only_the_answer_to_the_last_request_is_shown(
    pane: EditorPane, hands: EditorDriver, late: LateProvider
) -> None:
    show(pane, "  n¦")
    ask(hands)
    late.words = {"nothing": "nothing"}
    ask(hands)
    first, second = late.waiting
    second()
    assert labels_of(pane.help.completion.popup) == ["nothing"]
    first()
    assert labels_of(pane.help.completion.popup) == ["nothing"]
