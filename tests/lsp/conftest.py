"""Fixtures with one server for all tests of features."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.lsp.client import Client

collect_ignore_glob = [] if find_spec("pygls") else ["test_*.py"]


@pytest.fixture(scope="session")
def only_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Start the server with a client that has all capabilities the server uses."""
    root = tmp_path_factory.mktemp("folder")
    with Client(root) as client:
        yield client
    assert (client.process.returncode, client.errors) == (0, "")


@pytest.fixture
def client(only_client: Client, request: pytest.FixtureRequest) -> Iterator[Client]:
    """Yield the client, and close all documents after the test."""
    yield only_client
    for name in only_client.versions:
        only_client.notify("textDocument/didClose", {"textDocument": {"uri": only_client.uri(name)}})
    only_client.versions.clear()


@pytest.fixture
def folder(only_client: Client) -> Iterator[Path]:
    """Yield the workspace folder, and empty it after the test."""
    yield only_client.root
    for path in only_client.root.iterdir():
        path.unlink()
