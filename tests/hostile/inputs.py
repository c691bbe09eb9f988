"""Hostile inputs by name: the files of each, and whether Heat rejects it."""

from __future__ import annotations

import gzip
import os
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

HEAD = "heat_template_version: 2021-04-16\n"
RESOURCES = f"{HEAD}resources:\n"
GOOD = f"{RESOURCES}  a: {{type: OS::Heat::Value, properties: {{value: 1}}}}\n"
TEMPLATE = "template.yaml"
ENVIRONMENT = "environment.yaml"
NEW = "new.yaml"
"""The new side of a preview; the template itself is both sides if there is none."""


@dataclass(frozen=True)
class Hostile:
    """A template with its other files, and whether Heat rejects it."""

    text: str | bytes | None
    """None if there is no file of that name."""
    beside: Mapping[str, str | bytes] = field(default_factory=dict)
    refused: bool = True
    """Whether Heat rejects it, or its meaning is unclear: a problem must be reported."""
    environments: tuple[str, ...] = ()
    prepare: Callable[[Path], object] | None = None
    """Creates special files, such as pipes and links, in the folder."""

    def write(self, folder: Path) -> Path:
        """Write all files, and return the template."""
        folder.mkdir(parents=True)
        for name, content in {TEMPLATE: self.text, **self.beside}.items():
            if content is not None:
                data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
                (folder / name).write_bytes(data)
        if self.prepare is not None:
            self.prepare(folder)
        return folder / TEMPLATE


def value(text: str, name: str = "a") -> str:
    return f"  {name}: {{type: OS::Heat::Value, properties: {{value: {text}}}}}\n"


def nest(count: int, start: str, middle: str, end: str) -> str:
    return start * count + middle + end * count


def many(count: int, each: Callable[[int], str]) -> str:
    return "".join(map(each, range(count)))


def branches(levels: int) -> str:
    """Return nested `if` calls with one condition for each level."""
    return f"{{if: [c{levels}, {branches(levels - 1)}, {branches(levels - 1)}]}}" if levels else "x"


def bytes_that_are_no_template() -> Iterator[tuple[str, Hostile]]:
    noise = random.Random(7).randbytes(4_000)
    refused: dict[str, str | bytes] = {
        "nothing": b"",
        "blanks": b" " * 60_000,
        "blanks and a colon": b" " * 60_000 + b":",
        "line ends": b"\n" * 60_000,
        "a comment": b"# nothing\n",
        "comments": b"# nothing\n" * 30_000,
        "a mark and nothing": b"\xef\xbb\xbf",
        "noise": noise,
        "noise without zeros": noise.replace(b"\0", b"\1"),
        "a program": b"\x7fELF\x02\x01\x01" + bytes(200),
        "compressed": gzip.compress(GOOD.encode()),
        "a picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + noise[:100],
        "a zero in a name": f"{RESOURCES}  a\0b: {{type: OS::Heat::None}}\n",
        "UTF-16 with a mark": GOOD.encode("utf-16"),
        "UTF-16 without a mark": GOOD.encode("utf-16-le"),
        "UTF-32": GOOD.encode("utf-32"),
        "Latin-1": f"{GOOD}# \u00e4\n".encode("latin-1"),
        "half a character": f"{GOOD}# \ud800\n",
        "half a character in an escape": f"{RESOURCES}{value(chr(34) + chr(92) + 'ud800' + chr(34), '1x/')}",
        "the end of a character is missing": GOOD.encode() + b"# \xe2\x82",
        "too long a form of a character": GOOD.encode() + b"# \xc0\xaf",
        "control characters": f"{GOOD}# \x01\x02\x1b[2J\x7f\n",
        "a page": "<html><body><h1>404</h1></body></html>\n",
        "markup": "<?xml version='1.0'?><a>" + "<b>" * 5_000,
        "broken JSON": '{"heat_template_version": "2021-04-16", "resources": {',
        "JSON with single quotes": "{'heat_template_version': '2021-04-16' 'resources': {}}",
        "settings": "[resources]\na = 1\n",
        "a script": "#!/bin/sh\nrm -rf /\n",
        "code": "import os\nos.system('true')\n",
        "two documents": f"{GOOD}---\n{GOOD}",
        "many documents": "---\n" * 20_000,
        "a directive of another version": f"%YAML 2.0\n---\n{GOOD}",
        "an unknown directive twice": f"%YAML 1.1\n%YAML 1.1\n---\n{GOOD}",
        "a macro language": f"{RESOURCES}{{% for i in range(3) %}}\n  a{{{{ i }}}}: {{}}\n{{% endfor %}}\n",
        "a conflict of versions": f"<<<<<<< mine\n{GOOD}=======\n{GOOD}>>>>>>> theirs\n",
        "null": "null\n",
        "a number": "42\n",
        "a list": "- a\n- b\n",
        "a text": "just a text\n",
        "a name without a value": "? a\n",
        "a name that is a list": f"{HEAD}resources:\n  ? [a, b]\n  : {{type: OS::Heat::None}}\n",
        "a name that is a mapping": f"{HEAD}resources:\n  ? {{a: b}}\n  : {{type: OS::Heat::None}}\n",
        "tabs": f"{RESOURCES}\ta:\n\t\ttype: OS::Heat::None\n",
    }
    for name, content in refused.items():
        yield name, Hostile(content)
    taken: dict[str, str | bytes] = {
        "a mark in the middle": f"{RESOURCES}\ufeff{value('1')}",
        "a mark": b"\xef\xbb\xbf" + GOOD.encode(),
        "line ends of others": GOOD.replace("\n", "\r\n"),
        "old line ends": GOOD.replace("\n", "\r"),
        "rare line ends": f"{GOOD}# a\u2028b\u0085\n",
        "a document with ends": f"---\n{GOOD}...\n",
        "writing from right to left": f"{GOOD}# \u202egnirts\u202c\n",
        "a face in a value": f"{RESOURCES}{value(chr(0x1F600))}",
        "JSON": '{"heat_template_version": "2021-04-16", "resources": {"a": {"type": "OS::Heat::None"}}}',
    }
    for name, content in taken.items():
        yield name, Hostile(content, refused=False)


