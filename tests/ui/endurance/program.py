"""The program in this process, with a separate folder for all files that it writes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog

from heatstudio.__main__ import main
from heatstudio.ui.window import app
from heatstudio.ui.window.window import Window
from heatstudio.ui.window.workbench import Workbench

_LOOK = 20


def use_home(home: Path) -> None:
    """Use a folder for settings, caches and backups of this process, without a cloud configuration."""
    settings = home / "CONFIG" / "heatstudio" / "heatstudio.conf"
    settings.parent.mkdir(parents=True)
    settings.write_text("[session]\nstarted=yes\n", "utf-8")  # no tour of the first start
    for name in [name for name in os.environ if name.startswith("OS_")]:
        del os.environ[name]
    os.environ |= {f"XDG_{kind}_HOME": str(home / kind) for kind in ("CACHE", "CONFIG", "DATA", "STATE")}
    os.environ |= {"HOME": str(home)}
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.chdir(home)


def run_program(files: Sequence[Path], use: Callable[[Window], object]) -> int:
    """Run the program as a user starts it, and call `use` with the window when the workbench exists."""
    make = app.make_application

    def make_application() -> QApplication:
        application = make()
        QTimer.singleShot(_LOOK, look)
        return application

    def look() -> None:
        found = [one for one in QApplication.topLevelWidgets() if isinstance(one, Window)]
        if found and found[0].findChild(Workbench) is not None and found[0].isVisible():
            use(found[0])
        else:
            QTimer.singleShot(_LOOK, look)

    app.make_application = make_application
    sys.argv[1:] = [str(file) for file in files]
    return main()


def answer_file_dialogs(choose: Callable[[], Path], choose_new: Callable[[], Path], folder: Path) -> None:
    """Replace Qt's file dialogs with fixed answers, since random keys in the dialogs could delete files."""

    def one(*_: object, **__: object) -> tuple[str, str]:
        return str(choose()), ""

    def several(*_: object, **__: object) -> tuple[list[str], str]:
        return [str(choose()), str(choose())], ""

    def new(*_: object, **__: object) -> tuple[str, str]:
        return str(choose_new()), ""

    for name, answer in (
        ("getOpenFileName", one),
        ("getOpenFileNames", several),
        ("getSaveFileName", new),
        ("getExistingDirectory", lambda *_, **__: str(folder)),
    ):
        setattr(QFileDialog, name, staticmethod(answer))
