"""A file that cannot be read."""

from collections.abc import Iterator

from heatstudio.analysis.scope import Finding, Place, ResourceScope, Scope, TemplateScope
from heatstudio.analysis.scope.check import resource_check, template_check
from heatstudio.analysis.scope.missing_name import with_names
from heatstudio.stack.definition.client_files import TYPE, FileFault, named_files
from heatstudio.stack.inputs.registry import TEMPLATE_ENDINGS
from heatstudio.template import TreePath


@template_check(with_conditions=True)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every unreadable file that is referred to outside of resources."""
    data = scope.stack.data
    for name, path in named_files({key: data[key] for key in data if key != scope.words.resources}):
        fault = scope.view.file_fault(name)
        if fault is not None:
            yield _finding(scope, name, path, fault)


@resource_check(refuses=False, when_disabled=True, in_members=False)
def check_resource(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every unreadable file to which a resource refers.

    Other checks report the faults that Heat finds in the template of `type`, unless the resource is disabled.
    """
    for name, path, fault in scope.file_faults:
        if fault.is_unread or scope.is_disabled or path != scope.type_path:
            yield _finding(scope, name, path, fault)


def _finding(scope: Scope, name: str, path: TreePath, fault: FileFault) -> Finding:
    known = scope.types.files.names()
    is_there = scope.view.file(name) is not None
    fitting = () if is_there else [one for one in known if path[-1] != TYPE or one.endswith(TEMPLATE_ENDINGS)]
    return with_names(Finding(fault.message, Place(path)), path, name, fitting)
