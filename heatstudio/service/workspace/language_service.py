"""The language features of a text: one method each, for templates and for environments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.analysis import Analysis, EnvironmentAnalysis
from heatstudio.analysis.assist.completion import complete
from heatstudio.analysis.assist.environment import complete_environment, environment_definition, environment_hover
from heatstudio.analysis.assist.extract import extract_parameter
from heatstudio.analysis.assist.hover import Hover, hover
from heatstudio.analysis.assist.reference_index import Location
from heatstudio.analysis.assist.references import catalog_type_at, definition_at, file_links, is_shared, references_at
from heatstudio.analysis.assist.rename import RenameResult, renamable_at, rename
from heatstudio.analysis.assist.suggestion import Completion
from heatstudio.analysis.refactorings import Refactoring, refactorings_at
from heatstudio.analysis.scope.semantic_model import SemanticModel
from heatstudio.service.inputs.folder_files import MOST_FILES, walk
from heatstudio.service.workspace.workspace import Key, Workspace
from heatstudio.stack.parent_templates import ParentTemplate, load_parents
from heatstudio.template import DataFix, parse_template
from heatstudio.text import Span


class LanguageService(Struct, frozen=True, eq=False):
    """Answers about one text, with the stack of its last analysis."""

    model: SemanticModel
    """The text with its stack, which is empty for an environment."""
    owner: SemanticModel | None = None
    """The template that an environment is checked with; None for a template."""
    owner_file: str = ""
    """The file of the owner; empty if unknown."""

    @classmethod
    def of(cls, analysis: Analysis, text: str) -> LanguageService:
        """Return the service for a text, given the analysis of this text or of an earlier one."""
        is_current = analysis.template.text == text
        model = analysis if is_current else analysis.with_template(parse_template(text, analysis.template))
        if isinstance(analysis, EnvironmentAnalysis):
            return cls(model, analysis.owner, analysis.owner_file)
        return cls(model)

    @property
    def text(self) -> str:
        """The text."""
        return self.model.template.text

    def complete(self, offset: int, *, explicit: bool) -> Sequence[Completion]:
        """Return the suggestions at an offset; `explicit` is whether the user requested them by a key."""
        if self.owner is not None:
            return complete_environment(self.owner, self.text, offset)
        return complete(self.model, offset, explicit)

    def hover(self, offset: int) -> Hover | None:
        """Return the documentation of the word at an offset."""
        if self.owner is not None:
            return environment_hover(self.owner, self.text, offset)
        return hover(self.model, offset)

    def definitions(self, offset: int) -> tuple[Location, ...]:
        """Return the definitions of the name at an offset."""
        if self.owner is None:
            return definition_at(self.model, offset)
        found = environment_definition(self.owner, self.text, offset) if self.owner_file else None
        return (replace(found, file=self.owner_file),) if found is not None else ()

    def file_links(self) -> Iterable[tuple[Span, str]]:
        """Return the spans of names of files, and the files."""
        return file_links(self.model) if self.owner is None else ()

    def type_name(self, offset: int) -> str:
        """Return the catalog type at an offset, which has a page instead of a definition; empty if there is none."""
        return catalog_type_at(self.model, offset) if self.owner is None else ""

    def references(self, offset: int, parents: Iterable[ParentTemplate] = ()) -> tuple[Location, ...]:
        """Return the references of the name at an offset, including those in parent templates."""
        return references_at(self.model, offset, parents) if self.owner is None else ()

    def renamable(self, offset: int) -> tuple[str, Span] | None:
        """Return the name at an offset that can be renamed, and its span; None if there is none."""
        return renamable_at(self.model, offset) if self.owner is None else None

    def rename(self, offset: int, new_name: str, parents: Iterable[ParentTemplate] = ()) -> RenameResult:
        """Return the edits that rename the name at an offset, or a refusal."""
        if self.owner is not None:
            return RenameResult(refusal="Rename this in the template.")
        return rename(self.model, offset, new_name, parents)

    def extract_parameter(self, offset: int, *, everywhere: bool = False) -> DataFix | str:
        """Return the fix that makes the value at an offset, or all equal values, a parameter, or a refusal."""
        if self.owner is not None:
            return "Only values of a template can become parameters."
        return extract_parameter(self.model, offset, all_occurrences=everywhere)

    def refactorings(self, span: Span) -> tuple[Refactoring, ...]:
        """Return the refactorings that apply to a selection or cursor."""
        return refactorings_at(self.model, span) if self.owner is None else ()

    def parents(self, offset: int, path: Path | None, workspace: Workspace[Key]) -> tuple[ParentTemplate, ...]:
        """Return the templates that nest this one at `path`, if they may refer to the name at an offset."""
        if path is None or self.owner is not None or not is_shared(self.model, offset):
            return ()
        root = workspace.root_of(path)
        near = chain(walk(path.parent, deep=False), walk(root, opens=True) if root is not None else ())
        texts = {one.own.path: one.own.text for one in workspace.texts.values() if one.own.path is not None}
        candidates = dict.fromkeys((*texts, *islice(near, MOST_FILES)))
        return tuple(load_parents(path, candidates, workspace.environments_of, texts))
