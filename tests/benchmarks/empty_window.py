"""An empty window, the reference for the cost of a window."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QMainWindow

from tests.benchmarks.window_loop import TYPING, replace_loop


def show(task: str, file: str) -> None:
    """Show an empty window; for typing, with the text of the file in a plain QPlainTextEdit."""
    replace_loop(task)
    application = QApplication([])
    window = QMainWindow()
    if task in TYPING:
        from pathlib import Path

        from PySide6.QtWidgets import QPlainTextEdit

        window.setCentralWidget(QPlainTextEdit(Path(file).read_text("utf-8")))
    window.resize(900, 700)
    window.show()
    application.exec()
