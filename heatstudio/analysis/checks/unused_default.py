"""An unused default."""

from collections.abc import Iterator

from heatstudio.analysis.environment_problems import finding_in_template
from heatstudio.analysis.scope import Finding, TemplateScope, template_check
from heatstudio.stack.definition.definition_problems import unused_defaults
from heatstudio.text import CheckFamily


@template_check(family=CheckFamily.ADVICE)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield the environments' defaults that no template of the stack uses."""
    if scope.source.depth == 0:
        for problem in unused_defaults(scope.source, scope.stack, scope.knowledge):
            yield finding_in_template(problem, scope)
