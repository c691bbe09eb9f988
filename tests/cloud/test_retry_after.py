"""A cloud that received too many requests says when to try again."""

from __future__ import annotations

import pytest

from heatstudio.cloud.connection import _refusal

requests = pytest.importorskip("requests")


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("30", "in 30 s."),
        ("", "in a minute."),
        ("Wed, 21 Oct 2026 07:28:00 GMT", "in a minute."),
        ("-1", "in a minute."),
    ],
)
def test_message_names_the_seconds_of_retry_after(header: str, words: str) -> None:
    answer = requests.Response()
    answer.status_code, answer._content = 429, b""
    answer.headers["Retry-After"] = header
    assert _refusal(answer, "mine").message.endswith(f"Try again {words}")
