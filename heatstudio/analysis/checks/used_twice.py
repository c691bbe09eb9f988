"""A value that a service accepts only once, in two resources."""

from collections.abc import Hashable, Iterator

from heatstudio.analysis.scope import Finding, Place, ResourceScope, TemplateScope, resource_check, template_check
from heatstudio.catalog.rules.suspicion import UniqueKey
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.unknown import freeze
from heatstudio.stack.values.member_count import member_count
from heatstudio.template import TreePath
from heatstudio.text import CheckFamily, checkpoint

TYPE, PROPERTIES = "type", "properties"
"""The keys of the definition of a member, in templates of any language."""


@template_check(family=CheckFamily.SUSPICIOUS)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield the resources with the same written values as an earlier one, where a service accepts them once."""
    for rule in scope.knowledge.suspicions.unique:
        seen: dict[Hashable, tuple[str, TreePath]] = {}
        names = ((name, key) for kind, key in rule.by.items() for name in scope.enabled_by_type.get(kind, ()))
        for name, key in names:
            checkpoint()
            place: TreePath = (scope.words.resources, name, scope.words.properties)
            for values, path in _keys(scope.data_at(place), place, key):
                first, where = seen.setdefault(values, (name, path))
                if path != where:
                    message = f"`{path[-1]}` is the same as in `{first}`. {rule.why}"
                    related = ((f"`{first}`", Place(where)),)
                    yield Finding(message, Place(path), resource=name, related=related)


@resource_check(in_members=False, family=CheckFamily.SUSPICIOUS)
def check_members(scope: ResourceScope) -> Iterator[Finding]:
    """Yield the written values that all members of a group have, where a service accepts them once."""
    rule = scope.member_rule
    if (
        rule is None
        or not rule.definition
        or scope.properties is None
        or (member_count(scope.properties, rule) or 0) < 2
    ):
        return
    definition = (*scope.properties_path, rule.definition)
    kind, path = at(scope.data_at(definition), (TYPE,)), (*definition, PROPERTIES)
    index = scope.properties.value(rule.index) if rule.index else None
    for unique in scope.knowledge.suspicions.unique:
        key = unique.by.get(kind) if isinstance(kind, str) else None
        for values, place in _keys(scope.data_at(path), path, key) if key is not None else ():
            if not (isinstance(index, str) and index in str(values)):
                message = f"All members of `{scope.name}` have the same `{place[-1]}`. {unique.why}"
                yield scope.finding(message, place)


def _keys(written: object, path: TreePath, key: UniqueKey) -> Iterator[tuple[Hashable, TreePath]]:
    """Yield the values that must be unique, each with the path of the last one: equal calls have equal values."""
    others = [freeze(_value(written, one)) for one in key.also]
    listed = at(written, (key.each,)) if key.each else None
    items = [(written, path)] if not key.each else []
    items += [(item, (*path, key.each, index)) for index, item in enumerate(listed if isinstance(listed, list) else ())]
    for item, place in items:
        values = [_value(item, one) for one in key.key]
        if all(value is not None and value != "" for value in values):
            last = next(one for one in key.key[-1].split("|") if at(item, (one,)) is not None)
            yield (*map(freeze, values), *others), (*place, last)


def _value(item: object, names: str) -> object:
    """Return the written value of a property that may have its old name."""
    return next((value for name in names.split("|") if (value := at(item, (name,))) is not None), None)
