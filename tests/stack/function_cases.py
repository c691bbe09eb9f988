"""The recorded results of the real engine for functions, and the program's results for the same cases."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import yaml

from heatstudio.catalog.load import Catalog
from heatstudio.stack.definition.definition_problems import parameter_problems
from heatstudio.stack.definition.stack_definition import StackDefinition, StackInputs
from heatstudio.stack.functions.examine import dep_attrs, dependencies, validate
from heatstudio.stack.functions.function import ALL_ATTRIBUTES, FunctionError, parse, resolve
from heatstudio.stack.functions.language import Language, make_language
from heatstudio.stack.path import dotted
from heatstudio.stack.resource_proxy import NodeData
from heatstudio.stack.unknown import Unknown, unknowns
from heatstudio.template.dialect import choose_dialect
from tests.flat_files import FlatFiles

Answer = dict[str, object]


def yaml_data(text: str) -> object:
    """Return the data of a snippet."""
    return yaml.load(text, Loader=yaml.CSafeLoader)


class Cases:
    """The cases of the real engine, run with the program's implementation."""

    def __init__(self, folder: Path, catalog: Catalog) -> None:
        lines = (folder / "functions_cases.jsonl").read_text(encoding="utf-8").splitlines()
        self.cases = [json.loads(line) for line in lines]
        self.context = json.loads((folder / "functions_context.json").read_text(encoding="utf-8"))
        self._catalog = catalog
        self._languages: dict[str, Language] = {}

    def language(self, version: str) -> Language:
        if version not in self._languages:
            key, name = self._version(version)
            dialect = choose_dialect({key: name}).dialect
            found = self._catalog.template_version(key, name)
            assert found is not None
            self._languages[version] = make_language(dialect, found)
        return self._languages[version]

    def _version(self, version: str) -> tuple[str, str]:
        for separator in (".", " "):
            key, found, name = version.partition(separator)
            if found:
                return key, name
        return "heat_template_version", version

    def attribute_names(self, resource_name: str, type_name: str) -> list[str]:
        return list(self.context["resources"][resource_name]["attrs"]) if type_name else []

    def stack(self, case: Mapping[str, object], resources: Mapping[str, object]) -> StackDefinition:
        language = self.language(str(case["version"]))
        words = language.dialect
        context = self.context
        types = dict(
            zip(("string", "number", "comma_delimited_list", "json", "boolean"), words.parameter_types, strict=True)
        )
        parameters: dict[str, dict[str, object]] = {
            name: {words.type: types[one["type"]]} for name, one in context["parameters"].items()
        }
        for name, default in context["parameter_defaults_in_schema"].items():
            parameters[name][words.default] = default
        for name in context["hidden"]:
            parameters[name][words.hidden] = True
        entries = {name: {words.type: one["type"]} for name, one in context["resources"].items()}
        data = {
            words.parameters: parameters,
            words.conditions: case["conditions"] or {},
            words.mappings: context["mappings_cfn"],
            words.resources: {**entries, **resources},
        }
        nodes = {name: NodeData(one["ref"], one["attrs"], *one["state"]) for name, one in context["resources"].items()}
        inputs = StackInputs(
            parameter_values={name: one["value"] for name, one in context["parameters"].items()},
            pseudo_parameters={"OS::stack_id": context["stack_id"], "OS::project_id": context["project_id"]},
            resource_data=nodes.get,
            files=FlatFiles(context["files"]),
            types=self,
            stack_name=context["stack_name"],
            zones=[],
        )
        return StackDefinition(data, language, inputs)

    def answer(self, case: Mapping[str, object]) -> Answer:
        kind = case["kind"]
        if kind == "availability":
            return {"value": self.language(str(case["version"])).state(str(case["function"]))}
        if kind == "parameter":
            return self.parameter(case)
        return self.condition(case) if case["section"] == "condition" else self.evaluate(case)

    def evaluate(self, case: Mapping[str, object]) -> Answer:
        words = self.language(str(case["version"])).dialect
        snippet = yaml_data(str(case["snippet"]))
        stack = self.stack(case, {})
        path = (words.resources, "res", "properties", "value")
        parsed = parse(snippet, stack.language, path)
        answer: Answer = {}
        for problem in validate(parsed, stack):
            if problem.missing_resource is None:
                prefix = problem.path[1:] if problem.stage == "parse" else problem.path[3:]
                return {"error": f"{dotted(prefix)}: {problem.message}", "stage": problem.stage}
        answer["refs"] = sorted({reference.resource for reference in dependencies(parsed, stack)})
        needed: dict[str, set[str]] = {}
        for resource, attribute in dep_attrs(parsed, stack):
            value = json.dumps("*" if attribute is ALL_ATTRIBUTES else attribute)
            needed.setdefault(resource, set()).add(value)
        answer["dep_attrs"] = {name: sorted(values) for name, values in needed.items()}
        return {**answer, **self._value(parsed, stack)}

    def _value(self, parsed: object, stack: StackDefinition) -> Answer:
        try:
            value = resolve(parsed, stack)
        except FunctionError as error:
            return {"error": error.message, "stage": "resolve"}
        return self._known(value)

    def _known(self, value: object) -> Answer:
        for unknown in unknowns(value):
            assert isinstance(unknown.key, tuple)
            return {"error": f"The Parameter ({unknown.key[1]}) was not provided.", "stage": "resolve"}
        return {"value": value}

    def condition(self, case: Mapping[str, object]) -> Answer:
        conditions = case["conditions"]
        assert isinstance(conditions, dict)
        stack = self.stack({**case, "conditions": {**conditions, "c": yaml_data(str(case["snippet"]))}}, {})
        for problem in stack.conditions.problems(stack):
            if getattr(problem, "stage", "") == "parse":
                return {"error": f"{dotted(problem.path)}: {problem.message}", "stage": "parse"}
        for problem in stack.conditions.problems(stack):
            return {"error": problem.message, "stage": "validate"}
        try:
            value = stack.condition("c")
        except (ValueError, FunctionError) as error:
            return {"error": str(error), "stage": "resolve"}
        return self._known(value)

    def parameter(self, case: Mapping[str, object]) -> Answer:
        language = self.language(str(case["version"]))
        given = case["given"]
        values = {} if given == "__absent__" else {"p": given}
        data = {language.dialect.parameters: {"p": case["schema"]}}
        stack = StackDefinition(data, language, StackInputs(parameter_values=values))
        for problem in parameter_problems(stack):
            return {"error": problem.message}
        value = stack.parameter("p")
        assert not isinstance(value, Unknown)
        return {"value": value}


def is_equal(first: object, second: object) -> bool:
    """Return whether two values are equal, where True is not 1."""
    if isinstance(first, bool) is not isinstance(second, bool):
        return False
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(is_equal(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(is_equal, first, second))
    return first == second


def is_right(case: Mapping[str, object], answer: Answer) -> bool:
    """Return whether an answer equals that of the engine, apart from the message of an error."""
    if "error" in case:
        return "error" in answer
    return "value" in answer and is_equal(answer["value"], case["value"])
