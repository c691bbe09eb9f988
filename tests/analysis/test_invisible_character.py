"""Characters that are not seen are reported with fixes, unless an emoji, a script or a comment may have them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.analysis import Diagnostic
from heatstudio.analysis.analyze_environment import analyze_file
from heatstudio.analysis.checks.invisible_character import CODE, check
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import apply_edits
from tests.analysis.semantic_models import HOT, knowledge

RESOURCE = HOT + "resources:\n  a:\n    type: OS::Heat::Value\n    properties:\n      value: %s\n"


def found(text: str) -> list[Diagnostic]:
    return list(check(parse_template(text)))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            '"\u202e}hs | x/live\u202c"',
            "Most programs show this text in another order: U+202E (right-to-left override), and 1 more.",
        ),
        ("a\u200bb", "Invisible character: U+200B (zero width space)."),
        ("'a\x85b'", "Invisible character: U+0085 (control character)."),
        ("{\u2066x: 1}", "Most programs show this text in another order: U+2066 (left-to-right isolate)."),
        ("{x\xa0: 1}", "This is not a space: U+00A0 (no-break space)."),
        ("x # \u2067", "Most programs show this text in another order: U+2067 (right-to-left isolate)."),
        ("|\n        a\u00adb", "Invisible character: U+00AD (soft hyphen)."),
        ("x\U000e0041", "Invisible character: U+E0041 (tag latin capital letter a)."),
    ],
)
def test_character_is_reported(value: str, message: str) -> None:
    (problem,) = found(RESOURCE % value)
    assert problem.message == message
    start, end = problem.span
    assert (RESOURCE % value)[start:end] in value


@pytest.mark.parametrize(
    "value",
    [
        "\U0001f469\u200d\U0001f4bb \u2764\ufe0f", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u05d0\u200f.", "5\xa0\u20ac", "x # a\u200bb\xad", '"\\u202e\\u200b"', "\u30c6\u30b9\u30c8\u3000\u540d",
    ],
)  # fmt: skip
def test_character_that_is_needed_or_visible_is_not_reported(value: str) -> None:
    assert found(RESOURCE % value) == []
    assert found("\ufeff" + RESOURCE % 1) == []


@pytest.mark.parametrize(
    ("text", "escape", "removal"),
    [
        (RESOURCE % '"a\u202eb \u200b"', RESOURCE % r'"a\u202eb \u200b"', RESOURCE % '"ab "'),
        (RESOURCE % "a\u200bb", RESOURCE % r'"a\u200bb"', RESOURCE % "ab"),
        (RESOURCE % "'it''s \"\u200b\\'", RESOURCE % ('"it' + "'" + r's \"\u200b\\"'), RESOURCE % "'it''s \"\\'"),
        (RESOURCE % "{k\u200b: 1}", RESOURCE % r'{"k\u200b": 1}', RESOURCE % "{k: 1}"),
        (RESOURCE % "x\U000e0041", RESOURCE % r'"x\U000e0041"', RESOURCE % "x"),
        (RESOURCE % "|\n        a\u200b", "", RESOURCE % "|\n        a"),
        (RESOURCE % "x # \u202e", "", RESOURCE % "x # "),
        ('{"heat_template_version": "x\U000e0041"}', r'{"heat_template_version": "x\udb40\udc41"}',
         '{"heat_template_version": "x"}'),
    ],
)  # fmt: skip
def test_fixes_remove_or_escape(text: str, escape: str, removal: str) -> None:
    (problem,) = found(text)
    fixed = [apply_edits(text, fix.edits) for fix in problem.ready_fixes]
    assert fixed == [removal, escape][: 1 + bool(escape)]
    assert all(not found(one) for one in fixed)
    if escape:
        assert parse_template(escape).data == parse_template(text).data


@given(
    st.text(st.sampled_from("ab'\"\\ #:\u200b\u202e\xa0\u200d\u2028"), min_size=1, max_size=8), st.sampled_from("'\" ")
)
def test_escape_keeps_the_data(value: str, quote: str) -> None:
    text = RESOURCE % f"{quote}{value}{quote}"
    template = parse_template(text)
    for problem in check(template):
        for fix in problem.ready_fixes[1:]:
            after = parse_template(apply_edits(text, fix.edits))
            assert (after.data, after.complete) == (template.data, template.complete)


def test_templates_and_environments_are_checked() -> None:
    for text in (RESOURCE % "a\u200bb", "parameters: {a\u200b: 1}\n"):
        analysis = analyze_file(Source(parse_template(text)), knowledge())
        assert CODE in {one.code for one in analysis.diagnostics}
