"""Compares two definitions of a stack the way a real update does, resource by resource in dependency order.

Sources: heat/engine/update.py and resource.py. References are followed: what is replaced has a new reference id and
new attributes for those that depend on it, which Heat's own preview does not see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from heatstudio.catalog import Family, ResourceType
from heatstudio.stack.definition import StackDefinition
from heatstudio.stack.difference import compare, reference_key
from heatstudio.stack.function import Function, FunctionError, resolve
from heatstudio.stack.knowledge import Knowledge
from heatstudio.stack.order import Graph, visiting_order
from heatstudio.stack.properties import Properties
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.stack.resource_proxy import NodeData
from heatstudio.stack.source import Source, define
from heatstudio.stack.translation import Translation, active_rules
from heatstudio.stack.types import FoundType, Origin, Types
from heatstudio.stack.unknown import Anew, Unknown, has_unknown, unknowns
from heatstudio.stack.update_decision import Decision, Side, decide
from heatstudio.stack.update_plan import ORDER, Action, Cause, ResourceChange, UpdatePlan

RENEWED = "renewed"
_DELETION_NOTES = {
    "Retain": "Its deletion policy is Retain: Heat forgets it, the thing itself stays.",
    "Snapshot": "Its deletion policy is Snapshot: Heat takes a snapshot before it deletes.",
}


@dataclass(frozen=True, slots=True)
class _Stack:
    """One side of the update."""

    definition: StackDefinition
    types: Types


class _RenewedAttributes(Mapping[str, object]):
    """The attributes of a resource that is made anew: none is known, none is what it was."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, attribute: str) -> object:
        return Unknown(("attribute", self._name, attribute, RENEWED), frozenset({f"resource:{self._name}"}))

    def __contains__(self, attribute: object) -> bool:
        return isinstance(attribute, str)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def _existing(name: str) -> NodeData:
    return NodeData(name, Unknown(reference_key(name), frozenset({f"resource:{name}"})))


def _renewed(name: str) -> NodeData:
    reference = Unknown(Anew(reference_key(name)), frozenset({f"resource:{name}"}))
    return NodeData(name, reference, _RenewedAttributes(name))


def plan_update(
    old: Source, new: Source, knowledge: Knowledge, resource_data: Mapping[str, NodeData] | None = None
) -> UpdatePlan:
    """What an update from one source to the other does; `resource_data` is what is known of the running stack."""
    now = {} if resource_data is None else dict(resource_data)
    before = _Stack(*define(old, knowledge, resource_data=_Recorded(now)))
    then: dict[str, NodeData] = {}
    first = define(new, knowledge)
    needs = {name: first[0].required_resource_names(name) for name in first[0].enabled_resource_names()}
    after = _Stack(*define(new, knowledge, resource_data=_Recorded(then, now), previous=first))
    return _Planner(before, after, knowledge, then).plan(needs)


