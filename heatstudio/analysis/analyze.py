"""The analysis of a template: all diagnostics with their positions in the text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct, field
from msgspec.structs import replace

from heatstudio.analysis.checks import (
    RESOURCE_CHECKS,
    TEMPLATE_CHECKS,
    invisible_character,
    not_checked,
    too_many_resources,
    unknown_resource,
)
from heatstudio.analysis.checks import unused_suppression as unused_mute
from heatstudio.analysis.pages import pages
from heatstudio.analysis.problem_limit import MOST_IN_TREE, MOST_RESOURCES, ProblemLimit
from heatstudio.analysis.scope import Diagnostic, Finding, Options, Place, ResourceScope, Scope, TemplateScope
from heatstudio.analysis.scope.branches import inactive
from heatstudio.analysis.scope.check import Check
from heatstudio.analysis.scope.inner_stack import members
from heatstudio.analysis.scope.semantic_model import SemanticModel
from heatstudio.analysis.suppressions import part
from heatstudio.analysis.syntax.syntax_fixes import syntax_fixes
from heatstudio.analysis.syntax.unreadable import UnreadableParts, half_typed_key, with_quoted_jinja
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.reads import Tracked
from heatstudio.stack.definition.source import Source, define, tree_size
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.definition.types import Types
from heatstudio.stack.functions.budget import shared_budget
from heatstudio.stack.functions.conditions import Supposition
from heatstudio.template import Part, SyntaxProblem, Template, TreePath, parse_environment, parse_template, render_fix
from heatstudio.text import Fix, LineIndex, OtherFileSpan, Severity, Span, checkpoint

DEFAULT_SETTINGS = Options()
EMPTY_TEMPLATE = "heat_template_version: 2021-04-16\n"
_WHEN_DISABLED = tuple(check for check in RESOURCE_CHECKS if check.when_disabled)
_WHEN_CREATED = tuple(check for check in RESOURCE_CHECKS if check.when_created)
_REFUSING = tuple(check for check in RESOURCE_CHECKS if check.refuses)
_OF_STEPS = ("attribute-path", "parameter-path")


class _Examined(Struct, frozen=True):
    """The findings and the inactive parts of a resource."""

    findings: tuple[Finding, ...]
    inactive: tuple[tuple[TreePath, str], ...]


class Analysis(SemanticModel, frozen=True, eq=False):
    """The analysis of one version of a template."""

    diagnostics: tuple[Diagnostic, ...] = ()
    examined: Mapping[str, Tracked[_Examined]] = field(default_factory=dict)
    """The results for each resource, with the reads that they depend on."""
    inactive: tuple[tuple[Span, str], ...] = ()
    """The parts of the text that are inactive with the current values, with the reasons."""
    suppressed: tuple[Diagnostic, ...] = ()
    """The diagnostics that comments or settings suppress."""

    @property
    def scope(self) -> TemplateScope:
        """The template as the input of checks, and of questions about its nested stacks."""
        return TemplateScope(self.source, self.stack, self.types, self.knowledge, self.settings)

    def environment_text(self, file: str) -> str:
        """Return the text of an environment file; empty if there is no such file."""
        return next((one.text for one in self.source.environments if one.name == file and one.text), "")

    def fixes(self, diagnostic: Diagnostic) -> tuple[Fix, ...]:
        """Return the fixes of a diagnostic that can be applied to this text."""
        rendered = (render_fix(self.template, fix) for fix in diagnostic.fixes)
        return (*diagnostic.ready_fixes, *(fix for fix in rendered if fix is not None))


def not_analyzed(source: Source, knowledge: Knowledge, diagnostics: tuple[Diagnostic, ...]) -> Analysis:
    """Return the diagnostics of a text that is no template as an analysis, with an empty stack."""
    defined = define(Source(parse_template(EMPTY_TEMPLATE)), knowledge)
    return Analysis(source, *defined, knowledge, diagnostics=diagnostics)


@shared_budget()
def analyze(
    source: Source, knowledge: Knowledge, settings: Options = DEFAULT_SETTINGS, previous: Analysis | None = None
) -> Analysis:
    """Analyze a template; reuse the `previous` results of each resource whose text and reads are unchanged."""
    knowledge = knowledge.at(settings.release)
    if previous is not None and (previous.knowledge is not knowledge or previous.settings != settings):
        previous = None
    before = (previous.stack, previous.types) if previous is not None else None
    stack, types = define(source, knowledge, not_created=True, previous=before)
    is_too_large = len(stack.all_resource_names) > MOST_RESOURCES
    is_tree_too_large = not is_too_large and _is_tree_too_large(source.template, types)
    inspect = None if is_tree_too_large else _refusals
    scope = TemplateScope(source, stack, types, knowledge, settings, inspect)
    examined: dict[str, Tracked[_Examined]] = {}
    if previous is not None and _is_alike(previous, scope):
        examined = {name: kept for name, kept in previous.examined.items() if _still_holds(stack, name, kept)}
    limit = ProblemLimit()
    problems = [of_syntax(source.template, problem) for problem in limit.within(source.template.problems)]
    problems += limit.within(invisible_character.check(source.template))
    findings = list(limit.within(_run(too_many_resources.check, scope) if is_too_large else _of_template(scope)))
    for name in () if is_too_large else stack.all_resource_names:
        if limit.is_reached:
            break
        if name not in examined:
            checkpoint()
            examined[name] = _examine(scope, name)
        findings += limit.within(examined[name].value.findings)
    is_cut_short = limit.is_reached or is_too_large or is_tree_too_large
    if is_cut_short:
        reason = "problems" if limit.is_reached else "resources" if is_too_large else "resources in nested templates"
        problems.append(not_checked.further(source.template.text, reason))
    elif limit.leaves_out:
        problems.append(not_checked.left_out(source.template.text))
    unreadable = UnreadableParts(source.template)
    whole = (located(source, finding) for finding in findings)
    others = with_quoted_jinja(source.template.text, (one for one in whole if not unreadable.hides(one)))
    reported, suppressed = _without_suppressed(
        scope, tuple(_once(_ordered((*problems, *others)))), is_cut_short or limit.leaves_out
    )
    parts = (*inactive(scope.untaken), *(one for kept in examined.values() for one in kept.value.inactive))
    found = ((source.template.find(path), reason) for path, reason in parts)
    spans = tuple((node.span(Part.PAIR), reason) for node, reason in found if node is not None)
    return Analysis(source, stack, types, knowledge, settings, reported, examined, spans, suppressed)


def _run(check: Check, scope: Scope) -> Iterator[Finding]:
    checkpoint()
    return map(check.finished, check.run(scope))


def _refusals(scope: TemplateScope) -> Iterator[Finding]:
    """Yield the findings that may make Heat reject a nested stack, in about Heat's order."""
    for check in (check for check in TEMPLATE_CHECKS if check.refuses):
        yield from _run(check, scope)
    for name in scope.stack.all_resource_names:
        resource = ResourceScope(scope, name, as_if_disabled=scope.stack.is_uncertain(name))
        yield from _run_checks(resource, _REFUSING)


