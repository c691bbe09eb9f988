"""The resources and parameters of a template to which a property can refer."""

import re
from collections.abc import Container, Iterable, Mapping

from msgspec import Struct

from heatstudio.analysis.scope.calls import GET_PARAM, GET_RESOURCE, REF, calls
from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at, names_in, value_at
from heatstudio.catalog.schema import PropertySchema, PropertyType, ResourceType
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.order import reached

_EXTERNAL = frozenset({"external", "public", "floating", "ext"})
"""The words in names of parameters for networks that are not made by templates."""
_SUFFIX = re.compile("_(id|name)$")
_TYPES: Mapping[str, Container[PropertyType]] = {
    "string": (PropertyType.STRING, PropertyType.ANY),
    "number": (PropertyType.INTEGER, PropertyType.NUMBER),
    "boolean": (PropertyType.BOOLEAN,),
    "json": (PropertyType.MAP,),
    "comma_delimited_list": (PropertyType.LIST,),
}
"""The types of properties that a parameter fits by its name."""


class Available(Struct, frozen=True):
    """The resources with their types, the nearest above a place first, then those below, and the parameters."""

    kinds: Mapping[str, ResourceType]
    parameters: Mapping[object, object]
    referred: Mapping[str, frozenset[object]]
    """The resources to which resources refer, by the type of these."""
    is_hot: bool

    @classmethod
    def at(cls, model: SemanticModel, place: str, *, is_below: bool = False) -> "Available":
        """Return what is available at a resource, or below it; by default at the end."""
        words = model.words
        names = names_in(model.template, words.resources)
        above = names.index(place) + is_below if place in names else len(names)
        kinds, referred = {}, dict[str, set[object]]()
        for name in (*reversed(names[:above]), *names[above:]):
            kind = model.type_of(name)
            if kind is not None and (is_below or name != place):
                kinds[name] = kind
                written = value_at(model.template, (words.resources, name, words.properties))
                used = {
                    one for call, one, _ in calls(written, ()) if call in (GET_RESOURCE, REF) and isinstance(one, str)
                }
                referred.setdefault(kind.name, set()).update(used)
        parameters = map_at(model.template, (words.parameters,))
        return cls(kinds, parameters, {kind: frozenset(names) for kind, names in referred.items()}, words.is_hot)

    def resources_for(self, schema: PropertySchema, owner: str) -> list[str]:
        """Return the resources to which a property of a type may refer."""
        used = self.referred.get(owner, ()) if schema.unique else ()
        return [name for name, kind in self.kinds.items() if name not in used and kind.fits(schema)]

    def parameters_for(self, schema: PropertySchema) -> list[str]:
        """Return the parameters that have the custom constraint of a property, then those that are named like it."""
        ranks = {str(name): _parameter_rank(str(name), data, schema) for name, data in self.parameters.items()}
        return sorted((name for name, rank in ranks.items() if rank), key=lambda name: ranks[name])

    def reference(self, schema: PropertySchema, owner: str) -> dict[str, object] | None:
        """Return a reference to the nearest resource that fits, else to a parameter, else None."""
        if schema.type in (PropertyType.LIST, PropertyType.MAP):
            return None
        for call, names in (
            (GET_RESOURCE if self.is_hot else REF, self.resources_for(schema, owner)),
            (GET_PARAM if self.is_hot else REF, self.parameters_for(schema)),
        ):
            if names:
                return {call: names[0]}
        return None


def resource_to_wait_for(model: SemanticModel, kind: str, written: Container[object], named: Iterable[str]) -> str:
    """Return the resource for which a new resource must wait, such as a router's interface; empty if there is none.

    `named` are the resources to which it, and what is inserted with it, refers; `written` are the names of its
    properties.
    """
    stack = model.stack

    def needs(name: str) -> Iterable[str]:
        return stack.required_resource_names(name) if stack.names_resource(name) else ()

    for need in model.knowledge.suspicions.needs:
        rule = need.by.get(kind)
        if rule is not None and (not rule.given or rule.given in written):
            known = {name: stack.resource_type(name) for name in stack.enabled_resource_names}
            shared = {name for name in reached(named, needs) if known.get(name) == need.through}
            led = _users_of(shared, {name: needs(name) for name in known})
            return next((name for name, one in known.items() if one == need.on and name in led), "")
    return ""


def _users_of(names: Iterable[str], needs: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the resources with these names, and those that need them, directly or indirectly."""
    users: dict[str, list[str]] = {}
    for name, needed in needs.items():
        for other in needed:
            users.setdefault(other, []).append(name)
    return {*reached(names, lambda name: users.get(name, ()))}


def _parameter_rank(name: str, data: object, schema: PropertySchema) -> int:
    """Return 1 for a parameter with the custom constraint of a property, 2 for one that is named like it, else 0."""
    refers = bool(schema.entities or schema.refers or schema.external)
    if refers and schema.external == _EXTERNAL.isdisjoint(name.lower().split("_")):
        return 0
    constraints = constraints_of(data)
    if constraints or schema.type not in _TYPES.get(str(at(data, ("type",))), ()):
        same = {one for one in constraints if schema.external and one.rpartition(".")[2] == schema.name}
        return int(bool(constraints.intersection(schema.entities or same)))
    wanted, stem = _SUFFIX.sub("", schema.name), _SUFFIX.sub("", name)
    if schema.external:
        wanted = wanted.rpartition("_")[2]
    return 2 * (name == schema.name or (refers and f"_{stem}".endswith(f"_{wanted}")))


def parameter_name(base: str, schema: PropertySchema) -> str:
    """Return a name for a new parameter, which says whether it is for an external network."""
    return f"external_{base}" if schema.external and _EXTERNAL.isdisjoint(base.split("_")) else base


def constraints_of(data: object) -> set[str]:
    """Return the custom constraints of a parameter."""
    listed = at(data, ("constraints",))
    names = (at(item, ("custom_constraint",)) for item in (listed if isinstance(listed, list) else ()))
    return {name.rstrip("s") for name in names if isinstance(name, str)}
