"""Checks, each with what it states about itself."""

from collections.abc import Callable, Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.analysis.scope.finding import Finding
from heatstudio.analysis.scope.scope import ResourceScope, Scope
from heatstudio.analysis.scope.template_scope import TemplateScope
from heatstudio.text import CheckFamily


class Check(Struct, frozen=True):
    """A check of templates, of resources, or of both."""

    run: Callable[..., Iterator[Finding]]
    """The function of the check; the name of its module is the code of the findings."""
    family: CheckFamily = CheckFamily.PROBLEM
    of_templates: bool = False
    of_resources: bool = False
    may_refuse: bool = True
    """Whether Heat rejects, or may reject, a stack for its findings if it has no family."""
    with_conditions: bool = False
    """Whether its findings about the template depend on the values of conditions."""
    when_disabled: bool = False
    """Whether it also checks resources disabled by a condition: Heat parses them, and the client reads their files."""
    when_created: bool = False
    """Whether it runs again for the values that a resource has when the resources to which it refers exist."""
    in_members: bool = True
    """Whether it also checks the members of a group; a written call or file is checked once, in the group."""

    @property
    def refuses(self) -> bool:
        """Whether the owner of a nested stack reports its findings."""
        return self.may_refuse and not self.family

    def finished(self, finding: Finding) -> Finding:
        """Return a finding of this check in plain words, with the code and the family of the check."""
        code = finding.code or self.run.__module__.rpartition(".")[2].replace("_", "-")
        severity, family = max(finding.severity, self.family.most_severe), self.family or finding.family
        return replace(finding, code=code, severity=severity, family=family).in_plain_words()


def template_check(
    *, refuses: bool = True, with_conditions: bool = False, family: CheckFamily = CheckFamily.PROBLEM
) -> Callable[[Callable[[TemplateScope], Iterator[Finding]]], Check]:
    """Return the decorator of a check of the template as a whole; Heat rejects nothing for which a family checks."""
    return partial(Check, family=family, of_templates=True, may_refuse=refuses, with_conditions=with_conditions)


def resource_check(
    *,
    refuses: bool = True,
    when_disabled: bool = False,
    when_created: bool = False,
    in_members: bool = True,
    family: CheckFamily = CheckFamily.PROBLEM,
) -> Callable[[Callable[[ResourceScope], Iterator[Finding]]], Check]:
    """Return the decorator of a check of each resource; Heat rejects nothing for which a family checks."""
    when = partial(Check, when_disabled=when_disabled, when_created=when_created)
    return partial(when, family=family, of_resources=True, may_refuse=refuses, in_members=in_members)


def call_check(
    *, refuses: bool = True, in_members: bool = True, family: CheckFamily = CheckFamily.PROBLEM
) -> Callable[[Callable[[Scope], Iterator[Finding]]], Check]:
    """Return the decorator of a check of the calls in outputs and in each resource."""
    everywhere = partial(Check, of_templates=True, of_resources=True, with_conditions=True)
    return partial(everywhere, family=family, may_refuse=refuses, in_members=in_members)
