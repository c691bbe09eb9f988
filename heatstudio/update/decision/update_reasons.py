"""The reasons why values change: changes of the inputs that their functions read."""

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress

from msgspec import Struct

from heatstudio.catalog.rules.translation_rule import TranslationRule
from heatstudio.stack.definition.reads import Read, ReadKind, recording
from heatstudio.stack.functions.examine import resource_calls
from heatstudio.stack.functions.function import FunctionError, resolve
from heatstudio.stack.resource_definition import ResourceDefinition
from heatstudio.stack.unknown import Unknown, unknowns
from heatstudio.update.difference import compare
from heatstudio.update.plan.outcome import outcome_of_action
from heatstudio.update.plan.property_lines import origin_words
from heatstudio.update.plan.update_plan import Action, Cause, Reason, ResourceChange, Subject, SubjectKind
from heatstudio.update.sides.update_side import StackSide

_INPUTS = {
    ReadKind.PARAMETER: SubjectKind.PARAMETER,
    ReadKind.FILE: SubjectKind.FILE,
    ReadKind.MAPPING: SubjectKind.MAPPING,
}


class Reasons(Struct, frozen=True):
    """The reasons of one update."""

    before: StackSide
    after: StackSide
    changes: Mapping[str, ResourceChange]
    renewed: Container[str]
    """The resources whose reference IDs or attributes may change."""

    def of_cause(
        self, cause: Cause, old: ResourceDefinition, new: ResourceDefinition, rules: Iterable[TranslationRule] = ()
    ) -> tuple[tuple[Reason, ...], bool]:
        """Return the reasons for one difference in causal order, and whether to hide its values.

        `rules` are the translation rules of the type: the template may use an older property name.
        """
        names = {rule.source[0] for rule in rules if rule.source and rule.path[:1] == cause.path[1:2]}
        parts = ((self.before, _part(old, cause, names)), (self.after, _part(new, cause, names)))
        reads = [read for side, part in parts for read in self._reads(side, part)]
        reasons = [reason for read in reads for reason in self._of_read(read)]
        reasons += self._of_type(cause)
        reasons += (reason for unknown in unknowns(cause.after) for reason in _of_owner(unknown))
        reasons += (reason for side, part in parts for reason in self._of_calls(side, part))
        is_hidden = any(side.definition.is_hidden(read) for side in (self.before, self.after) for read in reads)
        return tuple(dict.fromkeys(reasons)), is_hidden

    def of_enabling(self, name: str) -> tuple[Reason, ...]:
        """Return why a resource is enabled on one side only."""
        old = self.before.definition.resource_definition(name).condition
        new = self.after.definition.resource_definition(name).condition
        is_added = self.before.definition.is_enabled(name) is False
        condition = new if is_added else old
        word = "is now true" if is_added else "is now false"
        last = Reason(f"the condition {word}")
        if isinstance(condition, str):
            last = Reason(f"the condition `{condition}` {word}", Subject(SubjectKind.CONDITION, condition))
        reads = [*self._reads(self.before, old), *self._reads(self.after, new)]
        for side, written in ((self.before, old), (self.after, new)):
            if isinstance(written, str):
                reads += self._reads_of_condition(side, written)
        return (*dict.fromkeys(reason for read in reads for reason in self._of_read(read)), last)

    def of_origins(self, value: object) -> Iterator[Reason]:
        """Yield the changes of the resources that an unknown value depends on."""
        for unknown in unknowns(value):
            yield from _of_owner(unknown)
            for origin in sorted(unknown.origins):
                kind, _, name = origin.partition(":")
                if kind == "resource":
                    yield from self.of_resource(name)

    def _of_calls(self, side: StackSide, parsed: object) -> Iterator[Reason]:
        """Yield the changes of the resources that a part of a definition reads, if the read value may change."""
        for name, call in resource_calls(parsed, side.definition):
            if name in self.renewed and compare(self.before.resolved(call), self.after.resolved(call)) is not True:
                yield from self.of_resource(name)

    def of_resource(self, name: str) -> Iterator[Reason]:
        """Yield why values that depend on a resource change."""
        change = self.changes.get(name)
        if change is not None and name in self.renewed:
            yield from change.because
            word = outcome_of_action(change.action).word
            words = f"is {word}" if change.certain else f"may be {word}"
            if change.action is Action.NOT_SUPPORTED:
                words = "may change"
            yield Reason(f"`{name}` {words}", Subject(SubjectKind.RESOURCE, name))

    def _reads(self, side: StackSide, parsed: object) -> list[Read]:
        reads: set[Read] = set()
        with suppress(FunctionError):  # keep the reads before the error
            resolve(parsed, recording(side.definition, reads))
        return sorted(reads, key=lambda read: (read.kind.value, str(read.name)))

    def _reads_of_condition(self, side: StackSide, name: str) -> list[Read]:
        conditions = side.definition.conditions
        return self._reads(side, conditions.definition(name)) if name in conditions.names else []

    def _of_read(self, read: Read) -> Iterator[Reason]:
        if self._is_same(read):
            return
        if read.kind is ReadKind.CONDITION:
            name = str(read.name)
            for side in (self.before, self.after):
                for below in self._reads_of_condition(side, name):
                    if below.kind is not ReadKind.CONDITION:
                        yield from self._of_read(below)
            yield Reason(f"condition `{name}` changed", Subject(SubjectKind.CONDITION, name))
        elif read.kind in _INPUTS:
            if read.kind is ReadKind.PARAMETER:
                yield from self.of_origins(self.after.parameter(str(read.name)))
            kind = _INPUTS[read.kind]
            yield Reason(f"{kind} `{read.name}` changed", Subject(kind, str(read.name)))

    def _is_same(self, read: Read) -> bool:
        values = [self._value(side, read) for side in (self.before, self.after)]
        return read.kind in (ReadKind.RESOURCE, ReadKind.PARENT) or compare(*values) is True

    def _value(self, side: StackSide, read: Read) -> object:
        """Return the value that a read has on one side."""
        name, stack = str(read.name), side.definition
        with suppress(KeyError, ValueError, FunctionError):
            match read.kind:
                case ReadKind.PARAMETER:
                    return stack.parameter(name)
                case ReadKind.CONDITION:
                    return stack.condition(name)
                case ReadKind.FILE:
                    return stack.file(name)
                case ReadKind.MAPPING:
                    return stack.mapping(name)
        return None

    def _of_type(self, cause: Cause) -> Iterator[Reason]:
        """Yield the reason if the type changed and its name did not: the environment maps the name differently."""
        if cause.path == ("type",) and cause.before == cause.after:
            yield Reason(f"the mapping of `{cause.after}` in the environment changed")