def yaml_that_goes_too_far() -> Iterator[tuple[str, Hostile]]:
    levels = "abcdefghijklmnopqrstuvwxyz"
    laughs = "".join(
        f"x-{one}: &{one} [{', '.join([f'*{levels[place - 1]}' if place else 'ha'] * 9)}]\n"
        for place, one in enumerate(levels[:12])
    )
    merges = many(26, lambda i: f"  l{i + 1}: &l{i + 1} {{<<: [*l{i}, *l{i}, *l{i}]}}\n")
    pairs = many(40, lambda i: f"  l{i + 1}: &l{i + 1} [*l{i}, *l{i}]\n")
    refused = {
        "open brackets": f"{HEAD}resources: {'[' * 100_000}",
        "brackets": f"{HEAD}resources: {nest(10_000, '[', '', ']')}\n",
        "open braces": f"{HEAD}resources: {'{a: ' * 50_000}",
        "braces": f"{HEAD}resources: {nest(5_000, '{a: ', '1', '}')}\n",
        "braces in JSON": '{"heat_template_version": "2021-04-16", "resources": ' + nest(5_000, '{"a": ', "1", "}"),
        "closing brackets": f"{HEAD}resources: {']' * 50_000}",
        "deep lines": HEAD + many(1_000, lambda i: f"{' ' * i}a:\n"),
        "dashes": f"{HEAD}resources: \n{'- ' * 20_000}a\n",
        "questions": f"{HEAD}{'? ' * 20_000}a\n",
        "laughs": f"{HEAD}{laughs}resources: {{}}\n",
        "laughs in a property": f"{RESOURCES}  l0: &l0 x\n{pairs}{value('*l40')}",
        "merges": f"{RESOURCES}  l0: &l0 {{a: 1}}\n{merges}",
        "a list in itself": f"{RESOURCES}  a: &a [*a]\n",
        "a mapping in itself": f"{RESOURCES}  a: &a {{type: OS::Heat::Value, properties: {{value: *a}}}}\n",
        "a mapping merged in itself": f"{RESOURCES}  a: &a {{<<: *a, type: OS::Heat::None}}\n",
        "resources in themselves": f"{HEAD}resources: &r\n  a: {{type: OS::Heat::Value, properties: {{value: *r}}}}\n",
        "two in each other": f"{RESOURCES}  a: &a {{b: &b {{c: *a}}}}\n  d: *b\n",
        "an alias of nothing": f"{RESOURCES}  a: *nothing\n",
        "many aliases of nothing": RESOURCES + many(5_000, lambda i: f"  r{i}: *n{i}\n"),
        "a merge of a text": f"{RESOURCES}  a: {{<<: text}}\n",
        "a merge of texts": f"{RESOURCES}  a: {{<<: [a, b]}}\n",
        "a long name": f"{RESOURCES}  {'a' * 1_000_000}: {{type: OS::Heat::None}}\n",
        "a long name in quotes": f"{RESOURCES}  '{'a' * 1_000_000}': {{type: OS::Heat::None}}\n",
        "a long line of colons": f"{HEAD}{'a: ' * 20_000}\n",
        "a long line of colons without blanks": f"{HEAD}{':' * 60_000}\n",
        "quotes": f"{HEAD}description: {chr(39) * 60_001}\n",
        "double quotes": f"{HEAD}description: {chr(34) * 60_001}\n",
        "a quote that does not end": f'{HEAD}description: "{"a b " * 50_000}',
        "quotes in each line": HEAD + 'a: "\n' * 5_001,
        "backslashes": f'{HEAD}description: "{chr(92) * 60_001}',
        "a wrong escape": f'{HEAD}description: "\\q"\n',
        "a character beyond all": f'{HEAD}description: "\\UFFFFFFFF"\n',
        "at signs": f"{HEAD}description: @a\n",
        "an anchor alone": f"{HEAD}resources: &\n",
        "a wrong block": f"{HEAD}description: |99\n  a\n",
        "equal names": RESOURCES + "  a: {type: No::Such}\n" * 5_000,
        "equal sections": f"{RESOURCES}  a: {{type: No::Such}}\n" * 1_000,
        "a call of the system": f"{RESOURCES}{value('!!python/object/apply:os.system [touch ran]')}",
        "a name of the system": f"{RESOURCES}{value('!!python/name:os.system')}",
        "a module": f"{RESOURCES}{value('!!python/module:os')}",
        "an object": f"{RESOURCES}{value('!!python/object/new:os.system [touch ran]')}",
        "an object in a name": f"{RESOURCES}  !!python/object/apply:os.system [touch ran]: 1\n",
        "an included file": f"{RESOURCES}{value('!include /etc/passwd')}",
        "a short form of others": f"{RESOURCES}{value('!Ref a')}",
        "a tag in full": f"{RESOURCES}{value('!<tag:example.org,2000:x> 1')}",
        "a tag with a wrong escape": f"{RESOURCES}{value('!a%zz 1')}",
        "a large number in another base": f"{RESOURCES}{value('0x' + 'f' * 100_000)}",
        "a large number": f"{RESOURCES}{value('9' * 20_000)}",
        "no number": f"{RESOURCES}{value('!!int abc')}",
        "no fraction": f"{RESOURCES}{value('!!float abc')}",
        "no bytes": f"{RESOURCES}{value('!!binary %%%')}",
        "no choice": f"{RESOURCES}{value('!!bool maybe')}",
        "a mapping that is called a text": f"{RESOURCES}{value('!!str {a: b}')}",
        "a text that is called a mapping": f"{RESOURCES}{value('!!map a')}",
    }  # fmt: skip
    for name, text in refused.items():
        yield name, Hostile(text)
    taken = {
        "a long value": f"{HEAD}description: {'a' * 1_000_000}\nresources: {{}}\n",
        "a tag alone": f"{HEAD}resources: !\n",
        "no date": f"{RESOURCES}{value('!!timestamp abc')}",
        "a day that is not": f"{RESOURCES}{value('2001-99-99')}",
        "a year that is not": f"{RESOURCES}{value('0000-01-01')}",
        "an hour that is not": f"{RESOURCES}{value('2001-01-01 99:99:99')}",
        "a time zone that is not": f"{RESOURCES}{value('2001-01-01T00:00:00+99:99')}",
        "a date at the edge": f"{RESOURCES}{value('0001-01-01T00:00:00+23:59')}",
        "a long folded value": f"{HEAD}description: >\n{'  a b c' * 1_000}\n{'  a b c' * 100_000}\nresources: {{}}\n",
        "a large number to the base of sixty": f"{RESOURCES}{value('1' + ':59' * 2_000)}",
        "a large fraction": f"{RESOURCES}{value('1e999999')}",
        "no end": f"{RESOURCES}{value('.inf')}{value('-.inf', 'b')}{value('.nan', 'c')}",
        "a set": f"{RESOURCES}{value('!!set {a, b}')}",
        "pairs": f"{RESOURCES}{value('!!omap [a: 1, b: 2]')}{value('!!pairs [a: 1, a: 2]', 'b')}",
        "bytes": f"{RESOURCES}{value('!!binary aGFsbG8=')}",
        "dates": f"{RESOURCES}{value('2001-01-01')}{value('2001-01-01T00:00:00Z', 'b')}",
        "anchors": RESOURCES + many(2_000, lambda i: f"  r{i}: &a{i} {{type: OS::Heat::None}}\n"),
        "the same anchor": RESOURCES + many(2_000, lambda i: f"  r{i}: &a {{type: OS::Heat::None}}\n"),
    }
    for name, text in taken.items():
        yield name, Hostile(text, refused=False)


