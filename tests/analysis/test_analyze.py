"""The whole analysis: it accepts any text, and reused results equal fresh ones."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from heatstudio.analysis import Analysis, analyze
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from tests.load import load_source

KNOWLEDGE = load_knowledge()
TEXT = """heat_template_version: 2018-08-31
parameters:
  size: {type: number, default: 3}
  name: {type: string}
conditions:
  big: {equals: [{get_param: size}, 3]}
resources:
  net: {type: OS::Neutron::Net, condition: big, properties: {name: {get_param: name}}}
  subnet:
    type: OS::Neutron::Subnet
    properties:
      network: {get_resource: net}
      cidr: 10.0.0.0/24
      enable_dhcp: {if: [big, true, {get_attr: [net, shw]}]}
  random: {type: OS::Heat::RandomString, depends_on: [subnet], properties: {length: {get_param: [size, 0]}}}
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: size}
      resource_def: {type: OS::Heat::RandomString, properties: {lenght: 1}}
outputs:
  a: {value: {get_attr: [random, value]}, condition: big}
"""
PIECES = (
    *(
        "x",
        " ",
        "\n",
        "  ",
        ":",
        "{",
        "}",
        "- ",
        "a: b\n",
        "get_param",
        "size",
        "big",
        "net",
        "null",
        "[]",
        "&a ",
        "*a",
    ),
    *("{get_param: no}", "{get_resource: no}", "{get_attr: [no, a]}", "{get_file: no}", "{if: [big, 1]}"),
)


def diagnostics(analysis: Analysis) -> list[object]:
    return [(each.span, each.severity, each.code, each.message, each.finding) for each in analysis.diagnostics]


@given(st.text())
def test_any_text_can_be_analyzed(text: str) -> None:
    analyze(Source(parse_template(text)), KNOWLEDGE)


@given(st.lists(st.tuples(st.integers(0, len(TEXT)), st.integers(0, 30), st.sampled_from(PIECES)), max_size=5))
@example([(541, 16, "x"), (54, 0, "&a "), (0, 0, "x")])
def test_incremental_analysis_equals_a_fresh_one(edits: list[tuple[int, int, str]]) -> None:
    text = TEXT
    analysis = analyze(Source(parse_template(text)), KNOWLEDGE)
    for start, length, piece in edits:
        text = text[:start] + piece + text[start + length :]
        template = parse_template(text, analysis.template)
        analysis = analyze(Source(template), KNOWLEDGE, previous=analysis)
        assert diagnostics(analysis) == diagnostics(analyze(Source(parse_template(text)), KNOWLEDGE))


@settings(max_examples=25)
@given(data=st.data())
def test_incremental_analysis_of_real_templates_equals_a_fresh_one(data: st.DataObject, shared: Path) -> None:
    corpus = shared / "corpus" / "files"
    files = sorted(path for path in corpus.glob("openstack+heat-templates/hot/**/*.yaml") if path.stat().st_size < 9000)
    path = data.draw(st.sampled_from(files))
    source = load_source(path, root=corpus)
    analysis = analyze(source, KNOWLEDGE)
    lines = source.template.text.splitlines(keepends=True)
    for _ in range(3 if len(lines) > 3 else 0):
        place = data.draw(st.integers(0, len(lines) - 1))
        lines = [*lines[:place], *lines[place + 1 :]] if data.draw(st.booleans()) else [*lines, lines[place]]
        template = parse_template("".join(lines), analysis.template)
        analysis = analyze(replace(source, template=template), KNOWLEDGE, previous=analysis)
        cold = analyze(replace(source, template=parse_template("".join(lines))), KNOWLEDGE)
        assert diagnostics(analysis) == diagnostics(cold)


@pytest.mark.parametrize(
    "text", [TEXT, TEXT.replace("{type: string}", "{type: strin}"), TEXT.replace("{equals: [", "{equals: [{a: [")]
)
def test_dropped_analysis_leaves_no_garbage(text: str) -> None:
    """Cyclic garbage would cause collector pauses during typing."""
    first = analyze(Source(parse_template(text)), KNOWLEDGE)
    gc.collect()
    gc.disable()
    try:
        template = parse_template(text.replace("cidr", "cdir"), first.template)
        second = analyze(Source(template), KNOWLEDGE, previous=first)
        assert second.diagnostics
        del first, second, template
        assert gc.collect() == 0
    finally:
        gc.enable()
