"""Accounts that the servers create and the tests use. The module needs only the standard library."""

from __future__ import annotations

from dataclasses import dataclass

REGION = "RegionOne"


@dataclass(frozen=True)
class Account:
    """A user of the default domain with a role in one project."""

    name: str
    project: str
    role: str = "member"

    @property
    def password(self) -> str:
        """The password, which is easy to search for in output that must not contain it."""
        return f"password-of-{self.name}"


ADMIN = Account("admin", "admin", "admin")
DEMO = Account("demo", "demo")
GUEST = Account("guest", "guest")
"""A second user in another project."""
HEAT = Account("heat", "service", "service")
"""The service account with which Heat authenticates to Keystone."""

STACK_DOMAIN = "stacks"
STACK_DOMAIN_ADMIN = Account("stack-domain-admin", "")
"""The account that creates Heat's users for resources; it has a role in a domain instead of a project."""
STACK_USER_ROLE = "heat_stack_user"
