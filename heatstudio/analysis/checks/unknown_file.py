"""# A file that is not there

`get_file` hands the content of a file to Heat; the file is read before the template is sent.

## Why

A file that is missing makes the command fail, wherever in the template it is asked for.

## Example

    user_data: {get_file: boot.sh}      # beside this template there is no boot.sh

## The way out

Correct the name, which counts from the folder of the template, or write the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from heatstudio.analysis.calls import Call, files_asked_for
from heatstudio.analysis.finding import Finding, Place
from heatstudio.analysis.missing_name import with_names
from heatstudio.analysis.scope import ResourceScope, TemplateScope
from heatstudio.stack.files import Listing, PlacedFiles
from heatstudio.stack.functions.stack_view import StackView
from heatstudio.text import Severity

CODE = "unknown-file"


def check(scope: TemplateScope) -> Iterator[Finding]:
    """Every file that an output needs and that is not there."""
    yield from _findings(scope, scope.output_calls, scope.stack)


def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Every file that a resource needs and that is not there."""
    for finding in _findings(scope.whole, scope.calls, scope.view):
        yield replace(finding, resource=scope.name)


def _findings(scope: TemplateScope, found: Iterable[Call], view: StackView) -> Iterator[Finding]:
    files = scope.source.files
    for name, path in files_asked_for(found, scope.stack.language):
        if view.file(name) is None:
            place = files.path(name) if isinstance(files, PlacedFiles) else None
            finding = Finding(CODE, Severity.ERROR, f"There is no file {place or name}.", Place(path))
            yield with_names(finding, path, name, files.names() if isinstance(files, Listing) else ())