class _Recorded(Mapping[str, NodeData]):
    """The data of resources as far as they are known; every other resource exists but is unknown."""

    def __init__(self, *known: Mapping[str, NodeData]) -> None:
        self._known = known

    def __getitem__(self, name: str) -> NodeData:
        for data in self._known:
            if name in data:
                return data[name]
        return _existing(name)

    def __iter__(self) -> Iterator[str]:
        return iter({name: None for data in self._known for name in data})

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _Planner:
    """One comparison. `renewed` collects the data of resources that come out new, for those visited later."""

    def __init__(self, before: _Stack, after: _Stack, knowledge: Knowledge, renewed: dict[str, NodeData]) -> None:
        self._before = before
        self._after = after
        self._knowledge = knowledge
        self._renewed = renewed
        self._changes: dict[str, ResourceChange] = {}
        self._changed_parameters = frozenset(self._parameters_that_change())

    def plan(self, needs: Graph) -> UpdatePlan:
        """`needs` are the enabled resources of the new side, and what each of them depends on."""
        existing = dict.fromkeys(self._before.definition.enabled_resource_names())
        for name in visiting_order(needs):
            self._visit(name, name in existing)
        deleted = [self._deletion(name) for name in existing if name not in self._changes]
        changes = [self._changes[name] for name in needs] + deleted
        return UpdatePlan(tuple(changes), tuple(self._refusals()))

    def _parameters_that_change(self) -> Iterator[str]:
        old, new = self._before.definition, self._after.definition
        for name in (*new.parameters.names, *new.parameters.pseudo_names):
            if name not in old.parameters.names and name not in old.parameters.pseudo_names:
                yield name
            elif compare(_value_of(old, name), _value_of(new, name)) is not True:
                yield name

    def _refusals(self) -> Iterator[str]:
        """heat/engine/service.py: immutable parameters are held against the new declarations."""
        immutable = []
        for name in self._after.definition.parameters.names:
            schema = self._after.definition.parameters.schema(name)
            if schema is not None and schema.immutable and name in self._before.definition.parameters.names:
                old, new = _value_of(self._before.definition, name), _value_of(self._after.definition, name)
                if compare(old, new) is False:
                    immutable.append(name)
        if immutable:
            names = ", ".join(immutable)
            yield f"The following parameters are immutable and may not be updated: {names}"

    def _visit(self, name: str, exists: bool) -> None:
        definition = self._after.definition.resource_definition(name)
        if not exists:
            self._renewed[name] = _renewed(name)
            self._changes[name] = ResourceChange(name, definition.type, Action.ADDED, notes=self._added_notes(name))
            return
        change = self._compare(name)
        self._changes[name] = change
        behavior = self._knowledge.update_behaviors.get(change.type)
        moved = behavior.reference_changes if behavior is not None else ()
        touched = {cause.property for cause in change.causes}
        if change.action is Action.REPLACED or (
            change.action is Action.UPDATED and moved and ("*" in moved or touched.intersection(moved))
        ):
            self._renewed[name] = _renewed(name)

    def _added_notes(self, name: str) -> tuple[str, ...]:
        if isinstance(self._after.definition.is_enabled(name), Unknown):
            return ("Whether it is added depends on a condition that is not known yet.",)
        return ()

    def _deletion(self, name: str) -> ResourceChange:
        definition = self._before.definition.resource_definition(name)
        policy = _resolved(definition.deletion_policy, self._before.definition)
        note = _DELETION_NOTES.get(str(policy).title())
        disabled = self._after.definition.names_resource(name)
        because = ("its condition does not hold any more",) if disabled else ()
        return ResourceChange(
            name, definition.type, Action.DELETED, because=because, notes=(note,) if note is not None else ()
        )

    def _compare(self, name: str) -> ResourceChange:
        old = self._before.definition.resource_definition(name)
        new = self._after.definition.resource_definition(name)
        old_type, new_type = self._before.types.find(old.type, name), self._after.types.find(new.type, name)
        if self._is_other_class(old_type, new_type):
            sentence = "A resource of another type takes its place."
            cause = Cause("type", old.type, new.type, Action.REPLACED, sentence, path=("type",))
            return self._restricted(ResourceChange(name, new.type, Action.REPLACED, causes=(cause,)))
        outside = self._external(name, old, new)
        if outside is not None:
            return outside
        before = self._side(old, new_type.type or old_type.type, self._before)
        after = self._side(new, new_type.type or old_type.type, self._after)
        behavior = self._knowledge.update_behaviors.get(new_type.target)
        decision = decide(before, after, behavior) if behavior else decide(before, after)
        return self._restricted(self._explained(name, new, old, decision))

    def _external(self, name: str, old: ResourceDefinition, new: ResourceDefinition) -> ResourceChange | None:
        """heat/engine/resource.py: an external id must stay, and what has one is left alone."""
        before = _resolved(old.external_id, self._before.definition)
        after = _resolved(new.external_id, self._after.definition)
        if before is None and after is None:
            return None
        if compare(before, after) is True:
            note = "It has an external id: Heat does not touch it."
            return ResourceChange(name, new.type, Action.UNCHANGED, notes=(note,))
        sentence = "The external id of a resource cannot be changed."
        word = self._after.definition.language.dialect.external_id
        cause = Cause(word, before, after, Action.NOT_SUPPORTED, sentence, path=(word,))
        return ResourceChange(name, new.type, Action.NOT_SUPPORTED, causes=(cause,))

    def _is_other_class(self, old: FoundType, new: FoundType) -> bool:
        templates = (Origin.TEMPLATE, Origin.UNREAD_TEMPLATE, Origin.MISSING_TEMPLATE, Origin.BROKEN_TEMPLATE)
        if old.origin in templates and new.origin in templates:
            return False
        if old.type is None or new.type is None:
            return old.target != new.target
        if old.type.support_status.substitute == new.type.name:
            return False
        return old.type.class_name != new.type.class_name

    def _side(self, definition: ResourceDefinition, kind: ResourceType | None, stack: _Stack) -> Side:
        stack_definition = stack.definition
        parsed = definition.properties
        if isinstance(parsed, Function):
            value = _resolved(parsed, stack_definition)
            parsed = value if isinstance(value, Mapping) else {}
        data: Mapping[str, object] = parsed if isinstance(parsed, dict) else {}
        resource_type = kind or ResourceType(definition.type, definition.type)

        def read(value: object) -> object:
            return resolve(value, stack_definition, nullable=True)

        given = Properties(resource_type.properties, data, resolve=read)
        rules = active_rules(resource_type.translation_rules, lambda name: name in data and bool(given.value(name)))
        properties = Properties(
            resource_type.properties,
            data,
            resolve=read,
            translation=Translation(rules, lambda _rule, _entity, value: value),
            description=definition.description,
        )
        return Side(resource_type, properties, _parts(definition, stack_definition, kind), frozenset(data))

    def _restricted(self, change: ResourceChange) -> ResourceChange:
        restricted = self._after.definition.environment.restricted_actions(change.name)
        word = {Action.UPDATED: "update", Action.REPLACED: "replace"}.get(change.action)
        if word is None or word not in restricted:
            return change
        note = f"The environment restricts `{word}` for this resource: the stack update will fail."
        return replace(change, action=Action.NOT_SUPPORTED, notes=(note, *change.notes))

    def _explained(
        self, name: str, new: ResourceDefinition, old: ResourceDefinition, decision: Decision
    ) -> ResourceChange:
        causes = tuple(
            replace(cause, because=tuple(self._origins_of(cause, new, old))) if not cause.because else cause
            for cause in decision.causes
        )
        because = tuple(dict.fromkeys(reason for cause in causes for reason in cause.because))
        notes = decision.notes
        if not decision.certain:
            reasons = {origin for cause in causes for value in (cause.before, cause.after) for origin in _origins(value)}
            waits = ", ".join(sorted(reasons)) or "values that are not known yet"
            notes = (*notes, f"Not certain: it depends on {waits}.")
        return ResourceChange(name, new.type, decision.action, decision.certain, causes, because, notes)

    def _origins_of(self, cause: Cause, new: ResourceDefinition, old: ResourceDefinition) -> Iterator[str]:
        """Which parameters and resources the new value of a property comes from, as far as they changed."""
        for definition, stack in ((new, self._after), (old, self._before)):
            part = definition.properties if cause.path[:1] == ("properties",) else getattr(definition, cause.property, None)
            if isinstance(part, dict) and len(cause.path) > 1:
                part = part.get(cause.path[1])
            for parameter in _parameters_in(part):
                if parameter in self._changed_parameters:
                    yield f"parameter `{parameter}` changed"
        for unknown in unknowns(cause.after):
            for origin in sorted(unknown.origins):
                kind, _, other = origin.partition(":")
                change = self._changes.get(other)
                if kind == "resource" and change is not None and change.action in (Action.REPLACED, Action.ADDED):
                    yield from change.because
                    yield f"`{other}` is {change.action.word}"


