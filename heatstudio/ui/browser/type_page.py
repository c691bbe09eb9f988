"""The page of one resource type."""

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QFrame, QLayout, QPlainTextEdit, QPushButton, QSizePolicy, QTabWidget, QWidget

from heatstudio.analysis.assist.snippets import resource_text
from heatstudio.catalog.release import SupportStatus, find_release, status_at
from heatstudio.catalog.schema import ResourceType
from heatstudio.template.dialect import AWS, NEWEST_HOT
from heatstudio.ui.browser import type_tree
from heatstudio.ui.browser.life_line import STATUS_ICONS, LifeLine, life
from heatstudio.ui.highlight.highlighter import Highlighter
from heatstudio.ui.widgets import EDGE, GAP, Appearance, Color, EmptyState, Panel, in_column, in_row, show_code
from heatstudio.ui.widgets.check_box import CheckBox
from heatstudio.ui.widgets.choice_box import choice_box
from heatstudio.ui.widgets.plain_text import PlainLabel, plain
from heatstudio.ui.widgets.row_delegate import RowTree
from heatstudio.ui.widgets.search_field import SearchField
from heatstudio.ui.widgets.tree_model import TreeModel
from heatstudio.ui.workspace.session import Session

_LEAST = 80
_SLACK = 2
"""Pixels lost by rounding."""
_LEAST_HEAD = 48
"""The minimum visible height in pixels."""


class PageHead(QtWidgets.QScrollArea):
    """A scroll area that is as high as its content, and scrolls if there is less space."""

    def __init__(self, layout: QLayout) -> None:
        super().__init__()
        self._inside = QWidget()
        self._inside.setLayout(layout)
        self.setWidget(self._inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("About the resource type")
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._inside.heightForWidth(width)

    def sizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, min(_LEAST_HEAD, self.heightForWidth(self.width())))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.widget() and event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self.updateGeometry()
        return super().eventFilter(watched, event)


class ElidedButton(QPushButton):
    """A button that elides the middle of a long label, and shows the full label as tool tip."""

    def __init__(self) -> None:
        super().__init__()
        self._words = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_words(self, words: str) -> None:
        """Change the label."""
        self._words = words
        self.setText(words)
        self.updateGeometry()
        self._fit()

    def sizeHint(self) -> QSize:
        width = self._frame() + self.fontMetrics().horizontalAdvance(self._words) + _SLACK
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _frame(self) -> int:
        """Return the width of the button without its label."""
        return super().sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text())

    def _fit(self) -> None:
        room = self.width() - self._frame()
        shown = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideMiddle, room)
        self.setText(shown)
        self.setToolTip(plain(self._words if shown != self._words else ""))


_EMPTY = ("A resource type appears here", "Select a type in the Types pane (Ctrl+Shift+T).")


_FULL = "Full"
_LANGUAGES = {"HOT": NEWEST_HOT, "CFN": AWS}


_LEAST_TABS = 64
"""The minimum height in pixels of the tabs on a low page, where the head gets the remaining space."""