def templates_out_of_shape() -> Iterator[tuple[str, Hostile]]:
    odd = {
        "nothing": "", "null": "null", "a number": "1", "a list": "[a]", "a text": "abc", "a mapping": "{a: b}",
        "lists": "[[a], {b: [c]}]",
    }  # fmt: skip
    allowed = {("resources", "nothing"), ("resources", "null"), ("parameters", "nothing"), ("parameters", "null")}
    for section in ("resources", "parameters", "outputs", "conditions", "parameter_groups", "heat_template_version"):
        head = "" if section == "heat_template_version" else HEAD
        for kind, text in odd.items():
            is_open = kind in {"nothing", "null"} and section != "heat_template_version"
            refused = not is_open and (section, kind) not in allowed
            is_plain = section == "conditions" and kind == "a mapping"
            yield f"{section}: {kind}", Hostile(f"{head}{section}: {text}\n", refused=refused and not is_plain)
    for key in ("type", "properties", "depends_on", "condition", "metadata", "update_policy", "deletion_policy"):
        for kind, text in (("a number", "1"), ("lists", "[[a], {b: [c]}]"), ("null", "null")):
            start = "" if key == "type" else "type: OS::Heat::None, "
            yield (
                f"{key} of a resource: {kind}",
                Hostile(f"{RESOURCES}  a: {{{start}{key}: {text}}}\n", refused=kind != "null"),
            )
    for name in ("1", "1.5", "on", "~", "2001-01-01", ".inf", "0o7", "'a/b'", "''", "'/'", '"a\\nb"', '"\\0"'):
        text = f"{RESOURCES}  {name}: {{type: OS::Heat::None}}\n{value(f'{{get_resource: {name}}}', 'last')}"
        yield f"resource named {name}", Hostile(text, refused=name in {"'a/b'", "'/'", "~"})
    for kind in (
        "../../etc/passwd",
        "file:///etc/passwd",
        "http://127.0.0.1:1/a.yaml",
        "A" * 100_000,
        "a.yaml",
        "OS::*",
    ):
        yield f"type {kind[:30]}", Hostile(f"{RESOURCES}  a: {{type: '{kind}'}}\n", refused="http" not in kind)
    flow = many(20_000, lambda i: f"r{i}: {{type: OS::Heat::None}}, ")
    switch = f"{HEAD}parameters: {{p: {{type: boolean}}}}\n"
    chain = many(3_000, lambda i: f"  r{i}: {{type: OS::Heat::None, depends_on: r{(i + 1) % 3_000}}}\n")
    wrong = {
        "an unknown version": "heat_template_version: 2999-01-01\nresources: {}\n",
        "both languages": f"AWSTemplateFormatVersion: '2010-09-09'\n{GOOD}",
        "unknown types": RESOURCES + many(2_000, lambda i: f"  r{i}: {{type: No::Such{i}}}\n"),
        "unknown properties": f"{RESOURCES}  a:\n    type: OS::Nova::Server\n    properties:\n"
        + many(5_000, lambda i: f"      p{i}: 1\n"),
        "unknown sections": HEAD + many(5_000, lambda i: f"s{i}: 1\n"),
        "unknown parameters": RESOURCES + many(2_000, lambda i: value(f"{{get_param: p{i}}}", f"r{i}")),
        "a large circle": f"{RESOURCES}{chain}",
        "a resource that needs itself": f"{RESOURCES}  a: {{type: OS::Heat::None, depends_on: a}}\n",
        "parameters of unknown types": f"{HEAD}parameters:\n" + many(2_000, lambda i: f"  p{i}: {{type: [odd]}}\n"),
        "constraints out of shape": f"{HEAD}parameters: {{p: {{type: json, constraints: [1, [], {{}}, {{a: 1}}]}}}}\n",
        "a range out of shape": f"{HEAD}parameters: {{p: {{type: number, constraints: [{{range: {{min: []}}}}]}}}}\n",
        "a length of a text": f"{HEAD}parameters: {{p: {{type: string, constraints: [{{length: {{max: a}}}}]}}}}\n",
        "groups of unknown parameters": f"{HEAD}parameter_groups:\n"
        + many(1_000, lambda i: f"- {{parameters: [p{i}]}}\n"),
        "codes in a comment": f"{RESOURCES}  # heatstudio: ignore[{many(20_000, lambda i: f'c{i}, ')}x]\n"
        + value("1", "a/b"),
    }  # fmt: skip
    for name, text in wrong.items():
        yield name, Hostile(text)
    taken = {
        "conditions in each other": f"{HEAD}conditions: {{a: {{not: b}}, b: {{not: a}}}}\nresources: {{}}\n",
        "resources in one line": f"{HEAD}resources: {{{flow}}}\n",
        "resources": RESOURCES + many(2_000, lambda i: f"  r{i}: {{type: OS::Heat::None}}\n"),
        "needs": f"{RESOURCES}  b: {{type: OS::Heat::None}}\n"
        f"  a: {{type: OS::Heat::None, depends_on: [{'b, ' * 20_000}]}}\n",
        "a chain of conditions": f"{switch}conditions:\n  c0: {{get_param: p}}\n"
        + many(3_000, lambda i: f"  c{i + 1}: {{and: [c{i}, {{or: [c{i}, true]}}]}}\n")
        + "resources:\n  a: {type: OS::Heat::None, condition: c3000}\n",
        "a resource for each condition of a chain": f"{switch}conditions:\n  c0: {{get_param: p}}\n"
        + many(900, lambda i: f"  c{i + 1}: {{not: c{i}}}\n")
        + "resources:\n"
        + many(900, lambda i: f"  r{i}: {{type: OS::Heat::None, condition: c{i}}}\n"),
        "branches of branches": f"{HEAD}parameters: {{{many(13, lambda i: f'p{i}: {{type: boolean}}, ')}}}\n"
        f"conditions: {{{many(13, lambda i: f'c{i}: {{get_param: p{i}}}, ')}}}\nresources:\n{value(branches(12))}",
        "a branch for each of many conditions": f"{switch}conditions:\n"
        + many(3_000, lambda i: f"  c{i}: {{equals: [{{get_param: p}}, 'v{i}']}}\n")
        + f"resources:\n{value('[' + many(3_000, lambda i: f'{{if: [c{i}, x, y]}}, ') + ']')}",
        "a long way into a parameter": f"{HEAD}parameters: {{p: {{type: json}}}}\nresources:\n"
        + value(f"{{get_param: [p, {'a, ' * 20_000}]}}"),
        "choices": f"{HEAD}parameters:\n  p: {{type: string, default: '1', constraints: [{{allowed_values: ["
        + many(20_000, lambda i: f"'{i}', ") + "]}]}\n",
        "metadata": f"{RESOURCES}  a: {{type: OS::Heat::None, metadata: {nest(200, '{a: ', '1', '}')}}}\n",
        "outputs": f"{GOOD}outputs:\n" + many(3_000, lambda i: f"  o{i}: {{value: {{get_attr: [a, value]}}}}\n"),
    }  # fmt: skip
    for name, text in taken.items():
        yield name, Hostile(text, refused=False)


