from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from heatstudio.template import Part, parse_environment, parse_template
from heatstudio.text import Severity, Span
from tests.template.syntax.engine_reading import client_reads, same
from tests.work import count_steps

HOT = """\
heat_template_version: 2018-08-31
# about it

parameters:
  key: {type: string}
  size:
    type: number
    default: 010

resources:
  server:
    type: OS::Nova::Server
    properties:
      name: "a name"  # comment
      networks:
        - port: {get_resource: port}
        - network: é😀
      user_data: |
        resources:
          # not a comment
  port:
    type: OS::Neutron::Port

outputs:
  o:
    value: {get_attr: [server, first_address]}
"""
PIECES = [
    '"',
    "'",
    "{",
    "}",
    "[",
    "]",
    ":",
    ": ",
    "- ",
    "\n",
    "\t",
    "#",
    " #",
    "&a ",
    "*a",
    "!x ",
    "|",
    "|\n",
    ">",
    "? ",
]
PIECES += [
    "---\n",
    "...\n",
    "%",
    "@",
    "\ufeff",
    "\u2028",
    "\x85",
    "\r",
    "\r\n",
    " ",
    "  ",
    "é",
    "😀",
    "\x00",
    "<<: ",
    "a: b\n",
]
PIECES += ["  a: b\n", "    - b\n", "=", ",", "0b_", "~", "\ud800", "!!set ", "&a [*a]", "{{ x }}"]
DAMAGED = st.lists(
    st.tuples(st.integers(0, len(HOT)), st.integers(0, 3), st.sampled_from(PIECES) | st.text(max_size=3)), max_size=3
)


def damage(text: str, places: list[tuple[int, int, str]]) -> str:
    for at, cut, piece in places:
        text = text[:at] + piece + text[at + cut :]
    return text


def test_reads_data_and_version() -> None:
    template = parse_template(HOT)
    assert template.data == client_reads(HOT)[1]
    assert template.problems == ()
    assert (template.version_key, template.version) == ("heat_template_version", "2018-08-31")
    assert list(template.entries("resources")) == ["server", "port"]
    size = template.entries("parameters")["size"].data
    assert isinstance(size, dict)
    assert size["default"] == 8


@pytest.mark.parametrize("text", [HOT, HOT.replace("\n", "\r\n"), "\ufeff" + HOT])
def test_locates_every_part(text: str) -> None:
    template = parse_template(text)
    for known in (template, parse_template(text, template)):
        path = ("resources", "server", "properties", "networks", 1, "network")
        value, key = known.locate(path), known.locate(path, Part.KEY)
        assert text[value.start : value.end] == "é😀"
        assert text[key.start : key.end] == "network"
        pair = known.locate(path, Part.PAIR)
        assert text[pair.start : pair.end] == "network: é😀"
        missing = known.locate((*path[:-1], "port", "x"))
        assert text[missing.start : missing.end].startswith("network")
        place = known.path_at(value.start + 1)
        assert (place.path, place.part, place.span) == (path, Part.VALUE, value)
        assert known.path_at(key.start).part is Part.KEY


def test_unchanged_entries_are_reused() -> None:
    first = parse_template(HOT)
    second = parse_template(HOT.replace("a name", "another name"), first)
    assert second.entries("resources")["port"] is first.entries("resources")["port"]
    assert second.entries("resources")["server"] is not first.entries("resources")["server"]
    assert second.entries("parameters")["key"].data is first.entries("parameters")["key"].data


@pytest.mark.parametrize(
    ("line", "code", "at"),
    [
        ("      name: 'never closed", "yaml-syntax", "'never closed"),
        ("      name: [a, b", "yaml-syntax", "[a, b"),
        ("\tname: x", "yaml-syntax", "\t"),
        ("      name: a: b", "yaml-syntax", ": b"),
        ("      name", "yaml-syntax", "name"),
        ("     name: x", "yaml-syntax", "networks:"),
        ("      name:x", "yaml-syntax", "name:x"),
        ("      name: @x", "yaml-syntax", "@x"),
        ("      name: !Ref x", "unknown-tag", "!Ref x"),
        ("      name: \x07", "control-character", "\x07"),
        ("      name: *x", "yaml-syntax", "*x"),
        ("      [a]: x", "complex-key", "[a]"),
        ("      name: 0b_", "invalid-value", "0b_"),
    ],
)
def test_syntax_error_is_located(line: str, code: str, at: str) -> None:
    text = HOT.replace('      name: "a name"  # comment', line)
    good = parse_template(HOT)
    for template in (parse_template(text), parse_template(text, good)):
        assert not template.complete
        assert [problem.code for problem in template.problems] == [code]
        span = template.problems[0].span
        assert text[span.start : span.end] == at
        assert set(template.entries("resources")) >= {"port"}
        assert "key" in template.entries("parameters")
        assert "o" in template.entries("outputs")


