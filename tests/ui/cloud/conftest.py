"""A link to a cloud without a window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from heatstudio.ui.cloud.cloud_link import CloudLink
from heatstudio.ui.tasks.jobs import Jobs


@pytest.fixture
def link(qtbot: QtBot, tmp_path: Path) -> Iterator[CloudLink]:
    """Return a link that is not connected; its jobs are stopped at the end."""
    jobs = Jobs()
    yield CloudLink(jobs, tmp_path)
    jobs.stop()
