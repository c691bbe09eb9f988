"""The accounts that the servers set up and the tests use. Needs only the standard library."""

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
        """Easy to search for where it must never appear."""
        return f"password-of-{self.name}"


ADMIN = Account("admin", "admin", "admin")
DEMO = Account("demo", "demo")
GUEST = Account("guest", "guest")
"""A second user, who has nothing in common with the first."""
HEAT = Account("heat", "service", "service")
"""As which Heat itself asks Keystone."""

STACK_DOMAIN = "stacks"
STACK_DOMAIN_ADMIN = Account("stack-domain-admin", "")
"""Makes the users that Heat gives to resources; belongs to a domain instead of a project."""
STACK_USER_ROLE = "heat_stack_user"
