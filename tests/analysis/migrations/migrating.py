"""Migration of texts in tests: all old properties and types of all resources, by the rules of the catalog."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from heatstudio.analysis.migrations import Migration, fix_all, property_remedies, type_remedies
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.catalog import Catalog
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.values.pairing import written_properties
from heatstudio.template import DataFix, Template, parse_template, render
from heatstudio.text import Applicability, Severity, apply_edits


@cache
def knowledge() -> Knowledge:
    return load_knowledge()


def old_uses(template: Template, catalog: Catalog | None = None) -> Iterator[Finding]:
    """Yield a finding for every old type and property in a template that has a remedy."""
    catalog = catalog or knowledge().catalog
    words = template.dialect
    resources = template.data.get(words.resources)
    for name, data in resources.items() if isinstance(resources, Mapping) else ():
        kind = data.get(words.type) if isinstance(data, Mapping) else None
        found = catalog.get(kind) if isinstance(kind, str) else None
        if found is None:
            continue
        path = (words.resources, str(name))
        remedies = type_remedies(found, catalog, data, path, words)
        if remedies:
            yield _finding((*path, words.type), remedies)
        properties = data.get(words.properties)
        given = properties if isinstance(properties, Mapping) else {}
        for written in written_properties(found.properties, given):
            above = (*path, words.properties)
            remedies = property_remedies(found, written, given, above)
            if remedies:
                yield _finding((*above, *written.path), remedies)


def _finding(path: tuple[str | int, ...], remedies: tuple[DataFix, ...]) -> Finding:
    return Finding("old", Severity.WARNING, "This is old.", Place(path), remedies=remedies)


def migrate(text: str, least: Applicability = Applicability.SAFE) -> Migration:
    return fix_all(parse_template(text), old_uses, least)


def migrated(text: str) -> str:
    migration = migrate(text)
    after = migration.template.text
    assert apply_edits(text, migration.edits) == after
    assert migrate(after).edits == ()
    assert migration.refusals == ()
    return after


def remedies(text: str) -> list[DataFix]:
    return [remedy for finding in old_uses(parse_template(text)) for remedy in finding.remedies]


def reported(text: str) -> list[tuple[str, str]]:
    return [(remedy.title, remedy.applicability.word) for remedy in remedies(text)]


def after(text: str, title: str) -> str:
    """Return the text after applying the remedy whose title starts with `title`."""
    (remedy,) = [remedy for remedy in remedies(text) if remedy.title.startswith(title)]
    return apply_edits(text, render(parse_template(text), remedy.changes))
