"""Resource types as a Qt model: services, and their types below them."""

from collections.abc import Callable, Iterable

from msgspec import Struct
from PySide6.QtCore import QMimeData, QModelIndex, Qt

from heatstudio.catalog.release import Status, status_words
from heatstudio.catalog.resource_type import ResourceType
from heatstudio.catalog.words import service_rank, service_titles
from heatstudio.ui.browser.search import Match, rank
from heatstudio.ui.browser.words import STATUS_ICONS
from heatstudio.ui.widgets.dragged_type import TYPE_MIME, put_type
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.widgets.tree_model import NO_CELL, Branch, Cell, Index, TreeModel


class ServiceRow(Struct, frozen=True):
    """A service with its number of matching types."""

    title: str
    count: int


def _nothing(_type: ResourceType) -> str:
    return ""


class TypesModel(TreeModel):
    """The model of types: rows of `Match`, which can be dragged into a template, below rows of `ServiceRow`."""

    def __init__(self) -> None:
        super().__init__(("Type",))
        self._cloud_word: Callable[[ResourceType], str] = _nothing

    def show(self, matches: Iterable[Match], cloud_word: Callable[[ResourceType], str] = _nothing) -> None:
        """Show matches by service; services are sorted by their best match, then by `service_rank` and name.

        `cloud_word` returns whether a type is missing in the connected cloud, or exists only there, in words.
        """
        self._cloud_word = cloud_word
        services: dict[str, list[Match]] = {}
        for match in matches:
            services.setdefault(match.type.service, []).append(match)
        best = {service: min(rank(one)[:2] for one in found) for service, found in services.items()}
        order = sorted(services, key=lambda service: (best[service], service_rank(service), service))
        self.set_branches(
            Branch(
                ServiceRow(service_titles().get(service, service), len(services[service])),
                tuple(map(Branch, services[service])),
            )
            for service in order
        )

    def cell(self, value: object, _column: int) -> Cell:
        """Return a service's title and number of types, or the last part of a type's name with the matching part."""
        if isinstance(value, ServiceRow):
            purpose, _, project = value.title.partition(" (")
            badge = str(value.count), Color.MUTED
            return Cell(purpose, detail=project.rstrip(")"), badge=badge, strong=True)
        return self._of_match(value) if isinstance(value, Match) else NO_CELL

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags of a row; types can be dragged."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if isinstance(self.value(index), Match) else flags

    def mimeTypes(self) -> list[str]:
        """Return the formats of a dragged type: one for the editor, and text for other programs."""
        return [TYPE_MIME, "text/plain"]

    def mimeData(self, indexes: Iterable[QModelIndex]) -> QMimeData:
        """Return the name of the first dragged type, in an object created by Qt, as it may outlive Python."""
        dragged = list(indexes)
        data = super().mimeData(dragged)
        names = (value.type.name for index in dragged if isinstance(value := self.value(index), Match))
        put_type(data, next(names, ""))
        return data

    def _of_match(self, match: Match) -> Cell:
        name, status, cloud = match.type.name, match.type.support_status, self._cloud_word(match.type)
        badge = (cloud, Color.MUTED) if cloud else None
        if status.status is not Status.SUPPORTED:
            badge = " · ".join(filter(None, (status_words(status), cloud))), STATUS_ICONS[status.status][1]
        return Cell(
            name.rpartition("::")[2],
            ("kind-resource", Color.RESOURCE_TYPE),
            match.reason,
            badge,
            tip=name,
            spoken=", ".join(filter(None, (name, status_words(status), cloud))),
        )
