"""An unknown template version."""

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from heatstudio.analysis.scope.check import template_check
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.missing_name import name_fixes
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.template import Part, SetValue
from heatstudio.template.dialect import ALIASES, HOT_KEY, VERSION_KEYS, accepted_versions
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
    names = _of_release(scope, str(template.version)) if key == HOT_KEY else ()
    versions = names or nearest(str(template.version), accepted_versions(key))
    fixes = name_fixes(versions, "Use version {}", partial(SetValue, path))
    finding = Finding(CODE, Severity.ERROR, template.version_message, Place(path), fixes=fixes)
    if versions:
        choice = " or ".join(f"`{name}`" for name in versions)
        message = f"Unknown template version `{template.version}`; use {choice}."
        finding = replace(finding, message=message, heat=finding.message)
    yield finding


def _of_release(scope: TemplateScope, written: str) -> tuple[str, ...]:
    """Return the names of the versions before and after a release that introduced no version; empty for no release."""
    names = [release.name.lower() for release in scope.knowledge.releases]
    if written.lower() not in names:
        return ()
    place = names.index(written.lower())
    accepted = [index for index, name in enumerate(names) if name in ALIASES]
    before, after = [one for one in accepted if one < place][-1:], [one for one in accepted if one > place][:1]
    return tuple(names[index] for index in (*before, *after))
