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

from collections.abc import Iterator

from heatstudio.analysis.scope.calls import files_asked_for
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.scope import ResourceScope, Scope
from heatstudio.stack.definition.files import PlacedFiles
from heatstudio.stack.definition.types import Origin
from heatstudio.text import Severity

CODE = "outside-folder"


def check(scope: Scope) -> Iterator[Finding]:
    """Every file that lies elsewhere: of `get_file`, or the template that implements a resource."""
    files = scope.types.files
    named = list(files_asked_for(scope.calls, scope.view.language))
    if isinstance(scope, ResourceScope) and scope.found is not None and scope.found.origin is Origin.UNREAD_TEMPLATE:
        named.append((scope.found.target, (*scope.path, scope.words.type)))
    for name, path in named:
        if isinstance(files, PlacedFiles) and "://" not in name and files.path(name) is None:
            message = f"{name} is outside the open folder and was not checked."
            yield Finding(CODE, Severity.INFORMATION, message, Place(path))
