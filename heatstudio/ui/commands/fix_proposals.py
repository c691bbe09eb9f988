"""Finds out what the safe fixes would make of open documents and of the templates in a folder.

Only for threads that may wait. Nothing is written here but by `save`, which is asked to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.analysis import Analysis
from heatstudio.service.engine import Engine
from heatstudio.service.snapshot import Snapshot
from heatstudio.template.dialect import VERSION_KEYS
from heatstudio.text import Document as FileDocument
from heatstudio.text import DocumentError, Fix, editable, read_document, real_path, save_document
from heatstudio.ui.documents.document import Document
from heatstudio.ui.problems.mini_diff import mini_diff
from heatstudio.ui.problems.proposal import Mended, Proposal, Proposals
from heatstudio.ui.tasks.jobs import Job, StoppedError
from heatstudio.ui.workspace.folder_files import walk

ENDINGS = (".yaml", ".yml", ".template", ".json")


class OpenText(Struct, frozen=True):
    """An open document at one moment."""

    document: Document
    snapshot: Snapshot
    analysis: Analysis | None


class Folder(Struct, frozen=True):
    """A folder to look into, and what is known of its templates."""

    path: Path
    like: Snapshot
    """How closed files are looked at: the folder that references may not leave, open texts, the target."""
    environments: Mapping[Path, tuple[Path, ...]]
    """The environment files that templates were last checked with."""


def propose(
    engine: Engine, job: Job, opened: Sequence[OpenText], folder: Folder | None, kinds: frozenset[str] | None
) -> Proposals:
    """What would change: in a folder if there is one, otherwise in all open documents."""
    if folder is None:
        found = []
        for done, one in enumerate(opened):
            job.advance(done, len(opened))
            found.append(_of_open(engine, one, one.document.title, kinds))
        return Proposals(tuple(found))
    by_path = {real_path(one.snapshot.path): one for one in opened if one.snapshot.path is not None}
    paths = list(walk(folder.path, ENDINGS))
    found, unread, others = [], [], 0
    for done, path in enumerate(paths):
        job.advance(done, len(paths))
        title, here = path.relative_to(folder.path).as_posix(), by_path.get(real_path(path))
        try:
            proposal = _of_open(engine, here, title, kinds) if here else _of_closed(engine, path, title, folder, kinds)
        except DocumentError as error:
            unread.append(error.message)
            continue
        if proposal is None:
            others += 1
        elif proposal.edits or proposal.refusals:
            found.append(proposal)
    return Proposals(tuple(found), tuple(unread), others)


def save(job: Job, proposals: Sequence[Proposal]) -> list[Mended]:
    """Writes closed files; one that was changed on the disk meanwhile is left as it is, and that is said."""
    made: list[Mended] = []
    for one in proposals:
        try:
            job.advance(len(made), len(proposals))
            if one.file is not None:
                save_document(one.file.with_text(editable(one.file.text).in_file(one.fixed)))
        except DocumentError as error:
            made.append(Mended(one.title, (), (error.message,), in_editor=False))
        except StoppedError:
            break
        else:
            made.append(Mended(one.title, one.lines, one.refusals, one.neutral, in_editor=False))
    return [*made, *left_alone(proposals[len(made) :])]


def left_alone(proposals: Sequence[Proposal]) -> list[Mended]:
    """What is to be said of files that were not written, because the user stopped it before."""
    return [Mended(one.title, (), ("It was canceled.",), in_editor=False) for one in proposals]


def _of_open(engine: Engine, one: OpenText, title: str, kinds: frozenset[str] | None) -> Proposal:
    found = _proposal(engine, engine.analyze(one.snapshot, one.analysis), title, kinds)
    return replace(found, document=one.document)


def _of_closed(engine: Engine, path: Path, title: str, folder: Folder, kinds: frozenset[str] | None) -> Proposal | None:
    """What would change in a closed file; None if it is no template. Raises DocumentError."""
    file: FileDocument = read_document(path)
    if not any(key in file.text for key in VERSION_KEYS):
        return None
    environments = folder.environments.get(path, ())
    text = editable(file.text).text
    snapshot = folder.like._replace(text=text, path=path, environments=environments)
    analysis = engine.analyze(snapshot, None)
    if not any(key in analysis.template.data for key in VERSION_KEYS):
        return None
    return replace(_proposal(engine, analysis, title, kinds), file=file)


def _proposal(engine: Engine, analysis: Analysis, title: str, kinds: frozenset[str] | None) -> Proposal:
    migration = engine.fix_all(analysis, kinds)
    text, fix = analysis.template.text, Fix("Fix all", migration.edits)
    return Proposal(
        title,
        text,
        fix.edits,
        mini_diff(text, fix) if fix.edits else (),
        tuple(map(str, migration.steps)),
        tuple(f"{one.remedy.title}: {one.reason}" for one in migration.refusals),
        bool(fix.edits) and engine.is_neutral(analysis, fix),
        frozenset(one.code for one in analysis.diagnostics if one.has_fixes),
    )
