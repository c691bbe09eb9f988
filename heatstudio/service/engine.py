"""The engine, which loads the knowledge of Heat and analyzes texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from heatstudio.analysis import Analysis, Consumer, EnvironmentAnalysis, Finding, Options, analyze_file, in_encoding
from heatstudio.analysis.assist.snippets import snippet_insertion_for
from heatstudio.analysis.changes.change_place import ChangePlace, place_in_old
from heatstudio.analysis.changes.refusals import with_errors
from heatstudio.analysis.changes.renamed_stack import moved_data, renamed_data
from heatstudio.analysis.changes.revert import revert_change
from heatstudio.analysis.migrations.fix_all import Migration, fix_all, is_neutral
from heatstudio.catalog.cloud.known_cloud import KnownCloud
from heatstudio.catalog.facts import Facts
from heatstudio.catalog.load import Catalog
from heatstudio.catalog.release import Release, find_release
from heatstudio.catalog.schema import ResourceType
from heatstudio.service.inputs.environments import Environments, environments_among
from heatstudio.service.inputs.files import FilesBeside
from heatstudio.service.inputs.freshness import FileMark, mark_of
from heatstudio.service.inputs.project_file import PROJECT_FILE, ProjectFile, Projects, analyze_project_file
from heatstudio.service.inputs.snapshot import Snapshot, Target
from heatstudio.service.inputs.template_tests import TestedTemplate, analyze_tests, is_test_file, tested_snapshots
from heatstudio.service.resolved_values import resolved
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.secrets import find_secrets
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.stack.parameter_form import typed_defaults, values_of_missing
from heatstudio.template import CannotEditError, Template, parse_template, template_text
from heatstudio.template.dialect import begins_with_version
from heatstudio.text import UTF_8, DocumentError, Fix, Severity, TextEdit, apply_edits, real_path
from heatstudio.update.drift import Drift, find_drift
from heatstudio.update.plan.update_plan import Cause, ResourceChange, UpdatePlan
from heatstudio.update.plan_update import plan_update
from heatstudio.update.running_stack import RunningStack, completed, over_existing


class Scenario(NamedTuple):
    """A set of environments for a template, with the resulting number of errors in words."""

    environments: tuple[Path, ...]
    verdict: str


class Engine:
    """The facade of the analysis, fixes and update previews, with one instance of the knowledge of Heat."""

    def __init__(
        self, knowledge: Knowledge | None = None, files: FilesBeside | None = None, cloud: KnownCloud | None = None
    ) -> None:
        self._bundled = knowledge or load_knowledge()
        self._knowledge = self._bundled.with_cloud(cloud) if cloud is not None else self._bundled
        self._cloud = cloud
        self._files = files or FilesBeside()
        self._projects = Projects()
        self._environments = Environments()

    @property
    def catalog(self) -> Catalog:
        """The resource types of the bundled Heat, extended by the types of the connected cloud."""
        return self._knowledge.catalog

    def known(self, target: Target) -> Knowledge:
        """Return the knowledge of Heat for a target; an unknown release counts as none."""
        return self._knowledge.at(find_release(self._knowledge.releases, target.release))

    def with_cloud(self, cloud: KnownCloud | None) -> Engine:
        """Return an engine that also has the data about a cloud, or only the bundled knowledge if `cloud` is None."""
        return Engine(self._bundled, self._files, cloud)

    def cloud_word(self, type_: ResourceType) -> str:
        """Return `only in NAME` or `not in NAME` for a type of the connected cloud; empty if neither applies."""
        if self._cloud is None:
            return ""
        return self._cloud.word(type_, is_bundled=self._knowledge.is_bundled(type_.name))

    @property
    def releases(self) -> tuple[Release, ...]:
        """The known OpenStack releases, from Icehouse on, oldest first."""
        return self._knowledge.releases

    def client_versions(self, target: Target) -> Mapping[str, str]:
        """Return the API versions of the target's release, for every client plug-in that property groups use."""
        known = self.known(target)
        return {name: known.client_versions.get(name, "") for name in known.group_library.client_plugins()}

    def analyze(self, snapshot: Snapshot, previous: Analysis | None) -> Analysis:
        """Return the analysis of a text; unchanged parts of the `previous` analysis are reused."""
        if snapshot.path is not None and snapshot.path.name == PROJECT_FILE:
            return analyze_project_file(snapshot.path, snapshot.text, self._knowledge)
        if is_test_file(snapshot.path):
            return analyze_tests(snapshot, self._knowledge, self._outcome)
        source = self.source_of(snapshot, previous.template if previous else None)
        user = snapshot.owner
        owner = Consumer(self.source_of(user), str(snapshot.path), str(user.path or "")) if user is not None else None
        found = analyze_file(source, self.knowledge_of(snapshot), self._settings(snapshot), previous, owner)
        return found if snapshot.encoding == UTF_8 else in_encoding(found, snapshot.encoding)

    def _outcome(self, new: Snapshot, old: Snapshot | None) -> TestedTemplate:
        """Return the outcome of a tested template, and of an update from the old one to it. Raise DocumentError."""
        for snapshot in filter(None, (new, old)):
            self.readable(snapshot)
        analysis = self.analyze(new, None)
        values = resolved(self.source_of(new), self.knowledge_of(new), {}) if analysis.template.complete else {}
        return TestedTemplate(analysis, values, self.plan_update(old, analysis) if old is not None else None)

    def is_template(self, snapshot: Snapshot) -> bool:
        """Return whether a text begins as a template; the workspace imports no templates before the first paint."""
        return begins_with_version(snapshot.text)

    def project_of(self, snapshot: Snapshot) -> ProjectFile | None:
        """Return the project file of a snapshot; None if it is missing or unreadable."""
        return self._projects.of(snapshot, self._knowledge)

    def applied(self, snapshot: Snapshot) -> Snapshot:
        """Return the snapshot with the settings of the project file."""
        project = self.project_of(snapshot)
        return snapshot if project is None else project.applied(snapshot)

    def knowledge_of(self, snapshot: Snapshot) -> Knowledge:
        """Return the knowledge for the target of a snapshot, with the types that the project file declares."""
        return self._projects.knowledge(self.project_of(snapshot), self._knowledge).at(self._settings(snapshot).release)

    def source_of(self, snapshot: Snapshot, previous: Template | None = None) -> Source:
        """Return the source of a snapshot with the settings of the project file, without unreadable environments."""
        snapshot = self.applied(snapshot)
        written = tuple(one for one in self._environments.of(snapshot) if isinstance(one, EnvironmentFile))
        environments = (*written, *typed_defaults(snapshot.parameter_defaults))
        if snapshot.stack is not None:
            return snapshot.stack.source(environments, self._files.of(snapshot), previous)
        template = parse_template(snapshot.text, previous)
        name = snapshot.path.name if snapshot.path is not None else ""
        return Source(template, environments, self._files.of(snapshot), snapshot.parameter_values, file=name)

    def scenarios(self, snapshot: Snapshot, files: Iterable[Path]) -> Iterator[Scenario]:
        """Yield the scenarios with the current environments, with none, and with each environment among the files."""
        current = self.applied(snapshot).environments
        for environments in dict.fromkeys((current, (), *((path,) for path in environments_among(files)))):
            found = self.analyze(snapshot._replace(environments=environments, uses_project=False), None).diagnostics
            errors = sum(one.severity is Severity.ERROR for one in found)
            yield Scenario(environments, f"{errors} error{'s' * (errors > 1)}" if errors else "no errors")

    def complaints(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Return the first error of the project file, if any, then those of the unreadable environment files."""
        project = self.project_of(snapshot)
        return (*(project.errors[:1] if project is not None else ()), *self.unreadable_environments(snapshot))

    def readable(self, snapshot: Snapshot) -> Snapshot:
        """Return the snapshot. Raise DocumentError if an environment or a setting of its project file is invalid."""
        if complaints := self.complaints(snapshot):
            raise DocumentError("settings", complaints[0])
        return snapshot

    def unreadable_environments(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Return the error messages of the unreadable environment files."""
        return tuple(read for read in self._environments.of(self.applied(snapshot)) if isinstance(read, str))

    def files_read(self, snapshot: Snapshot) -> Mapping[Path, FileMark]:
        """Return the marks of all files that the analysis of a snapshot read, including missing files."""
        if is_test_file(snapshot.path):
            tested = list(tested_snapshots(snapshot))
            marks = {real_path(one.path): mark_of(real_path(one.path), one.open_texts) for one in tested if one.path}
            return marks | {path: mark for one in tested for path, mark in self.files_read(one).items()}
        snapshot = self.applied(snapshot)
        project = self.project_of(snapshot)
        named, read = list(snapshot.environments), dict(self._files.marks_of(snapshot))
        named += project.read if project is not None else ()
        if snapshot.owner is not None:
            named += [snapshot.owner.path] if snapshot.owner.path is not None else []
            read |= self.files_read(snapshot.owner)
        return {file: mark_of(file, snapshot.open_texts) for file in (real_path(path) for path in named)} | read

    def find_drift(self, stack: RunningStack) -> tuple[Drift, ...]:
        """Return the properties of a running stack that differ from its template."""
        return find_drift(stack, self._knowledge)

    def rename_in_stacks(self, data: Sequence[Facts], old: str, new: str) -> tuple[tuple[Facts, ...], str]:
        """Return the data of a stack with a renamed resource, or those of two after it has moved to the second one.

        Without data, return the reason for the refusal.
        """
        if len(data) > 1:
            return moved_data(data[0], data[1], old, new, self._knowledge)
        renamed, reason = renamed_data(data[0], old, new, self._knowledge)
        return (renamed,), reason

    def plan_running(self, stack: RunningStack, template: Facts) -> UpdatePlan:
        """Return the plan of the update of a running stack to another template, with the values of the stack."""
        new = replace(stack, template=template_text(template)).source()
        return plan_update(stack.source(), new, self._knowledge, stack.resources)

    def plan_update(self, old: Snapshot, analysis: Analysis, *, keeps_values: bool = False) -> UpdatePlan:
        """Return the plan of a stack update from the old to the analyzed side, with the errors that Heat would report.

        The plan is empty if a side cannot be read.
        """
        is_project_file = old.path is not None and old.path.name == PROJECT_FILE
        if is_project_file or is_test_file(old.path) or isinstance(analysis, EnvironmentAnalysis):
            return UpdatePlan()
        if not analysis.template.complete:
            return UpdatePlan(unread="new")
        source = self._old_source(old, analysis)
        is_template = source.template.version_message is None or not old.text.strip()  # an empty text is an empty stack
        if not (source.template.complete and is_template):
            return UpdatePlan(unread="old")
        resources = old.stack.resources if old.stack is not None else None
        if old.stack is not None:
            new = over_existing(analysis.source, source) if keeps_values else analysis.source
            new = completed(new, source)
            if new is not analysis.source:  # the values of the stack may be wrong for the new template
                analysis = analyze_file(new, analysis.knowledge, analysis.settings, analysis)
        plan = plan_update(source, analysis.source, analysis.knowledge, resources)
        secrets = None if analysis.settings.shows_hidden else find_secrets(source) | analysis.secrets
        if secrets is None or secrets.texts:
            plan = replace(plan, changes=tuple(change.without(secrets) for change in plan.changes))
        return with_errors(plan, analysis.template.text, analysis.diagnostics)

    def insertion(self, analysis: Analysis, type_name: str, caret: int) -> TextEdit:
        """Return the edit that inserts a resource after the resource at the cursor; raise CannotEditError."""
        found = analysis.knowledge.catalog.get(type_name)
        if found is None:
            raise CannotEditError("Heat has no such type.")
        return snippet_insertion_for(analysis, caret, found)

    def fix_all(self, analysis: Analysis, codes: frozenset[str] | None = None) -> Migration:
        """Return all safe fixes of the findings, or of the findings with one of the codes."""
        last = analysis

        def find(template: Template) -> Iterable[Finding]:
            nonlocal last
            if template is not last.template:
                source = replace(analysis.source, template=template)
                last = analyze_file(source, analysis.knowledge, analysis.settings, last)
            found = (diagnostic.finding for diagnostic in last.diagnostics)
            return [one for one in found if one is not None and (codes is None or one.code in codes)]

        return fix_all(analysis.template, find)

    def is_neutral(self, analysis: Analysis, fix: Fix) -> bool:
        """Return whether a stack update with only this fix would change no resource."""
        after = parse_template(apply_edits(analysis.template.text, fix.edits), analysis.template)
        return is_neutral(analysis.source, replace(analysis.source, template=after), analysis.knowledge)

    def revert(self, analysis: Analysis, old: Snapshot, change: ResourceChange, cause: Cause | None) -> Fix:
        """Return the fix that restores a resource, or one part of it, as on the old side; raise CannotEditError."""
        return revert_change(parse_template(old.text, analysis.template), analysis.template, change, cause)

    def place_before(
        self, old: Snapshot, analysis: Analysis, trail: Sequence[ResourceChange], cause: Cause | None
    ) -> ChangePlace:
        """Return the position on the old side of a change or cause in the plan."""
        return place_in_old(self._old_source(old, analysis), analysis.knowledge, trail, cause)

    def _old_source(self, old: Snapshot, analysis: Analysis) -> Source:
        """Return the old side, with parameter values of the new side for parameters without a value."""
        source = self.source_of(old, analysis.template)  # mostly the same text
        values = values_of_missing(analysis.source.parameter_values, source)
        return replace(source, parameter_values={**values, **source.parameter_values})

    def _settings(self, snapshot: Snapshot) -> Options:
        """Return the settings of a snapshot; an unknown release counts as none."""
        target, project = self.applied(snapshot).target, self.project_of(snapshot)
        release = find_release(self._knowledge.releases, target.release)
        found = Options(release, target.client_versions, shows_hidden=snapshot.shows_hidden)
        if project is None:
            return found
        ignored = project.ignored(snapshot.path)
        return replace(found, ignored=ignored, severities=project.severities, rules=project.rules)
