"""An unknown section."""

from collections.abc import Iterator, Mapping
from functools import partial

from heatstudio.analysis.migrations.newer_version import newer_version, version_fix
from heatstudio.analysis.scope import Finding, Place, TemplateScope, name_fixes, nearest, template_check
from heatstudio.analysis.scope.missing_name import move_to_resources
from heatstudio.template import AddEntry, DataFix, DeleteEntry, Dialect, Existing, Part, RenameKey
from heatstudio.text import CheckFamily, Severity


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
        finding = Finding(f"The template section is invalid: {name}", Place(path, Part.KEY), fixes=fixes)
        move, newer = move_to_resources(scope, path), newer_version(scope.words, partial(_has_section, name))
        if newer is not None:
            message = f"Section `{name}` needs `{newer.version_key}: {newer.version}` or later."
            finding = finding.reworded(message, version_fix(scope.view, scope.knowledge, newer))
        elif move is not None:
            message = f"Unknown section `{name}`: this is a resource, which belongs in `{scope.words.resources}`."
            finding = finding.reworded(message, move)
        yield finding


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
            fix = DataFix.likely(f"Move `{name}` out of `{word}`", *changes)
        if fix is None:
            continue
        what = "section" if is_section else "resource"
        message = f"`{name}` is below `{word}`: Heat reads it as text, not as a {what}."
        place, family = Place(path, Part.KEY), CheckFamily.SUSPICIOUS
        yield Finding(message, place, Severity.WARNING, fixes=(fix,), family=family)
