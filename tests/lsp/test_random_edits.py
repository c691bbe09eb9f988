from __future__ import annotations

import pytest

from tests.lsp.random_edits import main


def test_answers_after_random_edits_equal_those_of_a_new_server(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--edits", "120"])
    assert status == 0, capsys.readouterr().out
