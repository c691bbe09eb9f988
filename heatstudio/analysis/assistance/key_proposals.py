"""Proposals for the keys that the template language itself knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from heatstudio.analysis.assistance.completion_context import Writing
from heatstudio.analysis.assistance.desk import found_type, language_of
from heatstudio.analysis.assistance.expectation import Expectation, Role
from heatstudio.analysis.assistance.keywords import keyword_text
from heatstudio.analysis.assistance.property_proposals import property_keys, required_lines
from heatstudio.analysis.assistance.proposal import Key, Proposal, Shape
from heatstudio.analysis.assistance.snippet_library import named_snippets
from heatstudio.template.dialect import VERSION_KEYS

_LISTS = frozenset({"constraints", "parameter_groups", "allowed_values", "AllowedValues", "tags", "parameters"})
_CONSTRAINTS = {
    "length": Key("length", value="{min: ${1:1}, max: ${2:255}}"),
    "range": Key("range", value="{min: ${1:1}, max: ${2:10}}"),
    "modulo": Key("modulo", value="{step: ${1:2}, offset: ${2:0}}"),
    "allowed_values": Key("allowed_values", Shape.LIST),
    "allowed_pattern": Key("allowed_pattern", value="${1:'[a-z]+'}"),
    "custom_constraint": Key("custom_constraint"),
    "description": Key("description"),
}


def keys_for(writing: Writing, expectation: Expectation) -> Iterator[Proposal]:
    """The keys that may be added to the map that is expected somewhere."""
    maker = _MAKERS.get(expectation.role)
    for proposal in maker(writing, expectation) if maker is not None else ():
        if proposal.document is not None:
            yield proposal
        else:
            yield replace(proposal, document=partial(keyword_text, expectation.role, proposal.label))
    call = expectation.call
    if call is not None and call.place is None and call.path == writing.path:
        yield from _ordered(map(Key, call.signature.keys), writing.present)


def _ordered(keys: Iterable[Key], present: frozenset[str], kind: str = "property") -> Iterator[Proposal]:
    for order, key in enumerate(keys):
        if key.name not in present:
            yield Proposal(key.name, key, kind, rank=2, order=order)


def _sections(writing: Writing, _expectation: Expectation) -> Iterator[Proposal]:
    words = writing.desk.template.dialect
    if not writing.present.intersection(VERSION_KEYS):
        for order, key in enumerate(VERSION_KEYS):
            yield Proposal(key, Key(key), "section", rank=1, order=order)
    known = [name for name in words.section_order if name in words.sections and name not in VERSION_KEYS]
    for order, name in enumerate(known):
        if name not in writing.present:
            shape = Shape.VALUE if name == words.description else Shape.LIST if name in _LISTS else Shape.MAP
            if name == words.parameters:
                shape = Shape.MAP
            yield Proposal(name, Key(name, shape), "section", rank=2, order=order)


def _resource_keys(writing: Writing, _expectation: Expectation) -> Iterator[Proposal]:
    words = writing.desk.template.dialect
    maps = (words.properties, words.metadata, words.update_policy)
    for order, name in enumerate(words.resource_keys):
        if name in writing.present:
            continue
        lines: tuple[str, ...] = ()
        if name == words.properties:
            found = found_type(writing.desk, str(writing.path[1]))
            lines = required_lines(found.type) if found is not None and found.type is not None else ()
        detail = f"{len(lines)} required" if lines else ""
        key = Key(name, Shape.MAP if name in maps else Shape.VALUE, lines=lines)
        yield Proposal(name, key, "property", detail, rank=1 if name == words.type else 2, order=order)


def _shape(name: str) -> Shape:
    if name in _LISTS:
        return Shape.LIST
    return Shape.MAP if name == "schema" else Shape.VALUE


def _entry_snippets(writing: Writing, _expectation: Expectation) -> Iterator[Proposal]:
    template = writing.desk.template
    if writing.path == (template.dialect.resources,):
        yield from named_snippets(template, language_of(writing.desk))


def _parameter_keys(writing: Writing, _expectation: Expectation) -> Iterator[Proposal]:
    words = writing.desk.template.dialect
    return _ordered((Key(name, _shape(name)) for name in words.parameter_keys), writing.present)


def _output_keys(writing: Writing, _expectation: Expectation) -> Iterator[Proposal]:
    words = writing.desk.template.dialect
    return _ordered(map(Key, sorted(words.output_keys, key=lambda name: name != words.value)), writing.present)


def _constraint_keys(writing: Writing, _expectation: Expectation) -> Iterator[Proposal]:
    kinds = language_of(writing.desk).parameter_constraints if not writing.present - {"description"} else ()
    return _ordered((_CONSTRAINTS.get(kind, Key(kind)) for kind in (*kinds, "description")), writing.present)


def _limit_keys(writing: Writing, expectation: Expectation) -> Iterator[Proposal]:
    return _ordered(map(Key, expectation.words), writing.present)


def _group_keys(writing: Writing, _expectation: Expectation) -> Iterator[Proposal]:
    return _ordered((Key("label"), Key("description"), Key("parameters", Shape.LIST)), writing.present)


def _member_keys(writing: Writing, _expectation: Expectation) -> Iterator[Proposal]:
    return _ordered((Key("type"), Key("properties", Shape.MAP), Key("metadata", Shape.MAP)), writing.present)


def _replacement_keys(writing: Writing, _expectation: Expectation) -> Iterator[Proposal]:
    return _ordered((Key("keys", Shape.MAP), Key("values", Shape.MAP)), writing.present)


_MAKERS: Mapping[Role, Callable[[Writing, Expectation], Iterator[Proposal]]] = {
    Role.TEMPLATE: _sections,
    Role.ENTRIES: _entry_snippets,
    Role.RESOURCE: _resource_keys,
    Role.PARAMETER_ENTRY: _parameter_keys,
    Role.OUTPUT: _output_keys,
    Role.CONSTRAINT: _constraint_keys,
    Role.LIMITS: _limit_keys,
    Role.PARAMETER_GROUP: _group_keys,
    Role.PROPERTY: property_keys,
    Role.MEMBER: _member_keys,
    Role.REPLACEMENTS: _replacement_keys,
}
