"""The form of parameters, whose values are used for checks and preview, and written to environment files."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QFileDialog, QFrame, QMenu, QPushButton, QScrollArea, QWidget
from shiboken6 import isValid

from heatstudio.analysis import Analysis
from heatstudio.analysis.tree_parameters import tree_parameters
from heatstudio.service.inputs.environments import environments_among
from heatstudio.service.inputs.folder_files import files_in
from heatstudio.stack.inputs.environment import PARAMETER_DEFAULTS
from heatstudio.stack.parameter_form import (
    FormField,
    ParameterForm,
    matching,
    missing_first,
    parameter_form,
    with_values,
)
from heatstudio.template import CannotEditError, Part, Template, parse_environment
from heatstudio.text import DocumentError, FileDocument, LineIndex, read_document, save_document, stamp_of
from heatstudio.text.invisible import visible
from heatstudio.ui.documents.document import Document
from heatstudio.ui.parameters.form_page import FormPage, ParameterRow, Place, shape_of, show_fields, typed_values
from heatstudio.ui.widgets import EDGE, GAP, Appearance, ElidedLabel, EmptyState, PlainLabel, in_column, in_row, plain
from heatstudio.ui.widgets.code_text import without_marks
from heatstudio.ui.widgets.search_field import SearchField
from heatstudio.ui.widgets.theme import Color
from heatstudio.ui.workspace.document_panel import DocumentPanel
from heatstudio.ui.workspace.session import Session


class ValueLines:
    """The lines of values in the files of an analysis, saved or not; each file is parsed once."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._read: dict[str, Template | None] = {}

    def of(self, file: str | None, path: tuple[str | int, ...]) -> int | None:
        """Return the line of a value, from 1; None if it is in no readable file."""
        if file is None:
            return None
        if file not in self._read:
            text = self._analysis.environment_text(file) or self._analysis.source.files.get(file)
            self._read[file] = _environment_in(text)
        environment = self._read[file]
        return line_in(environment, path) if environment is not None else None


def line_in(written: Template, path: tuple[str | int, ...]) -> int | None:
    """Return the line of a key, from 1; None if there is none."""
    if written.find(path) is None:
        return None
    return LineIndex(written.text).position(written.locate(path, Part.KEY).start).line + 1


def _environment_in(text: object) -> Template | None:
    return parse_environment(text) if isinstance(text, str) else None


def write_values(path: Path, values: Mapping[str, object], defaults: Mapping[str, object]) -> str | None:
    """Write values, and defaults for nested templates, into an environment file, which is created if necessary.

    Return an error message; None on success.
    """
    try:
        document = read_document(path) if stamp_of(path) else FileDocument("", path)
        text = with_values(document.text, values) if values else document.text
        text = with_values(text, defaults, PARAMETER_DEFAULTS) if defaults else text
        save_document(document.with_text(text))
    except DocumentError as error:
        return error.message
    except CannotEditError as error:
        return error.reason
    return None


_EMPTY = ("The parameters of the template appear here", "Ctrl+Alt+X extracts a parameter from the value at the cursor.")
_AT_ONCE = 24
"""The number of rows that are created together; more are created on scrolling to the end."""
_SIDE = 300
"""The width of the details beside the table; they are above it in a pane that is not wide enough."""
_WIDE = 760
_DETAIL_LINES = 2
_UNLIMITED = 16_777_215
"""Qt's maximum size of a widget that has none."""
_FILES = "Environment files (*.yaml *.yml *.env);;All files (*)"