FUNCTIONS = (
    "get_param", "get_resource", "get_attr", "get_file", "str_replace", "str_replace_strict", "list_join", "repeat",
    "digest", "resource_facade", "map_merge", "map_replace", "yaql", "str_split", "if", "filter", "make_url",
    "list_concat", "list_concat_unique", "contains", "not", "and", "or", "equals",
)  # fmt: skip

CONDITIONS = ("not", "and", "or", "equals")
"""Condition functions, which are plain data where no condition is expected."""


def functions_that_do_too_much() -> Iterator[tuple[str, Hostile]]:
    for name in FUNCTIONS:
        odd = ("null", "1", "[]", "{}", "[null]", "{a: {b: c}}", f"{{{name}: {{{name}: []}}}}", "[[[[1]]], {a: []}]")
        text = RESOURCES + "".join(value(f"{{{name}: {one}}}", f"r{at}") for at, one in enumerate(odd))
        yield f"{name} of odd things", Hostile(text, refused=name not in CONDITIONS)
    replaced = nest(40, "{str_replace: {params: {a: aa}, template: ", "a", "}}")
    digits = "[" + ", ".join("0123456789") + "]"
    lists = ", ".join(f"'%{one}%': {digits}" for one in "abcdefghij")
    joined = nest(12, "{list_join: ['', [", "x", ", x]]}")
    bomb = many(
        30,
        lambda i: value(
            f"{{list_join: ['', [{{get_attr: [r{i}, value]}}, {{get_attr: [r{i}, value]}}]]}}", f"r{i + 1}"
        ),
    )

    def yaql(expression: str, data: str = "{}") -> str:
        return f"{RESOURCES}{value(f'{{yaql: {{expression: {chr(34)}{expression}{chr(34)}, data: {data}}}}}')}"

    open_ended = {
        "a file far away": f"{RESOURCES}{value('{get_file: http://127.0.0.1:1/}')}",
        "text replaced in itself": f"{RESOURCES}{value(replaced)}",
        "text of many parts": f"{RESOURCES}{value(joined)}",
        "values that double": f"{RESOURCES}{value('abcdefgh', 'r0')}{bomb}",
        "all combinations": f"{RESOURCES}{value(f'{{repeat: {{for_each: {{{lists}}}, template: a}}}}')}",
        "repetitions in each other": RESOURCES
        + value(nest(12, f"{{repeat: {{for_each: {{'%a%': {digits}}}, template: ", "'%a%'", "}}")),
        "texts to replace": RESOURCES
        + value(f"{{str_replace: {{template: {'ab' * 20_000}, params: {{{many(2_000, lambda i: f'k{i}: v, ')}}}}}}}"),
        "an endless sequence in yaql": yaql("sequence().len()"),
        "an endless list in yaql": yaql("range(1000000000).sum()"),
        "a large product in yaql": yaql("'a' * 1000000000"),
        "lists of lists in yaql": yaql("range(10000).selectMany(range(10000)).len()"),
        "a pattern in yaql": yaql("$.data.matches('^(a|aa)+$')", f"{'a' * 60}b"),
        "a power in yaql": yaql("9 * 9 * " * 500 + "9"),
        "many values of one digest": f"{RESOURCES}{value('{digest: [sha512, ' + 'a' * 100_000 + ']}')}",
        "splits": f"{RESOURCES}{value('{str_split: [a, ' + 'a' * 100_000 + ']}')}",
        "the same lists": RESOURCES
        + value("{list_concat_unique: [[" + "a, " * 10_000 + "], [" + "b, " * 10_000 + "]]}"),
    }  # fmt: skip
    for name, text in open_ended.items():
        yield name, Hostile(text, refused=False)
    refused = {
        "yaql that is none": yaql("$.(((("),
        "deep yaql": yaql("(" * 2_000 + "1" + ")" * 2_000),
        "a digest of nobody": f"{RESOURCES}{value('{digest: [shake_128, a]}')}",
        "functions in each other": f"{RESOURCES}{value(nest(2_000, '{get_param: ', 'p', '}'))}",
        "choices in each other": f"{RESOURCES}{value(nest(500, '{if: [c, 1, ', '2', ']}'))}",
        "conditions that nest": f"{HEAD}conditions:\n  c: {nest(1_000, '{not: ', 'x', '}')}\nresources: {{}}\n",
        "attributes of itself": f"{RESOURCES}{value('{get_attr: [a, value]}')}",
        "functions of the other language": f"{RESOURCES}{value('{Fn::Join: [1, 2]}')}{value('{Ref: []}', 'b')}",
        "a file that is missing": f"{RESOURCES}{value('{get_file: missing}')}",
        "a file of the system": f"{RESOURCES}{value('{get_file: /etc/shadow}')}",
        "a file of no name": f"{RESOURCES}{value('{get_file: ' + chr(34) + chr(92) + '0' + chr(34) + '}')}",
        "a folder for a file": f"{RESOURCES}{value('{get_file: .}')}",
        "a device for a file": f"{RESOURCES}{value('{get_file: /dev/zero}')}",
    }
    for name, text in refused.items():
        yield name, Hostile(text)
    for name, pattern, word in (
        ("loops in loops", "(a+)+$", "a" * 40 + "b"),
        ("options in a loop", "(a|aa)+$", "a" * 60 + "b"),
        ("empty loops", "(?:(?:a*)*)*b", "a" * 40),
        ("a count of counts", "(a{1,30}){1,30}b", "a" * 60),
        ("a group within", "((((a*)*)*)*)*$", "a" * 40 + "b"),
        ("a look back", "(a*)*\\\\1b", "a" * 40),
    ):
        limits = f'constraints: [{{allowed_pattern: "{pattern}"}}]'
        text = f"{HEAD}parameters:\n  p: {{type: string, default: {word}, {limits}}}\n"
        yield f"a pattern with {name}", Hostile(text, refused=False)
    for name, pattern in (("an open group", "("), ("one name twice", "(?P<a>)(?P<a>)"), ("a count", "a{99999999999}")):
        text = (
            f"{HEAD}parameters:\n  p: {{type: string, default: a, constraints: [{{allowed_pattern: '{pattern}'}}]}}\n"
        )
        yield f"a pattern with {name}", Hostile(text)


