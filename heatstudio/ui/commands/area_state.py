"""The tabs of the editor area and their arrangement as a value, which the settings store."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from heatstudio.ui.commands.editor_group import Tab
from heatstudio.ui.documents.document import Document


@dataclass(frozen=True)
class AreaState:
    """The tabs of both groups, by the keys of `key_of`."""

    tabs: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    fronts: tuple[str, str] = ("", "")
    """The tab in front of each group."""
    is_down: bool = False
    """Whether the second group is below the first one."""
    sizes: tuple[int, ...] = ()
    """The sizes of both groups in pixels."""
    active: Literal[0, 1] = 0
    """The index of the group with the focus."""


def key_of(tab: Tab) -> str:
    """Return the key of a tab: the name of a panel, the path of a document, or the title of one without a file."""
    return str(tab.path or tab.title) if isinstance(tab, Document) else tab.title


def restored(data: Mapping[str, object]) -> AreaState:
    """Return the state that was stored; the default if it is invalid."""
    if not data:
        return AreaState()
    from msgspec import ValidationError, convert  # takes longer to import than an empty window to arrange

    try:
        return convert(data, AreaState)
    except ValidationError:
        return AreaState()
