"""An unknown section."""

from collections.abc import Iterator
from functools import partial

from heatstudio.analysis.scope.check import template_check
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.missing_name import name_fixes
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.template import Part, RenameKey
from heatstudio.text import Severity

CODE = "unknown-section"


@template_check()
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every section that the template version does not support."""
    if scope.template.version_key is None:
        return
    known = scope.words.sections
    for name in scope.template.data:
        if name in known:
            continue
        path = (name if isinstance(name, (str, int)) else str(name),)
        names = nearest(str(name), [word for word in known if word not in scope.template.data])
        fixes = name_fixes(names, "Rename to `{}`", partial(RenameKey, path))
        message = f"The template section is invalid: {name}"
        yield Finding(CODE, Severity.ERROR, message, Place(path, Part.KEY), fixes=fixes)
