"""Heat's validation and dry run: positions of its messages, and comparison with the program's preview."""

from __future__ import annotations

import pytest

from heatstudio.cloud.heat_verdict import DryRun, compare, opinion_of
from heatstudio.update.plan.update_plan import Action


@pytest.mark.parametrize(
    ("message", "path"),
    [
        ("Property error: resources.base.properties: Unknown Property nonsense", ("resources", "base", "properties")),
        ('The specified reference "x" (in base.Properties.label) is incorrect.', ("resources", "base")),
        ("Update to properties zone of base (Studio::Test::Widget) is not supported.", ("resources", "base")),
        ("Parameter 'label' is invalid: length (30) is out of range", ("parameters", "label")),
        ("The Parameter (key) was not provided.", ("parameters", "key")),
        ("resources.a.properties.networks[1].port: x", ("resources", "a", "properties", "networks", 1, "port")),
        ("Something else entirely", ()),
    ],
)
def test_message_is_located(message: str, path: tuple[str | int, ...]) -> None:
    assert opinion_of(message).path == path


def test_outcome_that_heat_also_reports_without_changes_is_a_false_alarm() -> None:
    theirs = DryRun({"a": Action.REPLACED, "b": Action.REPLACED})
    baseline = DryRun({"a": Action.REPLACED, "b": Action.UNCHANGED})
    ours = {"a": (Action.UNCHANGED, False), "b": (Action.REPLACED, False)}
    first, second = compare(ours, theirs, baseline)
    assert not first.agrees
    assert "False alarm" in first.explanation
    assert second.agrees
    assert second.explanation == ""


def test_graver_outcome_than_heats_is_not_a_false_alarm() -> None:
    heats = DryRun({"a": Action.UPDATED})
    (row,) = compare({"a": (Action.REPLACED, True)}, heats, heats)
    assert row.explanation == "Heat's dry run does not follow the effects of replacing another resource."


def test_every_difference_is_explained() -> None:
    for ours in Action:
        for said in (None, *Action):
            for follows in (True, False):
                theirs = DryRun({} if said is None else {"a": said})
                (row,) = compare({"a": (ours, follows)}, theirs, DryRun())
                assert row.agrees or row.explanation


def test_rejected_dry_run_is_the_explanation() -> None:
    refused = DryRun(refusal=opinion_of("Update to properties zone of base (X) is not supported."))
    (row,) = compare({"base": (Action.NOT_SUPPORTED, False)}, refused, DryRun())
    assert "stops at the first error" in row.explanation


def test_unknown_hidden_values_are_the_explanation() -> None:
    theirs = DryRun({"a": Action.UNCHANGED, "b": Action.UNCHANGED})
    ours = {"a": (Action.REPLACED, False), "b": (Action.REPLACED, False)}
    first, second = compare(ours, theirs, DryRun(), {"a"})
    assert "hidden parameter" in first.explanation
    assert "hidden" not in second.explanation
