"""A secret that others can read."""

from collections.abc import Iterator, Mapping

from heatstudio.analysis.example_values import is_placeholder
from heatstudio.analysis.scope import Finding, Place, ResourceScope, TemplateScope, resource_check, template_check
from heatstudio.analysis.scope.calls import calls, parameters_read
from heatstudio.catalog.rules.advice import advice_facts
from heatstudio.stack.inputs.parameter_schema import ParameterSchema, ParameterType
from heatstudio.template import AddEntry, DataFix, DeleteEntry, Part, TreePath
from heatstudio.text import CheckFamily


@template_check(family=CheckFamily.ADVICE)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield parameters of secrets that are not hidden or have a default, and outputs that show hidden ones."""
    words = scope.words
    schemas = (scope.view.schema(name) for name in scope.view.names(words.parameters))
    secrets = {one.name: one for one in schemas if one is not None and _is_secret(one)}
    for name, schema in secrets.items():
        path: TreePath = (words.parameters, name)
        if not schema.hidden:
            message = f"`{name}` looks like a secret. Without `{words.hidden}`, Heat shows its value."
            fix = DataFix.likely(f"Add `{words.hidden}`", AddEntry(path, words.hidden, True))
            yield Finding(message, Place(path, Part.KEY), fixes=(fix,))
        is_known = isinstance(schema.default, str) and bool(schema.default) and not is_placeholder(schema.default)
        if is_known and advice_facts().is_secret(name):
            message = f"Everyone who has the template can read this default of `{name}`."
            default = (*path, words.default)
            fix = DataFix.likely("Remove the default", DeleteEntry(default))
            yield Finding(message, Place(default, Part.KEY), fixes=(fix,))
    for path, value in _shown_texts(scope):
        for name, place in parameters_read(calls(value, path), scope.view):
            if name in secrets and secrets[name].hidden:
                yield Finding(f"This output shows the value of the hidden parameter `{name}`.", Place(place))


@resource_check(family=CheckFamily.ADVICE)
def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Yield passwords that are written in properties."""
    facts = advice_facts()
    for given in scope.written:
        value = given.value
        if isinstance(value, str) and value and facts.is_secret(given.schema.name) and not is_placeholder(value):
            message = f"Everyone who has the template can read this `{given.schema.name}`. Use a hidden parameter."
            yield scope.finding(message, (*scope.properties_path, *given.path))


def _shown_texts(scope: TemplateScope) -> Iterator[tuple[TreePath, object]]:
    """Yield the values of outputs that are calls: a map or list is more likely the input of another template."""
    for name, entry in scope.template.section(scope.words.outputs).items():
        value = entry.get(scope.words.value) if isinstance(entry, Mapping) else None
        if isinstance(value, dict) and len(value) == 1 and scope.view.language.state(str(*value)) == "function":
            yield (scope.words.outputs, str(name), scope.words.value), value


def _is_secret(schema: ParameterSchema) -> bool:
    return schema.hidden or (schema.type is ParameterType.STRING and advice_facts().is_secret(schema.name))
