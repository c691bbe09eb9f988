"""Changes of the resource types in each Heat release, in the words that the page of a type shows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, pairwise

from heatstudio.analysis.assist.sentences import constraint_words, value_words
from heatstudio.catalog.load import Catalog
from heatstudio.catalog.release import load_releases, release_of, status_words
from heatstudio.catalog.schema import (
    AllowedPattern,
    AllowedValues,
    AttributeSchema,
    Constraint,
    CustomConstraint,
    Length,
    PropertySchema,
    ResourceType,
    nested_properties,
)

Changes = dict[str, dict[str, list[str]]]


def catalog_changes(catalogs: Iterable[Catalog]) -> Changes:
    """Return the changes by type and release, the newest first; types without changes are omitted."""
    found: Changes = {}
    releases = load_releases()
    for newer, older in pairwise(catalogs):
        release = str(release_of(releases, newer.heat_version))
        for name in older.names():
            before, after = older.get(name), newer.get(name)
            assert before is not None
            sentences = ["resource type removed"]
            if after is not None:
                sentences = [one.replace("`", "") for one in _type_changes(before, after)]
            if sentences:
                found.setdefault(name, {})[release] = sentences
    return dict(sorted(found.items()))


def _type_changes(before: ResourceType, after: ResourceType) -> Iterator[str]:
    yield from _differences("", {"": _life(before)}, {"": _life(after)})
    for kind in ("properties", "update_policy"):
        schemas = (nested_properties(getattr(one, kind)) for one in (before, after))
        yield from _differences("property", *({path: _facts(one) for path, one in part} for part in schemas))
    parts = (one.attributes for one in (before, after))
    yield from _differences("attribute", *({name: _life(one) for name, one in part.items()} for part in parts))


def _differences(kind: str, before: Mapping[str, list[str]], after: Mapping[str, list[str]]) -> Iterator[str]:
    for path in sorted({**before, **after}):
        if path not in before:
            yield f"{path}: {kind} added"
        elif path not in after:
            yield f"{path}: {kind} removed"
        elif before[path] != after[path]:
            pairs = (one for one in zip(before[path], after[path], strict=True) if one[0] != one[1])
            words = "; ".join(f"{new} (previously: {old.removeprefix('must be ')})" for old, new in pairs)
            yield f"{path}: {words}" if path else words


def _life(one: ResourceType | AttributeSchema | PropertySchema) -> list[str]:
    return [status_words(one.support_status)]


def _facts(one: PropertySchema) -> list[str]:
    """Return a phrase for each fact, always in the same number and order."""
    constraints = " and ".join(map(_constraint, one.constraints))
    change = "are applied in place" if one.update_allowed else "fail" if one.immutable else "replace the resource"
    return [
        str(one.type),
        "required" if one.required else "optional",
        f"changes {change}",
        f"default {json.dumps(one.default)}" if one.default is not None else "no default",
        constraints or "no constraint",
        "implemented" if one.implemented else "not implemented",
        *_life(one),
    ]


def _constraint(one: Constraint) -> str:
    match one:
        case AllowedValues(values):
            return "must be one of " + ", ".join(_ranges([value_words(value) for value in values]))
        case AllowedPattern(pattern):
            return f"must match {pattern}"
        case CustomConstraint(name):
            return f"must satisfy the custom constraint {name}"
        case Length():
            return f"must have the {constraint_words(one)}"
        case _:
            return f"must be {constraint_words(one)}"


def _ranges(words: list[str]) -> Iterator[str]:
    """Yield three or more consecutive numbers as one range, and all other words as they are."""
    for _start, part in groupby(enumerate(words), lambda one: int(one[1]) - one[0] if one[1].isdecimal() else one[1]):
        run = [word for _index, word in part]
        yield from [f"{run[0]} to {run[-1]}"] if len(run) > 2 else run