def _of_template(scope: TemplateScope) -> Iterator[Finding]:
    """Yield the findings of the template as a whole, then further findings under other values of conditions."""
    reported = set()
    for check in TEMPLATE_CHECKS:
        for finding in _run(check, scope):
            reported.add((finding.code, finding.place))
            yield finding
    for supposition, limit in scope.suppositions:
        other = scope.supposing(supposition)
        checks = (check for check in TEMPLATE_CHECKS if check.with_conditions)
        found = (finding for check in checks for finding in _run(check, other))
        yield from _only_then(found, supposition, limit, reported)


def _examine(scope: TemplateScope, name: str) -> Tracked[_Examined]:
    resource = ResourceScope(scope, name, as_if_disabled=scope.stack.is_uncertain(name))
    resource.view.resource_definition(name)
    limit = ProblemLimit()
    findings = list(limit.within(_run_checks(resource, RESOURCE_CHECKS)))
    reported = {(finding.code, finding.place) for finding in findings}
    for supposition, most in resource.suppositions:
        then = ResourceScope(scope.supposing(supposition), name, resource.reads)
        if not then.is_disabled:
            findings += limit.within(_only_then(_run_checks(then, RESOURCE_CHECKS), supposition, most, reported))
    for supposition, most in resource.suppositions_without_references:
        then = ResourceScope(scope.supposing(supposition), name, resource.reads)
        if then.view.is_enabled(name) is True:
            found = _run(unknown_resource.check_resource, then)
            findings += limit.within(_only_then(found, supposition, most, reported))
    return Tracked(_Examined(tuple(_without_variables(findings)), tuple(resource.inactive)), frozenset(resource.reads))


