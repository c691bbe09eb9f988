"""The picture as a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from heatstudio.ui.graph.scene import GraphScene
from heatstudio.ui.theme import Color, Theme

LARGEST = 16_000
"""Pixels of one side of a PNG; a larger picture is made smaller."""
SHARPNESS = 2.0


def export_picture(scene: GraphScene, theme: Theme, path: Path) -> bool:
    """Writes the whole picture as SVG or PNG, as the name of the file says; False if it cannot be written."""
    chosen = scene.chosen()
    scene.choose(None)
    try:
        return _export_svg(scene, theme, path) if path.suffix.lower() == ".svg" else _export_png(scene, theme, path)
    finally:
        scene.choose(chosen)


def _export_svg(scene: GraphScene, theme: Theme, path: Path) -> bool:
    area = scene.sceneRect()
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setSize(area.size().toSize())
    generator.setViewBox(QRectF(0, 0, area.width(), area.height()))
    generator.setTitle("Resources and what they need")
    painter = QPainter()
    if not painter.begin(generator):
        return False
    _paint(painter, scene, theme, QRectF(0, 0, area.width(), area.height()))
    return painter.end()


def _export_png(scene: GraphScene, theme: Theme, path: Path) -> bool:
    area = scene.sceneRect()
    factor = min(SHARPNESS, LARGEST / max(area.width(), area.height(), 1.0))
    size = QSize(max(1, int(area.width() * factor)), max(1, int(area.height() * factor)))
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint(painter, scene, theme, QRectF(0, 0, size.width(), size.height()))
    painter.end()
    return image.save(str(path))


def _paint(painter: QPainter, scene: GraphScene, theme: Theme, target: QRectF) -> None:
    painter.fillRect(target, theme.color(Color.EDITOR_GROUND))
    scene.render(painter, target, scene.sceneRect(), Qt.AspectRatioMode.KeepAspectRatio)
