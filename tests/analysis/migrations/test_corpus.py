"""Real templates: every old use with a rule is migrated, the rest of the text is kept, and no stack would change."""

from __future__ import annotations

import csv
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from heatstudio.analysis.migrations.fix_all import Migration, disturbances
from heatstudio.catalog.release import Status
from heatstudio.catalog.rules.translation_rule import TranslationKind
from heatstudio.catalog.schema import ResourceType
from heatstudio.stack.definition.source import Source
from heatstudio.stack.values.written_properties import written_properties
from heatstudio.template import Template, parse_template
from heatstudio.text.line_diff import line_edits
from tests.analysis.migrations.migrating import knowledge, migrate, old_uses

DECIDED = {("OS::Neutron::Port", "network_id"), ("OS::Mistral::Workflow", "policies")}
"""Properties that one template each sets together with their successor, which needs a decision."""


@pytest.fixture(scope="session")
def migrations(shared: Path) -> dict[str, tuple[str, Migration]]:
    return _migrations(shared / "corpus")


@cache
def _migrations(corpus: Path) -> dict[str, tuple[str, Migration]]:
    with (corpus / "deprecated_use.tsv").open(encoding="utf-8", newline="") as file:
        names = sorted({row["file"] for row in csv.DictReader(file, delimiter="\t")})
    texts = {name: (corpus / name).read_bytes().decode() for name in names}
    return {name: (text, migrate(text)) for name, text in texts.items()}


def with_rules(template: Template) -> Counter[tuple[str, str]]:
    """Count the written old properties that a rule names, by type and name."""
    found: Counter[tuple[str, str]] = Counter()
    words = template.dialect
    for resource in template.entries(words.resources).values():
        data = resource.data
        kind = data.get(words.type) if isinstance(data, dict) else None
        type_ = knowledge().catalog.get(kind) if isinstance(kind, str) else None
        if type_ is None or not isinstance(data, dict):
            continue
        for written in written_properties(type_.properties, data.get(words.properties)):
            is_old = written.schema.support_status.status in (Status.HIDDEN, Status.DEPRECATED)
            if is_old and is_named(type_, written.names):
                found[type_.name, written.schema.name] += 1
    return found


def is_named(type_: ResourceType, names: tuple[str, ...]) -> bool:
    return any(
        rule.kind is not TranslationKind.RESOLVE and names in (rule.path, (rule.source or ())[: len(names)])
        for rule in type_.translation_rules
    )


def test_every_use_with_a_rule_is_migrated(migrations: dict[str, tuple[str, Migration]]) -> None:
    before, after = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for text, migration in migrations.values():
        before += with_rules(parse_template(text))
        after += with_rules(migration.template)
    assert before.total() > 700
    assert set(after) <= DECIDED
    assert after.total() <= len(DECIDED)


def test_official_templates_have_at_least_100_fixable_uses(migrations: dict[str, tuple[str, Migration]]) -> None:
    official = ("files/openstack+heat-templates/", "files/openstack+tripleo-heat-templates/")
    texts = [text for name, (text, _) in migrations.items() if name.startswith(official)]
    assert sum(with_rules(parse_template(text)).total() for text in texts) >= 100


def test_no_edit_is_rejected_and_a_second_run_finds_nothing(migrations: dict[str, tuple[str, Migration]]) -> None:
    for name, (_, migration) in migrations.items():
        assert migration.refusals == (), name
        assert migrate(migration.template.text).steps == (), name


def test_all_other_characters_are_kept(migrations: dict[str, tuple[str, Migration]]) -> None:
    """A line with renamed keys keeps its spaces, brackets, commas and comments."""
    for name, (text, migration) in migrations.items():
        has_new_lines = text.count("\n") != migration.template.text.count("\n")
        for edit in () if has_new_lines else line_edits(text, migration.template.text):
            removed = text[edit.span.start : edit.span.end]
            kept = [re.sub(r"[^ #{}\[\],]", "", part) for part in (removed, edit.text)]
            assert kept[0] == kept[1], (name, removed, edit.text)
        assert text.count("#") == migration.template.text.count("#"), name
        assert text.count("\r") == migration.template.text.count("\r"), name


def test_update_to_the_migrated_template_changes_nothing(migrations: dict[str, tuple[str, Migration]]) -> None:
    disturbed = {
        name: disturbances(Source(parse_template(text)), Source(migration.template), knowledge())
        for name, (text, migration) in migrations.items()
        if migration.steps
    }
    assert len(disturbed) > 100
    assert {name: changes for name, changes in disturbed.items() if changes} == {}


def test_unreadable_templates_are_not_changed(shared: Path) -> None:
    for path in sorted((shared / "corpus" / "files" / "mutants").glob("*"))[:200]:
        if path.is_file():
            template = parse_template(path.read_bytes().decode())
            assert template.complete or migrate(template.text).steps == () or list(old_uses(template))
