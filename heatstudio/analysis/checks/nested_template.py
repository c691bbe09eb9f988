"""An error in a nested template."""

import re
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.analysis.scope.inner_stack import InnerStack, inner_stack, remote_stack
from heatstudio.analysis.scope.template_scope import Inspect, Stage, Validation
from heatstudio.catalog.rules.update_rule import LaunchRule, MemberRule
from heatstudio.catalog.schema import Family, PropertyType
from heatstudio.stack.definition.client_files import UNSENT, is_unsent
from heatstudio.stack.definition.definition_problems import parameter_problems
from heatstudio.stack.definition.types import DEEPEST_NESTING, Origin, outline_faults
from heatstudio.stack.inputs.inherited import group_template, unjoinable
from heatstudio.stack.problem import ProblemKind
from heatstudio.stack.resource_definition import define_resource
from heatstudio.stack.unknown import Unknown
from heatstudio.stack.values.property_problem import PropertyFault
from heatstudio.template import Part, Reader, Template, TreePath, parse_template
from heatstudio.text import Severity

MEMBER = "member"
"""The name that Heat gives the resource when it parses the member definition."""

UNCHECKED = ("unknown-type", "outside-folder")
"""The codes of findings about parts that are not checked."""
SCHEMES = ("http", "https")
_STACK_NAME = re.compile(r"[a-zA-Z0-9_.-]{0,253}")
"""The end of the name of a nested stack, which begins with the name of its owner's stack (heat/engine/stack.py)."""
_WRONG_NAME = "The nested stack is named after this resource: use only ASCII letters, digits, `_`, `-` and `.`."


@resource_check(when_created=True)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield the first error in the stack that the resource owns."""
    is_template = scope.type is not None and Family.TEMPLATE in scope.type.families
    may_own = is_template or scope.member_rule is not None
    if not may_own or scope.depth >= DEEPEST_NESTING or scope.lacks_files or _is_wrong(scope):
        return
    yield from _without_outline(scope)
    yield from _unreachable(scope)
    yield from _unreadable(scope)
    yield from _unjoinable(scope)
    wrong = [scope.finding(message, path) for path, message in member_problems(scope)]
    if wrong:
        yield from wrong
        return
    inner = inner_stack(scope)
    if inner is None or inner.is_empty or inner.whole.inspect is None:
        return
    if not _STACK_NAME.fullmatch(scope.name):
        severity = Severity.ERROR if inner.certain else Severity.WARNING
        yield scope.finding(_WRONG_NAME, scope.path, Part.KEY, severity)
    elif inner.file:
        yield from _inside(scope, inner, inner.whole.inspect)


def _verdict(inner: InnerStack, inspect: Inspect) -> tuple[Finding, ...]:
    verdicts = inner.whole.verdicts
    if inner.key not in verdicts:
        verdicts[inner.key] = ()  # a template may contain itself
        is_later = inner.whole.stage is Stage.CREATION
        found = (fault for fault in inspect(inner.whole) if fault.is_late or not is_later)
        verdicts[inner.key] = tuple(_reported(found))
    return verdicts[inner.key]


def _inside(scope: ResourceScope, inner: InnerStack, inspect: Inspect) -> Iterator[Finding]:
    is_late = any(problem.is_late for problem in scope.problems)
    for fault in _verdict(inner, inspect):
        if fault.is_late and is_late and fault.environment is None:
            continue  # probably the same problem
        where = f"{inner.file}, `{fault.resource}`" if fault.resource else inner.file
        finding = scope.finding(f"{where}: {fault.message}", scope.type_path, heat=fault.heat)
        finding = replace(finding, environment=fault.environment)
        yield finding.late() if fault.is_late else replace(finding, severity=fault.severity)


def _reported(found: Iterator[Finding]) -> Iterator[Finding]:
    """Yield the first error, or the first problem that makes the creation fail and those of environments.

    Otherwise yield the first part that is not checked.
    """
    later: list[Finding] = []
    unchecked: list[Finding] = []
    for finding in found:
        if finding.severity is Severity.ERROR:
            yield finding
            return
        if finding.is_late and (finding.environment is not None or not later):
            later.append(finding)
        elif finding.code in UNCHECKED and finding.severity is Severity.INFORMATION and not unchecked:
            unchecked.append(finding)
    yield from later or unchecked


def _without_outline(scope: ResourceScope) -> Iterator[Finding]:
    """Yield the first error that prevents Heat from reading an external resource's template as a type."""
    found = scope.found
    if not scope.is_external or scope.is_disabled or found is None or found.template is None or found.type is None:
        return
    if found.origin is not Origin.TEMPLATE:
        return
    for message in outline_faults(found.template, scope.knowledge.language(found.template.dialect)):
        yield scope.finding(f"{found.target}: {message}", scope.type_path)
        return


def _unreachable(scope: ResourceScope) -> Iterator[Finding]:
    """Yield a template URL that Heat does not support (heat/common/urlfetch.py)."""
    rule = scope.member_rule
    if rule is None or not rule.is_file or scope.properties is None:
        return
    url = scope.properties.value(rule.template)
    scheme, separator, _ = url.partition("://") if isinstance(url, str) else ("http", "://", "")
    if scheme.lower() not in SCHEMES or not separator:
        message = f"Cannot load template `{url}`; Heat loads http and https URLs only."
        yield scope.finding(message, (*scope.properties_path, rule.template))


