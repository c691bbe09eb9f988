"""What the picture as a file is painted on."""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRectF, QSaveFile, QSize
from PySide6.QtGui import QImage, QImageWriter, QPaintDevice
from PySide6.QtSvg import QSvgGenerator

from heatstudio.ui.tasks.jobs import Job

LARGEST, MOST_PIXELS = 16_000, 80_000_000
"""Pixels of one side of a PNG, and of all of it; a larger picture is made smaller."""
SHARPNESS = 2.0
_BAND = 125_000
"""Pixels that are filled at once: few, because the system gives the memory of a picture where it is first touched."""
_COMPRESSION = 20
"""Of 100: pictures of cards and lines get hardly larger than at the most, and are written several times as fast."""
_PART = 200
"""So many cards and lines make one part of a drawing."""


class Canvas(ABC):
    """The thread that shows opens it and paints; `write` is for another thread, after that."""

    def __init__(self, ground: QRectF, factor: float = 1.0) -> None:
        self.ground, self.factor = ground, factor
        self.is_painted = threading.Event()

    @abstractmethod
    def open(self) -> QPaintDevice:
        """What is painted on next."""

    def is_full(self, _painted: int) -> bool:
        """Whether what comes next is to be painted on another device, when so many cards and lines are painted."""
        return False

    def bands(self) -> Iterator[QRectF]:
        """The ground in pieces that are filled in a moment."""
        yield self.ground

    @abstractmethod
    def write(self, job: Job, file: QSaveFile) -> bool:
        """Whether all of it could be written."""


class Photograph(Canvas):
    """Pixels, which become PNG."""

    def __init__(self, area: QRectF) -> None:
        width, height = max(area.width(), 1.0), max(area.height(), 1.0)
        factor = min(SHARPNESS, LARGEST / max(width, height), math.sqrt(MOST_PIXELS / (width * height)))
        size = QSize(max(1, int(width * factor)), max(1, int(height * factor)))
        super().__init__(QRectF(QPointF(), size.toSizeF()), factor)
        self._image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)

    def open(self) -> QPaintDevice:
        """The whole picture."""
        return self._image

    def bands(self) -> Iterator[QRectF]:
        """The ground in pieces that are filled in a moment."""
        width, height = self.ground.width(), self.ground.height()
        step = max(1.0, _BAND // width)
        for at in range(math.ceil(height / step)):
            yield QRectF(0, at * step, width, step).intersected(self.ground)

    def write(self, _job: Job, file: QSaveFile) -> bool:
        """Whether all of it could be written."""
        writer = QImageWriter(file, QByteArray(b"png"))
        writer.setCompression(_COMPRESSION)
        return writer.write(self._image)


class Drawing(Canvas):
    """Shapes and words, which become SVG: several drawings of the same size, and one file of what is in them.

    Qt writes a drawing down when it is ended, all of it at once, and meanwhile nothing else runs, in no thread.
    """

    def __init__(self, area: QRectF) -> None:
        super().__init__(QRectF(0, 0, area.width(), area.height()))
        self._parts: list[tuple[QSvgGenerator, QBuffer]] = []

    def open(self) -> QPaintDevice:
        """A part of the drawing."""
        generator, buffer = QSvgGenerator(), QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        generator.setOutputDevice(buffer)
        generator.setSize(self.ground.size().toSize())
        generator.setViewBox(self.ground)
        generator.setTitle("Dependency graph")
        self._parts.append((generator, buffer))
        return generator

    def is_full(self, painted: int) -> bool:
        """Whether the next part begins."""
        return painted % _PART == 0

    def write(self, job: Job, file: QSaveFile) -> bool:
        """Whether all of it could be written."""
        parts = [buffer.data() for _, buffer in self._parts]
        for number, part in enumerate(parts):
            job.check()
            head, inside, tail = _pieces(bytes(part.data()))
            piece = (b"" if number else head) + inside + (tail if number == len(parts) - 1 else b"")
            if file.write(piece) != len(piece):
                return False
        return True


def _pieces(drawing: bytes) -> tuple[bytes, bytes, bytes]:
    """What stands before, in and behind the group around all that was painted."""
    begin = drawing.index(b">", drawing.index(b"<g", drawing.index(b"</defs>"))) + 1
    end = drawing.rindex(b"</g>")
    return drawing[:begin], drawing[begin:end], drawing[end:]
