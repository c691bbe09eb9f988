from __future__ import annotations

import pytest

from heatstudio.analysis.assist.rename import UNREAD, RenameResult, renamable_at, rename
from heatstudio.text import apply_edits
from tests.analysis.semantic_models import HOT, model_at


def test_names_that_can_be_renamed() -> None:
    model, offset = model_at(HOT + "resources:\n  na‸me: {type: X}\n")
    found = renamable_at(model, offset)
    assert found is not None
    assert found[0] == "name"
    assert renamable_at(model, 3) is None


def test_empty_result_has_no_edits() -> None:
    assert RenameResult().edits == ()


@pytest.mark.parametrize(
    "broken",
    [
        "  broken:\n    type: X\n    properties: {a: {get_resource: old}\n",
        "  broken:\n    type: X\n    properties:\n      a: [old\n",
        "  broken:\n\ttype: X\n",
        "  broken: 'old\n",
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_rename_works_with_a_syntax_error_elsewhere(broken: str, is_first: bool) -> None:
    good = "  ‸old: {type: X}\n  reader: {type: X, depends_on: old}\n"
    text = HOT + "resources:\n" + (broken + good if is_first else good + broken)
    model, offset = model_at(text)
    assert not model.template.complete
    result = rename(model, offset, "new")
    assert result.refusal == ""
    assert UNREAD in result.warnings
    after = model.template.text
    for mention in ("{}: {{type", "depends_on: {}", "get_resource: {}"):
        after = after.replace(mention.format("old"), mention.format("new"))
    assert apply_edits(model.template.text, result.edits) == after
