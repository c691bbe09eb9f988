"""The picture as a file: painted in small steps, so that no key waits for it, and written by another thread."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QPointF, QRectF, QSaveFile, QSize, QTimer, Signal
from PySide6.QtGui import QImage, QImageWriter, QPaintDevice, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QStyleOptionGraphicsItem

from heatstudio.ui.appearance import Appearance
from heatstudio.ui.graph.scene import GraphScene, SceneCopy
from heatstudio.ui.jobs import Finish, Job, Jobs
from heatstudio.ui.theme import Color

LARGEST, MOST_PIXELS = 16_000, 80_000_000
"""Pixels of one side of a PNG, and of all of it; a larger picture is made smaller."""
SHARPNESS = 2.0
_BAND = 1_000_000
"""Pixels that are filled at once."""
_STEP = 0.008
"""Seconds that are painted at once."""
_GLANCE = 0.05
"""Seconds between two looks whether anybody still wants a picture."""
_COMPRESSION = 20
"""Of 100: pictures of cards and lines get hardly larger than at the most, and are written several times as fast."""


class Canvas:
    """What a picture is painted on, and how far the one who paints it is."""

    def __init__(self, device: QPaintDevice, ground: QRectF, factor: float, buffer: QBuffer | None = None) -> None:
        self.device, self.ground, self.factor, self.buffer = device, ground, factor, buffer
        self.is_painted = threading.Event()

    def bands(self) -> Iterator[QRectF]:
        """The ground in pieces that are filled in a moment; a drawing has one, which costs nothing."""
        width, height = self.ground.width(), self.ground.height()
        step = height if self.buffer is not None else max(1.0, _BAND // width)
        for at in range(math.ceil(height / step)):
            yield QRectF(0, at * step, width, step).intersected(self.ground)


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
            canvas = _svg_canvas(area) if path.suffix.lower() == ".svg" else _png_canvas(area)
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
        if not painter.begin(canvas.device):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for band in canvas.bands():
            painter.fillRect(band, self._appearance.theme.color(Color.EDITOR_GROUND))
            yield 0
        painter.scale(canvas.factor, canvas.factor)
        painter.translate(-area.topLeft())
        option = QStyleOptionGraphicsItem()
        for done, (item, opacity) in enumerate(copy.items(self._appearance), 1):
            if job.is_stopped:
                break
            painter.save()
            painter.translate(item.pos())
            painter.setOpacity(opacity)
            item.paint(painter, option)
            painter.restore()
            job.steps = done, len(copy)
            yield done
        painter.end()


def _svg_canvas(area: QRectF) -> Canvas:
    buffer, generator = QBuffer(), QSvgGenerator()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    ground = QRectF(0, 0, area.width(), area.height())
    generator.setOutputDevice(buffer)
    generator.setSize(area.size().toSize())
    generator.setViewBox(ground)
    generator.setTitle("Resources and what they need")
    return Canvas(generator, ground, 1.0, buffer)


def _png_canvas(area: QRectF) -> Canvas:
    width, height = max(area.width(), 1.0), max(area.height(), 1.0)
    factor = min(SHARPNESS, LARGEST / max(width, height), math.sqrt(MOST_PIXELS / (width * height)))
    size = QSize(max(1, int(width * factor)), max(1, int(height * factor)))
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    return Canvas(image, QRectF(QPointF(), size.toSizeF()), factor)


def _write(job: Job, canvas: Canvas, path: Path) -> bool:
    """Writes the file whole or not at all; False if it cannot be written."""
    file = QSaveFile(str(path))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly):
        return False
    if canvas.buffer is not None:
        content = canvas.buffer.data()
        whole = file.write(content) == content.size()
    else:
        writer = QImageWriter(file, QByteArray(b"png"))
        writer.setCompression(_COMPRESSION)
        whole = isinstance(canvas.device, QImage) and writer.write(canvas.device)
    if job.is_stopped or not whole:
        file.cancelWriting()
    return file.commit()
