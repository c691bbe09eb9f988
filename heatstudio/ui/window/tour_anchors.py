"""What the cards of the tour stand beside in this window."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QMainWindow, QWidget

from heatstudio.ui.commands.editor_area import EditorArea
from heatstudio.ui.commands.navigation import Navigation
from heatstudio.ui.tour import Anchor, Place, Tour
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.window.dock import Dock


def make_tour(
    window: QMainWindow,
    appearance: Appearance,
    area: EditorArea,
    navigation: Navigation,
    *,
    types: Dock,
    problems: Dock,
    preview: Dock,
    commands: QWidget,
) -> Tour:
    """The tour of a window; nothing is shown before it starts."""

    def place(widget: QWidget) -> QRect:
        return QRect(widget.mapTo(window, QPoint()), widget.size())

    def of_dock(dock: Dock) -> Anchor:
        return Anchor(lambda: place(dock), dock.unfold)

    def search() -> QRect:
        panel = types.widget()
        return place(panel.focusProxy() or panel) if panel is not None else place(types)

    def caret() -> QRect:
        seen = area.caret_rect()
        return QRect(window.mapFromGlobal(seen.topLeft()), seen.size()).adjusted(-4, -4, 4, 4)

    def go_to_problem() -> None:
        if navigation.diagnostic_at_caret() is None:
            area.command("next-problem")

    anchors = {
        Place.TEXT: Anchor(lambda: place(area), is_room=True),
        Place.PROBLEMS: of_dock(problems),
        Place.PROBLEM: Anchor(caret, go_to_problem),
        Place.CARET: Anchor(caret),
        Place.TYPES: Anchor(search, types.unfold),
        Place.PREVIEW: of_dock(preview),
        Place.COMMANDS: Anchor(lambda: place(commands)),
    }
    return Tour(window, appearance, anchors)