def _without_variables(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the findings, without the steps that are wrong only because a variable is not replaced in their call."""
    calls = {finding.place.path for finding in findings if finding.code == "text-variable"}
    for finding in findings:
        is_error = finding.severity is Severity.ERROR
        if is_error or finding.code not in _OF_STEPS or finding.place.path[:-1] not in calls:
            yield finding


def _run_checks(resource: ResourceScope, checks: Iterable[Check]) -> Iterator[Finding]:
    reported = set()
    for finding in _now(resource, checks):
        reported.add((finding.code, finding.place))
        yield finding
    created = resource.created
    for finding in _now(created, _WHEN_CREATED) if created is not None else ():
        if finding.is_late and (finding.code, finding.place) not in reported:
            yield finding


def _now(resource: ResourceScope, checks: Iterable[Check]) -> Iterator[Finding]:
    """Yield the findings of a resource and of its members, in the state of the scope."""
    checkpoint()
    for check in _WHEN_DISABLED if resource.is_disabled else checks:
        for found in check.run(resource):
            finding = check.finished(found)
            yield finding if finding.resource is not None else replace(finding, resource=resource.name)
    for member, limit in members(resource):
        for finding in _run_checks(member, [check for check in checks if check.in_members]):
            is_late = finding.is_late and limit is Severity.ERROR
            severity = max(finding.severity, limit)
            yield replace(finding, severity=severity, resource=resource.name, is_late=is_late)


def _only_then(
    found: Iterable[Finding], supposition: Supposition, limit: Severity, reported: set[tuple[str, Place]]
) -> Iterator[Finding]:
    """Yield new findings under supposed values, with a severity of at most `limit`."""
    for finding in found:
        if (finding.code, finding.place) in reported:
            continue
        reported.add((finding.code, finding.place))
        message = f"When {supposition.words}: {finding.message}" if limit is not Severity.ERROR else finding.message
        is_late = finding.is_late and limit is Severity.ERROR
        yield replace(finding, severity=max(finding.severity, limit), message=message, is_late=is_late)


def _is_alike(previous: Analysis, scope: TemplateScope) -> bool:
    """Return whether the inputs of resource checks that are not recorded as reads are unchanged (see ResourceScope)."""
    known = previous.template.version_message is None
    is_same = previous.stack.environment is scope.stack.environment and previous.stack.language is scope.stack.language
    are_nested_checked = not _is_tree_too_large(previous.template, previous.types)
    return is_same and known == scope.is_version_known and are_nested_checked == (scope.inspect is not None)


def _is_tree_too_large(template: Template, types: Types) -> bool:
    return tree_size(template, types).nested > MOST_IN_TREE


def _still_holds(stack: StackDefinition, name: str, kept: Tracked[_Examined]) -> bool:
    checkpoint()
    return stack.names_resource(name) and stack.confirms(kept.reads)


def of_syntax(template: Template, problem: SyntaxProblem) -> Diagnostic:
    """Return the diagnostic of a syntax problem, with its fixes."""
    fixes = syntax_fixes(template, problem)
    return Diagnostic(None, problem.code, problem.severity, problem.message, problem.span, ready_fixes=fixes)


def located(source: Source, finding: Finding) -> Diagnostic:
    """Return the diagnostic of a finding, at its place in the text."""
    template = source.template
    span, message = template.locate(finding.place.path, finding.place.part), finding.message
    if (key := half_typed_key(template, finding)) is not None:
        span, message = key, f"A colon is missing after `{template.text[key.start : key.end]}`."
    return Diagnostic(
        finding,
        finding.code,
        finding.severity,
        message,
        span,
        tuple(template.locate(place.path, place.part) for place in finding.also),
        tuple((message, template.locate(place.path, place.part)) for message, place in finding.related),
        elsewhere=_elsewhere(source, finding),
    )


def _elsewhere(source: Source, finding: Finding) -> OtherFileSpan | None:
    where = finding.environment
    texts = (one.text for one in source.environments if where is not None and one.name == where.file)
    text = next(texts, None)
    if where is None or text is None:
        return None
    written, lines = _written(text)
    span = written.locate(where.place.path, where.place.part)
    return OtherFileSpan(where.file, span, lines.position(span.start), lines.position(span.end))


@lru_cache(maxsize=4)
def _written(text: str) -> tuple[Template, LineIndex]:
    """Return a parsed environment; cached, because many findings may refer to one environment."""
    return parse_environment(text), LineIndex(text)


def _without_suppressed(
    scope: TemplateScope, diagnostics: tuple[Diagnostic, ...], is_cut_short: bool
) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """Return the reported and the suppressed diagnostics."""
    template = scope.template
    of_release = ("not-in-release",) if scope.settings.release is None else ()
    of_cloud = ("not-in-cloud", "cloud-name") if scope.knowledge.cloud is None else ()
    dormant = (*of_release, *of_cloud)
    parted = part(template, diagnostics, dormant)
    if not parted.unused or is_cut_short:
        return parted.reported, parted.suppressed
    unused = unused_mute.check(template, parted.unused, pages())
    return tuple(_ordered((*parted.reported, *unused))), parted.suppressed


def _ordered(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    def place(found: Diagnostic) -> tuple[int, int, Severity, str]:
        return found.span.start, found.elsewhere.span.start if found.elsewhere else 0, found.severity, found.code

    return sorted(diagnostics, key=place)


def _once(diagnostics: list[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield the diagnostics without repeated messages at the same position."""
    reported = set()
    for diagnostic in diagnostics:
        key = (diagnostic.elsewhere or diagnostic.span, diagnostic.message)
        if key not in reported:
            reported.add(key)
            yield diagnostic
