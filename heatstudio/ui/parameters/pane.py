"""The form of parameters, whose values are used for checks and preview."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QMenu, QPushButton, QScrollArea
from shiboken6 import isValid

from heatstudio.analysis import Analysis
from heatstudio.analysis.tree_parameters import tree_parameters
from heatstudio.stack.parameter_form import FormField, ParameterForm, parameter_form
from heatstudio.ui.documents.document import Document
from heatstudio.ui.parameters.form_page import FormPage, ParameterRow, Place, shape_of, show_fields, typed_values
from heatstudio.ui.parameters.written import ValueLines, line_in, write_values
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.layouts import in_row
from heatstudio.ui.widgets.panel import EDGE, GAP, EmptyState
from heatstudio.ui.widgets.plain_text import PlainLabel
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.workspace.document_panel import DocumentPanel
from heatstudio.ui.workspace.session import Session

_EMPTY = ("The parameters of the template appear here", "Ctrl+Alt+X extracts a parameter from the value at the cursor.")
_AT_ONCE = 12
"""The number of rows that are created together; more are created on scrolling to the end."""
_FILES = "Environment files (*.yaml *.yml *.env);;All files (*)"


class ParametersPane(DocumentPanel):
    """The pane of parameters; rows are kept while the declarations are unchanged, to not disturb typing."""

    values_changed = Signal(object, dict, dict)
    """The document, the typed values by parameter name, and those for nested templates, as plain data."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__("Parameters", EmptyState(appearance, "parameters", *_EMPTY), session)
        self._appearance = appearance
        self._asked: Analysis | None = None
        self._shape: object = None
        self._page: FormPage | None = None
        self._form: ParameterForm | None = None
        self._lines: Mapping[Place, int | None] = {}
        self.rows: dict[str, ParameterRow] = {}
        self.nested_rows: dict[str, ParameterRow] = {}
        self.reported = PlainLabel(wraps=True)
        self.write = QPushButton("Write to Environment…")
        self._area = QScrollArea(widgetResizable=True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setAccessibleName("Parameters")
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._growth = QTimer(self, singleShot=True, interval=0)
        self._growth.timeout.connect(self._grow)
        self._area.verticalScrollBar().valueChanged.connect(lambda _value: self._growth.start())
        self._area.verticalScrollBar().rangeChanged.connect(lambda _least, _most: self._growth.start())
        self.reported.setContentsMargins(EDGE, 4, EDGE, 4)
        self.reported.setAccessibleDescription("Environment details")
        self.set_content(self._make_bar(), self.reported, self._area)
        appearance.theme_changed.connect(self._restyle)
        self.values_changed.connect(session.set_parameter_values)

    def values(self) -> dict[str, object]:
        """Return the typed values by parameter name."""
        given = self._document.parameter_values if self._document is not None else {}
        return self._with_waiting(self.rows, self._form.fields if self._form is not None else {}, given)

    def nested_values(self) -> dict[str, object]:
        """Return the typed values for parameters of nested templates."""
        given = self._document.parameter_defaults if self._document is not None else {}
        return self._with_waiting(self.nested_rows, self._form.nested_fields if self._form is not None else {}, given)

    @staticmethod
    def _with_waiting(
        rows: Mapping[str, ParameterRow], fields: Mapping[str, FormField], given: Mapping[str, object]
    ) -> dict[str, object]:
        """Return the typed values, including those for rows that are not created yet."""
        waiting = {name: value for name, value in given.items() if name in fields and name not in rows}
        return waiting | typed_values(rows)

    def refresh(self) -> None:
        """Request the form of the last analyzed template, unless the pane is hidden."""
        analysis = self.analysis
        if analysis is None or analysis.stack is None:
            self._asked = None
            self.show_nothing(*_EMPTY)
        elif self.isVisible() and analysis is not self._asked:
            self._asked = analysis
            self._session.run("Loading parameters", lambda *_: _read(analysis), partial(self._show, analysis))

    def write_to(self, path: Path) -> None:
        """Write the typed values into an environment file, and keep its other content."""
        document, values, defaults = self._document, self.values(), self.nested_values()
        if document is None or not (values or defaults):
            return
        if any(one.path == path and one.modified for one in self._session.documents):
            self._say(f"Not written: save {path.name}, then try again.", Color.ERROR)
            return
        write, take = partial(write_values, path, values, defaults), partial(self._take_written, document, path)
        self._session.disk.run(f"Writing {path.name}", write, take)

    def _take_written(self, document: Document, path: Path, fault: str | None) -> None:
        if not isValid(self) or document not in self._session.documents:
            return
        if fault is not None:
            self._say(fault, Color.ERROR)
            return
        if document is self._document:
            for row in self._all_rows():
                row.input.set_text(None)
        if path not in document.environments:
            self._session.set_environments(document, (*document.environments, path))
        self.values_changed.emit(document, {}, {})
        self._session.check_all()
        self._say(f"Written to {path.name}.", Color.MUTED)

    def _show(self, analysis: Analysis, read: tuple[ParameterForm, Mapping[Place, int | None], list[str]]) -> None:
        if not isValid(self) or analysis is not self._asked or self._document is None:
            return
        form, lines, unknown = read
        shape = (self._document, shape_of(form.groups), shape_of(form.nested))
        self._form, self._lines = form, lines
        if shape != self._shape:
            self._shape = shape
            self._build(form)
        else:
            self._fill(self.rows, self.nested_rows)
        self._say(" ".join(unknown), Color.WARNING)
        self.write.setEnabled(bool(self.values() or self.nested_values()))
        self.set_filled(bool(form.groups or form.nested))

    def _build(self, form: ParameterForm) -> None:
        page = FormPage(form, self._appearance)
        self.rows, self.nested_rows = page.rows, page.nested_rows
        page.row_made.connect(self._take_row)
        self._page = page
        self._area.setWidget(page)
        page.grow(_AT_ONCE)

    def _grow(self) -> None:
        """Create more rows if the form is scrolled to its end."""
        bar = self._area.verticalScrollBar()
        if self._page is not None and not self._page.is_whole and bar.value() + bar.pageStep() >= bar.maximum():
            self._page.grow(_AT_ONCE)

    def _take_row(self, row: ParameterRow) -> None:
        name = row.field.name
        row.changed.connect(self._take)
        if row.field.uses:
            self._fill({}, {name: row})
        else:
            self._fill({name: row}, {})
        if len(self._all_rows()) == 1:
            self.lead_to(row.input.widget)

    def _fill(self, rows: Mapping[str, ParameterRow], nested_rows: Mapping[str, ParameterRow]) -> None:
        """Show the current state of parameters in their rows."""
        document, form = self._document, self._form
        if document is not None and form is not None:
            show_fields(rows, form.fields, document.parameter_values, self._lines)
            show_fields(nested_rows, form.nested_fields, document.parameter_defaults, self._lines)

    def _all_rows(self) -> tuple[ParameterRow, ...]:
        return (*self.rows.values(), *self.nested_rows.values())

    def _take(self) -> None:
        values, defaults = self.values(), self.nested_values()
        self.write.setEnabled(bool(values or defaults))
        if self._document is not None:
            self.values_changed.emit(self._document, values, defaults)

    def _make_bar(self) -> QHBoxLayout:
        self.write.setAccessibleName("Write the entered values to an environment file")
        self.write.setEnabled(False)
        menu = QMenu(self.write)
        menu.setAccessibleName("Environment files")
        menu.aboutToShow.connect(lambda: self._offer(menu))
        self.write.setMenu(menu)
        return in_row(1, self.write, edges=(EDGE, 4, EDGE, 4), gap=GAP)

    def _offer(self, menu: QMenu) -> None:
        menu.clear()
        for path in self._document.environments if self._document is not None else ():
            action = QAction(path.name, menu)
            action.triggered.connect(lambda _checked, path=path: self.write_to(path))
            menu.addAction(action)
        other = QAction("A File…" if menu.isEmpty() else "Another File…", menu)
        if not menu.isEmpty():
            menu.addSeparator()
        other.triggered.connect(self._ask_and_write)
        menu.addAction(other)

    def _ask_and_write(self) -> None:
        folder = self._document.path.parent if self._document is not None and self._document.path else Path()
        options = QFileDialog.Option.DontConfirmOverwrite
        name, _ = QFileDialog.getSaveFileName(
            self, "Write to Environment", str(folder / "environment.yaml"), _FILES, options=options
        )
        if name:
            self.write_to(Path(name))

    def _say(self, words: str, color: Color) -> None:
        self.reported.setText(without_marks(words))
        self.reported.setVisible(bool(words))
        self.reported.set_color(self._appearance.theme.color(color))

    def _restyle(self) -> None:
        for row in self._all_rows():
            row.restyle()


def _read(analysis: Analysis) -> tuple[ParameterForm, Mapping[Place, int | None], list[str]]:
    """Return the form, the lines of its values, and sentences about unknown parameters (in a thread)."""
    form = replace(parameter_form(analysis.stack), nested=tree_parameters(analysis))
    lines = ValueLines(analysis)
    fields = (*form.fields.values(), *form.nested_fields.values())
    written = {(field.fallback.file, field.fallback.path) for field in fields}
    places = {place: lines.of(*place) for place in written}
    own = (field.fallback.path for field in form.fields.values() if field.fallback.file is None)
    places |= {(None, path): line_in(analysis.template, path) for path in own if path}
    return form, places, [_flag(one.message, one.file, lines.of(one.file, one.path)) for one in form.unknown]


def _flag(message: str, file: str | None, line: int | None) -> str:
    where = f"{Path(file).name}: " if file is not None and line is None else ""
    where = f"{Path(file).name}, line {line}: " if file is not None and line is not None else where
    return f"{where}{message}"
