"""An unknown attribute of a group, of a nested template, or of a resource whose attributes another one declares."""

from collections.abc import Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.analysis.attribute_path import attributes_of
from heatstudio.analysis.scope import Finding, Place, ResourceScope, Scope, call_check, name_fixes, nearest, with_names
from heatstudio.analysis.scope.inner_stack import inner_stack
from heatstudio.catalog.schema import ResourceType
from heatstudio.stack.definition.types import DEEPEST_NESTING, Origin, answers_itself
from heatstudio.stack.functions.examine import AttributeKey
from heatstudio.template import SetValue, TreePath
from heatstudio.text import Severity
from heatstudio.update.members.numbered_members import ONE_MEMBER, absent_member, created_names

_UNNAMED = "The attribute name must be a string."
FIRST = "0"
"""The member that Heat validates in a group of equal members."""


@call_check()
def check(scope: Scope) -> Iterator[Finding]:
    """Yield every unknown attribute that outputs, or a resource, read."""
    for call, name, key in scope.attribute_reads:
        if not scope.view.names_resource(name) or (isinstance(scope, ResourceScope) and scope.is_disabled):
            continue
        owner = scope.neighbor(name) if isinstance(scope, ResourceScope) else ResourceScope(scope, name)
        steps = key if isinstance(key, tuple) else (key,)
        yield from _undeclared(scope, owner, steps[0], (*call.name_path, 1))
        yield from _Reading(scope, owner, steps, call.name_path).problems()


class _Reading(Struct, frozen=True):
    """The reading of an attribute, of a resource or of one in its nested stack."""

    scope: Scope
    owner: ResourceScope
    steps: tuple[object, ...]
    """The attribute, and the steps after it."""
    place: TreePath
    position: int = 1
    """The position of the attribute among the arguments of the call."""
    above: str = ""
    """The part of this argument that precedes the attribute."""
    parent: ResourceScope | None = None
    """The resource whose nested stack contains the owner; None for a resource of the template."""
    is_late: bool = False
    """Whether Heat reads the attribute only when it creates the stack."""

    def problems(self) -> Iterator[Finding]:
        """Yield the first problem: an absent attribute, member or resource of a nested template."""
        owner, name = self.owner, self.steps[0]
        if owner.is_disabled or owner.type is None:
            return
        if isinstance(name, str) and self._lacks(owner.type, name):
            yield self._no_attribute(name)
            return
        asked, absent = _asked(owner, self.steps), _absent(owner, self.steps)
        found = tuple(self._below(*asked)) if asked is not None and owner.depth < DEEPEST_NESTING else ()
        if absent is not None and not any(one.severity is Severity.ERROR for one in found):
            yield self._unread(f"{self._subject} no {'resource' if _is_template(owner) else 'member'} `{absent}`.")
        else:
            yield from found

    def _below(self, only: str | None, steps: tuple[object, ...], offset: int) -> Iterator[Finding]:
        """Yield the first problem of what is read from resources of the nested stack, or from the only one."""
        owner, name, attribute = self.owner, self.steps[0], steps[0]
        inner = inner_stack(owner)
        if inner is None or not inner.certain:
            return
        position = self.position + offset
        if not isinstance(name, str) or not isinstance(attribute, str):
            if not self.is_late:
                yield Finding(_UNNAMED, Place((*self.place, position)))
            return
        are_equal = owner.member_rule is not None and bool(owner.member_rule.definition)
        is_late = self.is_late or _is_template(owner) or (are_equal and only not in (None, FIRST))
        above = "" if offset else self.above + name.removesuffix(attribute)
        below = replace(self, steps=steps, position=position, above=above, parent=owner, is_late=is_late)
        stack, types = inner.whole.stack, inner.whole.types
        names = [one for one in stack.all_resource_names if are_equal or only in (None, one)]
        for one in {types.find(stack.resource_type(one), one).name: one for one in names}.values():
            member = ResourceScope(inner.whole, one, group=None if _is_template(owner) else owner)
            found = tuple(replace(below, owner=member).problems())
            yield from found
            if found:
                return

    def _lacks(self, kind: ResourceType, name: str) -> bool:
        """Return whether the owner certainly lacks an attribute; other checks report those of plain resources."""
        if name in kind.attributes or (name.startswith(ONE_MEMBER) and self._is_closed(kind)):
            return False
        return self._is_closed(kind) or (self.parent is not None and not answers_itself(kind))

    def _is_closed(self, kind: ResourceType) -> bool:
        """Return whether Heat looks for the attribute only when it reads it, and only among known names."""
        rule = self.owner.member_rule
        is_group = answers_itself(kind) and rule is not None and bool(rule.spread) and not rule.passes_on
        return is_group or _is_template(self.owner)

    @property
    def _subject(self) -> str:
        """The owner and the verb of a sentence."""
        found = self.owner.found
        kind = found.name if found is not None else ""
        if self.parent is None:
            return f"`{self.owner.name}` has"
        if _is_template(self.parent):
            return f"`{self.owner.name}` ({kind}) has"
        return f"The members of this group ({kind}) have"

    def _no_attribute(self, attribute: str) -> Finding:
        path, kind, found = (*self.place, self.position), self.owner.type, self.owner.found
        names = nearest(attribute, kind.attributes if kind is not None else ())
        message = f"{self._subject} no attribute `{attribute}`."
        if _is_template(self.owner) and found is not None:
            message = f"{found.target} has no output `{attribute}`."
        fixes = name_fixes([self.above + other for other in names], "Use `{}`", partial(SetValue, path))
        meant = names[0] if names else ""
        if self.is_late or (kind is not None and self._is_closed(kind)):
            return replace(self._unread(message), meant=meant, fixes=fixes)
        return Finding(message, Place(path), meant=meant, fixes=fixes)

    def _unread(self, message: str) -> Finding:
        return _late(self.scope, message, (*self.place, self.position))


