from __future__ import annotations

from heatstudio.analysis.assist.outline import OutlineItem, outline
from tests.analysis.semantic_models import HOT, model_of

TEXT = HOT + (
    "parameters:\n  p: {type: string, default: x}\nconditions:\n  c: {equals: [{get_param: p}, x]}\n"
    "resources:\n  a:\n    type: OS::Nova::Server\n  b: {type: OS::Heat::Value}\n"
    "outputs:\n  o: {value: 1, description: One}\n"
)


def rows(items: tuple[OutlineItem, ...]) -> list[tuple[str, str, str]]:
    return [(item.name, item.kind, item.detail) for item in items]


def test_sections_with_their_entries() -> None:
    model = model_of(TEXT)
    found = {item.name: item for item in outline(model.template, model.stack)}
    assert list(found) == ["heat_template_version", "parameters", "conditions", "resources", "outputs"]
    assert found["resources"].detail == "2"
    assert rows(found["resources"].children) == [
        ("a", "resource", "OS::Nova::Server"),
        ("b", "resource", "OS::Heat::Value"),
    ]
    assert rows(found["parameters"].children) == [("p", "parameter", "string")]
    assert rows(found["conditions"].children) == [("c", "condition", "true")]
    assert rows(found["outputs"].children) == [("o", "output", "One")]


def test_spans_are_those_of_key_and_pair() -> None:
    resources = next(item for item in outline(model_of(TEXT).template) if item.name == "resources")
    first = resources.children[0]
    assert TEXT[first.key_span.start : first.key_span.end] == "a"
    assert TEXT[first.span.start : first.span.end] == "a:\n    type: OS::Nova::Server"
    assert resources.span.start <= first.span.start <= first.span.end <= resources.span.end


def test_unreadable_text_keeps_the_entries_above_and_below() -> None:
    text = TEXT.replace("type: OS::Nova::Server", "type: [OS::Nova::Server")
    names = [child.name for item in outline(model_of(text).template) for child in item.children]
    assert {"p", "c", "a"} <= set(names)


def test_thousand_resources() -> None:
    text = HOT + "resources:\n" + "".join(f"  r{number}: {{type: OS::Heat::Value}}\n" for number in range(1000))
    assert len(outline(model_of(text).template)[1].children) == 1000
