"""One request among others that run at the same time."""

from __future__ import annotations

from typing import Any, cast

import pytest
from openstack.connection import Connection as SdkConnection
from requests import Response

from heatstudio.cloud.cloud_error import CloudError, CloudTrouble
from heatstudio.cloud.connection import Connection


class Sdk:
    """The login is gone for some requests: keystoneauth asserts that no other thread made it invalid meanwhile."""

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


def test_login_that_another_thread_made_invalid_is_asked_for_again() -> None:
    assert asked(1) == {"stacks": []}


def test_login_that_stays_invalid_is_a_failure_with_words() -> None:
    with pytest.raises(CloudError) as raised:
        asked(2)
    assert raised.value.trouble is CloudTrouble.SERVER_FAILED
