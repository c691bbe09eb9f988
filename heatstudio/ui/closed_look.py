"""Looks at files that are in no tab; as a process of its own it answers one question after the other, until it is
ended.

Python's one interpreter lock is why: beside a thread that checks a folder a key takes three times as long, and so does
what is said of the text in front. Another process, which the system lets run when nobody else wants to, is not felt.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from heatstudio.analysis import Analysis, EnvironmentAnalysis
from heatstudio.catalog import KnownCloud
from heatstudio.catalog.facts import Facts
from heatstudio.stack.knowledge import load_knowledge
from heatstudio.stack.settle import settle
from heatstudio.template import is_environment, parse_template
from heatstudio.template.dialect import VERSION_KEYS
from heatstudio.text import DocumentError, LineIndex, read_text
from heatstudio.ui.closed_file import (
    ClosedAnswer,
    ClosedQuestion,
    Kind,
    Lines,
    Mark,
    Outcome,
    Surroundings,
    pack,
    receive,
    send,
    unpack,
)
from heatstudio.ui.files_beside import NotedFiles
from heatstudio.ui.heat_engine import HeatEngine
from heatstudio.ui.sight import sights_of
from heatstudio.ui.snapshot import Snapshot, is_large

NICENESS = 10
"""What the process asks less for than others do."""
_BEGINS = re.compile(rf"^\s*\{{?\s*[\"']?({'|'.join(VERSION_KEYS)})[\"']?[ \t]*:", re.MULTILINE)


class ClosedLook:
    """Knows what Heat knows, and reads every file anew."""

    def __init__(self) -> None:
        self._bundled = self._knowledge = load_knowledge()

    def learn(self, words: Facts | None, cloud: KnownCloud | None) -> None:
        """Speaks in Heat's own words from now on, and takes into account what a cloud has."""
        knowledge = self._bundled if words is None else self._bundled.with_prose(words)
        self._knowledge = knowledge if cloud is None else knowledge.with_cloud(cloud)

    def look(self, around: Surroundings, question: ClosedQuestion) -> ClosedAnswer:
        """What there is to say of a file."""
        files = NotedFiles(around.texts)
        for path in _named(question):
            files.note(path)
        try:
            text = read_text(question.path)
        except DocumentError as error:
            return ClosedAnswer(Outcome.UNREAD, sentence=error.message, marks=files.marks)
        begins_as_template = _BEGINS.search(text) is not None
        if is_large(text):
            return ClosedAnswer(Outcome.LARGE if begins_as_template else Outcome.NO_TEMPLATE, marks=files.marks)
        if not begins_as_template and not is_environment(parse_template(text).data):
            return ClosedAnswer(Outcome.NO_TEMPLATE, marks=files.marks)
        engine = HeatEngine(self._knowledge, files)
        analysis = engine.analyze(_snapshot(around, question, text), None)
        if not (begins_as_template or isinstance(analysis, EnvironmentAnalysis)):
            return ClosedAnswer(Outcome.NO_TEMPLATE, marks=files.marks)
        return _checked(analysis, files.marks)


def _checked(analysis: Analysis, marks: Mapping[Path, Mark]) -> ClosedAnswer:
    sights = sights_of(analysis.diagnostics)
    lines = LineIndex(analysis.template.text)
    places = {span.start for one in sights for span in (one.span, *(place for _, place in one.related))}
    told = Lines({offset: lines.position(offset).line for offset in places})
    return ClosedAnswer(Outcome.CHECKED, sights, told, marks=marks)


def _named(question: ClosedQuestion) -> tuple[Path, ...]:
    """The files that a question names; what they name in turn is found out."""
    owner = (question.owner[0], *question.owner[1]) if question.owner is not None else ()
    return (question.path, *question.environments, *owner)


def _snapshot(around: Surroundings, question: ClosedQuestion, text: str) -> Snapshot:
    root, target, texts = around
    snapshot = Snapshot(text, question.path, question.environments, root, texts, target=target)
    if question.owner is None:
        return snapshot
    path, environments = question.owner
    written = texts.get(path)
    try:
        of_owner = read_text(path) if written is None else written
    except DocumentError:
        return snapshot
    return snapshot._replace(owner=Snapshot(of_owner, path, environments, root, texts, target=target))


def main() -> None:
    """Answer until nobody asks any more. Only the window talks to this process, in what it wrote itself."""
    gc.disable()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    look, around = ClosedLook(), Surroundings(Path())
    settle()
    words: Facts | None = None
    cloud: KnownCloud | None = None
    while message := receive(asked):
        content = message[1:]
        match Kind(message[:1].decode()):
            case Kind.WORDS:
                words = unpack(content, dict)
                look.learn(words, cloud)
            case Kind.CLOUD:
                cloud = unpack(content, KnownCloud)
                look.learn(words, cloud)
            case Kind.SURROUNDINGS:
                around = unpack(content, Surroundings)
            case Kind.QUESTION:
                send(answers, pack(look.look(around, unpack(content, ClosedQuestion))))
    os._exit(0)  # without tidying up, which takes its time


if __name__ == "__main__":
    main()