def _undeclared(scope: Scope, owner: ResourceScope, name: object, path: TreePath) -> Iterator[Finding]:
    """Yield an attribute that another resource should declare: the creation fails, or the output has no value."""
    attributes = attributes_of(scope.types, scope.view, owner.name, owner.definition.data)
    declared = attributes.declared if attributes is not None else None
    known = (*(declared or ()), *(owner.type.attributes if owner.type is not None else ()))
    if declared is not None and isinstance(name, str) and name not in known:
        yield with_names(_late(scope, f"`{owner.name}` has no output `{name}`.", path), path, name, declared)


def _late(scope: Scope, message: str, path: TreePath) -> Finding:
    """Return the finding about what Heat fails to read when it creates the stack, or computes the output."""
    if isinstance(scope, ResourceScope):
        return Finding(message, Place(path), Severity.WARNING, is_late=True)
    return Finding(f"{message} The output has no value.", Place(path), Severity.WARNING)


def _is_template(owner: ResourceScope) -> bool:
    """Return whether a template implements a resource: its attributes are the outputs, which Heat reads on demand."""
    return owner.found is not None and owner.found.origin is Origin.TEMPLATE


def _absent(owner: ResourceScope, key: AttributeKey) -> str | None:
    """Return the absent member or resource that a new stack reads: Heat accepts it, but the creation fails."""
    if _is_template(owner):
        name = key[0] if isinstance(key, tuple) else key
        member = name.removeprefix(ONE_MEMBER).partition(".")[0] if isinstance(name, str) else ""
        inner = inner_stack(owner) if isinstance(name, str) and name.startswith(ONE_MEMBER) else None
        return member if inner is not None and not inner.whole.stack.names_resource(member) else None
    rule = owner.member_rule
    if rule is None or owner.properties is None:
        return None
    return absent_member(key, created_names(owner.properties, rule))


def _asked(owner: ResourceScope, steps: tuple[object, ...]) -> tuple[str | None, tuple[object, ...], int] | None:
    """Return the only member that is read, or None for all; the path that is read from it; and how many steps precede.

    heat/engine/resources/openstack/heat/resource_group.py, _nested_output_defns, and its counterparts in other groups.
    """
    name, *path = steps
    rule, is_template = owner.member_rule, _is_template(owner)
    if not is_template and (rule is None or not (rule.spread or rule.passes_on)):
        return None
    if not isinstance(name, str):
        return (None, steps, 0) if path and not is_template else None
    if name.startswith(ONE_MEMBER):
        member, separator, attribute = name.removeprefix(ONE_MEMBER).partition(".")
        only = member if rule is None or rule.passes_on else None
        return (only, (attribute, *path), 0) if separator else (only, tuple(path), 1) if path else None
    if rule is None or owner.type is None:
        return None
    if name in rule.spread:
        return (None, tuple(path), 1) if path else None
    return (None, steps, 0) if rule.passes_on and name not in owner.type.attributes else None
