"""An unknown resource type."""

from collections.abc import Iterator
from functools import partial

from heatstudio.analysis.scope import Finding, ResourceScope, meaning, nearest, resource_check
from heatstudio.analysis.scope.nearest import LIKENESS, is_slip
from heatstudio.stack.definition.client_files import TYPE, UNSENT, is_unsent
from heatstudio.stack.definition.files import is_encoded
from heatstudio.stack.definition.types import FoundType, Origin
from heatstudio.template import SetValue
from heatstudio.text import Severity

ALMOST_THE_SAME = 0.9


@resource_check()
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield the type of a resource if the type is unknown or its template is unusable."""
    found = scope.found
    if found is None:
        return
    path = scope.type_path
    if scope.words.type != TYPE and is_unsent(scope.types, found.name):
        message = f"{UNSENT.format(found.name)} python-heatclient loads templates only from the key `{TYPE}`."
        yield scope.finding(message, path)
        return
    if found.type is not None:
        return
    match found.origin:
        case Origin.MISSING | Origin.PLUGIN if scope.later_type is None:
            yield _unknown(scope, found)
        case Origin.CIRCULAR:
            yield scope.finding(f"The environment maps `{found.name}` {found.target}.", path)
        case Origin.MISSING_TEMPLATE if not scope.lacks_files:
            message = f"Template file `{found.target}` not found."
            yield scope.finding(message, path)
        case Origin.UNREAD_TEMPLATE if scope.types.files.path(found.target) is not None:
            message = f"The template `{found.target}` cannot be read; check its permissions and size (at most 4 MB)."
            yield scope.finding(message, path)
        case Origin.BROKEN_TEMPLATE:
            severity = Severity.WARNING if scope.is_external else Severity.ERROR  # Heat skips external resources
            yield scope.finding(f"The template `{found.target}` {_fault(found)}.", path, severity=severity)


def _fault(found: FoundType) -> str:
    """Return why Heat cannot read a template."""
    if found.template is not None and is_encoded(found.template.text):
        return "is not UTF-8; convert it, for example with `iconv -f latin1 -t utf-8`"
    return "has syntax errors; open it for details"


def _unknown(scope: ResourceScope, found: FoundType) -> Finding:
    if found.origin is Origin.PLUGIN and not _similar(scope, ALMOST_THE_SAME):
        message = f"Unknown plug-in type `{found.name}`; not checked."
        return scope.finding(message, scope.type_path, severity=Severity.INFORMATION)
    is_mapped = scope.types.environment.registry.mapped_to(found.name, scope.name) != found.name
    mapping = None if is_mapped else scope.types.mapped_beside.get(found.name)
    if mapping is not None:
        message = f"`{mapping}` maps `{found.name}`, but is not an environment of this template; not checked."
        return scope.finding(message, scope.type_path, severity=Severity.INFORMATION)
    heat = f"The Resource Type ({found.name}) could not be found."
    finding = scope.finding(f"Unknown resource type `{found.name}`.", scope.type_path, heat=heat)
    return meaning(finding, _similar(scope, LIKENESS), "Use {}", partial(SetValue, finding.place.path))


def _similar(scope: ResourceScope, likeness: float) -> tuple[str, ...]:
    """Return the known types with a similar name."""
    written = scope.definition.type
    found = nearest(written, scope.knowledge.catalog.visible_names, likeness)
    own = written.rpartition("::")[2]  # the types of a service all begin alike
    return tuple(name for name in found if is_slip(own, name.rpartition("::")[2]))
