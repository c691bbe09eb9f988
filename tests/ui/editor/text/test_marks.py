from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from heatstudio.text import Severity, Span
from heatstudio.ui.documents.qt_text import QtPositions
from heatstudio.ui.editor.text.marks import Mark, MarkList, worst_of
from heatstudio.ui.editor.text.overlay import line_end_message


def make(*spans: tuple[int, int], severity: Severity = Severity.ERROR, text: str = "") -> MarkList:
    marks = MarkList()
    marks.place([Mark(Span(*span), severity, f"at {span[0]}") for span in spans], QtPositions(text))
    return marks


def places(marks: MarkList) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in marks.all()]


def test_marks_are_in_utf16_units() -> None:
    assert places(make((1, 2), text="🚀b")) == [(2, 3)]


@given(st.integers(0, 20), st.integers(0, 5), st.integers(0, 5))
def test_marks_move_with_their_text(position: int, removed: int, added: int) -> None:
    text = "abcdefghijklmnopqrstuvwxyz"
    marks = make((8, 12))
    marks.shift(position, removed, added)
    (start, end), after = places(marks)[0], text[:position] + "-" * added + text[position + removed :]
    if position + removed <= 8 or position >= 12:
        assert after[start : start + 4] == text[8:12]
    assert start <= end


def test_next_and_previous_mark_wrap_around() -> None:
    marks = make((2, 3), (8, 9))
    assert [getattr(marks.after(at), "start", None) for at in (0, 2, 8)] == [2, 8, 2]
    assert [getattr(marks.before(at), "start", None) for at in (2, 8, 20)] == [8, 2, 8]
    assert MarkList().after(0) is None
    assert MarkList().before(0) is None


def test_line_shows_its_most_severe_message_and_a_count() -> None:
    marks = MarkList()
    marks.place(
        [
            Mark(Span(0, 1), Severity.WARNING, "light"),
            Mark(Span(2, 3), Severity.ERROR, "grave\n  one"),
            Mark(Span(4, 5), Severity.ERROR, "second"),
        ],
        QtPositions(""),
    )
    assert line_end_message(marks.starting_between(0, 5), with_advice=False) == (Severity.ERROR, "grave one (+2)")
    assert line_end_message(marks.starting_between(4, 5), with_advice=False) == (Severity.ERROR, "second")
    assert worst_of([]) is None


def test_syntax_error_is_shown_before_other_errors() -> None:
    marks = MarkList()
    grave = [Mark(Span(0, 1), Severity.ERROR, "guess"), Mark(Span(2, 3), Severity.ERROR, "slip", "yaml-syntax")]
    marks.place(grave, QtPositions(""))
    assert line_end_message(marks.all(), with_advice=False) == (Severity.ERROR, "slip (+1)")


def test_hints_are_not_shown_at_the_line_end() -> None:
    assert line_end_message(make((0, 1), severity=Severity.HINT).all(), with_advice=False) is None


def test_advice_is_shown_at_the_line_end_only_on_request() -> None:
    marks = MarkList()
    advice = Mark(Span(0, 1), Severity.INFORMATION, "open", is_advice=True)
    marks.place([advice, Mark(Span(2, 3), Severity.INFORMATION, "note")], QtPositions(""))
    assert line_end_message(marks.all(), with_advice=False) == (Severity.INFORMATION, "note")
    assert line_end_message(marks.all(), with_advice=True) == (Severity.INFORMATION, "open (+1)")
