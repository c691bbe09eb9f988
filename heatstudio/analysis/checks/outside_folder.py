"""# A file outside of the folder that is open

Files are read below one folder only: the one that you opened, or the one of the template. This file lies elsewhere.

## Why

Whether it is there, and what it says, is not looked at, so that nothing is said of what depends on it. Heat itself
has no such limit.

## Example

    type: ../shared/server.yaml

## How to fix it

Open a folder further up, or give it by `--root`, to include the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from heatstudio.analysis.scope.calls import Call, files_asked_for
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.scope import ResourceScope, Scope, TemplateScope
from heatstudio.stack.definition.files import PlacedFiles
from heatstudio.stack.definition.types import Origin
from heatstudio.text import Severity

CODE = "outside-folder"


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Every file that an output needs and that lies elsewhere."""
    yield from _findings(scope, scope.output_calls)


def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Every file that a resource needs and that lies elsewhere: of `get_file`, or the template that implements it."""
    for finding in _findings(scope, scope.calls):
        yield replace(finding, resource=scope.name)
    found = scope.found
    if found is not None and found.origin is Origin.UNREAD_TEMPLATE and _is_outside(scope, found.target):
        yield scope.finding(
            CODE, _message(found.target), (*scope.path, scope.words.type), severity=Severity.INFORMATION
        )


def _findings(scope: Scope, found: Iterable[Call]) -> Iterator[Finding]:
    for name, path in files_asked_for(found, scope.view.language):
        if _is_outside(scope, name):
            yield Finding(CODE, Severity.INFORMATION, _message(name), Place(path))


def _message(name: str) -> str:
    return f"{name} is outside the open folder and was not checked."


def _is_outside(scope: Scope, name: str) -> bool:
    files = scope.types.files
    return isinstance(files, PlacedFiles) and "://" not in name and files.path(name) is None
