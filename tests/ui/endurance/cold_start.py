"""Comparison of the window's state with that of a new window."""

from __future__ import annotations

import difflib
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QAbstractItemModel, QEventLoop, QModelIndex, QSettings, QTimer

from heatstudio.service.engine import Engine
from heatstudio.ui.documents.document import Baseline, Document
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.problems.table import Grouping, Scope
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from heatstudio.update.plan.plan_text import plan_data
from tests.ui.bench import bench, make_bench
from tests.ui.opening import plan_of

_PATIENCE = 60.0
_NEWS = 1500
"""Milliseconds until changes on disk are detected."""
_MOST_LINES, _MOST_TEXT = 40, 3000


def differences(window: Window, home: Path) -> list[str]:
    """Return the differences between the window's data about its documents and those of a new window."""
    window.session.check_disk()
    bench(window).folder_problems.go_on()  # resume a canceled check
    rest(_NEWS)
    warm, cold = window, _cold_window(window, home)
    found = []
    for document, twin in zip(warm.session.documents, cold.session.documents, strict=True):
        lines = list(difflib.unified_diff(_said(cold, twin), _said(warm, document), "cold", "warm", lineterm="", n=0))
        if lines:
            shown = lines[:_MOST_LINES]
            found.append("\n".join([f"{document.title} after a cold start:", *shown, document.text[:_MOST_TEXT]]))
    for twin in cold.session.documents:
        cold.session.close(twin)
    cold.close()
    cold.session.stop()
    return found


def _cold_window(warm: Window, home: Path) -> Window:
    """Return a window with a new engine and the same open texts."""
    settings = home / "cold.conf"
    shutil.copy(home / "CONFIG" / "heatstudio" / "heatstudio.conf", settings)
    session = Session(Settings(QSettings(str(settings), QSettings.Format.IniFormat)), Engine)
    window = Window(session, warm.appearance)
    make_bench(window)
    window.resize(warm.size())
    window.show()
    for document in warm.session.documents:
        twin = (
            session.restore(document.text, document.path, document.stamp)
            if document.path
            else session.begin(document.saved_text, document.title)
        )
        window.area.editor_of(twin).replace_text(document.text)
        twin.stack, twin.is_view = document.stack, document.is_view
        twin.environments, twin.old_environments = document.environments, document.old_environments
        twin.parameter_values, twin.parameter_defaults = document.parameter_values, document.parameter_defaults
        old = document.baseline
        twin.baseline = old if old.text is not None else Baseline(old.label, document.saved_text)
    session.take_cloud(warm.session.cloud)
    session.start()
    session.check_all()
    for one in (warm, window):  # the new window has no folder
        bench(one).problems.bar.scopes.setCurrentText(Scope.CURRENT)
        bench(one).problems.bar.groupings.setCurrentText(Grouping.SEVERITY)
    bench(window).outline.filter.setText(bench(warm).outline.filter.text())
    bench(window).problems.bar.filter.setText(bench(warm).problems.bar.filter.text())
    for severity, shown in bench(window).problems.bar.toggles.items():
        shown.setChecked(bench(warm).problems.bar.toggles[severity].isChecked())
    for outcome, button in bench(window).preview._outcomes.items():
        button.setChecked(bench(warm).preview._outcomes[outcome].isChecked())
    return window


def _said(window: Window, document: Document) -> list[str]:
    """Return all data that the window shows about a document, as lines."""
    session = window.session
    session.make_current(document)
    wait(lambda: not session.is_analyzing)
    for name in ("Outline", "Preview", "Problems"):
        window.sides.show_pane(name)
    rest(300)
    wait(lambda: not session.is_analyzing and not bench(window).folder_problems.is_under_way)
    for pane in (bench(window).outline, bench(window).preview, bench(window).problems):
        pane.refresh()
    rest(50)
    editor = window.area.editor
    assert editor is not None
    lines = [f"title {document.title} {document.modified=}"]
    lines += [f"problem {one.code} {one.span} {one.message}" for one in document.problems or ()]
    state = document.state
    lines += [f"complaint {one}" for one in (*state.complaints, *state.old_complaints)] if state is not None else []
    lines += [f"mark {one.start} {one.end} {one.mark.code}" for one in editor.decorations.marks.all()]
    plan = plan_of(document)
    if plan is None or not (plan.refusals or plan.unread):  # otherwise the outcomes of an earlier text stay
        lines += [f"outcome in line {line}: {kind}" for line, kind in sorted(editor.decorations.changes.items())]
    if plan is not None:
        lines += [f"plan {change}" for change in plan_data(plan).items()]
    for name, model in (
        ("outline", bench(window).outline.model),
        ("preview", bench(window).preview.model),
        ("problems", bench(window).problems.model),
    ):
        lines += [f"{name} {row}" for row in _rows(model, QModelIndex())]
    return lines


def _rows(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[str]:
    for row in range(model.rowCount(parent)):
        cells = [str(model.index(row, column, parent).data()) for column in range(model.columnCount(parent))]
        yield " | ".join(cells)
        yield from (f"  {line}" for line in _rows(model, model.index(row, 0, parent)))


def wait(is_so: Callable[[], bool]) -> None:
    """Run the event loop until a condition is true, or until a timeout."""
    until = time.monotonic() + _PATIENCE
    while not is_so() and time.monotonic() < until:
        rest(20)


def rest(milliseconds: int) -> None:
    """Run the event loop for some milliseconds; `QTest.qWait` would hold the global interpreter lock."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
