"""The data of abandoned stacks in which a resource has another name, or is in another stack."""

import json
from fnmatch import fnmatchcase

from heatstudio.analysis.analyze import analyze
from heatstudio.analysis.assist.reference_index import Symbol, SymbolKind, index_of
from heatstudio.analysis.assist.references import locate
from heatstudio.analysis.assist.rename import rename
from heatstudio.analysis.scope.semantic_model import SemanticModel
from heatstudio.catalog.facts import Facts, mapping, part, text
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import PARAMETER_DEFAULTS, PARAMETERS, RESOURCE_REGISTRY
from heatstudio.stack.inputs.registry import RESOURCES
from heatstudio.template import Reader, parse_template, template_text
from heatstudio.text import apply_edits
from heatstudio.update.plan.update_plan import Action
from heatstudio.update.plan_update import plan_update
from heatstudio.update.running_stack import RunningStack

_OF_STACK = (SymbolKind.RESOURCE, SymbolKind.CONDITION, SymbolKind.MAPPING)
"""The kinds of names that a moved resource would not find in the other stack."""


def renamed_data(data: Facts, old: str, new: str, knowledge: Knowledge) -> tuple[Facts, str]:
    """Return data with a renamed resource; without data, the reason why the resource cannot be renamed.

    The name is in the resources, in the definition and the references in the template, and in the environment.
    """
    model = _model(data, knowledge)
    definition = index_of(model).definition(Symbol(SymbolKind.RESOURCE, old))
    resources = part(data, "resources")
    if definition is None or old not in resources:
        return {}, f"The stack has no resource `{old}`."
    result = rename(model, locate(model.template, definition).span.start, new)
    if result.refusal:
        return {}, result.refusal
    template = json.loads(apply_edits(model.template.text, result.edits))
    named = mapping(resources[old])
    named = {**named, "name": new} if "resources" not in named else named  # that of a nested stack is the stack's
    environment, registry = part(data, "environment"), part(part(data, "environment"), RESOURCE_REGISTRY)
    if old in part(registry, RESOURCES):
        own = {new if name == old else name: one for name, one in part(registry, RESOURCES).items()}
        environment = {**environment, RESOURCE_REGISTRY: {**registry, RESOURCES: own}}
    kept = {new if name == old else name: named if name == old else one for name, one in resources.items()}
    return {**data, "template": template, "resources": kept, "environment": environment}, ""


def moved_data(data: Facts, other: Facts, old: str, new: str, knowledge: Knowledge) -> tuple[tuple[Facts, ...], str]:
    """Return the data of two stacks after a resource has moved from the first to the second one.

    Without data, return the reason why it cannot move. The parameters and files that it reads go with it.
    """
    model, taker = _model(data, knowledge), _model(other, knowledge)
    words, resources = model.words, part(data, "resources")
    written, found = part(data, "template"), part(other, "template")
    definition = part(written, words.resources).get(old)
    reason = _reason_to_stay(model, data, old)
    if not reason and taker.template.dialect.type != words.type:
        reason = "The stacks have templates of different kinds, HOT and CloudFormation."
    kind = text(mapping(definition), words.type)
    for which, facts, name in (("the stack", data, old), ("the other stack", other, new)):
        if not reason and _is_mapped(facts, name, kind):
            reason = f"The environment of {which} has an entry for `{name}` or its type."
    taken = {*part(found, words.resources), *part(found, words.parameters)}
    if not reason and new in taken:
        reason = f"The other stack has the name `{new}` already."
    if not reason and new != old:
        reason = renamed_data(data, old, new, knowledge)[1]
    if reason:
        return (), reason
    mentions = [one for one in index_of(model).mentions if one.path[:2] == (words.resources, old)]
    files = {one.symbol.name for one in mentions if one.symbol.kind is SymbolKind.FILE}
    names = {one.symbol.name for one in mentions if one.symbol.kind is SymbolKind.PARAMETER}
    parameters = {name: one for name, one in part(written, words.parameters).items() if name in names}
    environment, theirs = part(data, "environment"), part(other, "environment")
    given = {**part(environment, PARAMETER_DEFAULTS), **part(environment, PARAMETERS)}
    values = {name: given[name] for name in parameters if name in given and name not in taken}
    template = {
        **found,
        words.resources: {**part(found, words.resources), new: definition},
        **({words.parameters: {**parameters, **part(found, words.parameters)}} if parameters else {}),
    }
    after = {
        **other,
        "template": template,
        "resources": {**part(other, "resources"), new: {**mapping(resources[old]), "name": new}},
        "environment": {**theirs, PARAMETERS: {**values, **part(theirs, PARAMETERS)}},
        "files": {**{name: one for name, one in part(data, "files").items() if name in files}, **part(other, "files")},
    }
    before = {
        **data,
        "template": {**written, words.resources: _without(part(written, words.resources), old)},
        "resources": _without(resources, old),
    }
    reason = _difference((data, written), (after, template), words.resources, {new: definition}, knowledge)
    return ((), f"`{old}` would not stay as it is: {reason}.") if reason else ((before, after), "")


