"""The safe fixes of several texts before they are applied, and the result afterwards."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from heatstudio.service.safe_fixes import Done, RemainingProblem, Upgrade, upgrade_markdown
from heatstudio.text import FileDocument, TextEdit, apply_edits, counted
from heatstudio.text.markup import Markdown
from heatstudio.ui.documents.document import Document
from heatstudio.ui.problems.mini_diff import DiffLine


class FixProposal(Struct, frozen=True, eq=False):
    """The safe fixes of one text, not yet applied."""

    title: str
    text: str
    """The text in the form of an editor."""
    edits: tuple[TextEdit, ...] = ()
    diff: Sequence[DiffLine] = ()
    """The changed lines, with those around them."""
    lines: tuple[Done, ...] = ()
    refusals: tuple[str, ...] = ()
    decisions: tuple[RemainingProblem, ...] = ()
    """The remaining decisions; empty if only one code is fixed."""
    release: str = ""
    """The target of the check."""
    neutral: bool = False
    """Whether the changes alone are proven to have no effect on a stack."""
    kinds: frozenset[str] = frozenset()
    """The codes of all problems that could be fixed."""
    document: Document | None = None
    """The open document; None for a closed file."""
    file: FileDocument | None = None
    """The closed file as it was read."""

    @property
    def fixed(self) -> str:
        """The text with all edits."""
        return apply_edits(self.text, self.edits)


class FixProposals(Struct, frozen=True):
    """The results for all examined texts."""

    found: tuple[FixProposal, ...] = ()
    unread: tuple[str, ...] = ()
    """The error messages of unreadable files."""
    others: int = 0
    """The number of files that are not templates."""

    @property
    def kinds(self) -> list[str]:
        """The codes of all problems that could be fixed."""
        return sorted({kind for one in self.found for kind in one.kinds})

    @property
    def release(self) -> str:
        """The targets of the check; several if project files set different releases."""
        return ", ".join(sorted({one.release for one in self.found}))

    @property
    def report(self) -> Iterator[Markdown]:
        """The changes and other results, line by line."""
        upgrades = [Upgrade(one.title, one.lines, one.decisions) for one in self.found]
        yield from upgrade_markdown(upgrades, self.release, applied=False) if upgrades else ()
        yield from map(Markdown.sentence, self.unread)
        refusal = Markdown("{}: not fixed: {}")
        yield from (refusal.fill(one.title, Markdown.sentence(words)) for one in self.found for words in one.refusals)
        if self.others:
            yield Markdown("Skipped (not a template): {}.").fill(counted(self.others, "file"))


class FixResult(Struct, frozen=True):
    """The changes of one text."""

    title: str
    lines: tuple[Done, ...]
    refusals: tuple[str, ...] = ()
    neutral: bool = False
    """Whether the changes alone are proven to have no effect on a stack."""
    in_editor: bool = True
    """Whether the text is open, so that undo reverts the changes."""