def files_that_are_none() -> Iterator[tuple[str, Hostile]]:
    yield "no template", Hostile(None)
    yield "a folder for a template", Hostile(None, prepare=lambda folder: (folder / TEMPLATE).mkdir())
    yield "a pipe for a template", Hostile(None, prepare=lambda folder: os.mkfifo(folder / TEMPLATE))
    yield "a device for a template", Hostile(None, prepare=lambda folder: (folder / TEMPLATE).symlink_to("/dev/zero"))
    yield "a link to itself", Hostile(None, prepare=lambda folder: (folder / TEMPLATE).symlink_to(TEMPLATE))
    yield "too large a file", Hostile(None, prepare=lambda folder: os.truncate(_made(folder / TEMPLATE), 30_000_000))
    inner = "inner.yaml"
    nested = f"{RESOURCES}  a: {{type: {inner}}}\n"
    for name, content in (
        ("nothing", b""), ("noise", b"\x00\xff"), ("Latin-1", b"a: \xe9\n"), ("a list", b"- a\n"), ("tabs", b"\ta\n"),
        ("laughs", yaml_text("laughs")), ("open brackets", b"[" * 100_000), ("itself", nested.encode()),
        ("the outer one", f"{RESOURCES}  a: {{type: {TEMPLATE}}}\n".encode()),
    ):  # fmt: skip
        yield f"a nested template: {name}", Hostile(nested, {inner: content}, refused=name not in {"noise", "Latin-1"})
    for name, prepare in (
        ("missing", None),
        ("a folder", lambda folder: (folder / inner).mkdir()),
        ("a pipe", lambda folder: os.mkfifo(folder / inner)),
        ("a device", lambda folder: (folder / inner).symlink_to("/dev/zero")),
        ("a link to itself", lambda folder: (folder / inner).symlink_to(inner)),
        ("outside", lambda folder: (folder / inner).symlink_to("/etc/passwd")),
    ):
        yield f"a nested template: {name}", Hostile(nested, prepare=prepare)
        yield f"an included file: {name}", Hostile(f"{RESOURCES}{value(f'{{get_file: {inner}}}')}", prepare=prepare)
        yield f"an environment: {name}", Hostile(GOOD, environments=(inner,), prepare=prepare)
    wide = {
        f"l{at}.yaml": RESOURCES + "".join(f"  r{i}: {{type: l{at + 1}.yaml}}\n" for i in range(8)) for at in range(6)
    }
    yield (
        "nested templates that multiply",
        Hostile(f"{RESOURCES}  a: {{type: l0.yaml}}\n", {**wide, "l6.yaml": GOOD}, refused=False),
    )
    deep = {f"l{at}.yaml": f"{RESOURCES}  r: {{type: l{at + 1}.yaml}}\n" for at in range(300)}
    yield "nested templates far down", Hostile(f"{RESOURCES}  a: {{type: l0.yaml}}\n", {**deep, "l300.yaml": GOOD})
    for name, count, refused in (
        ("many", "1000000000", False),
        ("less than none", "-1", True),
        ("words", "many", True),
    ):
        properties = f"{{count: {count}, resource_def: {{type: OS::Heat::None}}}}"
        text = f"{RESOURCES}  a: {{type: OS::Heat::ResourceGroup, properties: {properties}}}\n"
        yield f"a group of {name}", Hostile(text, refused=refused)
    group = "type: OS::Heat::ResourceGroup, properties: {count: 9, resource_def: "
    text = f"{RESOURCES}  a: {{{nest(60, f'{group}{{', 'type: OS::Heat::None', '}}')}}}\n"
    yield "groups in groups", Hostile(text, refused=False)


