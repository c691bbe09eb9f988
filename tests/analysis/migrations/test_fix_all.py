from __future__ import annotations

from collections.abc import Iterator

import pytest

from heatstudio.analysis.migrations.fix_all import disturbances, fix_all, is_neutral
from heatstudio.analysis.scope import Finding, Place
from heatstudio.stack.definition.source import Source
from heatstudio.stack.path import dotted
from heatstudio.template import DataFix, DeleteEntry, RenameKey, SetValue, Template, parse_template
from heatstudio.text import Applicability, Severity
from tests.analysis.migrations.migrating import knowledge, migrate

TEXT = """\
heat_template_version: 2018-08-31
resources:
  port:
    type: OS::Neutron::Port
    properties:
      network_id: net   # inner
      fixed_ips: [{subnet_id: a}, {subnet_id: b}]
  router:
    type: OS::Neutron::Router
    properties:
      l3_agent_id: agent
  flow:
    type: OS::Mistral::Workflow
    properties:
      type: direct
      tasks:
        - name: t
          policies: {timeout: 3}
  password:
    type: OS::Heat::RandomString
    properties: {sequence: digits}
  both:
    type: OS::Neutron::Port
    properties: {network_id: a, network: b}
  deploy:
    type: OS::Heat::SoftwareDeployments
    properties: {config: c, servers: {}}
"""


def source(text: str) -> Source:
    return Source(parse_template(text))


def test_everything_at_once_with_a_report() -> None:
    migration = migrate(TEXT)
    assert [f"{dotted(step.place)}: {step.sentence}" for step in migration.steps] == [
        "resources.port.properties: `network` replaces `network_id`.",
        "resources.port.properties.fixed_ips[0]: `subnet` replaces `subnet_id`.",
        "resources.port.properties.fixed_ips[1]: `subnet` replaces `subnet_id`.",
        "resources.router.properties: `l3_agent_ids` replaces `l3_agent_id`.",
        "resources.flow.properties.tasks[0]: `timeout` replaces `policies.timeout`.",
        "resources.password.properties: `character_classes` replaces `sequence`.",
        'resources.deploy: `type` is set to `"OS::Heat::SoftwareDeploymentGroup"`.',
    ]
    assert migration.refusals == ()
    assert migrate(migration.template.text).steps == ()


def test_migration_does_not_change_a_running_stack() -> None:
    assert is_neutral(source(TEXT), source(migrate(TEXT).template.text), knowledge())


@pytest.mark.parametrize(
    ("old", "new"),
    [("net   #", "other   #"), ("name: t\n", "name: u\n"), ("{network_id: a,", "{"), ("  router:", "  other:")],
)
def test_changes_that_a_migration_must_not_make_are_detected(old: str, new: str) -> None:
    assert disturbances(source(TEXT), source(TEXT.replace(old, new)), knowledge()) != ()


def test_rejected_edit_is_reported_and_not_retried() -> None:
    text = "a: &anchor {b: 1, c: 2}\nd: *anchor\ne: 1\n"

    def find(template: Template) -> Iterator[Finding]:
        for path in (("d", "b"), ("e",)):
            fix = DataFix("Rename", (RenameKey(path, "new"),))
            if path[0] in template.data:
                yield Finding("This is old.", Place(path), Severity.HINT, "x", fixes=(fix,))

    migration = fix_all(parse_template(text), find)
    assert migration.template.text == text.replace("e: 1", "new: 1")
    assert len(migration.refusals) == 1


def test_conflicting_fixes_are_applied_in_separate_rounds() -> None:
    def find(template: Template) -> Iterator[Finding]:
        for name in ("a", "b"):
            if name in template.data and template.data[name] != 2:
                fix = DataFix("Set", (SetValue((name,), 2), DeleteEntry(("c" if name == "a" else "c2",))))
                yield Finding("This is old.", Place((name,)), Severity.HINT, "x", fixes=(fix,))
        if "c" in template.data:
            fix = DataFix("Rename", (RenameKey(("c",), "c3"),))
            yield Finding("This is old.", Place(("c",)), Severity.HINT, "x", fixes=(fix,))

    migration = fix_all(parse_template("a: 1\nb: 1\nc: 1\nc2: 1\n"), find)
    assert migration.template.data == {"a": 2, "b": 2}


def test_endless_fixes_terminate() -> None:
    def find(template: Template) -> Iterator[Finding]:
        changes = (SetValue(("a",), 2 if template.data["a"] == 1 else 1),)
        yield Finding("This is old.", Place(("a",)), Severity.HINT, "x", fixes=(DataFix("Set", changes),))

    assert fix_all(parse_template("a: 1\n"), find).template.text in ("a: 1\n", "a: 2\n")


def test_decisions_are_never_applied_automatically() -> None:
    text = TEXT[TEXT.index("resources:") :]
    kept = "    properties: {network_id: a, network: b}\n"
    assert kept in text
    assert kept in migrate(TEXT, Applicability.DECISION).template.text


@pytest.mark.parametrize(
    "text", ["", "[]", "a", "resources: 7", "resources: {a: {type: [], properties: 3}}", "{{ jinja }}"]
)
def test_every_text_is_accepted(text: str) -> None:
    assert migrate(text).template.text == text
