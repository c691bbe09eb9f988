"""Completion, hover and the other assistants accept any text and offset."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from heatstudio.analysis.assist.completion import complete
from heatstudio.analysis.assist.extract import extract_parameter
from heatstudio.analysis.assist.hover import hover
from heatstudio.analysis.assist.outline import outline
from heatstudio.analysis.assist.references import definition_at, references_at
from heatstudio.analysis.assist.rename import rename
from heatstudio.analysis.refactorings import refactorings_at
from heatstudio.template import CannotEditError
from heatstudio.text import Span
from heatstudio.text.markup import Html
from tests.analysis.semantic_models import HOT, model_of

BASE = HOT + (
    "parameters:\n  p: {type: json, default: {a: 1}}\nconditions:\n  c: {equals: [{get_param: [p, a]}, 1]}\n"
    "resources:\n  s:\n    type: OS::Nova::Server\n    condition: c\n    properties:\n      networks:\n"
    "        - port: {get_attr: [q, x]}\n      user_data: |\n        text\n  q:\n    type: OS::Neutron::Port\n"
    "    depends_on: s\noutputs:\n  o:\n    value: {if: [c, 1, 2]}\n"
)
PIECES = st.sampled_from(
    ["", "{", "}", "[", "]", ": ", "- ", "'", '"', "|\n", "&a ", "*a", "\t", "\n", "  ", "get_", "\ud800", "🙂", "<<: "]
)


def ask_everything(text: str, offsets: list[int], *, refactors: bool = True) -> None:
    model = model_of(text)
    outline(model.template, model.stack)
    for offset in offsets:
        for explicit in (True, False):
            for one in complete(model, offset, explicit)[:3]:
                assert 0 <= one.replace.start <= one.replace.end <= len(text)
                assert one.documentation is None or Html.popup(*one.documentation)
        found = hover(model, offset)
        assert found is None or Html.popup(found.title, found.lines)
        references_at(model, offset)
        definition_at(model, offset)
        rename(model, offset, "new")
        extract_parameter(model, offset, all_occurrences=True)
        for refactoring in refactorings_at(model, Span(offset, offset + 1)) if refactors else ():
            with suppress(CannotEditError):
                refactoring.make()


@given(st.text(max_size=60), st.integers(-5, 70))
def test_any_text(text: str, offset: int) -> None:
    ask_everything(text, [offset])


@given(st.integers(0, len(BASE)), st.integers(0, 30), PIECES, PIECES)
def test_broken_templates(start: int, length: int, first: str, second: str) -> None:
    text = BASE[:start] + first + second + BASE[start + length :]
    ask_everything(text, [start, start + len(first), start + len(first) + len(second)])


def test_slice_of_real_templates(shared: Path) -> None:
    files = sorted(path for path in (shared / "corpus").rglob("*") if path.suffix in {".yaml", ".template", ".json"})
    for path in files[::20]:
        text = path.read_text(encoding="utf-8", errors="replace")
        if len(text) < 60_000:
            ask_everything(text, [len(text) * part // 7 for part in range(7)], refactors=False)
