from hypothesis import given
from hypothesis import strategies as st

from heatstudio.analysis.migrations.fix_all import Composition
from heatstudio.text import Span, TextEdit, apply_edits


@st.composite
def edits_of(draw: st.DrawFn, text: str) -> list[TextEdit]:
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    spans = [Span(*pair) for pair in zip(cuts[::2], cuts[1::2], strict=False)]
    return [TextEdit(span, draw(st.text("xyz\n", max_size=3))) for span in dict.fromkeys(spans)]


@given(st.text("abc\n", max_size=30), st.data())
def test_several_rounds_are_combined_into_one_set_of_edits(text: str, data: st.DataObject) -> None:
    composition = Composition(text)
    expected = text
    for _ in range(data.draw(st.integers(0, 4))):
        edits = data.draw(edits_of(expected))
        expected = apply_edits(expected, edits)
        composition.apply(edits)
    assert composition.text == expected
    assert apply_edits(text, composition.edits()) == expected


def test_reverted_edit_is_omitted() -> None:
    composition = Composition("abc")
    composition.apply([TextEdit(Span(1, 2), "x")])
    composition.apply([TextEdit(Span(1, 2), "b")])
    assert composition.edits() == ()
