"""Comparison of the incremental analysis with a fresh one after random edits.

`python -m tests.analysis.cold_start --edits 100000` makes that many edits of the samples in this folder and of the
templates next to the checkout; for each difference it prints the seed and the shortest texts that reproduce it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random, SystemRandom

from msgspec.structs import replace

from heatstudio.analysis import Analysis, Options, analyze_file
from heatstudio.analysis.assist.outline import outline
from heatstudio.catalog.cloud.known_cloud import KnownCloud
from heatstudio.catalog.release import find_release, load_releases
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.inputs.environment import EnvironmentFile
from heatstudio.template import Template, parse_environment, parse_template
from heatstudio.update.plan_update import plan_update
from tests.analysis.incremental_samples import SAMPLES, Sample
from tests.analysis.random_edits import RandomEdits
from tests.analysis.semantic_models import FileTexts
from tests.analysis.test_cloud import NAMES, OLD_CLOUD

CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "files"
SUFFIXES = {".yaml", ".yml", ".json", ".template", ".env", ".hot"}
LARGEST = 5_000
"""The maximum length in characters of a template from the corpus."""
STEPS = 12
"""The number of edits of one text before the next text is chosen."""
COMPARED = 0.2
"""The share of edits after which the analysis is compared with a fresh one; later edits reuse its results."""
ENVIRONMENT = "env.yaml"
"""The name of a sample's environment file."""
MAIN = "main.yaml"

State = dict[str, str]
"""The texts of all files in one version, by name."""


@cache
def knowledge() -> Knowledge:
    return load_knowledge()


@cache
def targets() -> tuple[tuple[Knowledge, Options], ...]:
    """Return the targets of the analysis: none, and a cloud with a release."""
    cloud = KnownCloud("cloud", catalog=OLD_CLOUD, names=NAMES)
    return (knowledge(), Options()), (knowledge().with_cloud(cloud), Options(find_release(load_releases(), "Queens")))


@dataclass
class Editor:
    """The state that the window keeps from one version of the texts to the next."""

    target: int = 0
    analysis: Analysis | None = None
    files: FileTexts = field(default_factory=FileTexts)
    environments: tuple[EnvironmentFile, ...] = ()

    def show(self, texts: State) -> Analysis:
        """Analyze the texts incrementally, and return the analysis."""
        beside = {name: text for name, text in texts.items() if name not in (MAIN, ENVIRONMENT)}
        if self.files.texts != beside:
            self.files = FileTexts(beside)
        self.environments = _environments(texts)
        template = parse_template(texts[MAIN], self.analysis.template if self.analysis is not None else None)
        self.analysis = analyze_file(self._source(template), *targets()[self.target], self.analysis)
        return self.analysis

    def _source(self, template: Template) -> Source:
        return Source(template, self.environments, self.files)


def _environments(texts: State) -> tuple[EnvironmentFile, ...]:
    if ENVIRONMENT not in texts:
        return ()
    written = parse_environment(texts[ENVIRONMENT])
    data = {str(key): value for key, value in written.data.items()}
    return (EnvironmentFile(ENVIRONMENT, data),) if not any(one.severity == 0 for one in written.problems) else ()


def shown(analysis: Analysis, old: Source | None) -> dict[str, str]:
    """Return all data of an analysis that the window shows, and the plan of an update from an older template."""
    template = analysis.template
    reported = {
        "problems": repr(template.problems),
        "data": repr(template.data),
        "complete": repr((template.complete, template.is_json, template.version, template.version_message)),
        "places": repr([*_places(template)]),
        "findings": "\n".join(map(repr, analysis.diagnostics)),
        "muted": repr(analysis.suppressed),
        "outline": repr(outline(template, analysis.stack)),
    }
    if old is not None and template.complete:
        new = replace(analysis.source, template=template)
        reported["plan"] = repr(plan_update(old, new, analysis.knowledge))
    return reported


def _places(template: Template) -> Iterator[object]:
    for section in template.reading.sections:
        yield section.name, section.start, section.end
        for placed in section.placed:
            entry = placed.entry
            problems = [problem.shifted(placed.shift) for problem in entry.problems]
            yield entry.name, placed.start, placed.end, problems, entry.complete


def differences(history: Sequence[State], target: int = 0) -> list[str]:
    """Return the parts that differ from a fresh analysis after a sequence of versions of the texts."""
    editor = Editor(target)
    for texts in history:
        analysis = editor.show(texts)
    return compared(editor, analysis, history[0], history[-1])


