"""The open texts, everything that their analyses read, and what is known about them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from heatstudio.service.inputs.freshness import CurrentMarks, FileMark
from heatstudio.service.inputs.snapshot import Snapshot, Target
from heatstudio.service.workspace.job import StoppedError
from heatstudio.text import DocumentError, read_text

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis import Analysis
    from heatstudio.service.engine import Engine
    from heatstudio.update.plan.update_plan import UpdatePlan

Key = TypeVar("Key", bound=Hashable)


class OpenText(NamedTuple):
    """One version of an open text."""

    version: int
    own: Snapshot
    """The text with its path and settings, without what lies around it."""
    file: Path | None = None
    """The path without links."""
    baseline: Snapshot | None = None
    """The old side of the update preview, if one is wanted."""
    is_unsaved: bool = True
    """Whether other texts read this text instead of its file."""


class TextState(NamedTuple):
    """What is known about a version of a text; always replaced as a whole."""

    version: int
    engine: Engine
    new: Snapshot
    analysis: Analysis
    files: Mapping[Path, FileMark]
    """The marks of the files that the analysis read, including missing ones."""
    complaints: tuple[str, ...] = ()
    """The errors in the project file and in the environments of the text."""
    old: Snapshot | None = None
    """The baseline of the plan; None until there is a plan of this version."""
    plan: UpdatePlan | None = None
    """The plan of an update, of an earlier version until `old` is set."""
    old_files: Mapping[Path, FileMark] = {}
    old_complaints: tuple[str, ...] = ()


class Workspace(Generic[Key]):
    """The open texts by keys of the caller; methods may be called in any thread, and those that analyze block."""

    def __init__(self, engine: Engine | None = None) -> None:
        self.engine = engine
        self.target = Target()
        self.folders: tuple[Path, ...] = ()
        """The folders that references may not leave; the innermost one counts."""
        self.last_environments: Mapping[Path, tuple[Path, ...]] = {}
        """The environments that templates were last checked with, which need not be open."""
        self._texts: dict[Key, OpenText] = {}
        self._states: dict[Key, TextState] = {}
        self._analyzing = RLock()

    @property
    def texts(self) -> dict[Key, OpenText]:
        """A copy of the open texts."""
        return dict(self._texts)

    def put(self, key: Key, text: OpenText) -> None:
        """Open a text, or replace its version."""
        self._texts[key] = text

    def close(self, key: Key) -> None:
        """Forget a text."""
        self._texts.pop(key, None)
        self._states.pop(key, None)

    def state(self, key: Key) -> TextState | None:
        """Return what is known about a text, which may be about an earlier version; None before the first analysis."""
        return self._states.get(key)

    def readers(self, files: Iterable[Path]) -> set[Key]:
        """Return the texts whose analyses read one of the files, or tried to; the paths must contain no links."""
        changed = set(files)
        states = tuple(self._states.items())
        return {key for key, one in states if not (changed.isdisjoint(one.files) and changed.isdisjoint(one.old_files))}

    def root_of(self, path: Path | None) -> Path | None:
        """Return the innermost folder that contains a file; the only folder if there is one."""
        around = [one for one in self.folders if path is not None and path.is_relative_to(one)]
        return max(around, key=lambda folder: len(folder.parts), default=None)

    def unsaved_texts(self, but: Key | None = None) -> dict[Path, str]:
        """Return the texts that are read instead of their files, except one."""
        texts = self.texts.items()
        return {one.file: one.own.text for key, one in texts if key != but and one.is_unsaved and one.file is not None}

    def snapshot(self, key: Key) -> Snapshot:
        """Return a text with all inputs of its analysis; that of an environment includes its template.

        Raise StoppedError if the text is closed.
        """
        text = self._text(key)
        found = self._around(text.own, self.unsaved_texts(but=key))
        if text.file is None or text.own.path is None or (self.engine and self.engine.is_template(text.own)):
            return found
        owner = next(self._users(key, text.own.path), None)
        texts = {**found.open_texts, text.file: text.own.text}
        return found._replace(owner=self._around(owner, texts) if owner is not None else None)

    def analyze(self, key: Key) -> TextState:
        """Return the state of the current version; the analysis is computed unless the known one still holds.

        Raise StoppedError if the text is closed.
        """
        with self._analyzing:
            text, engine, snapshot = self._text(key), self.loaded_engine, self.snapshot(key)
            known = self._states.get(key)
            if known is not None and _still_holds(known, engine, snapshot):
                return known
            analysis = engine.analyze(snapshot, known.analysis if known is not None else None)
            complaints, files = engine.complaints(snapshot), engine.files_read(snapshot)
            state = TextState(text.version, engine, snapshot, analysis, files, complaints)
            if known is not None:  # the last plan is shown until there is one of this version
                state = state._replace(plan=known.plan, old_files=known.old_files, old_complaints=known.old_complaints)
            return self._keep(key, state)

    def plan(self, key: Key, old: Snapshot) -> TextState:
        """Return the state of the current version with the plan of an update from a baseline."""
        with self._analyzing:
            state = self.analyze(key)
            if state.old == old and CurrentMarks(old.open_texts).match(state.old_files):
                return state
            plan = state.engine.plan_update(old, state.analysis)
            complaints, files = state.engine.unreadable_environments(old), state.engine.files_read(old)
            return self._keep(key, state._replace(old=old, plan=plan, old_files=files, old_complaints=complaints))

    def is_current(self, key: Key) -> bool:
        """Return whether nothing that the analysis of a text reads has changed since."""
        known = self._states.get(key)
        return known is not None and key in self._texts and _still_holds(known, self.engine, self.snapshot(key))

    @property
    def loaded_engine(self) -> Engine:
        """The engine, which must be loaded."""
        if self.engine is None:
            raise RuntimeError
        return self.engine

    def environments_of(self, path: Path) -> tuple[Path, ...]:
        """Return the environments of a template: those of its tab, of its project file, or the last ones."""
        tabs = (one.own for one in self.texts.values() if one.own.path == path)
        return self._with_project(next(tabs, Snapshot("", path, self.last_environments.get(path, ())))).environments

    def _with_project(self, own: Snapshot) -> Snapshot:
        return self.engine.applied(own) if self.engine is not None else own

    def _text(self, key: Key) -> OpenText:
        try:
            return self._texts[key]
        except KeyError:
            raise StoppedError from None

    def _around(self, own: Snapshot, texts: Mapping[Path, str]) -> Snapshot:
        return own._replace(root=self.root_of(own.path), open_texts=texts, target=self.target)

    def _users(self, environment: Key, path: Path) -> Iterator[Snapshot]:
        """Yield the templates that use an environment: open ones, then those that did when they were last open."""
        others = [one.own for key, one in self.texts.items() if key != environment and one.own.path is not None]
        yield from (one for one in others if path in self._with_project(one).environments)
        opened = {one.path for one in others}
        for template, environments in self.last_environments.items():
            if path in environments and template not in opened:
                with suppress(DocumentError):
                    yield Snapshot(read_text(template), template, environments)

    def _keep(self, key: Key, state: TextState) -> TextState:
        if key in self._texts:
            self._states[key] = state
        return state


def _still_holds(state: TextState, engine: Engine | None, now: Snapshot) -> bool:
    texts = (now.owner or now).open_texts  # an environment is among the texts that its template reads
    return (state.engine, state.new) == (engine, now) and CurrentMarks(texts).match(state.files)
