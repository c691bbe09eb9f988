"""Behavior of the server for clients with different capabilities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.template_text import template_text
from tests.lsp.client import CAPABILITIES, Client
from tests.lsp.test_features import NESTED, NESTING, TEXT, marked, opened, place


@contextmanager
def started(folder: Path, capabilities: Mapping[str, Any]) -> Iterator[Client]:
    with Client(folder, capabilities) as client:
        yield client
    assert (client.process.returncode, client.errors) == (0, "")


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 32), ("utf-16", 27), ("utf-32", 25)])
def test_positions_use_the_encoding_of_the_client(tmp_path: Path, encoding: str, column: int) -> None:
    text = TEXT.replace("      name: {", "      'é😀😀': {").replace("{get_param: title}", "{get_param: titel}")
    with started(tmp_path, {"general": {"positionEncodings": [encoding]}}) as client:
        assert client.initialized["capabilities"]["positionEncoding"] == encoding
        there = next(one["range"] for one in opened(client, text) if one["code"] == "unknown-parameter")
        assert (there["start"]["character"], there["end"]["character"]) == (column, column + len("titel"))
        client.change("a.yaml", {"range": there, "text": "title"})
        assert "unknown-parameter" not in {one["code"] for one in client.diagnostics("a.yaml")}


def test_client_without_snippet_support_gets_plain_text(tmp_path: Path) -> None:
    text = TEXT.replace("flavour: m1", "sec")
    with started(tmp_path, {"general": CAPABILITIES["general"]}) as client:
        opened(client, text)
        items = client.ask("completion", "a.yaml", position={**place(text, "sec\n"), "character": 9})["items"]
        found = next(one for one in items if one["label"] == "security_groups")
    assert marked(text, found["textEdit"]["range"]) == "sec"
    assert (found["insertTextFormat"], found["insertTextMode"]) == (1, 1)
    assert found["textEdit"]["newText"] == "security_groups:\n        - "


def test_client_that_pulls_diagnostics_gets_refresh_requests(tmp_path: Path) -> None:
    refreshed = ("diagnostics", "inlayHint", "codeLens")
    workspace = {one: {"refreshSupport": True} for one in refreshed}
    with started(tmp_path, {"workspace": workspace, "textDocument": {"diagnostic": {}}}) as client:
        client.open("outer.yaml", NESTING)
        assert [one["code"] for one in client.ask("diagnostic", "outer.yaml")["items"]] == ["unknown-file"]
        (tmp_path / "nested.yaml").write_text(NESTED)
        client.open("nested.yaml", NESTED)
        assert client.ask("diagnostic", "outer.yaml")["items"] == []
        client.notify("textDocument/didSave", {"textDocument": {"uri": client.uri("nested.yaml")}})
        assert client.ask("diagnostic", "nested.yaml")["items"] == []
    asked = [one["method"] for one in client.requests]
    assert asked[:2] == ["workspace/diagnostic/refresh", "workspace/inlayHint/refresh"]
    assert asked[-1] == "workspace/codeLens/refresh"
    assert "textDocument/publishDiagnostics" not in [one["method"] for one in client.notifications]


def test_long_analysis_shows_progress_and_can_be_canceled(tmp_path: Path) -> None:
    text = template_text(2000)
    with started(tmp_path, {"window": {"workDoneProgress": True}}) as client:
        client.open("large.yaml", text)
        begun = client.wait_for(lambda one: one.get("method") == "$/progress")["params"]
        assert begun["value"] == {"kind": "begin", "title": "Checking the template", "cancellable": True}
        client.notify("window/workDoneProgress/cancel", {"token": begun["token"]})
        ended = client.wait_for(lambda one: one.get("method") == "$/progress")["params"]
        assert (ended["token"], ended["value"]) == (begun["token"], {"kind": "end"})
        client.change("large.yaml", {"text": text.replace("flavor:", "flavour:")})
        assert "unknown-property" in {one["code"] for one in client.diagnostics("large.yaml")}
        published = [one for one in client.notifications if one["method"] == "textDocument/publishDiagnostics"]
        assert published == [], "a cancelled analysis says nothing"