def _model(data: Facts, knowledge: Knowledge) -> SemanticModel:
    source = Source(parse_template(json.dumps(data.get("template"), indent=1), reader=Reader.HEAT))
    return analyze(source, knowledge)


def _reason_to_stay(model: SemanticModel, data: Facts, name: str) -> str:
    """Return why a resource cannot leave its stack; empty if it can."""
    words, resources = model.words, part(data, "resources")
    facts, own = mapping(resources.get(name)), part(part(data, "template"), words.resources)
    if not facts or not isinstance(own.get(name), dict):
        return f"The stack has no resource `{name}`."
    if "resources" in facts:
        return f"`{name}` has a nested stack, which Heat cannot move to another stack."
    if len(resources) == 1:
        return f"`{name}` is the only resource of the stack."
    declared = part(part(data, "template"), words.parameters)
    for one in index_of(model).mentions:
        is_inside = one.path[:2] == (words.resources, name)
        if is_inside and not one.is_definition:
            is_pseudo = one.symbol.kind is SymbolKind.PARAMETER and one.symbol.name not in declared
            if one.symbol.kind in _OF_STACK or is_pseudo:
                return f"`{name}` uses the {one.symbol.kind} `{one.symbol.name}` of its stack."
        elif not is_inside and one.symbol == Symbol(SymbolKind.RESOURCE, name):
            return f"`{one.path[1]}` of the same stack uses `{name}`."
    return ""


def _is_mapped(data: Facts, name: str, kind: str) -> bool:
    """Return whether the environment of a stack has an entry for a resource or its type."""
    registry = part(part(data, "environment"), RESOURCE_REGISTRY)
    return name in part(registry, RESOURCES) or any(fnmatchcase(kind, pattern) for pattern in registry)


def _without(facts: Facts, name: str) -> Facts:
    return {key: one for key, one in facts.items() if key != name}


def _difference(
    old: tuple[Facts, Facts], new: tuple[Facts, Facts], section: str, only: Facts, knowledge: Knowledge
) -> str:
    """Return how one resource differs between the data and templates of two stacks; empty if it certainly does not."""
    before, after = (
        RunningStack(
            template_text({**template, section: only}),
            environment=part(data, "environment"),
            files={name: str(content) for name, content in part(data, "files").items()},
        ).source()
        for data, template in (old, new)
    )
    plan = plan_update(before, after, knowledge)
    change = next(iter(plan.accepted_changes), None)
    if change is None or plan.refusals:
        return next((one.message for one in plan.refusals), "the update cannot be planned")
    if change.action is Action.UNCHANGED and change.certain:
        return ""
    names = ", ".join(dict.fromkeys(cause.property for cause in change.causes))
    return f"the other stack gives it other values: {names or change.action}"
