"""The rest of the program goes on without a window that was closed."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from heatstudio.service.engine import Engine
from heatstudio.ui.commands.actions import PAGES
from heatstudio.ui.documents.settings import Settings
from heatstudio.ui.widgets.appearance import Appearance, Scheme
from heatstudio.ui.window.layout import PANES
from heatstudio.ui.window.window import Window
from heatstudio.ui.workspace.session import Session
from tests.ui.bench import make_bench
from tests.ui.conftest import close_documents
from tests.ui.opening import plan_of


def show_everything(window: Window) -> None:
    """Show the window with all its parts."""
    window.show()
    make_bench(window)
    for name in PANES:
        window.sides.show_pane(name)
    for name in PAGES:
        window.area.groups.show_panel(name)
    window.area.step(1)
    window.area.split(is_down=True)


def test_signals_reach_no_part_of_a_deleted_window(
    qtbot: QtBot, settings: Settings, appearance: Appearance, heat: Engine, file: Path
) -> None:
    session = Session(settings, lambda: heat)
    first, second = Window(session, appearance), Window(session, appearance)
    qtbot.addWidget(second, before_close_func=close_documents)
    first.files.open([str(file)])
    show_everything(first)
    show_everything(second)
    first.actions_by_name["settings"].trigger()
    first.actions_by_name["find"].trigger()
    first.close()
    delete(first)
    with qtbot.capture_exceptions() as exceptions:
        session.start()
        qtbot.waitUntil(lambda: session.catalog is not None)
        document = session.current
        assert document
        qtbot.waitUntil(lambda: plan_of(document) is not None)
        second.area.editor_of(document).apply_edits([])
        document.change(f"# changed\n{document.text}")
        qtbot.waitUntil(lambda: not session.is_outdated())
        session.set_target(session.target._replace(release="26.0.0"))
        session.open_folder(file.parent)
        session.new("heat_template_version: 2021-04-16\n")
        session.make_current(document)
        appearance.choose(Scheme.DARK)
        session.close(document)
        qtbot.waitUntil(lambda: not session.is_outdated())
    session.stop()
    assert exceptions == []
    assert not isValid(first)
