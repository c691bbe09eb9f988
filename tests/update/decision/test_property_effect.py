"""The effect of a change of each property: what catalog and policies say is what the engine decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from heatstudio.catalog.schema import nested_properties
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.update.decision.property_effect import PropertyEffect, property_effect
from heatstudio.update.plan.outcome import Outcome
from heatstudio.update.plan_update import plan_update
from tests.update.test_update_cases import decided, records, source

SERVER = "OS::Nova::Server"
UNTAGGED = ("InternetGateway", "NetworkInterface", "RouteTable", "Subnet", "VPC")
WITHOUT_RECORD = {
    *("OS::Neutron::IKEPolicy.phase1_negotiation_mode", "OS::Neutron::Trunk.sub_ports.segmentation_type"),
    *(f"AWS::EC2::{name}.Tags{part}" for name in UNTAGGED for part in ("", ".Key", ".Value")),
}
"""The properties with only one value, and those whose elements Heat does not implement."""


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return load_knowledge()


def effect(knowledge: Knowledge, name: str, path: str, given: Mapping[object, object]) -> PropertyEffect:
    kind = knowledge.catalog.get(name)
    assert kind is not None
    return property_effect(kind, knowledge.update_behavior(kind), path.partition(".")[0], given)


def cases(engine_answers: Path) -> Iterator[tuple[str, str, dict[object, object], str]]:
    """Yield the changes of one property with the engine's decision: type, path, properties after the change."""
    kept = Path(__file__).parents[2] / "cases"
    for record in (*records(engine_answers, "update_cases"), *records(kept, "update_property_cases")):
        is_decided = decided(record) or record.get("handler_raised") == "UpdateReplace"
        path, after = record.get("path", record.get("property")), record["after"]
        if is_decided and record.get("kind", "change") in ("change", "add", "remove") and record.get("changed") != []:
            assert isinstance(path, str)
            assert isinstance(after, dict)
            yield str(record["type"]), path, after, str(record["decision"])


def test_engine_decides_on_each_property_as_stated(engine_answers: Path, knowledge: Knowledge) -> None:
    wrong, count = [], 0
    for name, path, after, decision in cases(engine_answers):
        found = effect(knowledge, name, path, after)
        is_sure = found.certain and found.outcome is not Outcome.MAY_BE_REPLACED
        count += is_sure
        if is_sure and found.outcome.action != decision:
            wrong.append((name, path, decision, found))
    assert count > 1000
    assert wrong == []


def test_engine_was_asked_about_every_property(shared: Path, knowledge: Knowledge) -> None:
    asked = {f"{name}.{path}" for name, path, _, _ in cases(shared / "cases")}
    implemented = {
        f"{name}.{path}"
        for name in knowledge.catalog.names()
        if (kind := knowledge.catalog.get(name)) is not None
        for path, schema in nested_properties(kind.properties)
        if schema.implemented
    }
    assert implemented - asked == WITHOUT_RECORD


def test_preview_decides_on_each_property_as_the_engine(knowledge: Knowledge) -> None:
    wrong = []
    for record in records(Path(__file__).parents[2] / "cases", "update_property_cases"):
        before, after = (
            source(
                {"heat_template_version": "2021-04-16", "resources": {"a": {"type": record["type"], "properties": one}}}
            )
            for one in (record["before"], record["after"])
        )
        change = plan_update(before, after, knowledge).get("a")
        if change is None or str(change.action) != record["decision"]:
            wrong.append((record["type"], record["path"], record["decision"], change))
    assert wrong == []


@pytest.mark.parametrize(
    ("path", "given", "words", "by_default", "sentence"),
    [
        ("user_data", {}, "replaced", True, "Updates cause replacement, because `user_data_update_policy` is REPLACE"),
        ("user_data", {"user_data_update_policy": "REBUILD"}, "updated in place", False, "Can be updated without"),
        ("user_data", {"user_data_update_policy": {"get_param": "p"}}, "may be replaced", False, "Can be updated with"),
        ("flavor", {}, "updated in place", True, "Can be updated without replacement, unless `flavor_update_policy`"),
        ("flavor", {"flavor_update_policy": "REPLACE"}, "replaced", False, "Updates cause replacement, because"),
        ("image", {}, "updated in place", True, "Can be updated without replacement, unless `image_update_policy`"),
        ("networks", {}, "updated in place", False, "Can be updated without replacement."),
        ("key_name", {}, "replaced", False, "Updates cause replacement."),
    ],
)
def test_policies_of_a_server(
    knowledge: Knowledge, path: str, given: dict[object, object], words: str, by_default: bool, sentence: str
) -> None:
    found = effect(knowledge, SERVER, path, given)
    assert (found.words, found.by_default) == (words, by_default)
    assert found.sentence.startswith(sentence)


@pytest.mark.parametrize(
    ("name", "path", "given", "words"),
    [
        ("OS::Cinder::Volume", "size", {}, "update may not be supported"),
        ("AWS::EC2::Volume", "Size", {}, "update not supported"),
        ("OS::Heat::Delay", "min_wait", {}, "replaced"),
        ("OS::Heat::UpdateWaitConditionHandle", "", {}, "replaced"),
        ("OS::Mistral::ExternalResource", "input", {}, "may be replaced"),
        ("OS::Heat::SoftwareDeployment", "config", {}, "may be replaced"),
        ("OS::Neutron::Port", "name", {}, "updated in place"),
        ("OS::Neutron::Port", "name", {"replacement_policy": "AUTO"}, "updated in place"),
        ("OS::Neutron::Port", "name", {"replacement_policy": "REPLACE_ALWAYS"}, "replaced"),
        ("OS::Heat::None", "", {}, "unchanged"),
    ],
)
def test_rules_of_types(knowledge: Knowledge, name: str, path: str, given: dict[object, object], words: str) -> None:
    assert effect(knowledge, name, path, given).words == words
