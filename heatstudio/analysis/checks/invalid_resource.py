"""An invalid resource."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from msgspec.structs import replace

from heatstudio.analysis.migrations.newer_version import newer_version, version_fix
from heatstudio.analysis.scope import Finding, ResourceScope, name_fixes, nearest, resource_check
from heatstudio.catalog.rules.validation_read import external_rules
from heatstudio.stack.functions.function import Broken, Function
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import DataFix, Part, RenameKey, SetValue, TreePath
from heatstudio.text import Applicability

_MOST = 100
"""Maximum number of keys tried as a misspelled `type`."""
SNAPSHOT = "Snapshot"
POLICIES = 3
"""The number of distinct deletion policies at the start of the list; the rest are lower-case forms."""


@resource_check(when_disabled=True)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every problem of a resource's keys."""
    for problem in scope.definition_problems:
        if isinstance(problem, StackProblem) and problem.kind is ProblemKind.STRUCTURE:
            finding = scope.finding(problem.message, problem.path, Part.KEY)
            yield from _with_names(finding, scope) if len(problem.path) > 2 else _of_whole(finding, scope)
    policy = scope.definition.update_policy if scope.is_validated else None
    properties = scope.definition.properties if scope.is_validated or scope.external_reads else None
    for value, path in ((properties, scope.properties_path), (policy, (*scope.path, scope.words.update_policy))):
        if isinstance(value, Function) and not isinstance(value, Broken):
            yield scope.finding(f"`{path[-1]}` must be a map; a function cannot return all of it.", path)
    if scope.is_external and scope.type is not None and scope.type.name in external_rules().refused:
        message = f"Heat cannot look up a resource of type {scope.type_words}, so it cannot be external."
        yield scope.finding(message, (*scope.path, scope.words.external_id))


def _of_whole(finding: Finding, scope: ResourceScope) -> Iterator[Finding]:
    """Yield the finding of a whole resource, unless the problem is a missing type with a misspelled key."""
    entry, words = scope.definition.data, scope.words
    keys = entry if isinstance(entry, Mapping) and "type key" in finding.message.lower() else ()
    misspelled = [
        str(key) for key in islice(keys, _MOST) if nearest(str(key), words.resource_keys)[:1] == (words.type,)
    ]
    if not misspelled:
        yield finding
    elif not words.is_hot:
        yield _renamed(finding, (*scope.path, misspelled[0]), (words.type,))


def _with_names(finding: Finding, scope: ResourceScope) -> Iterator[Finding]:
    path = finding.place.path
    known = scope.words.resource_keys
    if path[-1] == scope.words.deletion_policy:
        yield _with_policies(finding, scope)
        return
    newer = newer_version(scope.words, lambda dialect: path[-1] in dialect.resource_keys)
    if path[-1] in known:
        yield finding
    elif newer is not None:
        message = f"`{path[-1]}` of a resource needs `{newer.version_key}: {newer.version}` or later."
        yield finding.reworded(message, version_fix(scope.view, scope.knowledge, newer))
    else:
        yield _renamed(finding, path, nearest(str(path[-1]), known))


def _with_policies(finding: Finding, scope: ResourceScope) -> Finding:
    """Return the finding with a fix for each deletion policy that the type allows."""
    path, entry = finding.place.path, scope.definition.data
    written = entry.get(path[-1]) if isinstance(entry, Mapping) else None
    if not isinstance(written, str):
        return finding
    allowed = scope.type is None or scope.type.snapshot_allowed
    policies = [word for word in scope.words.deletion_policies[:POLICIES] if allowed or word != SNAPSHOT]
    meant = nearest(written, policies)[:1]
    fixes = (
        DataFix(
            f"Use `{word}`",
            (SetValue(path, word),),
            Applicability.UNSAFE if (word,) == meant else Applicability.DECISION,
            preferred=(word,) == meant,
        )
        for word in sorted(policies, key=lambda word: (word,) != meant)
    )
    words = ", ".join(f"`{word}`" for word in policies)
    message = f"Unknown deletion policy `{written}`; use one of {words}."
    return finding.reworded(message, *fixes)


def _renamed(finding: Finding, path: TreePath, names: Sequence[str]) -> Finding:
    return replace(finding, fixes=name_fixes(names, "Rename to `{}`", partial(RenameKey, path)))
