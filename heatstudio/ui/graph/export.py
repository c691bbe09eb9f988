"""Export the graph: a picture, painted in small steps and written by a thread, or Mermaid text."""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from PySide6 import QtCore
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QPointF, QRectF, QSaveFile, QSize, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPaintDevice, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QStyleOptionGraphicsItem

from heatstudio.analysis.resource_graph import EdgeKind, ResourceGraph
from heatstudio.service.workspace.job import Job
from heatstudio.text.markup import Markup
from heatstudio.ui.graph.scene import NOT_DRAWN, GraphScene, SceneCopy
from heatstudio.ui.tasks.jobs import Finish, Jobs
from heatstudio.ui.widgets import Appearance, Color

LARGEST, MOST_PIXELS = 16_000, 80_000_000
"""The maximum pixels of a side of a PNG, and of the whole; a larger picture is scaled down."""
SHARPNESS = 2.0
_BAND = 125_000
"""Pixels filled at once: few, as the system allocates the memory of an image at its first access."""
_COMPRESSION = 20
"""The PNG compression, up to 100: files are hardly larger than at 100, and written several times as fast."""
_PART = 200
"""The number of cards and lines in one part of a drawing."""
_STEP = 0.008
"""Seconds of painting per turn of the event loop."""


class Canvas(ABC):
    """The target of an export, painted in the GUI thread, then written in another thread."""

    def __init__(self, ground: QRectF, factor: float = 1.0) -> None:
        self.ground, self.factor = ground, factor

    @abstractmethod
    def open(self) -> QPaintDevice:
        """Return the device for the next part of the picture."""

    def bands(self) -> Iterator[QRectF]:
        """Yield the background in pieces that are quickly filled."""
        yield self.ground

    @abstractmethod
    def write(self, job: Job, file: QIODevice) -> bool:
        """Write the picture to a file, and return whether all of it was written."""


