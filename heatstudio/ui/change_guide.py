"""From a row of the update preview to the lines that it speaks of, on both sides."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from heatstudio.ui.places import place_of_resource

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.stack.path import Path
    from heatstudio.stack.update.update_plan import Cause, ResourceChange
    from heatstudio.ui.assistant import Assistant
    from heatstudio.ui.navigation import Navigation
    from heatstudio.ui.session import Session

    Trail = tuple[ResourceChange, ...]
    """From a resource of the template to the one inside that is meant."""


class ChangeGuide(QObject):
    """The new side is shown in the editor, the old one in the comparison."""

    told = Signal(str)
    """A sentence for the status bar."""

    def __init__(
        self,
        session: Session,
        navigation: Navigation,
        assistant: Assistant,
        show_old: Callable[[str, Path], object],
    ) -> None:
        super().__init__(assistant)
        self._session = session
        self._navigation = navigation
        self._assistant = assistant
        self._show_old = show_old

    def show(self, trail: Trail, cause: Cause | None) -> None:
        """Goes to the line of the present text, or of a nested template; what is gone is shown on the old side."""
        document = self._session.current
        if document is None or document.analysis is None:
            return
        if place_of_resource(document, trail[0].name) is None:
            self.show_before(trail, cause)
            return
        from heatstudio.analysis.change_place import place_of_change

        place = place_of_change(document.analysis, trail, cause)
        if place.file:
            self._assistant.open_path(place.file, place.path)
        else:
            self._navigation.go_to_path(place.path)

    def show_before(self, trail: Trail, cause: Cause | None) -> None:
        """Shows the line of the old text beside the present one; for what is nested, that of its owner."""
        top, document = trail[0], self._session.current
        if str(top.action) == "added":
            self.told.emit(f"{top.name} is new: the old side has no line of it.")
            return
        if document is None or document.old_text == document.text:
            self.told.emit("The text is the same on both sides: values, files or environments differ.")
            return
        from heatstudio.analysis.change_place import part_of_cause

        self._show_old(top.name, part_of_cause(cause) if len(trail) == 1 else ())
