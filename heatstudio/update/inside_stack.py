"""The attributes that the owner of a nested stack has, by what is inside, on one side of an update.

heat/engine/resources/openstack/heat/resource_group.py, autoscaling_group.py, resource_chain.py, software_deployment.py
and remote_stack.py; heat/engine/resources/aws/cfn/stack.py; heat/engine/resources/template_resource.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from heatstudio.catalog.rules.update_rule import MemberAttribute, MemberAttributeKind, MemberRule
from heatstudio.stack.functions.hot_functions import attribute_at
from heatstudio.stack.resource_proxy import PathAttribute
from heatstudio.stack.unknown import Unknown, derived, has_unknown
from heatstudio.update.outer_value import inside_out
from heatstudio.update.update_side import StackSide

ONE_MEMBER = "resource"
ANY_ATTRIBUTE = "*"


class InsideStack(Struct, frozen=True):
    """A nested stack, as its owner gives it away."""

    owner: str
    stack: StackSide
    rule: MemberRule | None
    """None for a resource that a template implements."""
    is_complete: bool
    """Whether all members are known."""

    def attribute(self, name: str) -> object:
        """An attribute of the owner; raises KeyError where what is inside does not tell."""
        kind, *asked = name.split(".", 2)
        if kind == ONE_MEMBER and asked:
            member, above = self._named(asked[0]), asked[1:]
            return PathAttribute(lambda path: self._of_member(member, (*above, *path)))
        if self.rule is None:
            return self._output(name)
        described = self.rule.attributes.get(name)
        if described is not None:
            return self._described(described)
        prefix = next((one for one, a in self.rule.attributes.items() if a.kind is MemberAttributeKind.OUTPUT), name)
        if name != prefix and name.startswith(prefix):
            return self._output(name.removeprefix(prefix))
        if not self.rule.passes_on:
            raise KeyError(name)
        members = self._members
        return PathAttribute(lambda path: [self._of_member(one, (name, *path)) for one in members])

    @property
    def _members(self) -> tuple[str, ...]:
        """The members in their order. Raises KeyError if not all are known."""
        if not self.is_complete:
            raise KeyError(self.owner)
        return self.stack.definition.enabled_resource_names()

    def _named(self, name: str) -> str:
        """A member by its name, or by its position where Heat makes up the names. Raises KeyError if not known."""
        if self.rule is not None and self.rule.scales:
            name = dict(enumerate(self._members))[int(name) if name.isdecimal() else -1]
        if name not in self.stack.definition.enabled_resource_names():
            raise KeyError(name)
        return name

    def _described(self, attribute: MemberAttribute) -> object:
        kinds = MemberAttributeKind
        if attribute.kind is kinds.OUTPUTS:
            names = self.stack.definition.output_names
            return {name: self._output(name) for name in names if self.stack.definition.is_output_enabled(name)}
        members = self._members
        if attribute.kind is kinds.SIZE:
            return len(members)
        as_map = attribute.kind in (kinds.MAP, kinds.REFERENCE_MAP)

        def at(path: tuple[object, ...]) -> object:
            found = [self._of_member(member, path) for member in members]
            return dict(zip(members, found, strict=True)) if as_map else found

        if attribute.kind in (kinds.REFERENCES, kinds.REFERENCE_MAP):
            return PathAttribute(lambda _path: at(())) if attribute.ignores_path else at(())
        return at((attribute.of,)) if attribute.of else PathAttribute(lambda path: at(_not_empty(path)))

    def _of_member(self, name: str, path: Sequence[object]) -> object:
        """An attribute of a member, or its reference id if the path is empty. Raises LookupError."""
        member = self.stack.definition.resource(name)
        if not path:
            return inside_out(member.reference_id(), self.owner)
        if has_unknown(path):
            known = member.data.attributes.get(ANY_ATTRIBUTE) if member.data is not None else None
            return inside_out(derived("select", [member.reference_id(), known, *path]), self.owner)
        return inside_out(attribute_at(member.attribute(path[0]), list(path[1:])), self.owner)

    def _output(self, name: str) -> object:
        definition = self.stack.definition
        enabled = definition.is_output_enabled(name) if name in definition.output_names else False
        if enabled is False:
            raise KeyError(name)
        value = self.stack.resolved(definition.output_definition(name).value)
        return inside_out(derived("if", enabled, value) if isinstance(enabled, Unknown) else value, self.owner)


def _not_empty(path: tuple[object, ...]) -> tuple[object, ...]:
    """A path that begins with the name of an attribute; Heat refuses any other."""
    if not path:
        raise KeyError("path")
    return path
