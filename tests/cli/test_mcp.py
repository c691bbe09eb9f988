"""`heatstudio mcp`, used by the client of the `mcp` package as a coding agent does."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

from heatstudio.cli import agent_tools
from heatstudio.cli.agent_tools import make_server

OLD = """heat_template_version: 2016-10-14
parameters:
  key: {type: string, hidden: true, default: secret-of-a-key}
resources:
  server:
    type: OS::Nova::Server
    properties:
      flavor: small
      image: debian
      key_name: {get_param: key}
      networks: [{uuid: inside}]
"""


async def _ask(client: Client, tool: str, **arguments: object) -> str:
    """Return the answer of a tool, or `!` and its error message."""
    answer = await client.call_tool(tool, dict(arguments))
    (content,) = answer.content
    assert isinstance(content, TextContent)
    return f"!{content.text}" if answer.is_error else content.text


def _answers(root: Path, *calls: tuple[str, Mapping[str, object]]) -> list[str]:
    async def ask() -> list[str]:
        async with Client(make_server(root)) as client:
            return [await _ask(client, tool, **arguments) for tool, arguments in calls]

    return asyncio.run(ask())


def _applied(text: str, edits: list[dict[str, dict[str, dict[str, int]]]]) -> str:
    lines = text.split("\n")
    for edit in reversed(edits):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]]
        lines[start["line"]] = f"{line[: start['character']]}{edit['text']}{line[end['character'] :]}"
    return "\n".join(lines)


def test_agent_checks_fixes_and_previews_over_standard_input(tmp_path: Path) -> None:
    (tmp_path / "stack.yaml").write_text(OLD, encoding="utf-8")

    async def work() -> None:
        command = ["-m", "heatstudio", "mcp", "--root", str(tmp_path)]
        server = StdioServerParameters(command=sys.executable, args=command)
        async with Client(server) as client:
            tools = await client.list_tools()
            assert {tool.name for tool in tools.tools} == {
                "check",
                "fix",
                "format",
                "preview",
                "resolve",
                "types",
                "explain",
            }
            assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools.tools)
            file = {"path": "stack.yaml"}
            found = json.loads(await _ask(client, "check", template=file))
            assert [one["code"] for one in found["problems"]] == ["property-support"]
            assert "## " in await _ask(client, "explain", code="property-support")
            fixed = _applied(OLD, json.loads(await _ask(client, "fix", template=file))["edits"])
            assert fixed == OLD.replace("uuid", "network")
            edited = {"path": "stack.yaml", "text": fixed}
            assert json.loads(await _ask(client, "check", template=edited))["problems"] == []
            plan = json.loads(await _ask(client, "preview", old=file, new=edited))
            assert not any(one["has_effect"] for one in plan["resources"])
            assert plan["summary"]["replaced"] == 0
        assert (tmp_path / "stack.yaml").read_text(encoding="utf-8") == OLD

    asyncio.run(work())


def test_values_are_computed_and_hidden_ones_are_masked(tmp_path: Path) -> None:
    template = {"path": "a.yaml", "text": OLD, "parameters": {"key": "another-secret"}}
    (resolved, plan) = _answers(
        tmp_path,
        ("resolve", {"template": template}),
        ("preview", {"old": {"path": "a.yaml", "text": OLD}, "new": template}),
    )
    assert json.loads(resolved)["resources"]["server"]["properties"]["flavor"] == "small"
    assert "secret" not in resolved + plan
    assert json.loads(plan)["summary"]["replaced"] == 1


def _place(text: str, words: str) -> dict[str, int]:
    before = text[: text.index(words)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def test_format_returns_edits_or_why_it_is_refused(tmp_path: Path) -> None:
    untidy = OLD.replace("flavor: small", "flavor:   small")
    formatted, refused = _answers(
        tmp_path,
        ("format", {"template": {"path": "a.yaml", "text": untidy}}),
        ("format", {"template": {"path": "a.yaml", "text": "a: ["}}),
    )
    edits = json.loads(formatted)["edits"]
    assert {"range": {"start": _place(untidy, "  small"), "end": _place(untidy, "small")}, "text": ""} in edits
    assert refused.startswith("!")


def test_types_are_shown_or_searched(tmp_path: Path) -> None:
    shown, names, none = _answers(
        tmp_path, ("types", {"name": "OS::Heat::Value"}), ("types", {"name": "floatingip"}), ("types", {"name": "zzz"})
    )
    assert json.loads(shown)["properties"]["value"]["required"] is True
    assert "OS::Neutron::FloatingIP" in json.loads(names)
    assert json.loads(none) == []


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ({"path": "/etc/hostname"}, "outside the folder"),
        ({"path": "../beside.yaml"}, "outside the folder"),
        ({"path": "link.yaml"}, "outside the folder"),
        ({"path": "a.yaml", "text": OLD, "environments": ["../env.yaml"]}, "outside the folder"),
        ({"path": "missing.yaml"}, "no such file"),
        ({"path": "a.yaml", "text": OLD, "environments": ["missing.yaml"]}, "missing.yaml"),
        ({"path": "a.yaml", "text": "#" * 1_000_001}, "1,000,001 characters"),
        ({"path": "a.yaml", "text": OLD, "release": "zebra"}, "Unknown release zebra"),
        ({"path": "a\0b.yaml"}, "Cannot read"),
    ],
)
def test_input_that_is_not_read_has_a_plain_message(
    tmp_path: Path, template: Mapping[str, object], message: str
) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "beside.yaml").write_text(OLD, encoding="utf-8")
    (tmp_path / "root" / "link.yaml").symlink_to(tmp_path / "beside.yaml")
    (answer,) = _answers(tmp_path / "root", ("check", {"template": template}))
    assert answer.startswith("!")
    assert message in answer


def test_file_outside_is_not_read_by_a_template(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "outside").write_text("content-of-a-file", encoding="utf-8")
    text = OLD.replace("debian", "{get_file: ../outside}")
    template = {"path": "a.yaml", "text": text}
    answers = _answers(tmp_path / "root", ("check", {"template": template}), ("resolve", {"template": template}))
    assert "content-of-a-file" not in "".join(answers)


def test_long_work_and_large_answers_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    question = ("check", {"template": {"path": "a.yaml", "text": OLD}})
    monkeypatch.setattr(agent_tools, "LONGEST", -1.0)
    assert "more than" in _answers(tmp_path, question)[0]
    monkeypatch.undo()
    monkeypatch.setattr(agent_tools, "LARGEST", 10)
    assert "more than 10" in _answers(tmp_path, question)[0]
