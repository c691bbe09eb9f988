"""Random templates with groups of all kinds, with members of all types or from templates, valid or with a fault."""

from __future__ import annotations

import random
from collections.abc import Callable

from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.functions.language import Language
from heatstudio.template.dialect import DIALECTS
from tests.generated.expressions import PLAIN, Expressions, template
from tests.generated.projects import Project
from tests.generated.templates import Templates, mutated
from tests.generated.values import WORDS, Data

MEMBER = "member.yaml"
LAUNCH = "AWS::AutoScaling::LaunchConfiguration"
NO_TYPES: tuple[object, ...] = ("My::Type", "OS::Nova::NoThing", "gone.yaml", "", None, 5, {"get_param": "text"})
MEMBER_TEMPLATE: Data = {
    "heat_template_version": "2021-04-16",
    "parameters": {
        "word": {"type": "string"},
        "size": {"type": "number", "default": 8, "constraints": [{"range": {"min": 1, "max": 20}}]},
        "rules": {"type": "json", "default": {}},
    },
    "resources": {"r": {"type": PLAIN, "properties": {"length": {"get_param": "size"}, "salt": {"get_param": "word"}}}},
    "outputs": {"out": {"value": {"get_attr": ["r", "value"]}}},
}
POLICIES: tuple[object, ...] = (
    {"rolling_update": {"min_in_service": 1, "max_batch_size": 1}},
    {"batch_create": {"max_batch_size": 2, "pause_time": 1}},
    {"rolling_update": {"max_batch_size": 0}},
    {"batch_create": {"size": 2}},
)
MEMBER_ATTRIBUTES = (
    "refs",
    "resource.0",
    "resource.1.value",
    "resource.7",
    "attributes",
    "outputs",
    "value",
    "nothing",
)


