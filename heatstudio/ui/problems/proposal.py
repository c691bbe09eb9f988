"""What the safe fixes would make of texts, before anything is changed, and what was made of them."""

from collections.abc import Sequence

from msgspec import Struct

from heatstudio.text import Document as FileDocument
from heatstudio.text import TextEdit, apply_edits
from heatstudio.ui.documents.document import Document
from heatstudio.ui.problems.mini_diff import DiffLine


class Proposal(Struct, frozen=True, eq=False):
    """What the safe fixes would make of one text; nothing is changed yet."""

    title: str
    text: str
    """As an editor has it."""
    edits: tuple[TextEdit, ...] = ()
    diff: Sequence[DiffLine] = ()
    """The lines that change, with those around them."""
    lines: tuple[str, ...] = ()
    """`<resource path> <property> <action> <details>`, as the command line says it."""
    refusals: tuple[str, ...] = ()
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
    """What was found in all texts that were looked at."""

    found: tuple[Proposal, ...] = ()
    unread: tuple[str, ...] = ()
    """Why some files could not be read, a sentence for each."""
    others: int = 0
    """How many files are no templates."""

    @property
    def kinds(self) -> list[str]:
        """The codes of all problems that could be fixed."""
        return sorted({kind for one in self.found for kind in one.kinds})


class FixResult(Struct, frozen=True):
    """What was done to one text."""

    title: str
    lines: tuple[str, ...]
    """`<resource path> <property> <action> <details>`, as the command line says it."""
    refusals: tuple[str, ...] = ()
    neutral: bool = False
    """Whether a stack update with these changes alone is proven to change nothing."""
    in_editor: bool = True
    """Whether the text is open, so that undo takes the changes back."""
