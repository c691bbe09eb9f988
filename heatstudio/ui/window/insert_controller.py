"""Insertion of resources, and navigation to the pages of types."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from heatstudio.template import CannotEditError
from heatstudio.ui.window.window import Window

if TYPE_CHECKING:
    from heatstudio.ui.browser.type_page import TypePage

_BEING_READ = "The template is still being read. Try again in a moment."
_LARGE = "Large file: press F5 to check it, then insert again."


class InsertController(QObject):
    """The controller that connects the Types pane, the type page and the text."""

    def __init__(self, window: Window, type_page: Callable[[], TypePage]) -> None:
        super().__init__(window)
        self._session, self._area, self._sides, self._type_page = window.session, window.area, window.sides, type_page
        self._area.follow(lambda pane: pane.editor.type_dragged, self._show_insertion)
        self._area.follow(lambda pane: pane.editor.type_dropped, self.insert)

    def insert(self, type_name: str) -> None:
        """Insert a resource of a type after the one at the caret, or report why it is impossible."""
        document, editor, engine = self._session.current, self._area.editor, self._session.engine
        if document is None or editor is None:
            self._area.banner.say("Open a template first, or create one (Ctrl+N).")
            return
        analysis = document.current_analysis
        if engine is None or analysis is None:
            self._area.banner.say(_LARGE if document.is_large else _BEING_READ)
            return
        from heatstudio.analysis import EnvironmentAnalysis

        if isinstance(analysis, EnvironmentAnalysis):
            self._area.banner.say(f"{document.title} is an environment; resources belong in templates.")
            return
        try:
            editor.insert_snippet(engine.insertion(analysis, type_name, editor.caret_offset()))
        except CannotEditError as error:
            self._area.banner.say(f"Cannot insert {type_name}. {error.reason}")

    def _show_insertion(self, type_name: str, position: int) -> None:
        """Show where a dragged type would be inserted."""
        document, editor, engine = self._session.current, self._area.editor, self._session.engine
        analysis = document.current_analysis if document is not None else None
        if editor is None:
            return
        place, positions = None, editor.editor.text_document.positions()
        if type_name and engine is not None and analysis is not None:
            with suppress(CannotEditError):  # the drop reports the reason
                edit = engine.insertion(analysis, type_name, positions.offset(position))
                place = positions.position(edit.span.start)
        editor.decorations.set_insertion(place)

    def show_type(self, name: str, part: str = "") -> None:
        """Show the page of a type if it exists, with the properties and attributes that match `part`."""
        found = self._session.catalog.get(name) if self._session.catalog else None
        if found is not None:
            self._type_page().show_type(found, part)
            self._sides.show_pane("Type")
