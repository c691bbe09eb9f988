"""A file outside the open folder."""

from collections.abc import Iterator

from heatstudio.analysis.scope.calls import files_asked_for
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.scope import ResourceScope, Scope
from heatstudio.stack.definition.files import FilesOnDisk
from heatstudio.stack.definition.types import Origin
from heatstudio.text import Severity

CODE = "outside-folder"


def check(scope: Scope) -> Iterator[Finding]:
    """Yield every file outside the folder: files of `get_file`, and the template that implements a resource."""
    named = list(files_asked_for(scope.calls, scope.view.language))
    if isinstance(scope, ResourceScope) and scope.found is not None and scope.found.origin is Origin.UNREAD_TEMPLATE:
        named.append((scope.found.target, scope.type_path))
    for name, path in named:
        files = scope.types.files
        if isinstance(files, FilesOnDisk) and "://" not in name and files.path(name) is None:
            message = "This file is outside the open folder and is not checked."
            yield Finding(CODE, Severity.INFORMATION, message, Place(path))
