"""The data of an abandoned stack in which a resource has another name."""

import json

from heatstudio.analysis.analyze import analyze
from heatstudio.analysis.assist.reference_index import Symbol, SymbolKind
from heatstudio.analysis.assist.references import index_of, locate
from heatstudio.analysis.assist.rename import rename
from heatstudio.analysis.assist.semantic_model import semantic_model
from heatstudio.catalog.facts import Facts, mapping, part
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import RESOURCE_REGISTRY
from heatstudio.stack.inputs.registry import RESOURCES
from heatstudio.template import Reader, parse_template
from heatstudio.text import apply_edits


def renamed_data(data: Facts, old: str, new: str, knowledge: Knowledge) -> tuple[Facts, str]:
    """Return data with a renamed resource; without data, the reason why the resource cannot be renamed.

    The name is in the resources, in the definition and the references in the template, and in the environment.
    """
    source = Source(parse_template(json.dumps(data.get("template"), indent=1), reader=Reader.HEAT))
    model = semantic_model(analyze(source, knowledge))
    definition = index_of(model).definition(Symbol(SymbolKind.RESOURCE, old))
    resources = part(data, "resources")
    if definition is None or old not in resources:
        return {}, f"The stack has no resource `{old}`."
    result = rename(model, locate(model.template, definition).span.start, new)
    if result.refusal:
        return {}, result.refusal
    template = json.loads(apply_edits(model.template.text, result.edits))
    named = mapping(resources[old])
    named = {**named, "name": new} if "resources" not in named else named  # that of a nested stack is the stack's
    environment, registry = part(data, "environment"), part(part(data, "environment"), RESOURCE_REGISTRY)
    if old in part(registry, RESOURCES):
        own = {new if name == old else name: one for name, one in part(registry, RESOURCES).items()}
        environment = {**environment, RESOURCE_REGISTRY: {**registry, RESOURCES: own}}
    kept = {new if name == old else name: named if name == old else one for name, one in resources.items()}
    return {**data, "template": template, "resources": kept, "environment": environment}, ""
