"""An invalid section."""

from collections.abc import Iterator, Mapping

from heatstudio.analysis.scope import Finding, Place, TemplateScope, template_check


@template_check()
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every section that must be a map and is not."""
    words = scope.words
    for section in (words.resources, words.outputs):  # `invalid-parameter` reports the parameters
        content = scope.template.data.get(section)
        if content and not isinstance(content, Mapping):
            kind = {list: "a list", str: "a string", bool: "a boolean"}.get(type(content), "a number")
            message = f"`{section}` must be a map of names to definitions, not {kind}."
            yield Finding(message, Place((section,)))
