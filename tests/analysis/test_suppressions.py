"""Comments that suppress diagnostics."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heatstudio.analysis import Analysis, Options, analyze
from heatstudio.analysis.suppressions import mute_edit, suppressions
from heatstudio.catalog.release import find_release
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import Applicability, Severity, apply_edits
from tests.analysis.semantic_models import knowledge

HOT = "heat_template_version: 2021-04-16\n"
BAD = HOT + (
    "resources:\n  net:\n    type: OS::Neutron::Net\n    properties:\n      nam: private\n      shared: maybe\n"
)
BOTH_KEYS = HOT + (
    "resources:\n  interface:\n    type: OS::Neutron::RouterInterface\n    properties:\n"
    "      router: a\n      subnet: b\n      port: c\n"
)


def looked_at(text: str, release: str | None = None) -> Analysis:
    found = find_release(knowledge().releases, release) if release else None
    return analyze(Source(parse_template(text)), knowledge(), Options(found))


def codes(text: str) -> tuple[list[str], list[str]]:
    """Return the codes of the reported and of the suppressed diagnostics."""
    analysis = looked_at(text)
    return [one.code for one in analysis.diagnostics], [one.code for one in analysis.suppressed]


def repaired(text: str) -> str:
    analysis = looked_at(text)
    fixes = [fix for one in analysis.diagnostics if one.code == "unused-ignore" for fix in analysis.fixes(one)]
    assert fixes
    assert {fix.applicability for fix in fixes} == {Applicability.SAFE}
    return apply_edits(text, [edit for fix in fixes for edit in fix.edits])


@pytest.mark.parametrize(
    "text",
    [
        BAD.replace("nam: private", "nam: private  # heatstudio: ignore[unknown-property]"),
        BAD.replace("nam: private", "nam: private  # heatstudio:ignore [ unknown-property ] it is a plug-in of ours"),
        BAD.replace("      nam", "      # heatstudio: ignore[unknown-property]\n      nam"),
        BAD.replace("      nam", "# heatstudio: ignore[unknown-property]\n\n      # why not\n      nam"),
        "# a template\n# heatstudio: ignore-file[unknown-property]\n" + BAD,
        "\ufeff# heatstudio: ignore-file[unknown-property]\n" + BAD,
        BAD.replace("nam: private", "nam: private  # heatstudio: ignore[unknown-property]").replace("\n", "\r\n"),
        BAD.replace("nam: private", "nam: private  # so # heatstudio: ignore[unknown-property]"),
    ],
)
def test_suppression_affects_only_its_code(text: str) -> None:
    assert codes(text) == (["wrong-value-type"], ["unknown-property"])


@pytest.mark.parametrize("comment", ["ignore", "ignore it is fine", "ignore[]", "ignore [  ]", "ignore[unclosed"])
def test_suppression_without_a_code_is_reported_and_can_list_the_codes_of_its_line(comment: str) -> None:
    text = BAD.replace("nam: private", f"nam: private  # heatstudio: {comment}")
    analysis = looked_at(text)
    assert [one.code for one in analysis.diagnostics] == ["unknown-property", "unused-ignore", "wrong-value-type"]
    problem = analysis.diagnostics[1]
    assert problem.severity is Severity.WARNING
    naming, removing = analysis.fixes(problem)
    assert naming.applicability is removing.applicability is Applicability.UNSAFE
    assert codes(apply_edits(text, naming.edits)) == (["wrong-value-type"], ["unknown-property"])
    assert apply_edits(text, removing.edits) == BAD


def test_file_suppression_without_a_code_can_list_all_codes() -> None:
    text = "# heatstudio: ignore-file\n" + BAD
    analysis = looked_at(text)
    naming = analysis.fixes(analysis.diagnostics[0])[0]
    assert codes(apply_edits(text, naming.edits)) == ([], ["unknown-property", "wrong-value-type"])


@pytest.mark.parametrize("comment", ["ignored", "ignore-next", "ignorance[unknown-property]"])
def test_other_comments_are_not_suppressions(comment: str) -> None:
    assert codes(f"# heatstudio: {comment}\n" + BAD) == (["unknown-property", "wrong-value-type"], [])


def test_several_codes_in_one_suppression() -> None:
    text = BAD.replace("nam: private\n      shared: maybe", "{A}nam: private").replace("{A}", "")
    text = HOT + (
        "resources:\n  net:\n    type: OS::Neutron::Net\n"
        "    # heatstudio: ignore[unknown-property, wrong-value-type] both\n"
        "    properties: {nam: a, shared: maybe}\n"
    )
    assert codes(text) == ([], ["unknown-property", "wrong-value-type"])


def test_comment_above_a_resource_applies_only_to_its_first_line() -> None:
    text = BAD.replace("  net:", "  # heatstudio: ignore[unknown-property]\n  net:")
    assert codes(text) == (["unused-ignore", "unknown-property", "wrong-value-type"], [])


@pytest.mark.parametrize(
    "value",
    [
        '"# heatstudio: ignore[type-support]"',
        "'a\n        # heatstudio: ignore[type-support]'",
        "|\n        # heatstudio: ignore[type-support]\n        text",
        ">-\n        a  # heatstudio: ignore[type-support]",
        "a#heatstudio: ignore[type-support]",
    ],
)
def test_strings_are_not_comments(value: str) -> None:
    text = HOT + f"resources:\n  a:\n    type: OS::Heat::Value\n    properties:\n      value: {value}\n"
    assert suppressions(parse_template(text)) == ()


def test_first_line_of_a_block_scalar_may_have_a_comment() -> None:
    text = (
        HOT
        + "outputs:\n  a:\n    value: |  # heatstudio: ignore[type-support]\n      text\n  # heatstudio: ignore[x]\n"
    )
    assert [[one.code for one in suppression.codes] for suppression in suppressions(parse_template(text))] == [
        ["type-support"],
        ["x"],
    ]


def test_json_has_no_comments() -> None:
    text = '{"heat_template_version": "2021-04-16", "description": "# heatstudio: ignore[a]"}'
    assert suppressions(parse_template(text)) == ()


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# heatstudio: ignore[type-support]", "Unused suppression: no `type-support` problems on this line."),
        ("# heatstudio: ignore[a, b]", "Unknown code `a` in this suppression."),
        ("# heatstudio: ignore[]", "This suppression has no code; write `ignore[CODE]`, or remove it."),
        (
            "# heatstudio: ignore-file[type-support]",
            "`ignore-file` must be at the top of the file. Move it there, or remove it.",
        ),
    ],
)
def test_unused_suppressions_are_reported_and_removed(comment: str, message: str) -> None:
    good = HOT + "outputs:\n  a: {value: b}\n  c: {value: d}\n"
    for text in (
        good.replace("{value: b}", "{value: b}  " + comment),
        good.replace("  c:", f"  {comment}\n  c:"),
        good + comment,
    ):
        analysis = looked_at(text)
        assert [(one.code, one.severity, one.message) for one in analysis.diagnostics] == [
            ("unused-ignore", Severity.HINT, message)
        ]
        assert analysis.diagnostics[0].has_fixes
        assert repaired(text) == good


def test_only_unused_codes_of_a_suppression_are_removed() -> None:
    text = BAD.replace("nam: private", "nam: private # heatstudio: ignore[type-support, unknown-property] so")
    assert codes(text) == (["unused-ignore", "wrong-value-type"], ["unknown-property"])
    assert repaired(text) == text.replace("type-support, ", "")


def test_suppression_of_an_unchecked_code_is_not_unused() -> None:
    text = HOT.replace("\n", "  # heatstudio: ignore[not-in-release]\n")
    assert looked_at(text).diagnostics == ()
    assert [one.code for one in looked_at(text, "rocky").suppressed] == ["not-in-release"]
    assert [one.code for one in looked_at(text, "zed").diagnostics] == ["unused-ignore"]


@pytest.mark.parametrize("condition", ["true", "false"])
@pytest.mark.parametrize(("code", "is_unused"), [("type-support", True), ("unknown-property", False)])
def test_suppressions_apply_in_disabled_resources(condition: str, code: str, is_unused: bool) -> None:
    text = BAD.replace("  net:\n", f"  net:\n    condition: {condition}\n")
    text = text.replace("nam: private", f"nam: private  # heatstudio: ignore[{code}]")
    assert ("unused-ignore" in codes(text)[0]) == is_unused
    assert (code in codes(text)[1]) != is_unused


def test_suppressions_of_an_unreadable_text_are_not_unused() -> None:
    assert codes(HOT + "resources: {  # heatstudio: ignore[type-support]\n")[0] == ["yaml-syntax"]


@pytest.mark.parametrize("reason", ["", "it is\nours"])
@pytest.mark.parametrize("text", [BAD, BAD.replace("\n", "\r\n"), "\ufeff" + BAD, BAD[len(HOT) :]])
def test_every_problem_can_be_suppressed(text: str, reason: str) -> None:
    count = len(looked_at(text).diagnostics)
    assert count > 1
    for suppressed in range(1, count + 1):
        before = looked_at(text)
        edit = mute_edit(before.template, before.diagnostics[0], reason)
        assert edit is not None
        text = apply_edits(text, [edit])
        after = looked_at(text)
        assert len(after.suppressed) == suppressed
        assert "unused-ignore" not in [one.code for one in after.diagnostics]
    assert looked_at(text).diagnostics == ()
    assert ("\r\n" in text) == (text.count("\r\n") == text.count("\n"))
    assert ("it is ours" in text) == bool(reason)


def test_problem_of_two_keys_can_be_suppressed_at_either() -> None:
    text = BOTH_KEYS.replace("      port: c", "      # heatstudio: ignore[property-group]\n      port: c")
    assert codes(BOTH_KEYS) == (["property-group"], [])
    assert codes(text) == ([], ["property-group"])


def test_second_code_is_added_to_the_existing_suppression() -> None:
    text = HOT + "resources:\n  net:\n    type: OS::Neutron::Net\n    properties: {nam: a, shared: maybe}\n"
    for _ in range(2):
        analysis = looked_at(text)
        edit = mute_edit(analysis.template, analysis.diagnostics[0])
        assert edit is not None
        text = apply_edits(text, [edit])
    assert "    # heatstudio: ignore[unknown-property, wrong-value-type]\n    properties" in text


def test_json_cannot_have_suppressions() -> None:
    analysis = looked_at('{"heat_template_version": "2021-04-16", "resources": {"a": {}}}')
    assert analysis.diagnostics
    assert mute_edit(analysis.template, analysis.diagnostics[0]) is None


PIECES = st.sampled_from(
    [
        "# heatstudio: ignore[",
        "# heatstudio: ignore-file[",
        "type-support",
        "a, b",
        "]",
        "\n",
        "\r\n",
        " ",
        "a: ",
        "|",
        "'",
        "{",
        "- ",
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join))
@example("a: |\n # heatstudio: ignore[\n# heatstudio: ignore[")  # the block at the end keeps its line break
def test_removal_of_unused_suppressions_leaves_none(text: str) -> None:
    template = parse_template(HOT + text)
    for suppression in suppressions(template):
        assert template.text[suppression.comment.start] == "#"
    analysis = looked_at(HOT + text)
    unused = [one for one in analysis.diagnostics if one.code == "unused-ignore"]
    edits = [edit for one in unused for edit in analysis.fixes(one)[-1].edits]
    after = looked_at(apply_edits(HOT + text, edits))
    assert len([one for one in after.diagnostics if one.code == "unused-ignore"]) == 0
    assert after.template.data == template.data
