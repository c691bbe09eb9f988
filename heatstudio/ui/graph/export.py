"""The picture as a file: painted in small steps, so that no key waits for it, and written by another thread."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QIODevice, QObject, QRectF, QSaveFile, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem

from heatstudio.ui.graph.canvas import Canvas, Drawing, Photograph
from heatstudio.ui.graph.scene import GraphScene, SceneCopy
from heatstudio.ui.tasks.jobs import Finish, Job, Jobs
from heatstudio.ui.widgets.appearance import Appearance
from heatstudio.ui.widgets.theme import Color

_STEP = 0.008
"""Seconds that are painted at once."""
_GLANCE = 0.05
"""Seconds between two looks whether anybody still wants a picture."""


class Exporter(QObject):
    """Keeps the picture as it is when it is asked to: what is shown meanwhile may become another one."""

    exported = Signal(Path, bool)
    """Which file was written, and whether it could be."""
    _canvas_ready = Signal(object, object, object)

    def __init__(self, jobs: Jobs, appearance: Appearance, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._appearance = jobs, appearance
        self._canvas_ready.connect(self._paint)

    def export(self, scene: GraphScene, path: Path) -> None:
        """Writes the whole picture as SVG or PNG, as the name of the file says."""
        area = scene.sceneRect()
        copy = scene.copy()
        if copy is None:
            return

        def work(job: Job) -> Finish:
            canvas = Drawing(area) if path.suffix.lower() == ".svg" else Photograph(area)
            self._canvas_ready.emit(job, canvas, (area, copy))
            while not canvas.is_painted.wait(_GLANCE):
                job.check()
            written = _write(job, canvas, path)
            job.check()
            return partial(self.exported.emit, path, written)

        self._jobs.start(f"Exporting {path.name}", work)

    def _paint(self, job: Job, canvas: Canvas, picture: tuple[QRectF, SceneCopy]) -> None:
        """Called by the thread that shows: only there are fonts and icons to be had."""
        steps = self._painting(job, canvas, *picture)
        timer = QTimer(self, interval=0)

        def go_on() -> None:
            until = time.monotonic() + _STEP
            while time.monotonic() < until:
                if next(steps, None) is None:
                    timer.stop()
                    timer.deleteLater()
                    canvas.is_painted.set()
                    return

        timer.timeout.connect(go_on)
        timer.start()

    def _painting(self, job: Job, canvas: Canvas, area: QRectF, copy: SceneCopy) -> Iterator[int]:
        """Paints one item after the other."""
        painter = QPainter()
        if not painter.begin(canvas.open()):
            return
        for band in canvas.bands():
            painter.fillRect(band, self._appearance.theme.color(Color.EDITOR_GROUND))
            yield 0
        _aim(painter, canvas, area)
        option = QStyleOptionGraphicsItem()
        for done, (item, opacity) in enumerate(copy.items(self._appearance), 1):
            if job.is_stopped:
                break
            painter.save()
            painter.translate(item.pos())
            painter.setOpacity(opacity)
            item.paint(painter, option)
            painter.restore()
            if canvas.is_full(done):
                painter.end()
                painter.begin(canvas.open())
                _aim(painter, canvas, area)
            job.steps = done, len(copy)
            yield done
        painter.end()


def _aim(painter: QPainter, canvas: Canvas, area: QRectF) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(canvas.factor, canvas.factor)
    painter.translate(-area.topLeft())


def _write(job: Job, canvas: Canvas, path: Path) -> bool:
    """Writes the file whole or not at all; False if it cannot be written."""
    file = QSaveFile(str(path))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly):
        return False
    whole = canvas.write(job, file)
    if job.is_stopped or not whole:
        file.cancelWriting()
    return file.commit()
