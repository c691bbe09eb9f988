"""Refactorings of annotated texts.

Each file of `cases` has parts, which begin with a line `=== NAME`: the title of the refactoring, the template with the
mark `‸` at the cursor (or two marks around a selection), files beside it, and the expected results or the reason of the
refusal. A new case is a new file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from heatstudio.analysis.refactorings import Refactored, refactorings_at
from heatstudio.template import CannotEditError
from heatstudio.text import Span, apply_edits
from tests.analysis.semantic_models import CARET, HOT, model_of
from tests.analysis.text_parts import beginning_with, parts_of

CASES = sorted((Path(__file__).parent / "cases").glob("*.txt"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_refactoring(case: Path) -> None:
    parts = parts_of(case)
    template, title = parts["template"], parts["title"].strip()
    files = beginning_with(parts, "file")
    start = template.index(CARET)
    text = template.replace(CARET, "")
    span = Span(start, template.rindex(CARET) - template.count(CARET) + 1)
    environments = {"env.yaml": parts["environment"]} if "environment" in parts else None
    offered = {one.title: one for one in refactorings_at(model_of(text, files, environments), span)}
    if "not offered" in parts:
        assert title not in offered
        return
    assert title in offered
    if "refused" in parts:
        with pytest.raises(CannotEditError) as error:
            offered[title].make()
        assert error.value.reason == parts["refused"].strip()
        return
    result: Refactored = offered[title].make()
    assert apply_edits(text, result.edits) == parts["result"]
    made = {one.file: apply_edits(one.text, one.edits) for one in result.files}
    assert {"": parts["result"], **made} == beginning_with(parts, "result")
    assert all(one.is_new == (one.file not in files) for one in result.files)


def test_comment_above_a_resource_that_is_written_anew_is_not_lost() -> None:
    """The bytes of a block of text without a final line break cannot be copied."""
    resources = "  # mine\n  a:\n    type: OS::Heat::Value\n    properties:\n      value: |\n        text"
    text = f"heat_template_version: 2021-04-16\nresources:\n  b: {{type: OS::Heat::None}}\n{resources}"
    at = text.index("a:")
    offered = {one.title: one for one in refactorings_at(model_of(text), Span(at, at))}
    with pytest.raises(CannotEditError, match="comments of `a` cannot be kept"):
        offered["Extract `a` to a nested template"].make()


def test_template_with_too_many_resources_is_not_inlined() -> None:
    nested = f"{HOT}resources:\n" + "".join(f"  r{number}: {{type: OS::Heat::None}}\n" for number in range(201))
    text = f"{HOT}resources:\n  inner: {{type: n.yaml}}\n"
    at = text.index("inner")
    offered = {one.title: one for one in refactorings_at(model_of(text, {"n.yaml": nested}), Span(at, at))}
    with pytest.raises(CannotEditError, match="more than 200 resources"):
        offered["Inline `n.yaml`"].make()