@pytest.mark.parametrize(
    ("line", "rest"),
    [('name: "a" name', "name"), ("name: 'it's'", "s'"), ("name: {a: b}}", "}"), ("name:\n        - [a] b", "b")],
)
def test_text_after_a_closed_value_is_reported(line: str, rest: str) -> None:
    text = HOT.replace('name: "a name"  # comment', line)
    problem = parse_template(text).problems[0]
    assert text[problem.span.start : problem.span.end] == rest
    assert problem.message.startswith("Unexpected text after the value")


def test_data_before_an_error_is_kept() -> None:
    template = parse_template(HOT.replace("{get_resource: port}", "{get_resource: "))
    server = template.entries("resources")["server"]
    assert not server.complete
    assert isinstance(server.data, dict)
    assert server.data["type"] == "OS::Nova::Server"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ["no-version"]),
        ("# nothing\n", ["no-version"]),
        ("- a\n", ["not-a-mapping"]),
        ("null", ["no-version"]),
        ("[]", ["not-a-mapping"]),
        ("a: 1\n", ["no-version"]),
        ("{% if x %}\na: b\n{% endif %}\n", ["jinja-template"]),
        ("a: {{ x }}\n", ["jinja-template"]),
        ("a: {{ x }}\nb: {{ y }}\nc: [\n", ["yaml-syntax", "jinja-template", "jinja-template"]),
        ('a:\n  b: 1\n c: "{{ x }}"\n', ["yaml-syntax"]),
        (" heat_template_version: rocky\nresources: {}\n", []),
        ("\n heat_template_version: rocky\n resources: {}\n", ["client-syntax"]),
        ("\n# c\n heat_template_version: rocky\n resources: {}\n", []),
        ("a: " + "[" * 30_000, ["too-deep"]),
        ('{"a": ' * 300 + "1" + "}" * 300, ["too-deep"]),
        ("heat_template_version: rocky\ndescription: " + "x" * 524288, ["too-large"]),
        ("heat_template_version: rocky\na: 1\n---\nb: 1\n", ["yaml-syntax"]),
        ("heat_template_version: rocky\na: &a [*a]\n", ["too-large"]),
        ("heat_template_version: rocky\na: 1\na: 2\nb: {c: 1, c: 2}\n", ["duplicate-key", "duplicate-key"]),
    ],
)
def test_codes_of_problems(text: str, codes: list[str]) -> None:
    template = parse_template(text)
    assert [problem.code for problem in template.problems] == codes
    assert [problem.code for problem in parse_template(text, parse_template(HOT)).problems] == codes


def test_nested_aliases_are_limited() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    template = parse_template("heat_template_version: rocky\n" + "\n".join(lines))
    assert "too-large" in {problem.code for problem in template.problems}


@pytest.mark.parametrize("broken", ["", "  b: c: d\n"])
def test_nested_merge_keys_are_limited(broken: str) -> None:
    def work(levels: int) -> int:
        lines = "".join(f"  l{n + 1}: &l{n + 1} {{<<: [*l{n}, *l{n}, *l{n}]}}\n" for n in range(levels))
        text = f"heat_template_version: rocky\nresources:\n  l0: &l0 {{a: 1}}\n{lines}{broken}"
        return count_steps(lambda: parse_template(text))

    assert work(40) < 2.3 * work(20)


def test_nested_aliases_in_an_invalid_text_are_limited() -> None:
    large = f"  a: &a [{'x, ' * 5000}]\n"
    pieces = "".join(f"  b{n}: {{c: *a}}\n" for n in range(300))
    template = parse_template(f"heat_template_version: rocky\nresources:\n{large}{pieces}  b: c: d\n")
    values = [entry.data for entry in template.entries("resources").values()]
    assert sum(len(value["c"]) for value in values if isinstance(value, dict) and value["c"]) < 300_000