class TypePage(Panel):
    """The properties, attributes, rules and a snippet of the selected type."""

    insert_requested = Signal(str)
    type_requested = Signal(str)
    """The name of the type that replaces this one."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__("Type", EmptyState(appearance, "kind-resource", *_EMPTY))
        self._session = session
        self._appearance = appearance
        self.type: ResourceType | None = None
        self._name = PlainLabel(wraps=True)
        self._about = PlainLabel(wraps=True)
        self._status = PlainLabel(wraps=True)
        self._life = LifeLine(appearance)
        self._successor = ElidedButton()
        self._hidden = CheckBox("Show hidden")
        self.filter = SearchField(appearance, "Filter properties")
        self._tabs = QTabWidget(documentMode=True)
        self._tabs.setMinimumHeight(_LEAST_TABS)
        self._tabs.setAccessibleName("Type details")
        self._tabs.tabBar().setAccessibleName("Sections")
        self._tabs.tabBar().setDrawBase(False)
        self._property_view, self._properties = self._add_tree("Properties")
        self._attribute_view, self._attributes = self._add_tree("Attributes")
        _, self._rules = self._add_tree("Rules")
        _, self._releases = self._add_tree("Releases")
        self._language = choice_box("Snippet language")
        self._full = CheckBox(_FULL)
        self._snippet = QPlainTextEdit()
        self._highlighter = Highlighter(self._snippet.document(), appearance.theme, is_part=True)
        self._add_snippet()
        self._tabs.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)  # the head has priority
        self.set_content(PageHead(self._make_head()), self._tabs)
        self.lead_to(self._tabs)
        session.target_changed.connect(self._show_target)
        appearance.theme_changed.connect(self._color_status)
        appearance.theme_changed.connect(self._highlighter.set_theme)

    def show_type(self, type_: ResourceType, part: str = "") -> None:
        """Show the page of a type, with the properties and attributes that match `part`."""
        self.type = type_
        self.filter.setText(part)
        self._name.set_name(type_.name)
        self._name.setAccessibleName(type_.name)
        status = type_.support_status
        about = tuple(type_tree.description_words(type_))
        self._about.setText("\n".join(text.partition("\n\n")[0] for text in about))
        self._about.setToolTip(plain("\n\n".join(about)))
        self._about.setVisible(bool(about))
        engine, knowledge = self._session.engine, self._session.knowledge
        cloud = engine.cloud_word(type_) if engine is not None else ""
        words = (self._status_words(status), f"{cloud[:1].upper()}{cloud[1:]}." if cloud else "")
        self._status.setText(" ".join(filter(None, words)))
        self._status.setVisible(bool(self._status.text()))
        self._life.show_states(life(status, engine.releases if engine is not None else ()))
        self._show_successor(status.successor or status.substitute or "")
        self._color_status()
        self._show_properties()
        if part:
            self._tabs.setCurrentWidget(self._property_view if self._properties.rowCount() else self._attribute_view)
        self._rules.set_branches(type_tree.rule_branches(knowledge.groups(type_) if knowledge is not None else ()))
        self._releases.set_branches(type_tree.release_branches(type_.name))
        self._show_snippet()
        self.set_filled(True)

    def _show_target(self) -> None:
        """Show the type of the new target, or keep the previous type if the target lacks it."""
        if self.type is not None and self._session.catalog is not None:
            self.show_type(self._session.catalog.get(self.type.name) or self.type, self.filter.text())

    def _insert(self) -> None:
        if self.type is not None:
            self.insert_requested.emit(self.type.name)

    def _status_words(self, status: SupportStatus) -> str:
        """Return Heat's support message for the type, and whether the target release lacks the type."""
        engine, wanted = self._session.engine, self._session.target.release
        release = find_release(engine.releases, wanted) if engine is not None and wanted else None
        if release is None or status_at(status, release) is not None:
            return status.message
        return f"{status.message} Not available in {release.name}, the target release.".strip()

    def _show_successor(self, name: str) -> None:
        known = self._session.catalog is not None and self._session.catalog.get(name) is not None
        self._successor.setVisible(known)
        self._successor.show_words(f"Use {name}")
        self._successor.setAccessibleName(f"Show {name}, the replacement")
        self._successor.setProperty("type", name)

    def _make_head(self) -> QtWidgets.QVBoxLayout:
        self._name.set_bold(16)
        self._name.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._status.setAccessibleDescription("Support status")
        self._about.setAccessibleDescription("Description")
        self._about.setForegroundRole(self._about.palette().ColorRole.PlaceholderText)
        self._successor.setAccessibleName("Show the replacement type")
        self._successor.setIcon(self._appearance.icon("jump", Color.ACCENT))
        self._successor.clicked.connect(lambda: self.type_requested.emit(self._successor.property("type")))
        insert = QPushButton("Insert")
        insert.setAccessibleName("Insert a resource of this type")
        insert.clicked.connect(self._insert)
        self._hidden.setAccessibleName("Show hidden properties and attributes")
        self._hidden.toggled.connect(self._show_properties)
        self.filter.searched.connect(self._show_properties)
        self.filter.left_downwards.connect(self._tabs.setFocus)
        return in_column(
            self._name,
            self._about,
            self._life,
            self._status,
            (self._successor, Qt.AlignmentFlag.AlignLeft),
            in_row(insert, 1, self._hidden),
            self.filter,
            edges=(EDGE, GAP, EDGE, GAP),
            gap=GAP,
        )

    def _add_tree(self, title: str) -> tuple[RowTree, TreeModel]:
        model = TreeModel((title,))
        view = RowTree(model, self._appearance, title)
        self._tabs.addTab(view, title)
        return view, model

    def _add_snippet(self) -> None:
        self._language.addItems(list(_LANGUAGES))
        self._language.currentIndexChanged.connect(self._show_snippet)
        self._full.setAccessibleName("Full snippet with all properties")
        self._full.setToolTip("Include optional properties")
        self._full.toggled.connect(self._show_snippet)
        copy = QPushButton("Copy")
        copy.setAccessibleName("Copy snippet")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._snippet.toPlainText()))
        show_code(self._snippet, self._appearance, "Snippet")
        self._snippet.document().setDocumentMargin(EDGE)
        self._snippet.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        page = QWidget()
        bar = in_row(self._language, self._full, 1, copy, edges=(EDGE, 4, EDGE, 4), gap=GAP)
        in_column(bar, self._snippet, of=page, gap=0)
        self._tabs.addTab(page, "Snippet")

    def _show_properties(self) -> None:
        if self.type is not None and self._session.knowledge is not None:
            behavior = self._session.knowledge.update_behavior(self.type)
            is_all, query = self._hidden.isChecked(), self.filter.text()
            self._properties.set_branches(
                type_tree.matching(type_tree.property_branches(self.type, behavior, is_all), query)
            )
            self._attributes.set_branches(
                type_tree.matching(type_tree.attribute_branches(self.type.attributes, is_all), query)
            )
            if query:
                self._property_view.expandAll()
                self._attribute_view.expandAll()

    def _show_snippet(self) -> None:
        if self.type is not None and self._session.knowledge is not None:
            words, is_full = _LANGUAGES[self._language.currentText()], self._full.isChecked()
            text = resource_text(self.type, words, self._session.knowledge, is_full=is_full)
            self._highlighter.expect_load(text.count("\n") + 1)
            self._snippet.setPlainText(text)
            self._highlighter.resume()

    def _color_status(self) -> None:
        color = STATUS_ICONS[self.type.support_status.status][1] if self.type else Color.MUTED
        self._status.set_color(self._appearance.theme.color(color))
