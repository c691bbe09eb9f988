"""The page of one resource type."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTabWidget,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from heatstudio.catalog.property_group import PropertyGroup
from heatstudio.catalog.resource_type import ResourceType
from heatstudio.catalog.support_status import Status
from heatstudio.ui.appearance import Appearance
from heatstudio.ui.browser.fact_model import FactModel
from heatstudio.ui.browser.snippet import SnippetLanguage, snippet
from heatstudio.ui.browser.type_tree import attribute_branches, property_branches, rule_branches
from heatstudio.ui.browser.words import STATUS_LOOK, status_sentence
from heatstudio.ui.panel import EDGE, GAP, EmptyState, Panel, choice_box
from heatstudio.ui.row_delegate import dress_tree
from heatstudio.ui.session import Session
from heatstudio.ui.theme import Color
from heatstudio.ui.tree_model import Branch

_EMPTY = ("A resource type appears here", "Choose one under Resource types (Ctrl+Shift+T).")
_FULL = "All properties"


class TypePage(Panel):
    """Properties, attributes, rules and a snippet of the type that was chosen last."""

    insert_requested = Signal(str)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__("Type", EmptyState(appearance, "kind-resource", *_EMPTY))
        self._session = session
        self._appearance = appearance
        self.type: ResourceType | None = None
        self._name = QLabel()
        self._status = QLabel()
        self._hidden = QCheckBox("Show hidden")
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        self._tabs.setAccessibleName("About the type")
        self._tabs.tabBar().setAccessibleName("Parts of the page")
        self._tabs.tabBar().setDrawBase(False)
        self._properties = self._add_tree("Properties")
        self._attributes = self._add_tree("Attributes")
        self._rules = self._add_tree("Rules")
        self._language = choice_box("Language of the snippet")
        self._full = QCheckBox(_FULL)
        self._snippet = QPlainTextEdit()
        self._add_snippet()
        self.set_content(self._make_head(), self._tabs)
        self.setFocusProxy(self._tabs)
        appearance.theme_changed.connect(self._color_status)

    def show_type(self, type_: ResourceType) -> None:
        """Shows the page of a type."""
        self.type = type_
        self._name.setText(type_.name.replace("::", "::\u200b"))
        self._name.setAccessibleName(type_.name)
        status = type_.support_status
        self._status.setText(status_sentence(status))
        self._status.setVisible(status.status is not Status.SUPPORTED or bool(status.version))
        self._color_status()
        self._show_properties()
        _show(self._attributes, attribute_branches(type_.attributes))
        _show(self._rules, rule_branches(type_, self._groups(type_)), unfold=True)
        self._show_snippet()
        self.set_filled(True)

    def _insert(self) -> None:
        if self.type is not None:
            self.insert_requested.emit(self.type.name)

    def _groups(self, type_: ResourceType) -> Iterable[PropertyGroup]:
        groups = self._session.groups
        return groups.groups(type_.name, type_.properties) if groups else ()

    def _make_head(self) -> QVBoxLayout:
        font = QFont(self.font())
        font.setPixelSize(16)
        font.setBold(True)
        self._name.setFont(font)
        self._name.setWordWrap(True)
        self._name.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._status.setWordWrap(True)
        self._status.setAccessibleName("Support status")
        insert = QPushButton("Insert resource")
        insert.setAccessibleName("Insert a resource of this type into the template")
        insert.clicked.connect(self._insert)
        self._hidden.setAccessibleName("Show hidden properties")
        self._hidden.toggled.connect(self._show_properties)
        buttons = QHBoxLayout()
        buttons.addWidget(insert)
        buttons.addStretch(1)
        buttons.addWidget(self._hidden)
        head = QVBoxLayout()
        head.setContentsMargins(EDGE, GAP, EDGE, GAP)
        head.setSpacing(GAP)
        head.addWidget(self._name)
        head.addWidget(self._status)
        head.addLayout(buttons)
        return head

    def _add_tree(self, title: str) -> QTreeView:
        view = QTreeView()
        dress_tree(view, self._appearance, title)
        view.setModel(FactModel())
        self._tabs.addTab(view, title)
        return view

    def _add_snippet(self) -> None:
        self._language.addItems([language.value for language in SnippetLanguage])
        self._language.currentIndexChanged.connect(self._show_snippet)
        self._full.setAccessibleName(_FULL)
        self._full.toggled.connect(self._show_snippet)
        copy = QPushButton("Copy")
        copy.setAccessibleName("Copy the snippet")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._snippet.toPlainText()))
        self._snippet.setReadOnly(True)
        self._snippet.setAccessibleName("Snippet")
        self._snippet.setFont(self._appearance.fixed_font())
        self._snippet.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self._snippet.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        page = QWidget()
        bar = QHBoxLayout()
        bar.setContentsMargins(EDGE, 4, EDGE, 4)
        bar.addWidget(self._language)
        bar.addWidget(self._full)
        bar.addStretch(1)
        bar.addWidget(copy)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(self._snippet)
        self._tabs.addTab(page, "Snippet")

    def _show_properties(self) -> None:
        if self.type is not None:
            _show(self._properties, property_branches(self.type.properties, self._hidden.isChecked()))

    def _show_snippet(self) -> None:
        if self.type is not None:
            language = SnippetLanguage(self._language.currentText())
            self._snippet.setPlainText(snippet(self.type, language, self._full.isChecked()))

    def _color_status(self) -> None:
        color = STATUS_LOOK[self.type.support_status.status][1] if self.type else Color.MUTED
        palette = self._status.palette()
        palette.setColor(palette.ColorRole.WindowText, self._appearance.theme.color(color))
        self._status.setPalette(palette)


def _show(view: QTreeView, branches: Iterable[Branch], unfold: bool = False) -> None:
    model = view.model()
    if isinstance(model, FactModel):
        model.set_branches(branches)
    if unfold:
        view.expandAll()