class Groups:
    """A generator of random templates with groups, deterministic for a seed of `dice`."""

    def __init__(self, knowledge: Knowledge, dice: random.Random) -> None:
        self._knowledge = knowledge
        self._dice = dice
        self._templates = Templates(knowledge, dice)

    def project(self) -> Project:
        """Return the template `main.yaml`, often with up to two faults, and its nested templates and environment."""
        language = self._knowledge.language(self._dice.choice(DIALECTS))
        words, made = language.dialect, Expressions(language, self._dice, 0.0)
        made.attributes = ("show", "value")
        resources: dict[str, Data] = {}
        for number in range(self._dice.choice((1, 1, 2))):
            resources |= self._group(f"g{number}", language, made)
        data = template(language, resources, PLAIN)
        if made.chance(0.3):
            read = {"get_attr" if "get_attr" in made.functions else "Fn::GetAtt": ["g0", made.one(MEMBER_ATTRIBUTES)]}
            data[words.outputs] = {"o": {words.value: read}}
        member = MEMBER_TEMPLATE
        for _ in range(self._dice.choice((0, 0, 0, 1, 2))):
            if made.chance(0.15):
                member = mutated(member, self._dice)
            else:
                data = mutated(data, self._dice)
        registry: Data = {"My::Mapped": MEMBER, "My::None": "OS::Heat::None", "My::Group": "OS::Heat::ResourceGroup"}
        return {"main.yaml": data, MEMBER: member, "env.yaml": {"resource_registry": registry}, "script.txt": "echo"}

    def _group(self, name: str, language: Language, made: Expressions) -> dict[str, Data]:
        """Return a group, and the resources that it needs."""
        words = language.dialect
        chosen = self._dice.choice((self._numbered, self._numbered, self._scaled, self._chain, self._deployed))
        if self._dice.random() < 0.2:
            return self._launched(name, language, made)
        group = chosen(made, 0)
        entry: Data = {words.type: group["type"], words.properties: group["properties"]}
        if self._dice.random() < 0.1:
            entry[words.update_policy] = self._dice.choice(POLICIES)
        return {name: entry}

    def _member(self, made: Expressions, depth: int) -> Data:
        """Return a member definition, with the keys of HOT in every language."""
        dice = self._dice
        match dice.randint(0, 9):
            case 0 | 1 if depth < 2:
                return dice.choice((self._numbered, self._scaled, self._chain))(made, depth + 1)
            case 2 | 3 | 4:
                given = {"word": made.text(), "size": made.number(), "rules": made.map(), "none": made.text()}
                chosen = {key: value for key, value in given.items() if made.chance(0.9 if key == "word" else 0.3)}
                chosen.pop("none" if made.chance(0.95) else "", None)
                return {"type": dice.choice((MEMBER, MEMBER, "My::Mapped")), "properties": chosen}
            case 5:
                kind = dice.choice((*NO_TYPES, "My::None", "My::Group"))
                return {"type": kind, "properties": dice.choice(({}, None, {"count": 1}, []))}
        type_of_catalog = self._templates.any_type()
        member: Data = {"type": type_of_catalog.name, "properties": self._templates.properties(type_of_catalog, made)}
        return member | ({"metadata": made.map()} if made.chance(0.1) else {})

    def _count(self, made: Expressions) -> object:
        odd: tuple[object, ...] = (0, "2", "x", -1, None, made.attribute(), {"get_param": "number"}, made.number())
        return self._dice.choice((1, 2, 3) if made.chance(0.8) else odd)

    def _numbered(self, made: Expressions, depth: int) -> Data:
        properties: Data = {"count": self._count(made), "resource_def": self._member(made, depth)}
        items = [made.one(("0", 1, "x", None, made.attribute(), {"a": 1})) for _ in range(2)]
        extras: dict[str, Callable[[], object]] = {
            "index_var": lambda: made.one(("%index%", "%i%", "%i%", "", "a")),
            "removal_policies": lambda: made.one(([{"resource_list": items}], [{}], [{"other": 1}], [], items)),
            "removal_policies_mode": lambda: made.one(("append", "update", "other")),
        }
        properties |= {key: make() for key, make in extras.items() if made.chance(0.12)}
        return {"type": "OS::Heat::ResourceGroup", "properties": properties}

    def _scaled(self, made: Expressions, depth: int) -> Data:
        properties: Data = {"min_size": 1, "max_size": 3, "resource": self._member(made, depth)}
        extras: dict[str, Callable[[], object]] = {
            "min_size": lambda: self._count(made),
            "max_size": lambda: self._count(made),
            "desired_capacity": lambda: self._count(made),
            "cooldown": made.number,
            "rolling_updates": lambda: made.one(({"min_in_service": 0}, {"max_batch_size": 0}, {"pause_time": 1})),
        }
        properties |= {key: make() for key, make in extras.items() if made.chance(0.12)}
        return {"type": "OS::Heat::AutoScalingGroup", "properties": properties}

    def _chain(self, made: Expressions, depth: int) -> Data:
        members = [self._member(made, depth) for _ in range(self._dice.randint(0, 3))]
        kinds = [one.get("type") for one in members]
        if made.chance(0.5):
            kinds = kinds[:1] * 2
        properties: Data = {"resources": kinds}
        if members and made.chance(0.9):
            properties["resource_properties"] = members[0]["properties"]
        if made.chance(0.2):
            properties["concurrent"] = made.one((True, "false", "x"))
        return {"type": "OS::Heat::ResourceChain", "properties": properties}

    def _deployed(self, made: Expressions, _depth: int) -> Data:
        servers = made.one(({"a": "s1", "b": "s2"}, {}, made.map(), ["s1"], {"a": made.attribute()}))
        properties: Data = {"servers": servers, "config": made.text()}
        extras: dict[str, Callable[[], object]] = {
            "input_values": made.map,
            "actions": lambda: made.one((["CREATE"], ["BUILD"], [])),
            "signal_transport": lambda: made.one(("NO_SIGNAL", "OTHER")),
        }
        properties |= {key: make() for key, make in extras.items() if made.chance(0.12)}
        return {"type": "OS::Heat::SoftwareDeploymentGroup", "properties": properties}

    def _launched(self, name: str, language: Language, made: Expressions) -> dict[str, Data]:
        """Return a group with a launch configuration."""
        words = language.dialect
        launch = self._knowledge.catalog.get(LAUNCH)
        assert launch is not None
        given: Data = {"ImageId": "i", "InstanceType": "t"} if made.chance(0.9) else {}
        given |= self._templates.properties(launch, made)
        if made.chance(0.9):
            given.pop("BlockDeviceMappings", None)  # random ones are mostly invalid
        configured: Data = {words.type: LAUNCH, words.properties: given}
        refer = "get_resource" if "get_resource" in made.functions else "Ref"
        config = made.one(({refer: "conf"}, {refer: "conf"}, {refer: "conf"}, "conf", {refer: "made"}, made.text()))
        properties: Data = {"AvailabilityZones": list(WORDS[:2]), "LaunchConfigurationName": config}
        if made.chance(0.5):
            kind = "OS::Heat::InstanceGroup"
            properties["Size"] = self._count(made)
        else:
            kind = "AWS::AutoScaling::AutoScalingGroup"
            properties |= {"MinSize": 1, "MaxSize": 3}
            properties |= {key: self._count(made) for key in ("MinSize", "DesiredCapacity") if made.chance(0.12)}
        return {"conf": configured, name: {words.type: kind, words.properties: properties}}
