"""A file outside the project folder."""

from collections.abc import Iterator

from heatstudio.analysis.scope import Finding, Place, ResourceScope, Scope, call_check
from heatstudio.analysis.scope.calls import files_asked_for
from heatstudio.stack.definition.files import FILE_URL
from heatstudio.stack.definition.types import Origin
from heatstudio.text import Severity


@call_check()
def check(scope: Scope) -> Iterator[Finding]:
    """Yield every file outside the folder: files of `get_file`, and the template that implements a resource."""
    named = list(files_asked_for(scope.calls, scope.view.language))
    found = scope.found if isinstance(scope, ResourceScope) and scope.type is None else None
    if isinstance(scope, ResourceScope) and found is not None and found.origin is Origin.UNREAD_TEMPLATE:
        named.append((found.target, scope.type_path))
    for name, path in named:
        files = scope.types.files
        is_local = "://" not in name or name.startswith(FILE_URL)
        if files.is_on_disk and is_local and files.path(name) is None:
            message = "This file is outside the project folder and is not checked."
            yield Finding(message, Place(path), Severity.INFORMATION)
