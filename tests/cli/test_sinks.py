"""A hostile name, in every output of every command, forges nothing."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.parsers.expat import ParserCreate

import pytest
from markdown_it import MarkdownIt

from heatstudio.cli import run
from heatstudio.text.invisible import invisible, visible

NAME = (
    "a`|*b*_c_ <b>x</b><!-- ![p](/dev/zero) [l](https://example.invalid) @you #1 $x$ &amp; %0A"
    "\n\n# Forged\n::error::forged\n##[error]forged\r\x1b[31m\u202e\u2066\u200b\x85\u2028\ufffe\U000e0041"
)
"""What has a meaning for a terminal, a job on GitHub, Markdown, HTML or XML, or hides what follows."""
PATH = NAME.replace("/", "")
"""The name without what neither a file nor a resource may have."""
COMMANDS = [
    *(["check", "--format", form, "bad"] for form in ("text", "json", "sarif", "github", "junit")),
    *(["preview", "--format", form, "old", side] for form in ("text", "json", "markdown") for side in ("new", "bad")),
    ["check", "--write-baseline", "plan", "bad"],
    ["preview", "--out", "plan", "old", "new"],
    *(["upgrade", "--to", "2026.2", "--format", form, "bad"] for form in ("text", "markdown")),
    ["fix", "bad"],
    ["resolve", "bad"],
    ["resolve", "new"],
    ["check", "missing"],
    ["preview", "old", "missing"],
    ["convert", "missing"],
    ["types", NAME],
    ["check", "--explain", NAME],
    ["check", f"--{NAME}"],
    ["fix", "--diff", "bad"],
    ["convert", "new"],
]


def template(number: int, *, is_valid: bool) -> str:
    """Return a template that has the name in every place."""
    resources: dict[str, object] = {
        PATH: {"type": "OS::Heat::Value", "properties": {"value": {"get_param": f"{NAME}p"}}},
        f"{PATH}2": {"type": "OS::Neutron::Net", "properties": {"name": f"{NAME}{number}"}, "condition": f"{NAME}c"},
        f"{PATH}3": {"type": "OS::Heat::Value", "properties": {"value": {f"{NAME}{number}": NAME}}, "depends_on": PATH},
    }
    outputs: dict[str, object] = {NAME: {"value": {"get_attr": [PATH, "value", NAME]}}}
    if not is_valid:
        properties = {"router_id": NAME, "subnet_id": NAME, f"{NAME}x": NAME}
        resources["link"] = {"type": "OS::Neutron::RouterInterface", "properties": properties, "depends_on": f"{NAME}4"}
        resources[NAME] = {"type": NAME, "properties": {NAME: {NAME: number}}}
        outputs["o"] = {"value": {NAME: [NAME]}, NAME: NAME}
    parameter = {"type": "string", "default": f"{NAME}{number}", "label": NAME, "description": NAME}
    return json.dumps(
        {
            "heat_template_version": "2021-04-16",
            "description": NAME,
            "parameters": {f"{NAME}p": parameter},
            "conditions": {f"{NAME}c": {"equals": [{"get_param": f"{NAME}p"}, f"{NAME}0"]}},
            "resources": resources,
            "outputs": outputs,
        }
    )


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    found = {"missing": str(tmp_path / PATH), "plan": str(tmp_path / "plan")}
    for number, name in enumerate(("old", "new", "bad")):
        path = tmp_path / f"{PATH}.{name}.json"
        path.write_text(template(number, is_valid=name != "bad"), "utf-8")
        found[name] = str(path)
    return found


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: " ".join(map(visible, arguments))[:40])
def test_hostile_name_forges_nothing(
    arguments: list[str], files: dict[str, str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    run([files.get(argument, argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert out or err
    assert list(unclean(err)) == []
    match next(iter(arguments[2:3]), ""):
        case "json" | "sarif":
            assert any(NAME in string or PATH in string for string in strings(json.loads(out)))
            assert out.isascii()
        case "junit":
            assert visible(files["bad"]) in xml_strings(out)
            assert any(visible(NAME) in string for string in xml_strings(out))
        case "github":
            check_annotations(out)
        case "markdown":
            check_markdown(out)
        case _:
            assert list(unclean(out if arguments[0] != "resolve" else "")) == []


def unclean(text: str) -> Iterator[str]:
    """Yield the lines that a terminal or the runner of a job would interpret."""
    for line in text.removesuffix("\n").split("\n"):
        if list(invisible(line)) or re.search(r"^\s*::|##\w*\[", line) or line.startswith("forged"):
            yield line


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for item in (
        (*value.keys(), *value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from strings(item)


def xml_strings(text: str) -> list[str]:
    """Return the values of the attributes and the texts of XML; raise an exception if it is not well-formed."""
    found: list[str] = []
    parser = ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda _tag, attributes: found.extend(attributes.values())
    parser.CharacterDataHandler = found.append
    parser.Parse(text, True)
    return found


def check_annotations(text: str) -> None:
    for line in text.splitlines():
        found = re.fullmatch(
            r"::(?:error|warning|notice) file=([^,:]*),line=\d+,endLine=\d+,.*title=[\w-]+::(.*)", line
        )
        assert found is not None
        assert visible(f"{PATH}.bad.json") in found[1].replace("%2C", ",").replace("%3A", ":").replace("%25", "%")
        assert not list(invisible(line))


def check_markdown(text: str) -> None:
    html = MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(text)
    tags = {tag for tag in re.findall(r"<(/?\w+|!--)", html) if not tag.startswith("/")}
    assert tags <= {"h1", "h2", "p", "ul", "li", "strong", "code", "table", "thead", "tbody", "tr", "th", "td"}
    assert html.count("<h1>") == 1
    assert not any(list(invisible(line)) for line in text.split("\n"))
    assert not re.search(r"##\w*\[|^\s*::", text, re.MULTILINE)
