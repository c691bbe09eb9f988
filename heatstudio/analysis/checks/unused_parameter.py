"""A parameter that nothing uses."""

from collections.abc import Iterator, Mapping

from heatstudio.analysis.scope import Finding, Place, TemplateScope, template_check
from heatstudio.analysis.scope.calls import maps
from heatstudio.template import DataFix, DeleteEntry, Part
from heatstudio.text import CheckFamily

_MANY = 4


@template_check(family=CheckFamily.ADVICE)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every parameter that nothing reads, unless the template only states the interface of a type.

    It does so if it has no resources, or ignores most of many parameters; and an empty default says `optional`.
    """
    words, declared = scope.words, scope.template.section(scope.words.parameters)
    names = scope.unused(declared) if scope.stack.all_resource_names else ()
    if not names or len(names) > max(_MANY, len(declared) // 2):
        return
    groups = maps(scope.stack.data.get(words.parameter_groups), (words.parameter_groups,))
    listed = (group.get(words.parameters) for group, _ in groups)
    grouped = {name for names in listed if isinstance(names, list) for name in names if isinstance(name, str)}
    for name, entry in declared.items():
        if name in names and not (isinstance(entry, Mapping) and entry.get(words.default, True) in ("", {}, [])):
            path = (words.parameters, str(name))
            fix = DataFix.likely(f"Remove parameter `{name}`", DeleteEntry(path))
            message = f"Nothing uses the parameter `{name}`."
            fixes = () if name in grouped else (fix,)
            yield Finding(message, Place(path, Part.KEY), fixes=fixes)
