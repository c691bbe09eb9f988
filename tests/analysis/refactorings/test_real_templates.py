"""Refactorings of real templates: nothing is lost, no error is added, and inlining is the inverse of extracting."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec import Struct

from heatstudio.analysis import Analysis
from heatstudio.analysis.refactorings import Refactored, Refactoring, RefactoringKind
from heatstudio.service.edit_effect import edit_effect
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.service.resolved_values import resolved
from heatstudio.service.workspace.language_service import LanguageService
from heatstudio.template import CannotEditError, Part
from heatstudio.text import Severity, Span, apply_edits, editable, real_path

LARGEST = 20_000


class RealTemplate(Struct, frozen=True):
    path: Path
    text: str
    snapshot: Snapshot
    analysis: Analysis

    def offered(self, name: str) -> tuple[Refactoring, ...]:
        """Return the refactorings at the name of a resource."""
        start = self.analysis.template.locate((self.section, name), Part.KEY).start
        return LanguageService.of(self.analysis, self.text).refactorings(Span(start, start))

    @property
    def section(self) -> str:
        return self.analysis.template.dialect.resources

    @property
    def names(self) -> list[str]:
        return [str(name) for name in self.analysis.template.section(self.section)]


def read(engine: Engine, text: str, path: Path, files: dict[Path, str] | None = None) -> RealTemplate:
    snapshot = Snapshot(text, path, open_texts=files or {})
    return RealTemplate(path, text, snapshot, engine.analyze(snapshot, None))


def templates(engine: Engine, shared: Path, size: int) -> Iterator[RealTemplate]:
    """Yield some real templates without errors, the same ones in each run."""
    paths = [path for path in sorted((shared / "corpus" / "files").rglob("*")) if path.suffix in (".yaml", ".template")]
    for path in Random(size).sample([path for path in paths if path.stat().st_size < LARGEST], size):
        text = editable(path.read_text("utf-8", errors="replace")).text
        if "heat_template_version" in text or "TemplateFormatVersion" in text:
            found = read(engine, text, path)
            is_right = not any(one.severity is Severity.ERROR for one in found.analysis.diagnostics)
            if is_right and found.analysis.template.complete and found.names:
                yield found


def results(engine: Engine, before: RealTemplate, name: str) -> Iterator[tuple[Refactoring, Refactored]]:
    """Yield the refactorings of a resource that are not refused."""
    for one in before.offered(name):
        try:
            result = one.make()
        except CannotEditError:
            continue
        if not edit_effect(engine, before.snapshot, before.analysis, result).refusal:
            yield one, result


def comments(texts: list[str]) -> Counter[str]:
    return Counter(line.strip() for text in texts for line in text.splitlines() if line.strip().startswith("#"))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def test_refactorings_lose_no_comment_and_inlining_undoes_extracting(engine: Engine, shared: Path) -> None:
    done = refused = 0
    for before in templates(engine, shared, 60):
        name = Random(before.text).choice(before.names)
        for one, result in results(engine, before, name):
            after = apply_edits(before.text, result.edits)
            others = [apply_edits(file.text, file.edits) for file in result.files]
            if one.kind is not RefactoringKind.INLINE:
                lost = comments([before.text]) - comments([after, *others])
                assert not lost, (before.path, one.title, lost)
            if one.title.startswith("Extract") and result.files:
                files = {real_path(before.path.parent / result.files[0].file): others[0]}
                extracted = read(engine, after, before.path, files)
                (owner,) = set(extracted.names) - set(before.names)
                inline = next(one for one in extracted.offered(owner) if one.kind is RefactoringKind.INLINE)
                try:
                    undone = inline.make()
                except CannotEditError:
                    refused += 1
                    continue
                again = read(engine, apply_edits(after, undone.edits), before.path)
                known = engine.knowledge_of(before.snapshot)
                old, new = (resolved(engine.source_of(each.snapshot), known, {}) for each in (before, again))
                assert old == new, (before.path, name)
                done += 1
    assert done > 10 * refused


def test_the_real_heat_accepts_the_results(engine: Engine, heat_python: str, shared: Path, tmp_path: Path) -> None:
    pairs: list[tuple[str, str, str]] = []
    for number, before in enumerate(templates(engine, shared, 30)):
        if "get_file" in before.text or ".yaml" in before.text or "default" not in before.text:
            continue
        name = Random(before.text).choice(before.names)
        for at, (one, result) in enumerate(results(engine, before, name)):
            folder = tmp_path / f"{number}-{at}"
            folder.mkdir()
            (folder / "old.yaml").write_text(before.text, "utf-8")
            (folder / "new.yaml").write_text(apply_edits(before.text, result.edits), "utf-8")
            for file in result.files:
                (folder / file.file).write_text(apply_edits(file.text, file.edits), "utf-8")
            pairs.append((str(folder / "old.yaml"), str(folder / "new.yaml"), f"{before.path}: {one.title}"))
    files = [file for pair in pairs for file in pair[:2]]
    questions = "\n".join(json.dumps({"file": file, "key": str(at)}) for at, file in enumerate(files))
    command = [heat_python, str(shared / "engine" / "ask_heat.py"), "validate", "--list", "/dev/stdin"]
    answers = subprocess.run(command, input=questions, capture_output=True, text=True, check=True).stdout
    verdicts = {files[int(one["key"])]: one["full"] for one in map(json.loads, answers.splitlines())}
    worse = [title for old, new, title in pairs if verdicts[old] == "ok" and _is_refused(verdicts[new])]
    assert not worse


def _is_refused(verdict: object) -> bool:
    """Return whether Heat refuses a template, other than for a value that the question made up."""
    return isinstance(verdict, dict) and not verdict.get("dummy_suspect")
