"""Migration of texts in tests: all old properties and types of all resources, by the rules of the catalog."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from heatstudio.analysis.checks.type_support import type_fixes
from heatstudio.analysis.migrations.fix_all import Migration, fix_all
from heatstudio.analysis.migrations.property_fixes import property_fixes
from heatstudio.analysis.scope import Finding, Place
from heatstudio.catalog.load import Catalog
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.values.written_properties import written_properties
from heatstudio.template import DataFix, Template, parse_template, render
from heatstudio.text import Applicability, Severity, apply_edits


@cache
def knowledge() -> Knowledge:
    return load_knowledge()


def old_uses(template: Template, catalog: Catalog | None = None) -> Iterator[Finding]:
    """Yield a finding for every old type and property in a template that has a fix."""
    catalog = catalog or knowledge().catalog
    words = template.dialect
    resources = template.data.get(words.resources)
    for name, data in resources.items() if isinstance(resources, Mapping) else ():
        kind = data.get(words.type) if isinstance(data, Mapping) else None
        found = catalog.get(kind) if isinstance(kind, str) else None
        if found is None:
            continue
        path = (words.resources, str(name))
        fixes = type_fixes(found, catalog, data, path, words)
        if fixes:
            yield _finding((*path, words.type), fixes)
        properties = data.get(words.properties)
        given = properties if isinstance(properties, Mapping) else {}
        for written in written_properties(found.properties, given):
            above = (*path, words.properties)
            fixes = property_fixes(found, written, given, above)
            if fixes:
                yield _finding((*above, *written.path), fixes)


def _finding(path: tuple[str | int, ...], fixes: tuple[DataFix, ...]) -> Finding:
    return Finding("This is old.", Place(path), Severity.WARNING, "old", fixes=fixes)


def migrate(text: str, least: Applicability = Applicability.SAFE) -> Migration:
    return fix_all(parse_template(text), old_uses, least)


def migrated(text: str) -> str:
    migration = migrate(text)
    after = migration.template.text
    assert migrate(after).steps == ()
    assert migration.refusals == ()
    return after


def fixes(text: str) -> list[DataFix]:
    return [fix for finding in old_uses(parse_template(text)) for fix in finding.fixes]


def reported(text: str) -> list[tuple[str, str]]:
    return [(fix.title, fix.applicability.word) for fix in fixes(text)]


def after(text: str, title: str) -> str:
    """Return the text after applying the fix whose title starts with `title`."""
    (fix,) = [fix for fix in fixes(text) if fix.title.startswith(title)]
    return apply_edits(text, render(parse_template(text), fix.changes))
