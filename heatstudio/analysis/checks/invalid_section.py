"""An invalid section."""

from collections.abc import Iterator, Mapping

from heatstudio.analysis.scope.check import template_check
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.text import Severity

CODE = "invalid-section"


@template_check()
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every section that must be a map and is not."""
    words = scope.words
    for section in (words.resources, words.outputs):  # `invalid-parameter` reports the parameters
        content = scope.template.data.get(section)
        if content and not isinstance(content, Mapping):
            message = f"`{section}` must be a map of names to definitions, not {_word(content)}."
            yield Finding(CODE, Severity.ERROR, message, Place((section,)))


def _word(content: object) -> str:
    return {list: "a list", str: "a string", bool: "a boolean"}.get(type(content), "a number")
