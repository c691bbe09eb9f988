"""A request of a connection: login again after an invalid token, and redirects."""

from __future__ import annotations

from io import BytesIO
from typing import Any, cast

import pytest
from openstack.connection import Connection as SdkConnection
from requests import Response

from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import Connection, _refuse_foreign_redirect


class Sdk:
    """A fake SDK whose first requests raise AssertionError, as keystoneauth does if another thread ends the login."""

    def __init__(self, invalid: int) -> None:
        self.orchestration = self
        self.invalid = invalid

    def request(self, *_: Any, **__: Any) -> Response:
        if self.invalid:
            self.invalid -= 1
            raise AssertionError
        response = Response()
        response.status_code = 200
        response._content = b'{"stacks": []}'
        return response


def asked(invalid: int) -> object:
    return Connection("home", cast(SdkConnection, Sdk(invalid))).ask("GET", "/stacks")


def test_request_is_repeated_if_another_thread_invalidated_the_login() -> None:
    assert asked(1) == {"stacks": []}


def test_login_that_stays_invalid_is_reported() -> None:
    with pytest.raises(CloudError) as raised:
        asked(2)
    assert raised.value.trouble is CloudErrorKind.SERVER_FAILED


def redirect(location: str) -> None:
    response = Response()
    response.status_code, response.url, response.raw = 307, "http://good:8004/v1", BytesIO()
    response.headers["Location"] = location
    _refuse_foreign_redirect("home", response)


@pytest.mark.parametrize("location", ["http://good:8004/v2", "HTTP://GOOD:8004/v2", "/v2", "http://u:p@good:8004/v2"])
def test_redirects_to_the_same_host_are_allowed(location: str) -> None:
    redirect(location)


@pytest.mark.parametrize(
    "location",
    [
        "http://evil:8004/v2",
        "http://good:8005/v2",
        "http://good/v2",
        "https://good:8004/v2",
        "//evil:8004/v2",
        "http://good:8004@evil:8004/v2",
        "http://evil:8004\\@good:8004/v2",
        "http://good:x/v2",
    ],
)
def test_redirects_to_another_host_are_rejected_in_any_notation(location: str) -> None:
    with pytest.raises(CloudError) as raised:
        redirect(location)
    assert raised.value.trouble is CloudErrorKind.REDIRECTED