class ParametersPane(DocumentPanel):
    """The pane of parameters; rows are kept while the declarations are unchanged, to not disturb typing."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__("Parameters", EmptyState(appearance, "parameters", *_EMPTY), session)
        self._appearance = appearance
        self._asked: Analysis | None = None
        self._shape: object = None
        self._page: FormPage | None = None
        self._detailed: ParameterRow | None = None
        self._form = ParameterForm()
        self._lines: Mapping[Place, int | None] = {}
        self.rows: dict[str, ParameterRow] = {}
        self.nested_rows: dict[str, ParameterRow] = {}
        self.reported = PlainLabel(wraps=True)
        self.filter = SearchField(appearance, "Filter parameters")
        self.filter.searched.connect(self._filter)
        self.filter.left_downwards.connect(self._enter_table)
        self._title = ElidedLabel()
        self._title.set_bold()
        self.details = PlainLabel(wraps=True)
        self.details.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.details.setAccessibleDescription("The focused parameter")
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
        self._prepare_writing()
        self._head = in_row((self.filter, 1), self.write, gap=GAP)
        self._side = QWidget()
        in_column(self._head, self._title, (self.details, 1), of=self._side, edges=(EDGE, 4, EDGE, 4), gap=4)
        self._body = in_row(self._side, (self._area, 1), gap=0)
        self.set_content(self.reported, self._body)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)
        appearance.theme_changed.connect(self._restyle)
        appearance.scale_changed.connect(self._build)

    def values(self) -> dict[str, object]:
        """Return the typed values by parameter name."""
        given = self._document.parameter_values if self._document is not None else {}
        return self._with_waiting(self.rows, self._form.fields, given)

    def nested_values(self) -> dict[str, object]:
        """Return the typed values for parameters of nested templates."""
        given = self._document.parameter_defaults if self._document is not None else {}
        return self._with_waiting(self.nested_rows, self._form.nested_fields, given)

    @staticmethod
    def _with_waiting(
        rows: Mapping[str, ParameterRow], fields: Mapping[str, FormField], given: Mapping[str, object]
    ) -> dict[str, object]:
        """Return the typed values, including those for rows that are not created yet."""
        waiting = {name: value for name, value in given.items() if name in fields and name not in rows}
        return waiting | typed_values(rows)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the filter and the details beside the table if the pane is wide enough, otherwise above it."""
        super().resizeEvent(event)
        is_wide, box = self.width() >= _WIDE, QBoxLayout.Direction
        self._body.setDirection(box.RightToLeft if is_wide else box.TopToBottom)
        self._head.setDirection(box.TopToBottom if is_wide else box.LeftToRight)
        self._side.setMaximumWidth(_SIDE if is_wide else _UNLIMITED)
        self._side.setMinimumWidth(_SIDE if is_wide else 0)
        lines = self.details.fontMetrics().lineSpacing() * _DETAIL_LINES
        self.details.setMaximumHeight(_UNLIMITED if is_wide else lines)
        self.details.setMinimumHeight(0 if is_wide else lines)

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
        self._session.set_parameter_values(document, {}, {})
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
            self._build()
        else:
            self._fill(self.rows, self.nested_rows)
        self._say(" ".join(unknown), Color.WARNING)
        self.write.setEnabled(bool(self.values() or self.nested_values()))
        self.set_filled(bool(form.groups or form.nested))

    def _filter(self, query: str) -> None:
        self._build()
        self._say("" if self.rows or self.nested_rows else f"No parameter matches “{query}”.", Color.MUTED)

    def _build(self) -> None:
        """Create the rows of the parameters that match the filter."""
        shown, query = self._form, self.filter.text()
        groups, nested = matching(shown.groups, query), matching(shown.nested, query)
        page = FormPage(replace(shown, groups=groups, nested=nested), self._appearance)
        self.rows, self.nested_rows = page.rows, page.nested_rows
        page.row_made.connect(self._take_row)
        self._page = page
        self._area.setWidget(page)
        page.grow(_AT_ONCE)
        first = next(iter(self._all_rows()), None)
        self.lead_to(first.input.widget if first is not None else self.filter)
        self._show_details(first)

    def _enter_table(self) -> None:
        for row in self._all_rows()[:1]:
            row.input.widget.setFocus()

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and isinstance(row := new.parent(), ParameterRow) and row in self._all_rows():
            self._show_details(row)

    def _show_details(self, row: ParameterRow | None) -> None:
        """Show everything about a parameter beside the table."""
        self._detailed = row
        self._title.setText(f"{row.field.title} · {row.kind()}" if row is not None else "")
        self.details.setText(row.details if row is not None else "")
        self.details.setToolTip(plain(self.details.text()))

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

    def _fill(self, rows: Mapping[str, ParameterRow], nested_rows: Mapping[str, ParameterRow]) -> None:
        """Show the current state of parameters in their rows."""
        document, form = self._document, self._form
        if document is not None:
            show_fields(rows, form.fields, document.parameter_values, self._lines)
            show_fields(nested_rows, form.nested_fields, document.parameter_defaults, self._lines)
            self._show_details(self._detailed)

    def _all_rows(self) -> tuple[ParameterRow, ...]:
        return (*self.rows.values(), *self.nested_rows.values())

    def _take(self) -> None:
        values, defaults = self.values(), self.nested_values()
        self.write.setEnabled(bool(values or defaults))
        self._show_details(self._detailed)
        if self._document is not None:
            self._session.set_parameter_values(self._document, values, defaults)

    def _prepare_writing(self) -> None:
        self.write.setAccessibleName("Write the entered values to an environment file")
        self.write.setEnabled(False)
        menu = QMenu(self.write)
        menu.setAccessibleName("Environment files")
        menu.aboutToShow.connect(self._offer)
        self.write.setMenu(menu)

    def _offer(self) -> None:
        """Offer the environments of the template, then those beside it, which are found in a thread."""
        document = self._document
        self._show_offers(document, ())
        if document is not None and (path := document.path) is not None:
            self._session.run(
                "Finding environments",
                lambda *_: list(environments_among(map(Path, files_in(path.parent, deep=False)))),
                partial(self._show_offers, document),
            )

    def _show_offers(self, document: Document | None, near: Sequence[Path]) -> None:
        if not isValid(self) or document is not self._document:
            return
        menu, used = self.write.menu(), document.environments if document is not None else ()
        menu.clear()
        for path in dict.fromkeys((*used, *near)):
            detail = "" if path in used else "\tnot used yet"
            menu.addAction(f"{visible(path.name).replace('&', '&&')}{detail}", partial(self.write_to, path))
        menu.addSeparator()
        menu.addAction("New or Other File…", self._ask_and_write)

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
            row.judge()


def _read(analysis: Analysis) -> tuple[ParameterForm, Mapping[Place, int | None], list[str]]:
    """Return the form, the lines of its values, and sentences about unknown parameters (in a thread)."""
    whole = parameter_form(analysis.stack)
    form = replace(whole, groups=missing_first(whole.groups), nested=tree_parameters(analysis))
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
