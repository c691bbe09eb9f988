"""An invalid step in an attribute path."""

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.attribute_path import Attributes, Node, attributes_of, below
from heatstudio.analysis.scope import Finding, Place, Scope, call_check, with_names
from heatstudio.analysis.scope.nearest import is_slip
from heatstudio.catalog.attribute_shape import AttributeKind
from heatstudio.stack.functions.examine import AttributeKey
from heatstudio.stack.functions.function import Function
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.path import dotted
from heatstudio.stack.unknown import Unknown
from heatstudio.template import DataFix, SetValue, TreePath
from heatstudio.text import Severity, counted

ANYTHING = Unknown(("step",))


@call_check()
def check(scope: Scope) -> Iterator[Finding]:
    """Yield a finding for each invalid step in outputs, or in a resource."""
    for call, resource, key in scope.attribute_reads:
        is_path = isinstance(key, tuple) or len(call.arguments if isinstance(call.arguments, list) else ()) > 2
        if not is_path or not scope.view.names_resource(resource):
            continue
        entry = scope.view.resource_definition(resource).data
        owner = attributes_of(scope.types, scope.view, resource, entry)
        steps = _steps(call, key, owner) if owner is not None else ()
        node: Node | None = owner
        severity = Severity.WARNING
        for position, step in enumerate(steps, 1):
            if node is None:
                break
            path = (*call.name_path, position)
            before, node = node, below(node, step)
            message = _failure(steps, position)
            if message:
                yield Finding(message, Place(path))
                break
            if isinstance(before, Attributes) and before.found.template is not None:
                severity = Severity.INFORMATION  # a nested template may omit a key on purpose
            above = dotted(tuple(one if isinstance(one, (str, int)) else "..." for one in steps[: position - 1]))
            finding = _nowhere(before, step, path, above) if node is None else _suspicious(before, step, path, above)
            if finding is not None:
                fixes = () if isinstance(at(call.arguments, (position,)), Function) else finding.fixes
                yield replace(finding, severity=severity, fixes=fixes)
            if position > 1 and owner is not None and owner.rule is not None and owner.rule.template:
                severity = Severity.INFORMATION  # so may an output of a nested template


def _steps(call: Function, key: AttributeKey, owner: Attributes) -> tuple[object, ...]:
    """Return the attribute and further steps; empty if the oldest `get_attr` applies them to a group's values."""
    if isinstance(key, tuple) or not isinstance(call.arguments, list) or owner.rule is not None:
        return key if isinstance(key, tuple) else ()
    plain = (ANYTHING if isinstance(step, Function) else step for step in call.arguments[2:])
    return (key, *plain)


def _failure(steps: tuple[object, ...], position: int) -> str:
    """Return the error that Heat reports for a step; empty if there is none."""
    step = steps[position - 1]
    if isinstance(step, (list, dict)):
        return "Each path element must be a key or an index, not a list or a map."
    is_name = isinstance(step, (str, Unknown)) or position > 1 or len(steps) > 1
    return "" if is_name else "The attribute name must be a string."


def _nowhere(node: Node, step: object, path: TreePath, above: str) -> Finding:
    """Return the finding for a step to a missing value; `above` is the path before the step."""
    if isinstance(node, Attributes) or node.kind is AttributeKind.MAP:
        keys = () if isinstance(node, Attributes) else tuple(node.keys)
        wrong = f"has no key `{step}`" if keys and isinstance(step, str) else "is a map and needs a key"
        finding = Finding(f"`{above}` {wrong}; the value is null.", Place(path), Severity.WARNING)
        return with_names(finding, path, str(step), keys)
    if node.kind is AttributeKind.LIST and isinstance(step, int):
        size = len(node.items or ())
        message = f"`{above}` has {counted(size, 'item')}; index {step} returns null."
        return Finding(message, Place(path), Severity.WARNING)
    if node.kind is AttributeKind.LIST:
        number = int(step) if isinstance(step, str) and step.isascii() and step.isdigit() else None
        fix = DataFix.likely("Write the index as a number", SetValue(path, number))
        message = f"`{above}` is a list and needs an index; `{step}` returns null."
        return Finding(message, Place(path), Severity.WARNING, fixes=(fix,) if number is not None else ())
    message = f"`{above}` is {_PLAIN[node.kind]}; `{step}` returns null."
    return Finding(message, Place(path), Severity.WARNING)


def _suspicious(node: Node, step: object, path: TreePath, above: str) -> Finding | None:
    """Return the finding for a step to a value that is probably not meant; None if there is no reason for doubt."""
    if isinstance(node, Attributes):
        return None
    if node.kind is AttributeKind.TEXT and isinstance(step, int) and step >= 0:  # `-1` reads a netmask on purpose
        message = f"`{above}` is a string; `{step}` returns one character of it."
        return Finding(message, Place(path), Severity.WARNING)
    is_unknown = node.kind is AttributeKind.MAP and not node.names and isinstance(step, str) and step not in node.keys
    if is_unknown and any(is_slip(str(step), name) for name in node.keys):
        message = f"`{above}` probably has no key `{step}`; the value is null."
        return with_names(Finding(message, Place(path), Severity.WARNING), path, str(step), node.keys)
    return None


_PLAIN = {AttributeKind.TEXT: "a string", AttributeKind.NUMBER: "a number", AttributeKind.BOOLEAN: "a boolean"}