def _of_owner(unknown: Unknown) -> list[Reason]:
    """Return why a value from the owner of a nested stack changed, in causal order."""
    found = (origin for origin in unknown.origins if isinstance(origin, Reason))
    return sorted(found, key=lambda reason: (reason.rank, reason))


def _part(definition: ResourceDefinition, cause: Cause, old_names: Iterable[str]) -> object:
    """Return the part of a definition that a cause refers to, including values under older property names."""
    section = str(cause.path[0]) if cause.path else ""
    part = {
        "properties": definition.properties,
        "metadata": definition.metadata,
        "deletion_policy": definition.deletion_policy,
        "update_policy": definition.update_policy,
        "external_id": definition.external_id,
    }.get(section)
    if isinstance(part, dict) and len(cause.path) > 1:
        return [part.get(name) for name in (cause.path[1], *old_names)]
    return part


def waits_for(values: tuple[object, ...], doubts: tuple[str, ...] = ()) -> str:
    """Return the origins of an uncertain outcome's unknown values in words, or else the `doubts`."""
    origins = {origin for value in values for unknown in unknowns(value) for origin in unknown.origins}
    words = sorted(origin_words(origin) for origin in origins if not isinstance(origin, Reason)) or doubts
    return ", ".join(words) or "values that are not known yet"