def _unjoinable(scope: ResourceScope) -> Iterator[Finding]:
    """Yield lists that cannot be passed to a template as comma-delimited text (template_resource.py, child_params)."""
    if scope.type is None or scope.properties is None or Family.TEMPLATE not in scope.type.families:
        return
    for name in scope.raw_properties:
        schema = scope.type.properties.get(str(name))
        value = scope.properties.value(schema.name) if schema is not None and schema.type is PropertyType.LIST else None
        wrong = unjoinable(value) if isinstance(value, list) else None
        if wrong is not None:
            kind = "map, like the first item" if isinstance(value, list) and isinstance(value[0], dict) else "string"
            message = f"`{name}[{wrong}]` must be a {kind}: Heat joins the items of the list into one string."
            finding = scope.finding(message, (*scope.properties_path, str(name)))
            yield finding.late() if scope.stage is Stage.CREATION else finding


def _unreadable(scope: ResourceScope) -> Iterator[Finding]:
    """Yield template text that Heat cannot read (heat/engine/resources/openstack/heat/remote_stack.py)."""
    rule = scope.member_rule
    if rule is None or not rule.template or rule.is_file or scope.properties is None:
        return
    text = scope.properties.value(rule.template)
    if not isinstance(text, str):
        return
    template = parse_template(text, reader=Reader.HEAT)
    wrong = next((problem.message for problem in template.problems if problem.severity is Severity.ERROR), "")
    message = wrong or template.version_message
    if message:
        path = (*scope.properties_path, rule.template)
        yield scope.finding(f"Heat rejects the template of this stack: {message}", path)
    else:
        yield from _remote(scope, rule, template)


def _remote(scope: ResourceScope, rule: MemberRule, template: Template) -> Iterator[Finding]:
    """Yield the problems of a stack that another request creates, in this Heat or in another one."""
    inner, properties = remote_stack(scope, rule, template), scope.properties
    if inner is None or inner.whole.inspect is None or properties is None:
        return
    given = properties.value(rule.parameters)
    for problem in parameter_problems(inner.whole.stack):
        if problem.kind is ProblemKind.MISSING and isinstance(given, Mapping) and problem.path[-1] not in given:
            yield scope.finding(problem.message, (*scope.properties_path, rule.parameters)).late()
    is_elsewhere = bool(rule.context and properties.value(rule.context))
    for fault in _verdict(inner, inner.whole.inspect):
        name = fault.environment.place.path[1:] if fault.environment is not None else ()
        path = (*scope.properties_path, *((rule.parameters, *name) if name else (rule.template,)))
        where = f"In the template of this stack, `{fault.resource}`: " if fault.resource else ""
        finding = scope.finding(where + fault.message, path, heat=fault.heat)
        limit = Severity.WARNING if is_elsewhere or scope.validation is Validation.TEMPLATE else fault.severity
        yield finding.late() if fault.is_late else replace(finding, severity=max(fault.severity, limit))


def _is_wrong(scope: ResourceScope) -> bool:
    """Return whether Heat rejects the owner before it reads the nested stack."""
    refused = (one for one in scope.problems if one.fault is not PropertyFault.MISSING and not one.is_late)
    return any(refused) or bool(scope.function_problems)


def member_problems(owner: ResourceScope) -> Iterator[tuple[TreePath, str]]:
    """Yield the problems of the member definition, with their paths in the owner."""
    rule = owner.member_rule
    if rule is None or owner.properties is None:
        return
    counts = ((name, owner.properties.value(name)) for name in rule.count if rule.index)
    for name, size in counts:
        if isinstance(size, int) and size < 0:
            yield (*owner.properties_path, name), f"{size} is too small; the minimum is 0."
    if rule.types:
        yield from _type_problems(owner, rule, owner.properties.value(rule.types))
    elif rule.definition:
        yield from _definition_problems(owner, rule, owner.properties.value(rule.definition))
    elif rule.launch is not None:
        yield from _launch_problems(owner, rule.launch, owner.properties.value(rule.launch.config))


def _launch_problems(owner: ResourceScope, rule: LaunchRule, name: object) -> Iterator[tuple[TreePath, str]]:
    kind = owner.neighbor(name).type if isinstance(name, str) and owner.view.names_resource(name) else None
    if kind is not None and kind.name not in rule.config_types:
        yield (*owner.properties_path, rule.config), f"`{name}` is a {kind.name}, not a launch configuration."


def _type_problems(owner: ResourceScope, rule: MemberRule, kinds: object) -> Iterator[tuple[TreePath, str]]:
    for index, kind in enumerate(kinds if isinstance(kinds, list) else ()):
        path = (*owner.properties_path, rule.types, index)
        if isinstance(kind, Unknown):
            continue
        if not isinstance(kind, str):
            yield path, "The type of a member must be a string."
        elif is_unsent(owner.types, kind):
            yield path, UNSENT.format(kind)


def _definition_problems(owner: ResourceScope, rule: MemberRule, data: object) -> Iterator[tuple[TreePath, str]]:
    schema = owner.type.properties[rule.definition] if owner.type is not None else None
    if schema is None or not isinstance(data, Mapping):
        return
    words = group_template().dialect
    path = (*owner.properties_path, rule.definition)
    kind, written = data.get(words.type), owner.raw_properties.get(rule.definition)
    is_computed = not isinstance(written, Mapping) or written.get(words.type) != kind
    if isinstance(kind, str) and is_computed and is_unsent(owner.types, kind):
        yield (*path, words.type), UNSENT.format(kind)
    if schema.children:
        return  # the schema of the property already covers the definition
    if words.type not in data:
        yield path, f'Resource {MEMBER} is missing "{words.type}"'
        return
    read = {key: value for key, value in data.items() if key in words.resource_keys and not isinstance(value, Unknown)}
    read.setdefault(words.type, MEMBER)
    language = owner.knowledge.language(words)
    for problem in define_resource(MEMBER, read, language).problems:
        yield (*path, *problem.path[2:]), problem.message
