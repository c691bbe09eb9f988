"""A condition that nothing uses."""

from collections.abc import Iterator

from heatstudio.analysis.scope import Finding, Place, TemplateScope, template_check
from heatstudio.template import DataFix, DeleteEntry, Part
from heatstudio.text import CheckFamily


@template_check(family=CheckFamily.ADVICE)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every condition that no resource, output, function or other condition names."""
    words = scope.words
    names = scope.view.names(words.conditions) if scope.stack.all_resource_names else ()
    unused = scope.unused(names)
    for name in (name for name in names if name in unused):
        path = (words.conditions, name)
        fix = DataFix.likely(f"Remove condition `{name}`", DeleteEntry(path))
        message = f"Nothing uses the condition `{name}`."
        yield Finding(message, Place(path, Part.KEY), fixes=(fix,))
