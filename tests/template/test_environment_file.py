from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from heatstudio.template import DeleteEntry, Part, parse_environment, render
from heatstudio.text import apply_edits

TEXT = """\
parameters:
  key: value
parameter_defaults: {Size: 3}
resource_registry:
  My::Type: my.yaml
  resources:
    server: {hooks: pre-create}
encrypted_param_names: [key]
event_sinks: []
parameter_merge_strategies: {default: merge}
"""


def test_reads_all_sections() -> None:
    environment = parse_environment(TEXT)
    assert environment.problems == ()
    assert environment.data["parameters"] == {"key": "value"}
    assert environment.data["parameter_defaults"] == {"Size": 3}
    assert environment.data["resource_registry"] == {
        "My::Type": "my.yaml",
        "resources": {"server": {"hooks": "pre-create"}},
    }
    assert environment.data["encrypted_param_names"] == ["key"]
    assert environment.data["event_sinks"] == []
    assert environment.data["parameter_merge_strategies"] == {"default": "merge"}
    span = environment.locate(("parameters", "key"))
    assert TEXT[span.start : span.end] == "value"
    assert environment.path_at(span.start).path == ("parameters", "key")


def test_sections_that_heat_rejects() -> None:
    text = "parameters:\nother: 1\n"
    environment = parse_environment(text)
    assert [problem.code for problem in environment.problems] == ["empty-section", "unknown-section"]
    assert environment.data["parameters"] is None
    assert environment.locate(("other",), Part.KEY) == environment.problems[1].span
    assert [problem.code for problem in parse_environment("- a").problems] == ["not-a-mapping"]
    assert parse_environment("").problems == ()


def test_json_is_read_as_yaml() -> None:
    assert parse_environment('{"parameters": {"a": 1e5}}').data["parameters"] == {"a": "1e5"}


def test_can_be_edited() -> None:
    environment = parse_environment(TEXT)
    edits = render(environment, [DeleteEntry(("parameters", "key"), prune=True)])
    assert apply_edits(TEXT, edits) == TEXT.removeprefix("parameters:\n  key: value\n")


@given(st.text(max_size=60))
def test_any_text_is_accepted(text: str) -> None:
    assert parse_environment(text).text == text
