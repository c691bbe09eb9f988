"""A refactoring, the place to which it applies, and its result."""

from collections.abc import Callable, Iterable
from enum import StrEnum

from msgspec import Struct

from heatstudio.analysis.assist.rename import FileEdit
from heatstudio.analysis.scope.semantic_model import SemanticModel, map_at
from heatstudio.template import Change, Template, TreePath, render
from heatstudio.text import Span, TextEdit


class RefactoringKind(StrEnum):
    """The kinds of refactorings, as the Language Server Protocol names them."""

    EXTRACT = "refactor.extract"
    INLINE = "refactor.inline"
    MOVE = "refactor.move"
    REWRITE = "refactor.rewrite"


class Probe(Struct, frozen=True):
    """The texts before and after a refactoring in a case that the current values do not show."""

    before: str
    after: str
    words: str
    """The case, such as "where `web` is false"."""


class Refactored(Struct, frozen=True):
    """The edits of a refactoring."""

    edits: tuple[TextEdit, ...]
    """The edits of the template."""
    files: tuple[FileEdit, ...] = ()
    """The edits of other files, and new files."""
    stack: str = ""
    """The file that is the template of another stack; empty if the other files are parts of the same one."""
    probe: Probe | None = None
    """Further texts that must show no new errors."""


class Refactoring(Struct, frozen=True):
    """A refactoring that applies to a place."""

    title: str
    kind: RefactoringKind
    make: Callable[[], Refactored]
    """A pure function that returns the edits; it raises CannotEditError with the reason if they cannot be right."""


class RefactoringPlace(Struct, frozen=True):
    """A selection or cursor in a template."""

    offset: int
    path: TreePath
    """The path at the offset."""
    resources: tuple[str, ...]
    """The resources that the selection touches, in text order."""


def place_of(model: SemanticModel, span: Span) -> RefactoringPlace | None:
    """Return the place of a selection; None in a text with syntax errors, to which no refactoring applies."""
    template = model.template
    if not template.complete:
        return None
    resources, words = map_at(template, (template.dialect.resources,)), template.dialect
    section = template.sections.get(words.resources)
    touched = [
        str(placed.entry.name)
        for placed in (section.placed if section is not None else ())
        if placed.start <= span.end and span.start <= placed.end and isinstance(resources.get(placed.entry.name), dict)
    ]
    path = template.path_at(template.key_offset(span.start)).path
    if span.start == span.end and path[:1] == (words.resources,) and len(path) > 1:
        touched = [name for name in touched if name == path[1]]
    return RefactoringPlace(span.start, path, tuple(touched))


def edited(template: Template, changes: Iterable[Change]) -> Refactored:
    """Return the edits of changes of the template alone; raise CannotEditError."""
    return Refactored(render(template, changes))
