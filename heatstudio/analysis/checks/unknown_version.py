"""An unknown template version."""

import re
from collections.abc import Iterator
from functools import partial

from heatstudio.analysis.scope import Finding, Place, TemplateScope, name_fixes, nearest, template_check
from heatstudio.template import Part, SetValue
from heatstudio.template.dialect import DIALECTS, HOT_KEY, VERSION_KEYS, accepted_versions

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


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
        yield Finding(template.version_message, Place(tuple(keys[-1:]), Part.PAIR))
        return
    path = (key,)
    names = _around(scope, str(template.version)) if key == HOT_KEY else ()
    versions = names or nearest(str(template.version), accepted_versions(key))
    fixes = name_fixes(versions, "Use version {}", partial(SetValue, path))
    choice = " or ".join(f"`{name}`" for name in versions) or "one that Heat supports"
    what = f"Unknown template version `{template.version}`" if template.version else "The template version is empty"
    yield Finding(f"{what}; use {choice}.", Place(path), fixes=fixes, heat=template.version_message)


def _around(scope: TemplateScope, written: str) -> tuple[str, ...]:
    """Return the versions before and after a date, or a release that introduced no version; empty for others."""
    names = [release.name.lower() for release in scope.knowledge.releases]
    if _DATE.fullmatch(written):
        names = sorted({written, *(one.version for one in DIALECTS if one.version_key == HOT_KEY)})
    if written.lower() not in names:
        return ()
    place, accepted = names.index(written.lower()), accepted_versions(HOT_KEY)
    before = [name for name in names[:place] if name in accepted][-1:]
    return (*before, *[name for name in names[place + 1 :] if name in accepted][:1])
