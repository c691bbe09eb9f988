"""Messages that are no messages, invalid parameters, and a server that ends with its client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from heatstudio.lsp.messages import read_messages
from heatstudio.lsp.server import is_running
from tests.lsp.client import COMMAND, TIMEOUT, Client, RequestError

GOOD = b'Content-Length: 7\r\n\r\n{"a":1}'
POSITION: Mapping[str, Any] = {"textDocument": {"uri": "file:///a.yaml"}, "position": {"line": -1, "character": 0}}


def read(content: bytes) -> list[object]:
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    try:
        return list(read_messages(reading))
    finally:
        os.close(reading)


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"content-length:7\nContent-Type: x\n\n" + b'{"b":2}',
        b"garbage\r\n\r\n",
        b"Content-Length: abc\r\n\r\n",
        b"Content-Length: -7\r\n\r\n",
        b"Content-Length: 99999999999999999999\r\n\r\n{}",
        b"Content-Length: 5\r\n\r\nhello",
        b"Content-Length: 12\r\n\r\n{}",
        b"Content-Length: 1\r\n\r\n{}",
        b"Content-Length: 0\r\n\r\n",
        b"\xef\xbb\xbf" + GOOD,
        b"Content-Length: 30000\r\n\r\n" + b"[" * 30_000,
        b"{" * 50_000,
    ],
)
def test_message_after_anything_is_read(start: bytes) -> None:
    assert read(start + GOOD)[-1] == {"a": 1}


def test_half_a_message_is_none() -> None:
    assert read(GOOD + GOOD[:-1]) == [{"a": 1}]
    assert read(b"Content-Length: 99999999999\r\n\r\n" + GOOD) == [None, {"a": 1}]


@pytest.mark.parametrize("params", [None, {}, [1], "x", POSITION])
def test_invalid_params_get_an_error(tmp_path: Path, params: object) -> None:
    with Client(tmp_path) as client:
        for method in ("textDocument/hover", "completionItem/resolve", "textDocument/selectionRange"):
            with pytest.raises(RequestError) as caught:
                client.request(method, params)
            assert caught.value.code == -32602
        client.notify("textDocument/didOpen", params)
        client.notify("$/cancelRequest", {"id": {}})
        assert client.request("workspace/symbol", {"query": "a"}) == []
    assert client.errors == ""


def test_requests_outside_of_the_session_get_an_error(tmp_path: Path) -> None:
    client = Client(tmp_path)
    with pytest.raises(RequestError) as caught:
        client.request("workspace/symbol", {"query": "a"})
    assert caught.value.code == -32002
    with client:
        with pytest.raises(RequestError) as caught:
            client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        assert caught.value.code == -32600
    assert (client.process.returncode, client.errors) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes without a signal")
def test_server_that_is_terminated_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with suppress(EOFError), Client(tmp_path) as client:
        client.open("a.yaml", "heat_template_version: 2018-08-31\nresources: 1\n")
        assert client.diagnostics("a.yaml")
        assert [*tmp_path.iterdir()]
        client.process.terminate()
        client.process.wait(TIMEOUT)
        client.wait_for(lambda _: False)
    assert client.process.returncode == 1
    assert not [*tmp_path.iterdir()]
    assert client.errors == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows closes the streams of a process that ends")
def test_server_ends_with_the_process_of_its_client() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as editor:
        params: dict[str, Any] = {"processId": editor.pid, "rootUri": None, "capabilities": {}}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
        with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            assert server.stderr is not None
            server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            server.stdin.flush()
            assert server.stdout.readline().startswith(b"Content-Length")
            editor.kill()
            editor.wait()
            assert server.wait(TIMEOUT) == 1
            assert server.stderr.read() == b""
    assert not is_running(editor.pid)


@pytest.mark.skipif(sys.platform == "win32", reason="the shell closes the streams")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "</dev/null"])
def test_server_ends_with_its_streams(closed: str) -> None:
    ask = f"exec '{sys.executable}' -m heatstudio lsp {closed}"
    done = subprocess.run(["sh", "-c", ask], input=b"", capture_output=True, timeout=TIMEOUT, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
