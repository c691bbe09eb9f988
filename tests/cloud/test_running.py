"""The launcher of the servers explains why one did not start."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cloud.clouds import Ports
from tests.cloud.running import ServerDiedError, missing_piece, reserved_port, start_server

PORTS = Ports(keystone=1, heat=2, faulty_keystone=3, faulty_heat=4, tls_keystone=5)


def test_failed_server_start_shows_the_log(tmp_path: Path) -> None:
    server = start_server(sys.executable, "no", tmp_path / "server", reserved_port(), PORTS)
    with pytest.raises(ServerDiedError, match=r"No module named tests\.cloud\.server\.no_server"):
        server.wait_until_ready()
    server.stop()


def test_missing_servers_are_reported_with_the_install_command(tmp_path: Path) -> None:
    nothing = tmp_path / "python"
    nothing.write_text("#!/bin/sh\n", encoding="utf-8")
    nothing.chmod(0o755)
    assert "pip install -r tests/cloud/server/requirements.txt" in missing_piece(str(nothing))
    assert "No such file" in missing_piece(str(tmp_path / "absent"))
