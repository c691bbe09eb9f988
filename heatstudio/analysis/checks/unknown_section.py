"""An unknown section."""

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from heatstudio.analysis.migrations.newer_version import newer_version, version_fix
from heatstudio.analysis.scope.check import template_check
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.missing_name import move_to_resources, name_fixes
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.template import AddEntry, DataFix, DeleteEntry, Dialect, Existing, Part, RenameKey
from heatstudio.text import Applicability, CheckFamily, Severity

CODE = "unknown-section"


@template_check()
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every section that the template version does not support."""
    if scope.template.version_key is None:
        return
    known = scope.words.sections
    yield from _in_description(scope)
    for name in scope.template.data:
        if name in known:
            continue
        path = (name if isinstance(name, (str, int)) else str(name),)
        names = nearest(str(name), [word for word in known if word not in scope.template.data])
        fixes = name_fixes(names, "Rename to `{}`", partial(RenameKey, path))
        finding = Finding(CODE, Severity.ERROR, f"The template section is invalid: {name}", Place(path, Part.KEY))
        move = move_to_resources(scope, path)
        if move is not None:
            message = f"Unknown section `{name}`: this is a resource, which belongs in `{scope.words.resources}`."
            finding, fixes = replace(finding, message=message, heat=finding.message), (move,)
        newer = newer_version(scope.words, partial(_has_section, name))
        if newer is not None:
            fixes = (version_fix(scope.view, scope.knowledge, newer),)
            message = f"Section `{name}` needs `{newer.version_key}: {newer.version}` or later."
            finding = replace(finding, message=message, heat=finding.message)
        yield replace(finding, fixes=fixes)


def _has_section(name: object, dialect: Dialect) -> bool:
    return name in dialect.sections


def _in_description(scope: TemplateScope) -> Iterator[Finding]:
    """Yield the sections and resources indented below the description, which Heat accepts as a part of its text."""
    word = scope.words.description
    description = scope.template.data.get(word)
    below = description if isinstance(description, Mapping) else {}
    for name in below:
        path = (word, str(name))
        is_section = name in scope.words.sections
        fix = None if is_section else move_to_resources(scope, path)
        if is_section and name not in scope.template.data:
            changes = (AddEntry((), str(name), Existing(path)), DeleteEntry((word,) if len(below) == 1 else path))
            fix = DataFix(f"Move `{name}` out of `{word}`", changes, Applicability.UNSAFE, preferred=True)
        if fix is None:
            continue
        what = "section" if is_section else "resource"
        message = f"`{name}` is below `{word}`: Heat reads it as text, not as a {what}."
        found = Finding(CODE, Severity.WARNING, message, Place(path, Part.KEY), fixes=(fix,))
        yield replace(found, family=CheckFamily.SUSPICIOUS)
