"""Resource types as a Qt model: services, and their types below them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from msgspec import Struct
from PySide6.QtCore import QMimeData, QModelIndex, Qt

from heatstudio.assets import resource_path
from heatstudio.catalog.resource_type import ResourceType
from heatstudio.catalog.support_status import Status
from heatstudio.ui.browser.search import Match
from heatstudio.ui.browser.words import STATUS_LOOK, status_words
from heatstudio.ui.dragged_type import TYPE_MIME, put_type
from heatstudio.ui.theme import Color
from heatstudio.ui.tree_model import BADGE_ROLE, DETAIL_ROLE, ICON_ROLE, STRONG_ROLE, Branch, Index, TreeModel


class ServiceRow(Struct, frozen=True):
    """A service with the number of types found in it."""

    title: str
    count: int


def _nothing(_type: ResourceType) -> str:
    return ""


class TypesModel(TreeModel):
    """Rows of `Match` below rows of `ServiceRow`; a row can be dragged into a template."""

    def __init__(self) -> None:
        super().__init__(("Type",))
        self._cloud_word: Callable[[ResourceType], str] = _nothing
        self.titles: dict[str, str] = json.loads(resource_path("services.json").read_text(encoding="utf-8"))

    def show(self, matches: Iterable[Match], cloud_word: Callable[[ResourceType], str] = _nothing) -> None:
        """Shows what was found, by service, each service where its best type is, or else where the data put it.

        `cloud_word` says whether a type is not in the connected cloud, or only there.
        """
        self._cloud_word = cloud_word
        services: dict[str, list[Match]] = {}
        for match in matches:
            services.setdefault(match.type.service, []).append(match)
        known = list(self.titles)
        order = sorted(
            services,
            key=lambda service: (
                -max(match.score for match in services[service]),
                known.index(service) if service in self.titles else len(known),
                service,
            ),
        )
        self.set_branches(
            Branch(ServiceRow(self._title(service), len(services[service])), tuple(map(Branch, services[service])))
            for service in order
        )

    def _title(self, service: str) -> str:
        return self.titles.get(service, service)

    def text(self, value: object, _column: int) -> str:
        """The title of a service, or the last part of a type's name."""
        if isinstance(value, ServiceRow):
            return value.title
        return value.type.name.rpartition("::")[2] if isinstance(value, Match) else ""

    def look(self, value: object, _column: int, role: int) -> object:
        """Counts, badges, and where a query was found."""
        if isinstance(value, ServiceRow):
            count = str(value.count), Color.MUTED
            return {ICON_ROLE: ("service", Color.MUTED), BADGE_ROLE: count, STRONG_ROLE: True}.get(role)
        return self._of_match(value, role) if isinstance(value, Match) else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Types can be dragged."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if isinstance(self.value(index), Match) else flags

    def mimeTypes(self) -> list[str]:
        """A type's name, for the editor of this program and for any other."""
        return [TYPE_MIME, "text/plain"]

    def mimeData(self, indexes: Iterable[QModelIndex]) -> QMimeData:
        """The name of the first type dragged, in data that Qt made: it may outlive Python."""
        dragged = list(indexes)
        data = super().mimeData(dragged)
        names = (value.type.name for index in dragged if isinstance(value := self.value(index), Match))
        put_type(data, next(names, ""))
        return data

    def _of_match(self, match: Match, role: int) -> object:
        status = match.type.support_status
        if role == ICON_ROLE:
            return "kind-resource", Color.RESOURCE_TYPE
        if role == DETAIL_ROLE:
            return match.reason
        if role == BADGE_ROLE:
            cloud = self._cloud_word(match.type)
            if status.status is not Status.SUPPORTED:
                return " · ".join(filter(None, (status_words(status), cloud))), STATUS_LOOK[status.status][1]
            return (cloud, Color.MUTED) if cloud else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return match.type.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, (match.type.name, status_words(status), self._cloud_word(match.type))))
        return None
