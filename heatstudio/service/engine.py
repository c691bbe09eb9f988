"""The engine of the window: what is known of Heat, and whom to ask about texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from heatstudio.analysis import (
    Analysis,
    EnvironmentAnalysis,
    Finding,
    OwnerOf,
    Settings,
    analyze,
    analyze_file,
    in_encoding,
)
from heatstudio.analysis.assist.snippets import snippet_insertion_for
from heatstudio.analysis.changes.change_place import ChangePlace, place_in_old
from heatstudio.analysis.changes.refusals import with_errors
from heatstudio.analysis.changes.revert import revert_change
from heatstudio.analysis.migrations import Migration, fix_all, is_neutral
from heatstudio.catalog import Catalog, KnownCloud, Release, ResourceType, find_release
from heatstudio.catalog.property_groups.load_groups import GroupLibrary
from heatstudio.catalog.words import Prose
from heatstudio.service.git import git_text
from heatstudio.service.snapshot import Snapshot
from heatstudio.service.target import Target
from heatstudio.service.wire import Mark, mark_of
from heatstudio.service.workspace_files import FilesBeside, NotedFiles
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.stack.load import load_environment
from heatstudio.stack.parameter_form import typed_defaults, values_of_missing
from heatstudio.template import Template, is_environment, parse_template
from heatstudio.text import UTF_8, DocumentError, Fix, Severity, TextEdit, apply_edits, real_path
from heatstudio.update.plan_update import plan_update
from heatstudio.update.running_stack import completed, over_existing
from heatstudio.update.update_plan import Cause, ResourceChange, UpdatePlan


class Scenario(NamedTuple):
    """Environments that a template may be used with, and what Heat would say then."""

    environments: tuple[Path, ...]
    verdict: str


class Engine:
    """Loads what is known of Heat once; everything else is asked of the rooms below."""

    def __init__(self, knowledge: Knowledge | None = None, files: NotedFiles | None = None) -> None:
        self._knowledge = self._bundled = knowledge or load_knowledge()
        self._cloud: KnownCloud | None = None
        self._files: FilesBeside | NotedFiles = files or FilesBeside()
        self._old: Template | None = None

    @property
    def catalog(self) -> Catalog:
        """The resource types of the Heat that this program was made for."""
        return self._knowledge.catalog

    def set_descriptions(self, words: Prose) -> None:
        """Speaks in Heat's own words from now on."""
        self._bundled = self._bundled.with_prose(words)
        self._knowledge = self._known()

    def set_cloud(self, cloud: KnownCloud | None) -> None:
        """Takes into account what a cloud has, from now on."""
        self._cloud = cloud
        self._knowledge = self._known()

    def cloud_word(self, type_: ResourceType) -> str:
        """Whether only the connected cloud has a type, or does not have it."""
        if self._cloud is None:
            return ""
        return self._cloud.word(type_, is_bundled=self._knowledge.is_bundled(type_.name))

    def _known(self) -> Knowledge:
        return self._bundled.with_cloud(self._cloud) if self._cloud is not None else self._bundled

    @property
    def groups(self) -> GroupLibrary:
        """The property groups of those types."""
        return self._knowledge.group_library

    @property
    def releases(self) -> tuple[Release, ...]:
        """From Icehouse on, oldest first."""
        return self._knowledge.releases

    @property
    def client_versions(self) -> Mapping[str, str]:
        """Of every client plug-in whose version some property group asks for."""
        known = self._knowledge.client_versions
        return {name: known.get(name, "") for name in self.groups.client_plugins()}

    def analyze(self, snapshot: Snapshot, previous: Analysis | None) -> Analysis:
        """What is to be said of a text."""
        source = self._source(snapshot, previous.template if previous else None)
        owner = OwnerOf(self._source(snapshot.owner, None), str(snapshot.path)) if snapshot.owner is not None else None
        found = analyze_file(source, self._knowledge, self._settings(snapshot.target), previous, owner)
        return found if snapshot.encoding == UTF_8 else in_encoding(found, snapshot.encoding)

    def scenarios(self, snapshot: Snapshot, files: Iterable[Path]) -> Iterator[Scenario]:
        """The verdict with the environments of now, with none, and with each of the files that is one."""
        read = ((path, _environment(path)) for path in files)
        data = ((path, one.data) for path, one in read if isinstance(one, EnvironmentFile))
        others = [path for path, one in data if isinstance(one, Mapping) and is_environment(one)]
        for environments in dict.fromkeys((snapshot.environments, (), *((path,) for path in others))):
            found = self.analyze(snapshot._replace(environments=environments), None).diagnostics
            errors = sum(one.severity is Severity.ERROR for one in found)
            yield Scenario(environments, f"{errors} error{'s' * (errors > 1)}" if errors else "no errors")

    def complaints(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Which environment files cannot be read, and why."""
        return tuple(read for read in _environments(snapshot) if isinstance(read, str))

    def files_read(self, snapshot: Snapshot) -> Mapping[Path, Mark]:
        """Everything that was read for answers about a snapshot, or looked for in vain, and what it looked like."""
        named, read = list(snapshot.environments), dict(self._files.marks_of(snapshot))
        if snapshot.owner is not None:
            named += [snapshot.owner.path] if snapshot.owner.path is not None else []
            read |= self.files_read(snapshot.owner)
        return {file: mark_of(file, snapshot.open_texts) for file in (real_path(path) for path in named)} | read

    def plan_update(self, old: Snapshot, analysis: Analysis, *, keeps_values: bool = False) -> UpdatePlan:
        """What a stack update from the old side to the analyzed one would do, and the errors for which Heat refuses it.

        Nothing where a side cannot be read.
        """
        source = self._old_source(old, analysis)
        self._old = source.template
        if isinstance(analysis, EnvironmentAnalysis):
            return UpdatePlan()
        if not (source.template.complete and analysis.template.complete):
            return UpdatePlan(unread="old" if analysis.template.complete else "new")
        resources = old.stack.resources if old.stack is not None else None
        if old.stack is not None:
            new = over_existing(analysis.source, source) if keeps_values else completed(analysis.source, source)
            if new is not analysis.source:  # the values of the stack may be wrong for the new template
                analysis = analyze(new, self._knowledge, analysis.settings, analysis)
        plan = plan_update(source, analysis.source, self._knowledge, resources)
        return with_errors(plan, analysis.template.text, analysis.diagnostics)

    def insertion(self, analysis: Analysis, type_name: str, caret: int) -> TextEdit | None:
        """A new resource of a type, behind the one that the caret is in."""
        found = self.catalog.get(type_name)
        return snippet_insertion_for(analysis.template, caret, found, self._knowledge) if found is not None else None

    def fix_all(self, analysis: Analysis, codes: frozenset[str] | None = None) -> Migration:
        """All safe fixes, of all findings or of those with one of the codes."""
        last = analysis

        def find(template: Template) -> Iterable[Finding]:
            nonlocal last
            source = replace(analysis.source, template=template)
            last = analyze_file(source, self._knowledge, analysis.settings, last)
            found = (diagnostic.finding for diagnostic in last.diagnostics)
            return [one for one in found if one is not None and (codes is None or one.code in codes)]

        return fix_all(analysis.template, find)

    def is_neutral(self, analysis: Analysis, fix: Fix) -> bool:
        """Whether a stack update with nothing but this fix would change nothing."""
        after = parse_template(apply_edits(analysis.template.text, fix.edits), analysis.template)
        return is_neutral(analysis.source, replace(analysis.source, template=after), self._knowledge)

    def revert(self, analysis: Analysis, old: Snapshot, change: ResourceChange, cause: Cause | None) -> Fix | None:
        """Puts back what a resource, or one part of it, was on the old side."""
        return revert_change(parse_template(old.text, self._old), analysis.template, change, cause)

    def place_before(
        self, old: Snapshot, analysis: Analysis, trail: Sequence[ResourceChange], cause: Cause | None
    ) -> ChangePlace:
        """Where the old side says what a row of the plan speaks of."""
        return place_in_old(self._old_source(old, analysis), self._knowledge, trail, cause)

    def _old_source(self, old: Snapshot, analysis: Analysis) -> Source:
        """The old side, with the values of the new one where it has none of its own."""
        source = self._source(old, self._old)
        values = values_of_missing(analysis.source.parameter_values, source)
        return replace(source, parameter_values={**values, **source.parameter_values})

    def _settings(self, target: Target) -> Settings:
        """A release that is not known counts as none."""
        release = find_release(self._knowledge.releases, target.release) if target.release else None
        return Settings(release, target.client_versions)

    def _source(self, snapshot: Snapshot, previous: Template | None) -> Source:
        written = tuple(one for one in _environments(snapshot) if isinstance(one, EnvironmentFile))
        environments = (*written, *typed_defaults(snapshot.parameter_defaults))
        if snapshot.stack is not None:
            return snapshot.stack.source(environments, self._files.of(snapshot), previous)
        template = parse_template(snapshot.text, previous)
        return Source(template, environments, self._files.of(snapshot), snapshot.parameter_values)


def _environments(snapshot: Snapshot) -> Iterator[EnvironmentFile | str]:
    """Its environment files; for each that cannot be read the sentence that says why."""
    for path in snapshot.environments:
        yield _environment(path, snapshot.commit, snapshot.open_texts.get(real_path(path)))


def _environment(path: Path, commit: str = "", text: str | None = None) -> EnvironmentFile | str:
    """An environment file, or the sentence that says why it cannot be read.

    As git has it in a commit if it has it, or else as an editor has it, which `text` says.
    """
    try:
        return load_environment(path, git_text(path, commit) if commit else text)
    except DocumentError as error:
        return error.message