def compared(editor: Editor, analysis: Analysis, first: State, last: State, *, plan: bool = True) -> list[str]:
    """Return the parts that differ between an analysis and a fresh one of the last texts."""
    old = _first(json.dumps(first)) if plan else None
    cold = Editor(editor.target).show(last)
    warm_shown, cold_shown = shown(analysis, old), shown(cold, old)
    return [name for name in cold_shown if cold_shown[name] != warm_shown.get(name)]


@cache
def _first(texts: str) -> Source | None:
    analysis = Editor().show(json.loads(texts))
    return analysis.source if analysis.template.complete else None


@cache
def corpus() -> tuple[Sample, ...]:
    """Return the smaller real templates next to the checkout, each without other files."""
    paths = sorted(path for path in CORPUS.rglob("*") if path.suffix in SUFFIXES) if CORPUS.is_dir() else []
    small = (path for path in paths if path.is_file() and 60 < path.stat().st_size < LARGEST)
    return tuple({MAIN: path.read_bytes().decode("utf-8", "replace")} for path in small)


def run(seed: int, edits: int, samples: Sequence[Sample], *, plan: float = 0.25) -> tuple[list[State], int] | None:
    """Make random edits; return the versions of the texts that led to a difference, and the target; else None."""
    dice = Random(seed)
    made = 0
    others = [sample[MAIN] for sample in samples]
    weights = [1 / sum(map(len, sample.values())) for sample in samples]  # about the same time for each sample
    while made < edits:
        (sample,) = dice.choices(samples, weights)
        editors = {name: RandomEdits(dice, text, others) for name, text in sample.items()}
        history: list[State] = [dict(sample)]
        warm = Editor(dice.choice((0, 0, 0, 1)))
        warm.show(sample)
        for _ in range(STEPS):
            name = MAIN if dice.random() < 0.8 else dice.choice([*sample])
            history.append({**history[-1], name: editors[name].step()})
            made += 1
            analysis = warm.show(history[-1])
            is_planned = dice.random() < plan
            if dice.random() < COMPARED and compared(warm, analysis, history[0], history[-1], plan=is_planned):
                return history, warm.target
    return None


def shortened(history: list[State], target: int) -> list[State]:
    """Return a history with fewer versions and fewer lines that still shows a difference."""
    wanted = differences(history, target)
    if not wanted:
        return history

    def still(tried: list[State]) -> bool:
        return bool(tried) and bool(set(differences(tried, target)) & set(wanted))

    index = 0
    while index < len(history) - 1:
        without = history[:index] + history[index + 1 :]
        if still(without):
            history = without
        else:
            index += 1
    for name in [*history[0]]:
        without_file = [{key: text for key, text in state.items() if key != name} for state in history]
        if name != MAIN and still(without_file):
            history = without_file
            continue
        for size in (40, 20, 10, 5, 2, 1):
            position = 0
            while position < max(state[name].count("\n") + 1 for state in history):
                cut = _without_lines(history, name, position, size)
                if cut is not None and still(cut):
                    history = cut
                else:
                    position += size
    return history


def _without_lines(history: list[State], name: str, position: int, size: int) -> list[State] | None:
    """Return the history without some lines that all versions share; None if they do not share the lines."""
    lines = history[0][name].splitlines(keepends=True)[position : position + size]
    block = "".join(lines)
    if not block or any(state[name].count(block) < 1 for state in history):
        return None
    return [{**state, name: state[name].replace(block, "", 1)} for state in history]


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--own", action="store_true", help="only the samples of this folder")
    arguments = parser.parse_args()
    samples = SAMPLES if arguments.own else (*SAMPLES * max(1, len(corpus()) // len(SAMPLES) // 3), *corpus())
    dice = SystemRandom()
    made = failed = 0
    start = time.monotonic()
    while made < arguments.edits:
        seed = arguments.seed if arguments.seed is not None else dice.getrandbits(48)
        portion = min(600, arguments.edits - made)
        found = run(seed, portion, samples)
        made += portion
        if found is not None:
            failed += 1
            history, target = shortened(*found), found[1]
            _say(f"seed {seed}, target {target}: {differences(history, target)}\n{json.dumps(history, indent=1)}")
        if made % 12_000 == 0:
            _say(f"{made} edits, {failed} differences, {time.monotonic() - start:.0f} s")
    _say(f"{made} edits, {failed} differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
