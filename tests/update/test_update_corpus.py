"""Plans from real templates to themselves, without values of parameters: nothing changes but what always does."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from heatstudio.stack.definition.files import Files
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.update.plan.update_plan import ResourceChange
from heatstudio.update.plan_update import plan_update

EVERY = 4
"""The sampling interval: every fourth template is tested, for speed; 1 tests all templates."""
ALWAYS = ("Always replaced", "is updated by every", "is set")


@dataclass(frozen=True)
class FolderFiles(Files):
    """Files of the corpus, by their paths relative to a folder."""

    folder: Path

    def get(self, name: str, /) -> str | None:
        path = self.folder / name
        inside = "://" not in name and len(name) < 200 and path.is_file()
        return path.read_text(encoding="utf-8", errors="replace") if inside else None

    def below(self, name: str, /) -> FolderFiles:
        return FolderFiles((self.folder / name).parent)


def unexplained(changes: Iterable[ResourceChange]) -> list[str]:
    """Return the changes without a reason that need one."""
    found = []
    for change in changes:
        always = any(word in note for note in change.notes for word in ALWAYS)
        followed = bool(change.because)
        if change.has_effect and not always and not followed:
            found.append(f"{change.name}: {change.action} {change.causes}")
        found += unexplained(change.members)
    return found


def test_every_template_against_itself(shared: Path) -> None:
    knowledge = load_knowledge()
    corpus = shared / "corpus"
    with (corpus / "index.tsv").open(encoding="utf-8", newline="") as index:
        paths = [corpus / row["file"] for row in csv.DictReader(index, delimiter="\t")][::EVERY]
    wrong = {}
    for path in paths:
        template = parse_template(path.read_text(encoding="utf-8", errors="replace"))
        source = Source(template, files=FolderFiles(path.parent))
        found = unexplained(plan_update(source, source, knowledge).changes)
        if found:
            wrong[str(path)] = found
    assert len(paths) * EVERY > 1_500
    assert wrong == {}
