"""Ports of the test servers, and the clouds.yaml with which openstacksdk finds them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.cloud.server.accounts import ADMIN, DEMO, GUEST, REGION, Account


@dataclass(frozen=True)
class Ports:
    """The local ports of the servers and proxies."""

    keystone: int
    heat: int
    faulty_keystone: int
    """A proxy in front of Keystone, see `faults`."""
    faulty_heat: int
    """A proxy in front of Heat."""
    tls_keystone: int
    """A TLS proxy in front of Keystone with a self-signed certificate."""


def url_of(port: int, scheme: str = "http") -> str:
    return f"{scheme}://127.0.0.1:{port}"


def keystone_url(port: int, scheme: str = "http") -> str:
    """Return the URL of Keystone's API."""
    return f"{url_of(port, scheme)}/v3"


def write_clouds(path: Path, ports: Ports, certificate: Path) -> None:
    """Write a clouds.yaml with these clouds:

    - `heat-admin`, `heat-demo`, `heat-guest`: the administrator, and two users without a common project;
    - `heat-wrong-password`: demo with a wrong password;
    - `heat-faulty`: demo through proxies in front of Keystone and Heat, which only accept connections with `faults`;
    - `heat-tls`: guest through TLS with the certificate; `heat-untrusted`: without it; both need the fixture `tls`.
    """
    keystone, tls = keystone_url(ports.keystone), keystone_url(ports.tls_keystone, "https")
    clouds = {f"heat-{account.name}": cloud_of(account, keystone) for account in (ADMIN, DEMO, GUEST)}
    clouds["heat-wrong-password"] = cloud_of(DEMO, keystone, password=GUEST.password)
    faulty_heat = {"orchestration_endpoint_override": f"{url_of(ports.faulty_heat)}/v1/%(project_id)s"}
    clouds["heat-faulty"] = cloud_of(DEMO, keystone_url(ports.faulty_keystone)) | faulty_heat
    clouds["heat-untrusted"] = cloud_of(GUEST, tls)
    clouds["heat-tls"] = cloud_of(GUEST, tls) | {"cacert": str(certificate)}
    path.write_text(yaml.safe_dump({"clouds": clouds}), encoding="utf-8")


def cloud_of(account: Account, url: str, **others: str) -> dict[str, object]:
    auth = {
        "auth_url": url,
        "username": account.name,
        "password": account.password,
        "project_name": account.project,
        "user_domain_name": "Default",
        "project_domain_name": "Default",
    }
    return {"auth": auth | others, "region_name": REGION}
