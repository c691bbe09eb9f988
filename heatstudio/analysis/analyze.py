"""Everything there is to say about a template, with its place in the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.analysis.checks import (
    DISABLED_RESOURCE_CHECKS,
    REFUSING_RESOURCE_CHECKS,
    REFUSING_TEMPLATE_CHECKS,
    RESOURCE_CHECKS,
    TEMPLATE_CHECKS,
    ResourceCheck,
    cloud_name,
    not_in_cloud,
    not_in_release,
    pages,
    unused_mute,
)
from heatstudio.analysis.finding import Diagnostic, Finding
from heatstudio.analysis.mutes import part
from heatstudio.analysis.scope import ResourceScope, Settings, TemplateScope
from heatstudio.analysis.syntax_fixes import syntax_fixes
from heatstudio.analysis.unreadable import Unreadable
from heatstudio.stack.definition import StackDefinition
from heatstudio.stack.knowledge import Knowledge
from heatstudio.stack.reading import Read
from heatstudio.stack.source import Source, define
from heatstudio.stack.types import FoundType, Types
from heatstudio.template import Part, SyntaxProblem, Template, render_fix
from heatstudio.text import Fix, Severity, breathe

DEFAULT_SETTINGS = Settings()


class _Examined(Struct, frozen=True, eq=False):
    """The findings of one resource and what they rest on."""

    data: object
    found: FoundType | None
    reads: frozenset[Read]
    findings: tuple[Finding, ...]


class Analysis(Struct, frozen=True, eq=False, dict=True):
    """What is known of one version of a template."""

    source: Source
    stack: StackDefinition
    types: Types
    knowledge: Knowledge
    settings: Settings
    diagnostics: tuple[Diagnostic, ...]
    examined: dict[str, _Examined]
    muted: tuple[Diagnostic, ...] = ()
    """What comments of the template silence."""

    @property
    def template(self) -> Template:
        """The parsed text."""
        return self.source.template

    def fixes(self, diagnostic: Diagnostic) -> tuple[Fix, ...]:
        """The ways out of one diagnostic that can be written into this text."""
        rendered = (render_fix(self.template, remedy) for remedy in diagnostic.remedies)
        return (*diagnostic.ready_fixes, *(fix for fix in rendered if fix is not None))


def analyze(
    source: Source, knowledge: Knowledge, settings: Settings = DEFAULT_SETTINGS, previous: Analysis | None = None
) -> Analysis:
    """Look at a template; `previous` saves the work for every resource that says and sees what it did before."""
    if previous is not None and (previous.knowledge is not knowledge or previous.settings != settings):
        previous = None
    before = (previous.stack, previous.types) if previous is not None else None
    stack, types = define(source, knowledge, not_created=True, previous=before)
    scope = TemplateScope(source, stack, types, knowledge, settings, _refusals)
    examined: dict[str, _Examined] = {}
    if previous is not None and previous.stack.language is stack.language:
        examined = {name: kept for name, kept in previous.examined.items() if _still_holds(scope, name, kept)}
    findings = [finding for check in TEMPLATE_CHECKS for finding in _heard(check(scope))]
    for name in stack.all_resource_names:
        if name not in examined:
            breathe()
            examined[name] = _examine(scope, name)
        findings += examined[name].findings
    problems = [of_syntax(source.template, problem) for problem in source.template.problems]
    unreadable = Unreadable(source.template)
    whole = (_located(source.template, finding) for finding in findings)
    located = [diagnostic for diagnostic in whole if not unreadable.hides(diagnostic)]
    told, muted = _heeding_mutes(scope, tuple(_once(_ordered((*problems, *located)))))
    return Analysis(source, stack, types, knowledge, settings, told, examined, muted)


def _heard(findings: Iterable[Finding]) -> Iterator[Finding]:
    breathe()
    yield from findings


def _refusals(scope: TemplateScope) -> Iterator[Finding]:
    """What may make Heat refuse a nested stack, in about the order in which Heat would look."""
    for check in REFUSING_TEMPLATE_CHECKS:
        yield from check(scope)
    for name in scope.stack.enabled_resource_names():
        yield from _look_at(ResourceScope(scope, name), REFUSING_RESOURCE_CHECKS)


def _examine(scope: TemplateScope, name: str) -> _Examined:
    resource = ResourceScope(scope, name)
    for other in (name, *resource.definition.depends_on):
        resource.view.names_resource(other)
    checks = DISABLED_RESOURCE_CHECKS if resource.is_disabled else RESOURCE_CHECKS
    findings = tuple(_look_at(resource, checks))
    return _Examined(resource.definition.data, resource.found, frozenset(resource.reads), findings)


def _look_at(resource: ResourceScope, checks: Iterable[ResourceCheck]) -> Iterator[Finding]:
    found = (finding for check in checks for finding in check(resource))
    return _softened(resource, found) if resource.is_uncertain else found


def _softened(resource: ResourceScope, found: Iterable[Finding]) -> Iterator[Finding]:
    """What Heat refuses only if a condition holds is no error while the value is missing that decides it."""
    disabled = resource.disabled()
    always = {(finding.code, finding.place) for check in DISABLED_RESOURCE_CHECKS for finding in check(disabled)}
    for finding in found:
        if finding.severity is Severity.ERROR and (finding.code, finding.place) not in always:
            end = "" if finding.message.endswith((".", "?")) else "."
            message = f"{finding.message}{end} Heat refuses it if the condition of `{resource.name}` holds."
            yield replace(finding, severity=Severity.WARNING, message=message)
        else:
            yield finding


def _still_holds(scope: TemplateScope, name: str, kept: _Examined) -> bool:
    breathe()
    stack = scope.stack
    if not stack.names_resource(name) or stack.resource_definition(name).data is not kept.data:
        return False
    kind = stack.resource_definition(name).type
    if kind and scope.types.find(kind, name) is not kept.found:
        return False
    return all(stack.read(read.kind, read.name).seen == read.seen for read in kept.reads)


def of_syntax(template: Template, problem: SyntaxProblem) -> Diagnostic:
    """What is wrong with the writing, with its ways out."""
    fixes = syntax_fixes(template, problem)
    return Diagnostic(None, problem.code, problem.severity, problem.message, problem.span, ready_fixes=fixes)


def _located(template: Template, finding: Finding) -> Diagnostic:
    return Diagnostic(
        finding,
        finding.code,
        finding.severity,
        finding.message,
        template.locate(finding.place.path, finding.place.part),
        tuple(template.locate(place.path, place.part) for place in finding.also),
        tuple((message, template.locate(place.path, place.part)) for message, place in finding.related),
    )


def _heeding_mutes(
    scope: TemplateScope, diagnostics: tuple[Diagnostic, ...]
) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """What is told, and what is muted."""
    template, stack = scope.template, scope.stack
    of_release = (not_in_release.CODE,) if scope.settings.release is None else ()
    of_cloud = (not_in_cloud.CODE, cloud_name.CODE) if scope.knowledge.cloud is None else ()
    dormant = (*of_release, *of_cloud)
    switched_off = (name for name in stack.all_resource_names if stack.is_enabled(name) is False)
    asleep = (template.locate((scope.words.resources, name), Part.PAIR) for name in switched_off)
    parted = part(template, diagnostics, dormant, asleep)
    if not parted.unused:
        return parted.told, parted.muted
    unused = unused_mute.check(template.text, parted.unused, pages())
    return tuple(_ordered((*parted.told, *unused))), parted.muted


def _ordered(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    return sorted(diagnostics, key=lambda found: (found.span.start, found.severity, found.code))


def _once(diagnostics: list[Diagnostic]) -> Iterator[Diagnostic]:
    """Each message once at each place: one cause gives one finding."""
    told = set()
    for diagnostic in diagnostics:
        key = (diagnostic.span, diagnostic.message)
        if key not in told:
            told.add(key)
            yield diagnostic
