"""The frame that all panes share: a content, or words that say what will appear and which key brings it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QLayout, QStackedLayout, QToolButton, QVBoxLayout, QWidget

from heatstudio.ui.appearance import ICON_SIZE, Appearance
from heatstudio.ui.theme import Color

GAP = 8
EDGE = 12


class EmptyState(QWidget):
    """An icon, a headline and a sentence, in the middle of an empty pane."""

    def __init__(self, appearance: Appearance, icon: str, headline: str, sentence: str) -> None:
        super().__init__()
        self.setAccessibleName(headline)
        picture = QLabel()
        picture.setPixmap(appearance.icon(icon).pixmap(QSize(24, 24)))
        appearance.theme_changed.connect(lambda: picture.setPixmap(appearance.icon(icon).pixmap(QSize(24, 24))))
        picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._headline = _words(headline)
        self._sentence = _words(sentence)
        self._sentence.setEnabled(True)
        self._sentence.setForegroundRole(self._sentence.palette().ColorRole.PlaceholderText)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(EDGE * 2, EDGE, EDGE * 2, EDGE)
        layout.setSpacing(GAP)
        layout.addStretch(2)
        for widget in (picture, self._headline, self._sentence):
            layout.addWidget(widget)
        layout.addStretch(3)

    def say(self, headline: str, sentence: str) -> None:
        """Changes the words."""
        self._headline.setText(headline)
        self._sentence.setText(sentence)
        self.setAccessibleName(headline)


def _words(text: str) -> QLabel:
    label = QLabel(text)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setWordWrap(True)
    return label


class Panel(QWidget):
    """A pane with a name; shows its content or its empty state."""

    def __init__(self, title: str, empty: EmptyState) -> None:
        super().__init__()
        self.title = title
        self.setAccessibleName(title)
        self.empty = empty
        self._content: QWidget = empty
        self._stack = QStackedLayout(self)
        self._stack.addWidget(empty)

    def set_content(self, *parts: QLayout | QWidget) -> None:
        """Puts the parts below each other; the last one takes what room is left."""
        self._content = QWidget()
        layout = QVBoxLayout(self._content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in parts:
            if isinstance(part, QWidget):
                layout.addWidget(part)
            else:
                layout.addLayout(part)
        layout.setStretch(len(parts) - 1, 1)
        self._stack.addWidget(self._content)

    def set_filled(self, filled: bool) -> None:
        """Shows the content, or the words for an empty pane."""
        self._stack.setCurrentWidget(self._content if filled else self.empty)


def tool_button(appearance: Appearance, icon: str, name: str, color: Color = Color.MUTED) -> QToolButton:
    """A flat button with an icon; its name is read aloud and shown as a tool tip."""
    button = QToolButton()
    button.setIcon(appearance.icon(icon, color))
    button.setIconSize(ICON_SIZE)
    button.setAccessibleName(name)
    button.setToolTip(name)
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def choice_box(name: str) -> QComboBox:
    """A box to choose from; its name and that of its list are read aloud."""
    box = QComboBox()
    box.setAccessibleName(name)
    box.setToolTip(name)
    box.view().setAccessibleName(name)
    return box
