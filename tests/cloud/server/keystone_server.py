"""`python -m tests.cloud.server.keystone_server`: Keystone with the users of the tests."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import keystone.server
from keystone.cmd.bootstrap import Bootstrapper
from keystone.common.fernet_utils import FernetUtils
from keystone.common.provider_api import ProviderAPIs
from keystone.common.rbac_enforcer.enforcer import RBACEnforcer
from keystone.common.sql import upgrades
from keystone.conf import CONF
from keystone.server.flask.application import application_factory
from keystone.server.flask.core import setup_app_middleware

from tests.cloud.server.accounts import (
    ADMIN,
    DEMO,
    GUEST,
    HEAT,
    REGION,
    STACK_DOMAIN,
    STACK_DOMAIN_ADMIN,
    STACK_USER_ROLE,
    Account,
)
from tests.cloud.server.configuration import write_keystone_configuration
from tests.cloud.server.database import let_writers_queue
from tests.cloud.server.loopback import Place, place_from_command_line
from tests.cloud.server.neighbors import neighbor_urls


def make_keys() -> None:
    """Create the keys that encrypt tokens and credentials."""
    for group, amount in (("fernet_tokens", 1), ("credential", 3)):
        keys = FernetUtils(CONF[group].key_repository, amount, group)
        keys.create_key_directory()
        keys.initialize_key_repository()


def bootstrapped(place: Place) -> Bootstrapper:
    """Create the administrator, the roles and the identity service, as `keystone-manage bootstrap` does."""
    bootstrapper = Bootstrapper()
    bootstrapper.admin_username, bootstrapper.admin_password = ADMIN.name, ADMIN.password
    bootstrapper.project_name, bootstrapper.admin_role_name = ADMIN.project, ADMIN.role
    bootstrapper.region_id, bootstrapper.service_name = REGION, "keystone"
    bootstrapper.public_url = bootstrapper.internal_url = bootstrapper.admin_url = place.keystone
    bootstrapper.bootstrap()
    return bootstrapper


class Population:
    """A factory for roles, users, domains and services; names must be unique."""

    def __init__(self, domain: str, roles: dict[str, str]) -> None:
        self._domain = domain
        self._roles = roles

    def add_role(self, name: str) -> None:
        identity = _new_id()
        ProviderAPIs.role_api.create_role(identity, {"id": identity, "name": name})

    def add_account(self, account: Account) -> None:
        """Create the project of an account and its user with a role in the project."""
        project = _new_id()
        values = {"id": project, "name": account.project, "domain_id": self._domain, "enabled": True}
        ProviderAPIs.resource_api.create_project(project, values)
        user = self._add_user(account, self._domain)
        ProviderAPIs.assignment_api.add_role_to_user_and_project(user, project, self._roles[account.role])

    def add_domain(self, name: str, account: Account) -> None:
        """Create a domain with its administrator."""
        domain = _new_id()
        ProviderAPIs.resource_api.create_domain(domain, {"id": domain, "name": name, "enabled": True})
        user = self._add_user(account, domain)
        ProviderAPIs.assignment_api.create_grant(self._roles[ADMIN.role], user_id=user, domain_id=domain)

    def add_service(self, kind: str, url: str) -> None:
        service, endpoint = _new_id(), _new_id()
        ProviderAPIs.catalog_api.create_service(service, {"id": service, "type": kind, "name": kind})
        place = {"id": endpoint, "service_id": service, "interface": "public", "url": url, "region_id": REGION}
        ProviderAPIs.catalog_api.create_endpoint(endpoint, place)

    def _add_user(self, account: Account, domain: str) -> Any:
        user = {"name": account.name, "password": account.password, "domain_id": domain, "enabled": True}
        return ProviderAPIs.identity_api.create_user(user)["id"]


def _new_id() -> str:
    return uuid4().hex


def populate(place: Place, bootstrapper: Bootstrapper) -> None:
    """Create the users of the tests, and the role, domain and services that Heat's installation guide requires."""
    roles = {
        "admin": bootstrapper.admin_role_id,
        "member": bootstrapper.member_role_id,
        "service": bootstrapper.service_role_id,
    }
    population = Population(bootstrapper.default_domain_id, roles)
    population.add_role(STACK_USER_ROLE)
    for account in (DEMO, GUEST, HEAT):
        population.add_account(account)
    population.add_domain(STACK_DOMAIN, STACK_DOMAIN_ADMIN)
    population.add_service("orchestration", f"{place.heat}/v1/%(project_id)s")
    for kind, url in neighbor_urls(place.heat).items():
        population.add_service(kind, url)


def main() -> None:
    place = place_from_command_line()
    keystone.server.configure(config_files=[str(write_keystone_configuration(place))])
    upgrades.offline_sync_database_to_version()
    let_writers_queue()
    make_keys()
    populate(place, bootstrapped(place))
    RBACEnforcer()._enforcer.load_rules()  # before concurrent requests find them half loaded
    place.serve(setup_app_middleware(application_factory("public")))


if __name__ == "__main__":
    main()
