"""The safe fixes of several texts before they are applied, and the result afterwards."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from heatstudio.service.upgrade_report import Decision, Upgrade, upgrade_markdown
from heatstudio.text import Document as FileDocument
from heatstudio.text import TextEdit, apply_edits, counted
from heatstudio.ui.documents.document import Document
from heatstudio.ui.problems.mini_diff import DiffLine


class Proposal(Struct, frozen=True, eq=False):
    """The safe fixes of one text, not yet applied."""

    title: str
    text: str
    """As an editor has it."""
    edits: tuple[TextEdit, ...] = ()
    diff: Sequence[DiffLine] = ()
    """The lines that change, with those around them."""
    lines: tuple[str, ...] = ()
    """`<resource path> <property> <action> <details>`, as the command line says it."""
    refusals: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    """What is left to decide; nothing where only one kind of problem is fixed."""
    release: str = ""
    """What was checked against."""
    neutral: bool = False
    """Whether a stack update with these changes alone is proven to change nothing."""
    kinds: frozenset[str] = frozenset()
    """The codes of all problems that could be fixed."""
    document: Document | None = None
    """The open document; None for a file that is closed."""
    file: FileDocument | None = None
    """The closed file as it was read."""

    @property
    def fixed(self) -> str:
        """The text with all edits."""
        return apply_edits(self.text, self.edits)


class Proposals(Struct, frozen=True):
    """The results for all examined texts."""

    found: tuple[Proposal, ...] = ()
    unread: tuple[str, ...] = ()
    """Why some files could not be read, a sentence for each."""
    others: int = 0
    """How many files are no templates."""

    @property
    def kinds(self) -> list[str]:
        """The codes of all problems that could be fixed."""
        return sorted({kind for one in self.found for kind in one.kinds})

    @property
    def release(self) -> str:
        """What was checked against; more than one release where project files want it."""
        return ", ".join(sorted({one.release for one in self.found}))

    @property
    def report(self) -> Iterator[str]:
        """What is to be done, and what else was found, line by line."""
        upgrades = [Upgrade(one.title, one.lines, one.decisions) for one in self.found]
        yield from upgrade_markdown(upgrades, self.release, applied=False) if upgrades else ()
        yield from self.unread
        yield from (f"{one.title}: not fixed: {words}" for one in self.found for words in one.refusals)
        if self.others:
            yield f"Skipped (not a template): {counted(self.others, 'file')}."


class FixResult(Struct, frozen=True):
    """The changes of one text."""

    title: str
    lines: tuple[str, ...]
    """`<resource path> <property> <action> <details>`, as the command line says it."""
    refusals: tuple[str, ...] = ()
    neutral: bool = False
    """Whether a stack update with these changes alone is proven to change nothing."""
    in_editor: bool = True
    """Whether the text is open, so that undo takes the changes back."""
