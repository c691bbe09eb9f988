"""Any sequence of commands keeps the text a valid template and its references intact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heatstudio.analysis import Analysis, analyze
from heatstudio.analysis.assist.extract import extract_parameter
from heatstudio.analysis.assist.reference_index import Mention, Symbol, SymbolKind, reference_index
from heatstudio.analysis.assist.rename import rename
from heatstudio.analysis.assist.snippets import insertion_for
from heatstudio.assets import resource_path
from heatstudio.stack.definition.source import Source
from heatstudio.stack.parameter_form import with_values
from heatstudio.template import CannotEditError, Template, parse_environment, parse_template, render_fix
from heatstudio.text import TextEdit, apply_edits
from tests.analysis.semantic_models import HOT, knowledge

SAMPLE = resource_path("samples", "web-server.yaml").read_text("utf-8")
BLOCKS = HOT + (
    "# first\nparameters:\n  size: {type: number, default: 1}  # why\nresources:\n\n  # the net\n  net:\n"
    "    type: OS::Neutron::Net\n    properties: {name: 'a', shared: false}\n  port:\n    type: OS::Neutron::Port\n"
    "    depends_on: [net]\n    properties:\n      network_id: {get_resource: net}\n      fixed_ips:\n"
    "      - {subnet_id: {get_attr: [net, subnets, 0]}}\n  interface:\n    type: OS::Neutron::RouterInterface\n"
    "    properties:\n      router: r\n  volume:\n    type: OS::Cinder::Volume\n"
    "    properties: {size: {get_param: size}, imageRef: x, image: y}\noutputs:\n  o:\n"
    '    value: {list_join: ["", [{get_attr: [port, name]}, {get_param: size}]]}\n'
)
JSON = (
    '{"heat_template_version": "2021-04-16", "parameters": {"size": {"type": "number"}}, "resources": {'
    '"net": {"type": "OS::Neutron::Net", "properties": {"name": "a"}}, "port": {"type": "OS::Neutron::Port", '
    '"properties": {"network_id": {"get_resource": "net"}, "name": {"get_param": "size"}}}}}'
)
CFN = (
    "AWSTemplateFormatVersion: '2010-09-09'\nParameters:\n  Size: {Type: Number, Default: 1}\nResources:\n  Volume:\n"
    "    Type: AWS::EC2::Volume\n    Properties: {Size: {Ref: Size}, AvailabilityZone: nova}\n  At:\n"
    "    Type: AWS::EC2::VolumeAttachment\n    Properties: {VolumeId: {Ref: Volume}, Device: /dev/vdc, InstanceId: i}\n"
)
STARTS = (SAMPLE, BLOCKS, BLOCKS.replace("\n", "\r\n"), JSON, CFN, HOT)
TYPES = (
    *("OS::Nova::Server", "OS::Neutron::Port", "OS::Heat::ResourceGroup", "OS::Heat::Value", "OS::Octavia::Pool"),
    *("OS::Neutron::SecurityGroup", "AWS::EC2::Volume", "OS::Heat::SoftwareConfig", "OS::Neutron::RouterInterface"),
)
NAMES = ("new", "a: b", "on", "12", "x y", "é", "'", "{", "null", "- a")
DEFINED = (SymbolKind.RESOURCE, SymbolKind.PARAMETER, SymbolKind.OUTPUT, SymbolKind.CONDITION)


def look(text: str, previous: Analysis | None = None) -> Analysis:
    template = parse_template(text, previous.template if previous is not None else None)
    return analyze(Source(template), knowledge(), previous=previous)


def values_in(environment: Template, section: str) -> dict[str, object]:
    found = environment.data.get(section)
    return {str(name): value for name, value in found.items()} if isinstance(found, dict) else {}


def mentions(analysis: Analysis) -> tuple[Mention, ...]:
    return reference_index(analysis.template, analysis.language).mentions


def kept(analysis: Analysis, edits: Iterable[TextEdit]) -> Counter[Symbol]:
    """Count the mentions outside the edits, by symbol."""
    spans = [edit.span for edit in edits]
    found: Counter[Symbol] = Counter()
    for mention in mentions(analysis):
        own = analysis.template.locate(mention.path, mention.part)
        if all(own.end <= span.start or span.end <= own.start for span in spans):
            found[mention.symbol] += 1
    return found


def insert(data: st.DataObject, analysis: Analysis) -> tuple[TextEdit, ...]:
    kind = knowledge().catalog.get(data.draw(st.sampled_from(TYPES)))
    offset = data.draw(st.integers(0, len(analysis.template.text)))
    return (insertion_for(analysis, offset, kind),) if kind is not None else ()


def fix(data: st.DataObject, analysis: Analysis) -> tuple[TextEdit, ...]:
    fixes = [fix for diagnostic in analysis.diagnostics for fix in analysis.fixes(diagnostic)]
    return data.draw(st.sampled_from(fixes)).edits if fixes else ()


def change_name(data: st.DataObject, analysis: Analysis) -> tuple[TextEdit, ...]:
    named = [one for one in mentions(analysis) if one.symbol.kind in DEFINED]
    if not named:
        return ()
    one = data.draw(st.sampled_from(named))
    new = data.draw(st.sampled_from(NAMES))
    return rename(analysis, analysis.template.locate(one.path, one.part).start, new).edits


def extract(data: st.DataObject, analysis: Analysis) -> tuple[TextEdit, ...]:
    offset = data.draw(st.integers(0, len(analysis.template.text)))
    fix = extract_parameter(analysis, offset, all_occurrences=data.draw(st.booleans()))
    found = render_fix(analysis.template, fix) if not isinstance(fix, str) else None
    return found.edits if found is not None else ()


@given(st.sampled_from(STARTS), st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow])
def test_any_sequence_of_commands_keeps_the_references(start: str, data: st.DataObject) -> None:
    analysis = look(start)
    for _ in range(data.draw(st.integers(1, 5))):
        act = data.draw(st.sampled_from((insert, fix, change_name, extract)))
        edits = act(data, analysis)
        if not edits:
            continue
        after = look(apply_edits(analysis.template.text, edits), analysis)
        assert after.template.complete, (act.__name__, after.template.text)
        if act is not change_name:
            left = Counter(mention.symbol for mention in mentions(after))
            assert kept(analysis, edits) - left == Counter(), act.__name__
        else:
            assert len(mentions(after)) == len(mentions(analysis))
        analysis = after
    assert look(analysis.template.text).template.data == analysis.template.data


VALUES = st.recursive(
    st.booleans() | st.integers() | st.text(max_size=12),
    lambda one: st.lists(one, max_size=3) | st.dictionaries(st.text(max_size=6), one, max_size=3),
    max_leaves=5,
)
ENVIRONMENTS = st.sampled_from(
    ["", "# mine\n", "parameters:\n  a: 1  # why\n", "parameters: {a: 1, b: 'x'}\nresource_registry: {}\n",
     "parameter_defaults:\r\n  # here\r\n  b: [1]\r\n", "parameters: {}\n"]
)  # fmt: skip


@given(
    ENVIRONMENTS,
    st.lists(
        st.tuples(st.sampled_from("abc"), VALUES, st.sampled_from(["parameters", "parameter_defaults"])), max_size=4
    ),
)
@settings(max_examples=100, deadline=None)
def test_environment_has_the_values_that_the_form_writes(text: str, writes: list[tuple[str, object, str]]) -> None:
    comments = [line.partition("#")[2].strip() for line in text.splitlines() if "#" in line]
    expected: dict[str, dict[str, object]] = {"parameters": {}, "parameter_defaults": {}}
    before = parse_environment(text)
    for section in expected:
        expected[section] |= values_in(before, section)
    for name, value, section in writes:
        try:
            text = with_values(text, {name: value}, section)
        except CannotEditError:
            continue
        expected[section][name] = value
    environment = parse_environment(text)
    assert environment.complete
    assert {section: values_in(environment, section) for section in expected} == expected
    assert all(comment in text for comment in comments)
