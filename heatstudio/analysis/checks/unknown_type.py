"""# A resource type that Heat does not have

The type is neither one of Heat's own, nor mapped by an environment, nor the name of a template file; or environments
map it to itself in the end.

## Why

Heat refuses the resource. Types of other plug-ins (another namespace than `OS::` and `AWS::`) may exist in your
cloud: they are only mentioned.

## Example

    type: OS::Nova::Sever     # misspelled
    type: OS::Nova::Server    # right

## The way out

Correct the name, or add the environment that maps it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from heatstudio.analysis.finding import Finding
from heatstudio.analysis.missing_name import with_names
from heatstudio.analysis.nearest import LIKENESS, nearest
from heatstudio.analysis.scope import ResourceScope
from heatstudio.stack.files import Listing
from heatstudio.stack.inputs.registry import TEMPLATE_ENDINGS
from heatstudio.stack.types import FoundType, Origin
from heatstudio.template import Remedy, SetValue
from heatstudio.text import Applicability, Severity

CODE = "unknown-type"
ALMOST_THE_SAME = 0.9


def check(scope: ResourceScope) -> Iterator[Finding]:
    """The type, if nothing implements it."""
    found = scope.found
    if found is None or found.type is not None:
        return
    path = (*scope.path, scope.words.type)
    match found.origin:
        case Origin.MISSING:
            message = f"The Resource Type ({found.name}) could not be found."
            yield _with_names(scope, scope.finding(CODE, message, path), LIKENESS)
        case Origin.PLUGIN:
            message = f"Nothing is known of {found.name}: its properties and attributes are not checked."
            yield _with_names(scope, scope.finding(CODE, message, path, severity=Severity.INFORMATION), ALMOST_THE_SAME)
        case Origin.CIRCULAR:
            message = f"The environment maps {found.name} in a circle, which Heat never leaves: {found.target}."
            yield scope.finding(CODE, message, path)
        case Origin.MISSING_TEMPLATE:
            message = f"There is no file {found.target}: this type is to be implemented by a template of that name."
            yield _with_files(scope, scope.finding(CODE, message, path), found)
        case Origin.BROKEN_TEMPLATE:
            message = f"The template {found.target} cannot be read: open it to see why."
            severity = Severity.WARNING if scope.is_external else Severity.ERROR  # what exists is not looked at
            yield scope.finding(CODE, message, path, severity=severity)


def _with_files(scope: ResourceScope, finding: Finding, found: FoundType) -> Finding:
    """The finding with the templates that were probably meant, where the type is the name of a file itself."""
    files = scope.whole.types.files
    if found.name != found.target or not isinstance(files, Listing):
        return finding
    names = (name for name in files.names() if name.endswith(TEMPLATE_ENDINGS))
    return with_names(finding, finding.place.path, found.name, names)


def _with_names(scope: ResourceScope, finding: Finding, likeness: float) -> Finding:
    names = nearest(scope.definition.type, scope.whole.knowledge.catalog.visible_names(), likeness)
    hint = f" Did you mean {names[0]}?" if names else ""
    path = finding.place.path
    remedies = tuple(
        Remedy(f"Use {name}", (SetValue(path, name),), Applicability.UNSAFE, preferred=name == names[0])
        for name in names
    )
    return replace(finding, message=finding.message + hint, remedies=remedies)