def test_merge_keys_in_lists_and_nested_ones_apply_as_in_heat() -> None:
    text = (
        "heat_template_version: rocky\n"
        "x: &x {a: 1, b: 2}\ny: &y {<<: *x, b: 3, c: 4}\nz: &z {d: 5, a: 6}\n"
        "resources:\n  r: {<<: [*y, *z], e: 7}\n  s: {<<: *z, <<: *y}\n  t: {a: 0, <<: [*z, *y], a: 8}\n"
    )
    template = parse_template(text)
    accepted, data = client_reads(text)
    assert accepted
    assert same(template.data, data)
    for name, entry in template.entries("resources").items():
        assert isinstance(entry.data, dict)
        for key, written in entry.data.items():
            assert text[slice(*template.locate(("resources", str(name), key)))] == str(written), (name, key)


def test_text_longer_than_a_request_is_not_parsed() -> None:
    text = "heat_template_version: rocky\nresources:\n" + "  a: 1\n" * 200_000
    template = parse_template(text)
    assert [problem.code for problem in template.problems] == ["too-large"]
    assert template.data == {}
    assert not template.complete
    assert [problem.code for problem in parse_environment(text).problems] == ["too-large"]


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("1" + ":59" * 50, True),
        ("1" + ":59" * 100_000, True),
        ("1" + ":59" * 2000 + ".5", False),
        ("9" * 5000, False),
        ("0x" + "f" * 100_000, False),
    ],
)
def test_long_numbers_are_parsed_in_bounded_time(text: str, accepted: bool) -> None:
    template = parse_template(f"heat_template_version: rocky\nx: {text}\n")
    assert template.complete is accepted


def test_severities_of_problems() -> None:
    assert parse_template("heat_template_version: rocky\na: 1\na: 2\n").problems[0].severity is Severity.WARNING
    assert parse_template("a: {{ x }}\n").problems[0].severity is Severity.ERROR
    assert parse_template("{% if x %}\na: b\n{% endif %}\n").problems[0].severity is Severity.INFORMATION


def test_values_of_anchors_and_merge_keys() -> None:
    text = "heat_template_version: rocky\nx: &x {a: 1, b: 2}\nresources:\n  r:\n    <<: *x\n    b: 3\n  s: *x\n"
    template = parse_template(text)
    assert template.entries("resources")["r"].data == {"a": 1, "b": 3}
    assert template.entries("resources")["s"].data == {"a": 1, "b": 2}
    assert template.locate(("resources", "r", "a")) == Span(text.index("1"), text.index("1") + 1)
    assert text[slice(*_ends(template.locate(("resources", "r", "b"))))] == "3"


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


@settings(max_examples=250, deadline=None)
@given(DAMAGED)
@example([(45, 0, "\x07")])
@example([(36, 0, "\x07")])
@example([(0, 0, "\ufeff"), (0, 0, "\ufeff")])
@example([(0, 0, "\ufeff"), (0, 0, "\ufeff"), (0, 0, "\ufeff")])
@example([(0, 0, "\ufeff"), (0, 0, "\ufeff"), (1, 500, "")])
def test_damaged_text_is_parsed_as_in_heat(places: list[tuple[int, int, str]]) -> None:
    text = damage(HOT, places)
    accepted, data = client_reads(text)
    cold, warm = parse_template(text), parse_template(text, parse_template(HOT))
    codes = {problem.code for problem in cold.problems}
    assert cold.complete == accepted or codes & {"too-deep", "too-large"}
    if accepted and cold.complete and isinstance(data, dict):
        assert same(cold.data, data)
    assert same(cold.data, warm.data)
    assert set(cold.problems) == set(warm.problems)
    for problem in cold.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
    for section in cold.sections.values():
        for name in section.entries:
            path = (str(section.name), str(name))
            assert cold.locate(path) == warm.locate(path)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80), st.integers(0, 80))
def test_any_text_is_accepted(text: str, offset: int) -> None:
    template = parse_template(text)
    template.path_at(offset)
    template.locate(("resources", "x", 1))
    accepted, _ = client_reads(text)
    assert template.complete == accepted