def environments_out_of_shape() -> Iterator[tuple[str, Hostile]]:
    refused: dict[str, str | bytes] = {
        "noise": b"\x00\xff\x01",
        "Latin-1": b"parameters: {a: \xe9}\n",
        "a list": "- a\n",
        "a text": "abc\n",
        "an open bracket": "parameters: [\n",
        "open brackets": "[" * 100_000,
        "tabs": "parameters:\n\ta: 1\n",
        "unknown sections": many(2_000, lambda i: f"s{i}: 1\n"),
        "parameters: a list": "parameters: [a]\n",
        "a registry that is a list": "resource_registry: [a]\n",
        "a registry with odd targets": "resource_registry: {A: [], B: {c: {d: e}}, C: 1}\n",
        "laughs": yaml_text("laughs"),
        "merges": "x: &l0 {a: 1}\n" + many(26, lambda i: f"y{i}: &l{i + 1} {{<<: [*l{i}, *l{i}, *l{i}]}}\n"),
        "an object": "parameters: {a: !!python/object/apply:os.system [touch ran]}\n",
    }
    for name, content in refused.items():
        yield f"environment with {name}", Hostile(GOOD, {ENVIRONMENT: content}, environments=(ENVIRONMENT,))
    taken: dict[str, str] = {
        "nothing": "",
        "empty sections": "parameters:\nresource_registry:\nparameter_defaults:\n",
        "a registry of itself": "resource_registry: {'OS::Heat::Value': 'OS::Heat::Value'}\n",
        "a registry in a circle": "resource_registry: {A: B, B: A, 'OS::Heat::Value': A}\n",
        "a registry of all": "resource_registry: {'*': '*', 'OS::*': 'OS::*'}\n",
        "many types": "resource_registry:\n" + many(3_000, lambda i: f"  'OS::A{i}': OS::Heat::None\n"),
        "many parameters": "parameter_defaults:\n" + many(3_000, lambda i: f"  p{i}: 1\n"),
        "hooks": "resource_registry: {resources: {'*': {hooks: [a, [], 1]}, a: {restricted_actions: {}}}}\n",
        "sinks": "event_sinks: [1, {type: x}, []]\n",
        "a value in itself": "parameter_defaults: {a: &a [*a]}\n",
        "secrets": "encrypted_param_names: {a: b}\n",
    }
    for name, text in taken.items():
        yield f"environment with {name}", Hostile(GOOD, {ENVIRONMENT: text}, environments=(ENVIRONMENT,), refused=False)