class PngImage(Canvas):
    """A pixel image, written as PNG."""

    def __init__(self, area: QRectF) -> None:
        width, height = max(area.width(), 1.0), max(area.height(), 1.0)
        factor = min(SHARPNESS, LARGEST / max(width, height), math.sqrt(MOST_PIXELS / (width * height)))
        size = QSize(max(1, int(width * factor)), max(1, int(height * factor)))
        super().__init__(QRectF(QPointF(), size.toSizeF()), factor)
        self._image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)

    def open(self) -> QPaintDevice:
        """Return the image."""
        return self._image

    def bands(self) -> Iterator[QRectF]:
        """Yield the background in pieces that are quickly filled."""
        width, height = self.ground.width(), self.ground.height()
        step = max(1.0, _BAND // width)
        for at in range(math.ceil(height / step)):
            yield QRectF(0, at * step, width, step).intersected(self.ground)

    def write(self, _job: Job, file: QIODevice) -> bool:
        """Write the image as PNG, and return whether all of it was written."""
        writer = QImageWriter(file, QByteArray(b"png"))
        writer.setCompression(_COMPRESSION)
        return writer.write(self._image)


class SvgImage(Canvas):
    """Shapes and text, written as SVG: several drawings of the same size in one file.

    Qt writes a drawing at once when its painter ends, which blocks all threads; small parts keep this short.
    """

    def __init__(self, area: QRectF) -> None:
        super().__init__(QRectF(0, 0, area.width(), area.height()))
        self._parts: list[tuple[QSvgGenerator, QBuffer]] = []

    def open(self) -> QPaintDevice:
        """Begin a new part of the drawing, and return its device."""
        generator, buffer = QSvgGenerator(), QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        generator.setOutputDevice(buffer)
        generator.setSize(self.ground.size().toSize())
        generator.setViewBox(self.ground)
        generator.setTitle("Dependency graph")
        self._parts.append((generator, buffer))
        return generator

    def write(self, job: Job, file: QIODevice) -> bool:
        """Write the parts as one SVG, and return whether all of it was written."""
        parts = [buffer.data() for _, buffer in self._parts]
        for number, part in enumerate(parts):
            job.check()
            head, inside, tail = _pieces(bytes(part.data()))
            piece = (b"" if number else head) + inside + (tail if number == len(parts) - 1 else b"")
            if file.write(piece) != len(piece):
                return False
        return True


def _pieces(drawing: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the SVG before, in and after the group around all shapes."""
    begin = drawing.index(b">", drawing.index(b"<g", drawing.index(b"</defs>"))) + 1
    end = drawing.rindex(b"</g>")
    return drawing[:begin], drawing[begin:end], drawing[end:]


class Exporter(QObject):
    """The exporter of the graph, in its state at the request, even if the view changes in the meantime."""

    exported = Signal(Path, bool)
    """The path of a file, and whether it was written."""

    def __init__(self, jobs: Jobs, appearance: Appearance, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._appearance = jobs, appearance

    def export(self, scene: GraphScene, path: Path) -> None:
        """Write the whole graph as SVG or PNG, depending on the file name."""

        def write(canvas: Canvas, job: Job) -> Finish:
            return partial(self.exported.emit, path, _write(job, canvas, path))

        self._start(f"Exporting {path.name}", scene, path.suffix.lower() == ".svg", write)

    def copy(self, scene: GraphScene, *, as_svg: bool) -> None:
        """Copy the whole graph to the clipboard, as SVG or as an image."""

        def write(canvas: Canvas, job: Job) -> Finish:
            buffer = QBuffer()
            buffer.open(QIODevice.OpenModeFlag.WriteOnly)
            canvas.write(job, buffer)
            return partial(_put_on_clipboard, buffer.data(), as_svg=as_svg)

        self._start("Copying the graph", scene, as_svg, write)

    def _start(self, title: str, scene: GraphScene, as_svg: bool, write: Callable[[Canvas, Job], Finish]) -> None:
        """Paint in the GUI thread, as fonts and icons are available only there, then write in another thread."""
        area, copy = scene.sceneRect(), scene.copy()
        if copy.graph is NOT_DRAWN:
            return
        canvas = SvgImage(area) if as_svg else PngImage(area)
        job, timer = self._jobs.begin(title), QTimer(self, interval=0)
        steps = self._painting(job, canvas, area, copy)

        def go_on() -> None:
            until = time.monotonic() + _STEP
            while time.monotonic() < until:
                if next(steps, None) is None:
                    timer.stop()
                    timer.deleteLater()
                    self._jobs.work_on(job, partial(write, canvas), lambda finish: finish())
                    return

        timer.timeout.connect(go_on)
        timer.start()

    def _painting(self, job: Job, canvas: Canvas, area: QRectF, copy: SceneCopy) -> Iterator[int]:
        """Paint item by item; yield the number of painted items."""
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
            if done % _PART == 0:
                painter.end()
                painter.begin(canvas.open())
                _aim(painter, canvas, area)
            job.steps = done, len(copy)
            yield done
        painter.end()


def _put_on_clipboard(picture: QByteArray, *, as_svg: bool) -> None:
    clipboard = QGuiApplication.clipboard()
    if not as_svg:
        clipboard.setImage(QImage.fromData(picture))
        return
    data, text = QtCore.QMimeData(), bytes(picture.data()).decode()
    data.setData("image/svg+xml", picture)
    data.setText(text)
    clipboard.setMimeData(data)
    application = QGuiApplication.instance()
    if application is not None:
        application.aboutToQuit.connect(partial(_leave_text, text))


def _leave_text(text: str) -> None:
    """Replace the clipboard data, which Qt may delete after the interpreter has ended, where Python objects crash."""
    if QGuiApplication.clipboard().text() == text:
        QGuiApplication.clipboard().setText(text)


def _aim(painter: QPainter, canvas: Canvas, area: QRectF) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(canvas.factor, canvas.factor)
    painter.translate(-area.topLeft())


def _write(job: Job, canvas: Canvas, path: Path) -> bool:
    """Write the file completely or not at all; return false if it cannot be written."""
    file = QSaveFile(str(path))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly):
        return False
    whole = canvas.write(job, file)
    if job.is_stopped or not whole:
        file.cancelWriting()
    return file.commit()


class Mermaid(Markup):
    """Text of a diagram, in which everything but letters, digits and a few safe signs is a numeric entity."""

    __slots__ = ()

    @classmethod
    def _escape(cls, text: str) -> str:
        safe = " :_-./,\N{MULTIPLICATION SIGN}"
        return "".join(one if one.isalnum() or one in safe else f"#{ord(one)};" for one in text)


def mermaid(graph: ResourceGraph, outcomes: Mapping[str, str]) -> Mermaid:
    """Return a flowchart of names, types and outcomes; arrows lead to dependencies, and are dotted if implied."""
    numbers = {name: f"r{number}" for number, name in enumerate(graph.nodes)}
    lines = [Mermaid("flowchart BT")]
    for name, node in graph.nodes.items():
        title = f"{node.label} \N{MULTIPLICATION SIGN} {len(node.covers):,}" if node.covers else " / ".join(node.names)
        words = Mermaid("<br/>").join(filter(None, (title, node.type, outcomes.get(name, ""))))
        lines.append(Mermaid('    {}["{}"]').fill(numbers[name], words))
    for edge in graph.edges:
        arrow = Mermaid("-.->" if edge.kind is EdgeKind.IMPLICIT else "-->")
        lines.append(Mermaid("    {} {} {}").fill(numbers[edge.source], arrow, numbers[edge.target]))
    return Mermaid("\n").join((*lines, Mermaid("")))
