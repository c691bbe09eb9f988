"""Configuration files of Heat and Keystone."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.cloud.server.accounts import HEAT, REGION, STACK_DOMAIN, STACK_DOMAIN_ADMIN
from tests.cloud.server.database import new_database
from tests.cloud.server.loopback import Place

Options = Mapping[str, Mapping[str, object]]

PLUGINS = Path(__file__).parent / "plugins"
QUIET: dict[str, object] = {
    "use_stderr": True,
    "default_log_levels": "alembic=WARN,sqlalchemy=WARN,keystonemiddleware=ERROR,heat.engine.environment=ERROR",
}


def write_heat_configuration(place: Place) -> Path:
    """Write heat.conf with the options that differ from Heat's defaults, and return its path."""
    shipped, environments = Path(sys.prefix, "etc", "heat"), place.folder / "environment.d"
    shutil.copytree(shipped / "environment.d", environments)
    default = environments / "default.yaml"
    default.write_text(default.read_text("utf-8").replace("file:///etc/heat", shipped.as_uri()), encoding="utf-8")
    service = {"auth_type": "password", "username": HEAT.name, "password": HEAT.password, "user_domain_id": "default"}
    project = {"project_name": HEAT.project, "project_domain_id": "default"}
    options: Options = {
        "DEFAULT": QUIET
        | {
            "host": "loopback",
            "transport_url": "fake:/",
            "rpc_response_timeout": 60,
            "auth_encryption_key": "0" * 32,
            "environment_dir": environments,
            "template_dir": shipped / "templates",
            "plugin_dirs": PLUGINS,
            "enable_stack_abandon": True,
            "enable_stack_adopt": True,
            "region_name_for_services": REGION,
            "stack_user_domain_name": STACK_DOMAIN,
            "stack_domain_admin": STACK_DOMAIN_ADMIN.name,
            "stack_domain_admin_password": STACK_DOMAIN_ADMIN.password,
        },
        "database": _database(place),
        "paste_deploy": {"api_paste_config": shipped / "api-paste.ini"},
        "clients": {"endpoint_type": "public"},
        "clients_keystone": {"auth_uri": place.keystone.removesuffix("/v3")},
        # Disable the token cache, so that Heat rejects a revoked token immediately.
        "keystone_authtoken": service | project | {"auth_url": place.keystone, "token_cache_time": -1},
        "trustee": service | {"auth_url": place.keystone},
        "oslo_policy": {"policy_file": _empty_policy(place)},
        "oslo_middleware": {"enable_proxy_headers_parsing": True},
    }
    return _write(place.folder / "heat.conf", options)


def write_keystone_configuration(place: Place) -> Path:
    """Write keystone.conf with keys and data in the folder and the cheapest password hashes, and return its path."""
    keys = {name: place.folder / name for name in ("tokens", "credentials")}
    options: Options = {
        "DEFAULT": QUIET,
        "database": _database(place),
        "identity": {"password_hash_rounds": 4},
        "fernet_tokens": {"key_repository": keys["tokens"], "max_active_keys": 1},
        "fernet_receipts": {"key_repository": keys["tokens"], "max_active_keys": 1},
        "credential": {"key_repository": keys["credentials"]},
        "cache": {"enabled": True, "backend": "dogpile.cache.memory"},
        "oslo_policy": {"policy_file": _empty_policy(place)},
        "oslo_middleware": {"enable_proxy_headers_parsing": True},
    }
    return _write(place.folder / "keystone.conf", options)


def _database(place: Place) -> dict[str, object]:
    return {"connection": new_database(place.folder / "database"), "sqlite_synchronous": False}


def _empty_policy(place: Place) -> Path:
    path = place.folder / "policy.yaml"
    path.write_text("{}\n", encoding="utf-8")
    return path


def _write(path: Path, options: Options) -> Path:
    lines = []
    for section, values in options.items():
        lines.append(f"[{section}]")
        lines += [f"{name} = {value}" for name, value in values.items()]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path