def work_that_grows() -> Iterator[tuple[str, Hostile]]:
    """Yield inputs whose work grows with the square of their size, unless it is bounded."""
    choices = "[" + many(8_000, lambda i: f"a{i}, ") + "]"
    maps = "[" + many(8_000, lambda i: f"{{a: {i}}}, ") + "]"
    given = many(1_500, lambda i: f"  p{i}: {{type: string}}\n")
    partly = "[" + many(1_500, lambda i: f"{{get_param: p{i}}}, ") + "]"
    inside = "[" + many(1_500, lambda i: f"[{{get_param: p{i}}}, 1], ") + "]"
    long_list = f"{HEAD}parameters: {{p: {{type: comma_delimited_list, default: '{'a,' * 20_000}'}}}}\nresources:\n"
    limited = "{{type: {}, default: {}, constraints: [{{allowed_values: {}}}]}}"
    removed = "[" + many(20_000, lambda i: f"'{i}', ") + "]"
    group = "  g: {type: OS::Heat::ResourceGroup, properties: {count: 900, resource_def: {type: OS::Heat::None}, "
    taken = {
        "unique maps": RESOURCES + value(f"{{list_concat_unique: [{maps}, {maps}]}}"),
        "unique texts": RESOURCES + value(f"{{list_concat_unique: [{choices}, {choices}]}}"),
        "unique values that are partly unknown": f"{HEAD}parameters:\n{given}resources:\n"
        + value(f"{{list_concat_unique: [{inside}, {inside}]}}"),
        "unique values that are unknown": f"{HEAD}parameters:\n{given}resources:\n"
        + value(f"{{list_concat_unique: [{partly}, {partly}]}}"),
        "a filter of values that are partly unknown": f"{HEAD}parameters:\n{given}resources:\n"
        + value(f"{{filter: [{inside}, {inside}]}}"),
        "a long list searched often": long_list
        + many(900, lambda i: value(f"{{contains: [z{i}, {{get_param: p}}]}}", f"r{i}")),
        "a long list made unique often": long_list
        + many(300, lambda i: value("{list_concat_unique: [{get_param: p}, {get_param: p}]}", f"r{i}")),
        "maps searched in maps": RESOURCES + value(f"{{filter: [{maps}, {maps}]}}"),
        "a list of allowed values": f"{HEAD}parameters:\n  p: "
        + limited.format("comma_delimited_list", f"'{','.join(f'a{i}' for i in range(8_000))}'", choices)
        + "\nresources: {}\n",
        "many names of removed members": f"{RESOURCES}{group}removal_policies: [{{resource_list: {removed}}}]}}}}\n",
        "a long number of a removed member": f"{RESOURCES}{group}removal_policies: "
        f"[{{resource_list: ['{'9' * 6_000}']}}]}}}}\n",
        "many groups": RESOURCES + many(100, lambda i: group.replace("g:", f"g{i}:") + "}}\n"),
    }  # fmt: skip
    for name, text in taken.items():
        yield name, Hostile(text, {NEW: text.replace("count: 900", "count: 950").replace("a1,", "b1,")}, refused=False)
    refused = {
        "a value among many": f"{HEAD}parameters:\n  p: {limited.format('string', 'zz', choices)}\nresources: {{}}\n",
        "values among many": f"{HEAD}parameters:\n"
        + many(300, lambda i: f"  p{i}: {limited.format('string', 'zz', '[' + 'a, ' * 200 + ']')}\n")
        + "resources: {}\n",
        "one list of allowed values for many": f"{HEAD}x: &v {choices}\nparameters:\n"
        + many(1_000, lambda i: f"  p{i}: {limited.format('string', 'zz', '*v')}\n"),
    }
    for name, text in refused.items():
        yield name, Hostile(text)
    own = f"{HEAD}parameters: {{p: {{type: string}}}}\nresources:\n"
    inner = own + many(300, lambda i: value("{list_join: ['', [{get_param: p}, x]]}", f"r{i}"))
    siblings = RESOURCES + many(300, lambda i: f"  r{i}: {{type: inner.yaml, properties: {{p: v{i}}}}}\n")
    changed = siblings.replace("p: v", "p: w")
    yield "siblings of nested stacks", Hostile(siblings, {"inner.yaml": inner, NEW: changed})
    wide = {
        f"l{at}.yaml": own + many(30, partial("  r{1}: {{type: l{0}.yaml, properties: {{p: {1}}}}}\n".format, at + 1))
        for at in range(4)
    }
    yield "a tree of nested stacks", Hostile(wide["l0.yaml"], {**wide, "l4.yaml": inner})
    distinct = {f"n{at}.yaml": RESOURCES + many(100, value_of_number) for at in range(300)}
    files = RESOURCES + many(300, lambda i: f"  r{i}: {{type: n{i}.yaml}}\n")
    yield "many nested templates", Hostile(files, distinct)
    environments = {
        f"e{at}.yaml": "parameter_defaults:\n" + many(400, partial("  p{1}: v{0}\n".format, at)) for at in range(100)
    }
    declared = f"{HEAD}parameters:\n" + many(400, lambda i: f"  p{i}: {{type: string}}\n")
    read = declared + "resources:\n" + many(400, lambda i: value(f"{{get_param: p{i}}}", f"r{i}"))
    yield "many environments", Hostile(read, environments, environments=tuple(environments), refused=False)
    large = {name: text * 6 for name, text in environments.items()}
    yield "large environments", Hostile(read, large, environments=tuple(large))
    dotted = {"heatstudio.toml": f"a{'.a' * 30_000} = 1\n"}
    yield "a long key in the project file", Hostile(GOOD, dotted)
    patterns = "files = [" + '"*a*a*a*a*b*", ' * 990 + "]\n"
    yield (
        "patterns in the project file",
        Hostile(GOOD, {"heatstudio.toml": f"[[ignore]]\n{patterns}codes = []\nreason = 'x'\n"}, refused=False),
    )
    yield "a pipe for the project file", Hostile(GOOD, prepare=lambda folder: os.mkfifo(folder / "heatstudio.toml"))
    many_files = {f"f{at}": "x" * 1_000_000 for at in range(40)}
    included = RESOURCES + many(40, lambda i: value(f"{{get_file: f{i}}}", f"r{i}"))
    yield "many large files", Hostile(included, many_files, refused=False)
    json = '{"heat_template_version": "2021-04-16", "resources": {' + ", ".join(
        f'"r{i}": {{"type": "OS::Heat::Value", "properties": {{"value": "{"x" * 40}"}}}}' for i in range(900)
    )
    yield "JSON in one line", Hostile(json + "}}", refused=False)


def value_of_number(number: int) -> str:
    return value("1", f"r{number}")


def yaml_text(name: str) -> str | bytes:
    text = dict(yaml_that_goes_too_far())[name].text
    assert text is not None
    return text


def _made(path: Path) -> Path:
    path.touch()
    return path


INPUTS = {
    name: one
    for make in (
        bytes_that_are_no_template,
        yaml_that_goes_too_far,
        templates_out_of_shape,
        functions_that_do_too_much,
        files_that_are_none,
        environments_out_of_shape,
        work_that_grows,
    )
    for name, one in make()
}
