"""Where the servers of the tests are, and the clouds.yaml that tells openstacksdk so."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.cloud.server.accounts import ADMIN, DEMO, GUEST, REGION, Account


@dataclass(frozen=True)
class Ports:
    """The ports of this machine on which somebody answers."""

    keystone: int
    heat: int
    faulty_keystone: int
    """A proxy before Keystone, see `faults`."""
    faulty_heat: int
    """A proxy before Heat."""
    tls_keystone: int
    """A proxy before Keystone that speaks TLS, with a certificate that nobody has signed."""


def url_of(port: int, scheme: str = "http") -> str:
    return f"{scheme}://127.0.0.1:{port}"


def keystone_url(port: int, scheme: str = "http") -> str:
    """Where to log in."""
    return f"{url_of(port, scheme)}/v3"


def write_clouds(path: Path, ports: Ports, certificate: Path) -> None:
    """The clouds, by name:

    - `heat-admin`, `heat-demo`, `heat-guest`: the administrator, and two users who share nothing;
    - `heat-wrong-password`: demo, who has forgotten it;
    - `heat-faulty`: demo, with a proxy before both Keystone and Heat; in tests that use `faults`, refused in others;
    - `heat-tls`: guest, by TLS with the certificate at hand; `heat-untrusted`: without it; in tests that use `tls`.
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