def _parts(definition: ResourceDefinition, stack: StackDefinition, kind: ResourceType | None) -> dict[str, object]:
    """The parts of a definition that Heat compares besides the values of properties (heat/engine/rsrc_defn.py)."""
    parts: dict[str, object] = {
        "properties": definition.properties,
        "metadata": definition.metadata,
        "deletion_policy": definition.deletion_policy,
        "update_policy": definition.update_policy,
        "depends_on": list(definition.depends_on) or None,
        "condition": definition.condition,
    }
    found = {name: _resolved(part, stack) for name, part in parts.items() if part is not None}
    if kind is not None and Family.NO_OP in kind.families:
        return {}
    return {"type": definition.type, **found}


def _resolved(parsed: object, stack: StackDefinition) -> object:
    try:
        return resolve(parsed, stack)
    except FunctionError as error:
        return Unknown(("failed", error.message))


def _value_of(stack: StackDefinition, parameter: str) -> object:
    try:
        return stack.parameter(parameter)
    except (KeyError, FunctionError, ValueError):
        return Unknown(("parameter", parameter))


def _parameters_in(parsed: object) -> Iterator[str]:
    """The parameters that parsed data name in functions."""
    if isinstance(parsed, Function):
        arguments = parsed.arguments
        if parsed.name in ("get_param", "Ref"):
            name = arguments[0] if isinstance(arguments, list) and arguments else arguments
            if isinstance(name, str):
                yield name
        yield from _parameters_in(arguments)
    elif isinstance(parsed, Mapping):
        for item in parsed.values():
            yield from _parameters_in(item)
    elif isinstance(parsed, list):
        for item in parsed:
            yield from _parameters_in(item)


def _origins(value: object) -> Iterator[str]:
    if has_unknown(value):
        for unknown in unknowns(value):
            for origin in unknown.origins:
                kind, _, name = origin.partition(":")
                yield f"{kind} `{name}`" if name else kind
