"""The tabs of the editor area and their arrangement as a value, which the settings store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from heatstudio.ui.commands.editor_group import Tab
from heatstudio.ui.documents.document import Document


@dataclass(frozen=True)
class AreaState:
    """The tabs of both groups, by the keys of `key_of`."""

    tabs: Sequence[Sequence[str]] = ((), ())
    fronts: Sequence[str] = ("", "")
    """The tab in front of each group."""
    is_down: bool = False
    """Whether the second group is below the first one."""
    sizes: Sequence[int] = ()
    """The sizes of both groups in pixels."""
    active: int = 0
    """The index of the group with the focus."""


def key_of(tab: Tab) -> str:
    """Return the key of a tab: the name of a panel, the path of a document, or the title of one without a file."""
    return str(tab.path or tab.title) if isinstance(tab, Document) else tab.title


def restored(data: Mapping[str, object]) -> AreaState:
    """Return the state of which `asdict` was stored; the default if it is invalid."""
    tabs, fronts, sizes = (_list(data.get(name)) for name in ("tabs", "fronts", "sizes"))
    groups = tuple(tuple(name for name in _list(names) if isinstance(name, str)) for names in tabs)
    in_front = tuple(name for name in fronts if isinstance(name, str))
    if len(groups) != len(in_front) or len(groups) != len(AreaState.fronts):
        return AreaState()
    whole = tuple(size for size in sizes if isinstance(size, int))
    return AreaState(groups, in_front, data.get("is_down") is True, whole, int(data.get("active") == 1))


def _list(data: object) -> list[object]:
    return data if isinstance(data, list) else []
