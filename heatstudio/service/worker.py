"""The worker's side: analyzes one text or file after the other, until the window ends."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from heatstudio.analysis import Analysis, EnvironmentAnalysis
from heatstudio.catalog import KnownCloud
from heatstudio.catalog.words import Prose
from heatstudio.process import end_with_parent
from heatstudio.service.diagnostic_summary import DiagnosticSummary, summaries_of
from heatstudio.service.engine import Engine
from heatstudio.service.garbage_collector import tune_garbage_collector
from heatstudio.service.snapshot import Snapshot, is_large
from heatstudio.service.wire import (
    ClosedFileResult,
    FileQuestion,
    Kind,
    Lines,
    Mark,
    Outcome,
    Surroundings,
    TextQuestion,
    pack,
    receive,
    send,
    unpack,
)
from heatstudio.service.workspace_files import NotedFiles
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.template import is_environment, parse_template
from heatstudio.template.dialect import VERSION_KEYS
from heatstudio.text import DocumentError, LineIndex, read_text, real_path

NICENESS = 10
"""What the process asks less for than others do."""
_BEGINS = re.compile(rf"^[ \t]*+(?:\{{[ \t]*+)?[\"']?({'|'.join(VERSION_KEYS)})[\"']?[ \t]*:", re.MULTILINE)


class Worker:
    """Knows what Heat knows, and reads every file anew."""

    def __init__(self) -> None:
        self._bundled = self._knowledge = load_knowledge()

    def learn(self, words: Prose | None, cloud: KnownCloud | None) -> None:
        """Speaks in Heat's own words from now on, and takes into account what a cloud has."""
        knowledge = self._bundled if words is None else self._bundled.with_prose(words)
        self._knowledge = knowledge if cloud is None else knowledge.with_cloud(cloud)

    def summarize(self, question: TextQuestion) -> tuple[DiagnosticSummary, ...]:
        """Return the diagnostics of a text."""
        text, path, environments, root, target = question
        snapshot = Snapshot(text, path, environments, root, target=target)
        return summaries_of(Engine(self._knowledge).analyze(snapshot, None).diagnostics)

    def check(self, around: Surroundings, question: FileQuestion) -> ClosedFileResult:
        """What there is to say of a file."""
        files = NotedFiles(around.texts)
        for path in _named(question):
            files.note(path)
        try:
            text = read_text(question.path)
        except DocumentError as error:
            return ClosedFileResult(Outcome.UNREAD, sentence=error.message, marks=files.marks)
        begins_as_template = _BEGINS.search(text) is not None
        if is_large(text):
            return ClosedFileResult(Outcome.LARGE if begins_as_template else Outcome.NO_TEMPLATE, marks=files.marks)
        if not begins_as_template and not is_environment(parse_template(text).data):
            return ClosedFileResult(Outcome.NO_TEMPLATE, marks=files.marks)
        engine = Engine(self._knowledge, files)
        analysis = engine.analyze(_snapshot(around, question, text), None)
        if not (begins_as_template or isinstance(analysis, EnvironmentAnalysis)):
            return ClosedFileResult(Outcome.NO_TEMPLATE, marks=files.marks)
        return _checked(analysis, files.marks)


def _checked(analysis: Analysis, marks: Mapping[Path, Mark]) -> ClosedFileResult:
    summaries = summaries_of(analysis.diagnostics)
    lines = LineIndex(analysis.template.text)
    places = {span.start for one in summaries for span in (one.span, *(place for _, place in one.related))}
    reported = Lines({offset: lines.position(offset).line for offset in places})
    return ClosedFileResult(Outcome.CHECKED, summaries, reported, marks=marks)


def _named(question: FileQuestion) -> tuple[Path, ...]:
    """The files that a question names; what they name in turn is found out."""
    owner = (question.owner[0], *question.owner[1]) if question.owner is not None else ()
    return (question.path, *question.environments, *owner)


def _snapshot(around: Surroundings, question: FileQuestion, text: str) -> Snapshot:
    root, target, texts = around
    snapshot = Snapshot(text, question.path, question.environments, root, texts, target=target)
    if question.owner is None:
        return snapshot
    path, environments = question.owner
    written = texts.get(real_path(path))
    try:
        of_owner = read_text(path) if written is None else written
    except DocumentError:
        return snapshot
    return snapshot._replace(owner=Snapshot(of_owner, path, environments, root, texts, target=target))


def main() -> None:
    """Answer until the window ends. Only the window talks to this process, in what it wrote itself."""
    end_with_parent()
    gc.disable()
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    worker, around = Worker(), Surroundings(Path())
    tune_garbage_collector()
    descriptions: Prose | None = None
    cloud: KnownCloud | None = None
    while message := receive(asked):
        content = message[1:]
        match Kind(message[:1].decode()):
            case Kind.TEXT:
                send(answers, pack(worker.summarize(unpack(content, TextQuestion))))
            case Kind.DESCRIPTIONS:
                descriptions = unpack(content, Prose)
                worker.learn(descriptions, cloud)
            case Kind.CLOUD:
                cloud = unpack(content, KnownCloud)
                worker.learn(descriptions, cloud)
            case Kind.SURROUNDINGS:
                around = unpack(content, Surroundings)
                yield_to_the_window()
            case Kind.FILE:
                send(answers, pack(worker.check(around, unpack(content, FileQuestion))))
    os._exit(0)  # without tidying up, which takes its time


def yield_to_the_window() -> None:
    """Run only when nothing else wants to, from the first check of a folder on."""
    if hasattr(os, "nice") and os.nice(0) < NICENESS:
        os.nice(NICENESS)


if __name__ == "__main__":
    main()
