"""An unknown template version."""

from collections.abc import Iterator
from functools import partial

from heatstudio.analysis.scope.check import template_check
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.missing_name import name_fixes
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.template import Part, SetValue
from heatstudio.template.dialect import VERSION_KEYS, accepted_versions
from heatstudio.text import Severity

CODE = "unknown-version"


@template_check()
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield the version if Heat rejects it."""
    template = scope.template
    key = template.version_key
    if template.version_message is None or (key is None and not template.data):
        return
    if key is None:
        if any(problem.code == "no-version" for problem in template.problems):
            return
        keys = [name for name in template.data if name in VERSION_KEYS]
        yield Finding(CODE, Severity.ERROR, template.version_message, Place(tuple(keys[-1:]), Part.PAIR))
        return
    path = (key,)
    versions = nearest(str(template.version), accepted_versions(key))
    fixes = name_fixes(versions, "Use version {}", partial(SetValue, path))
    yield Finding(CODE, Severity.ERROR, template.version_message, Place(path), fixes=fixes)
