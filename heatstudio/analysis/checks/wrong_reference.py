"""A reference to a resource of another kind, or an input that the referenced config does not declare."""

from collections.abc import Iterator, Mapping
from functools import partial

from heatstudio.analysis.scope import Finding, ResourceScope, meaning, nearest, resource_check
from heatstudio.analysis.scope.calls import OF_ATTRIBUTES, referenced
from heatstudio.analysis.scope.referred import fitting_reference
from heatstudio.catalog.schema import PropertySchema, ResourceType
from heatstudio.template import DataFix, Part, RenameKey, SetValue, TreePath
from heatstudio.text import CheckFamily


@resource_check(family=CheckFamily.SUSPICIOUS)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield the references that cannot be meant, by the kinds of objects that types create and properties need."""
    if scope.type is None or scope.is_ignored:
        return
    rules = scope.knowledge.suspicions.references.get(scope.type.name, {})
    for given in scope.written:
        schema, value = given.schema, given.value
        if rules and given.path[-1] in rules:
            path = (*scope.properties_path, *given.path)
            yield from _of_other_type(scope, value, path, rules[str(given.path[-1])])
        if isinstance(value, dict) and schema.constraints:
            yield from _of_other_kind(scope, schema, value, (*scope.properties_path, *given.path))
        elif isinstance(value, list) and (element := schema.element) is not None and element.constraints:
            for index, item in enumerate(value):
                yield from _of_other_kind(scope, element, item, (*scope.properties_path, *given.path, index))
    yield from _undeclared_inputs(scope)


def _of_other_type(scope: ResourceScope, value: object, path: TreePath, types: tuple[str, ...]) -> Iterator[Finding]:
    """Yield a finding if a value is certainly not a reference to a resource of one of the types."""
    kind = _kind(scope, value)
    is_attribute = isinstance(value, Mapping) and len(value) == 1 and next(iter(value)) in OF_ATTRIBUTES
    is_text = isinstance(value, str) and scope.words.is_hot  # a text of CFN may be a reference by a tag
    if is_text or is_attribute or (kind is not None and kind.name not in types):
        message = f"`{path[-1]}` must refer to a resource of type {types[0]}."
        yield scope.finding(message, path).late()


def _of_other_kind(scope: ResourceScope, schema: PropertySchema, value: object, path: TreePath) -> Iterator[Finding]:
    """Yield a finding if a property refers to a resource that creates another kind of object than it needs."""
    kind = _kind(scope, value)
    if kind is None:
        return
    created, known = kind.created_entity, scope.knowledge.catalog.custom_constraints
    needed = sorted(one for one in schema.entities if known.get(one, known.get(f"{one}s")))
    is_known = created in known or f"{created}s" in known
    if not (needed and is_known) or any(_word(created) == _word(one) for one in needed):
        return
    kinds = " or ".join(map(_word, needed))
    message = f"`{schema.name or path[-2]}` must be a {kinds}, but `{referenced(value)}` is a {_word(created)}."
    fitting = fitting_reference(scope, schema)
    fix = DataFix.likely(f"Use `{referenced(fitting)}`", SetValue(path, fitting))
    yield scope.finding(message, path, fixes=(fix,) if fitting is not None else ()).late()


def _undeclared_inputs(scope: ResourceScope) -> Iterator[Finding]:
    """Yield the inputs of a deployment with a name similar to an input of its config that gets no value."""
    rule = scope.knowledge.update_behavior(scope.type).replaced_by_inputs if scope.type is not None else None
    values = scope.raw_properties.get(rule.values) if rule is not None else None
    config = referenced(scope.raw_properties.get(rule.config)) if rule is not None else ""
    if rule is None or not isinstance(values, Mapping) or not scope.view.names_resource(config):
        return
    inputs = scope.neighbor(config).raw_properties.get(rule.inputs)
    declared = [one.get(rule.name) for one in inputs if isinstance(one, Mapping)] if isinstance(inputs, list) else []
    for name in values if all(isinstance(one, str) for one in declared) else ():
        names = nearest(str(name), [one for one in declared if one not in values]) if name not in declared else ()
        if names:
            path = (*scope.properties_path, rule.values, str(name))
            message = f"`{config}` declares no input `{name}`."
            finding = scope.finding(message, path, Part.KEY)
            yield meaning(finding, names, "Rename to `{}`", partial(RenameKey, path))


def _kind(scope: ResourceScope, value: object) -> ResourceType | None:
    name = referenced(value)
    is_reference = bool(name) and scope.view.names_resource(name)
    return scope.types.find(scope.view.resource_type(name), name).type if is_reference else None


def _word(entity: str) -> str:
    """Return the last part of a kind of objects, in words: `security group`."""
    return entity.rpartition(".")[2].replace("_", " ")
