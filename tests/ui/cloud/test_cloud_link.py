"""The requests to the connected cloud."""

from __future__ import annotations

from pathlib import Path
from threading import Event, current_thread, main_thread

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.catalog.cloud.known_cloud import CloudCatalog
from heatstudio.cloud.read_catalog import CatalogCache
from heatstudio.ui.cloud import cloud_link
from heatstudio.ui.cloud.cloud_link import CloudLink
from tests.ui.fake_cloud import FakeConnection

TEMPLATE = "heat_template_version: 2021-04-16\n"


def test_canceled_request_is_forgotten(qtbot: QtBot, link: CloudLink) -> None:
    link.connection = FakeConnection("lab", TEMPLATE)
    ready, answers = Event(), list[bool]()
    canceled = link.ask("Waiting", lambda _connection, _job: ready.wait(), answers.append)
    assert canceled is not None
    canceled.stop()
    link.ask("Asking", lambda _connection, _job: True, answers.append)
    assert canceled not in link._asking
    qtbot.waitUntil(lambda: answers == [True])
    ready.set()
    assert link._asking == set()


def test_cached_types_of_a_cloud_are_read_in_a_thread(
    qtbot: QtBot, link: CloudLink, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    catalog, read, threads = CloudCatalog("lab", {"Acme::Thing": {}}, {}), CatalogCache.get, list[object]()
    CatalogCache(tmp_path).put(catalog)

    def watched(cache: CatalogCache, cloud: str) -> CloudCatalog | None:
        threads.append(current_thread())
        return read(cache, cloud)

    monkeypatch.setattr(CatalogCache, "get", watched)
    link._take_connection((FakeConnection("lab", TEMPLATE), ()))
    qtbot.waitUntil(lambda: link.known is not None)
    assert link.known is not None
    assert link.known.catalog is not None
    assert set(link.known.catalog.types) == {"Acme::Thing"}
    assert len(threads) == 1
    assert main_thread() not in threads
    link.disconnect_cloud()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_unexpected_error_of_a_login_is_reported(
    qtbot: QtBot, link: CloudLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(cloud_link, "connect", fail)
    with qtbot.waitSignal(link.failed) as failed:
        link.connect_to("lab")
    assert failed.args == ["Internal error. Save your work and try again."]
    assert not link.is_connecting


def test_capacity_is_read_in_a_thread_and_forgotten_with_the_connection(qtbot: QtBot, link: CloudLink) -> None:
    seen = list[object]()
    link.capacity_changed.connect(seen.append)
    link._take_connection((FakeConnection("lab", TEMPLATE), ()))
    qtbot.waitUntil(lambda: link.capacity is not None)
    assert link.capacity is not None
    assert link.capacity.failures["compute"] == "the answer cannot be read"
    link.disconnect_cloud()
    assert link.capacity is None
    assert [one is None for one in seen] == [False, True]
