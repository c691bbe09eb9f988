"""Screenshots of the window in each theme and size, empty, and with many and long entries.

`HEATSTUDIO_SHOTS=FOLDER pytest tests/ui/test_pictures.py` keeps the screenshots. The one in the README is created by
`HEATSTUDIO_SHOTS=resources pytest tests/ui/test_pictures.py -k screenshot`, those in the user guide by
`HEATSTUDIO_SHOTS=resources/guide pytest tests/ui/test_pictures.py -k user_guide`.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMargins, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from heatstudio.text import Severity
from heatstudio.ui.widgets.appearance import Scheme
from heatstudio.ui.widgets.theme import Color, Theme
from heatstudio.ui.window.layout import PANES
from heatstudio.ui.window.window import Window
from tests.sampling import sample
from tests.ui.bench import bench
from tests.ui.colors import GROUNDS, TEXTS
from tests.ui.conftest import KEEP, Shot
from tests.ui.explain.test_user_guide import WIDEST
from tests.ui.screens import SCREENS, opened_screen, picture, place_in

CHANGES = (
    ("10.10.0.0/24", "10.20.0.0/24"),
    ("name: web\n", "name: web-tier\n"),
    ("Web and SSH", "Web, SSH and monitoring"),
)
LONG = "a_name_of_sixty_characters_that_somebody_gave_to_a_resource_"


def many_problems(count: int) -> str:
    body = "type: OS::Nova::Server\n    properties: {flavour: m1.small}"
    lines = [f"  server_{at}:\n    {body}" for at in range(count)]
    return "\n".join(["heat_template_version: 2021-04-16", "resources:", *lines, ""])


@pytest.fixture
def opened(qtbot: QtBot, real: Window, sample: str, tmp_path: Path) -> Window:
    """Open the sample with an additional volume and some unsaved changes."""
    old = sample.replace("  volume:\n", "  archive:\n    type: AWS::EC2::Volume\n    properties:\n"
                         "      AvailabilityZone: nova\n      Size: 10\n\n  volume:\n", 1)  # fmt: skip
    file = tmp_path / "web-server.yaml"
    file.write_text(old)
    with qtbot.waitSignal(real.session.plan_changed):
        real.files.open([str(file)])
    new = old.replace("Size: 10", "Size: 20")
    for before, after in CHANGES:
        new = new.replace(before, after)
    assert real.area.editor
    with qtbot.waitSignal(real.session.plan_changed):
        real.area.editor.replace_text(new)
    return real


def with_few_colors(image: QImage, theme: Theme) -> QImage:
    """Return the picture in 256 colors, to save bytes: colors of text with their antialiasing, then the most common."""
    faded = dict.fromkeys(
        blend(theme.color(text), theme.color(ground), share)
        for share in (1.0, 0.6, 0.3)
        for text in TEXTS
        for ground in GROUNDS
    )
    counts = Counter(image.pixel(x, y) for x in range(image.width()) for y in range(image.height()))
    palette = dict.fromkeys((*faded, *(color for color, _ in counts.most_common())))
    return image.convertToFormat(QImage.Format.Format_Indexed8, list(palette)[:256])


def blend(color: QColor, ground: QColor, share: float) -> int:
    """Return a color that covers a share of a background, as an RGB integer."""
    pairs = ((color.red(), ground.red()), (color.green(), ground.green()), (color.blue(), ground.blue()))
    return QColor(*(round(over * share + under * (1 - share)) for over, under in pairs)).rgb()


def in_sight(window: Window, mark: str) -> None:
    editor = window.area.editor
    assert editor
    at = editor.text().index(mark)
    editor.editor.select(at, at)
    editor.setFocus()
    QTest.qWait(100)


@pytest.mark.parametrize("scheme", sample([Scheme.LIGHT, Scheme.DARK, Scheme.HIGH_CONTRAST], 1))
@pytest.mark.parametrize("size", [(1280, 800), (900, 600)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_window_with_content(opened: Window, shot: Shot, scheme: Scheme, size: tuple[int, int]) -> None:
    opened.appearance.choose(scheme)
    opened.resize(*size)
    opened.sides.show_pane("Preview")
    in_sight(opened, "network_id: {")
    image = QImage(str(shot(opened, f"window-{scheme}-{size[0]}x{size[1]}")))
    ratio = opened.devicePixelRatioF()
    assert (image.width(), image.height()) == (size[0] * ratio, size[1] * ratio)
    colors = {image.pixelColor(x, y).name() for x in range(0, size[0], 7) for y in range(0, size[1], 7)}
    assert opened.appearance.theme.value(Color.EDITOR_GROUND).lower() in colors
    assert len(colors) > 8


def test_screenshot(qtbot: QtBot, opened: Window, shot: Shot) -> None:
    """The screenshot shows an edited line, its consequences by cause, and their chain in the graph."""
    opened.appearance.choose(Scheme.DARK)
    opened.resize(1280, 800)
    editor, document = opened.area.editor, opened.session.current
    assert editor is not None
    assert document is not None
    assert document.current_analysis is not None
    error = next(one for one in document.current_analysis.diagnostics if one.severity is Severity.ERROR)
    editor.apply_edits(document.current_analysis.fixes(error)[0].edits)
    with qtbot.waitSignal(opened.session.plan_changed):
        editor.replace_text(editor.text().replace("10.10.0.0/24", "10.20.0.0/24"))
    opened.sides.show_pane("Preview")
    opened.actions_by_name["show-graph"].trigger()
    in_sight(opened, "cidr: {get_param: cidr}")
    QTest.qWait(300)
    path = shot(opened, "screenshot")
    assert with_few_colors(QImage(str(path)), opened.appearance.theme).save(str(path))
    assert path.stat().st_size < 200_000


def page(window: Window, name: str) -> QWidget:
    return window.sides.rows[PANES[name].row].page


GUIDE: dict[str, tuple[str, Callable[[Window], QWidget | None]]] = {
    "window": ("problems", lambda window: window),
    "completion": ("completion", lambda window: window.area),
    "problems": ("problems", lambda window: page(window, "Problems")),
    "fixes": ("fixes", lambda _window: None),
    "type": ("type-properties", lambda window: page(window, "Type")),
    "parameters": ("pane-parameters", lambda window: page(window, "Parameters")),
    "preview": ("problems", lambda window: page(window, "Preview")),
    "graph": ("pane-graph", lambda window: window.area.groups.active.page),
    "cloud": ("cloud-stacks", lambda window: page(window, "Cloud")),
}
"""For each picture of the guide, the screen and the widget to crop to; without a widget, the popups."""
SIZES = {"problems": (800, 1240), "parameters": (800, 900), "graph": (800, 900)}
"""The sizes of the window for pictures of wide panes, which would be scaled down otherwise."""
_ROOM = QMargins(24, 60, 24, 24)


@pytest.mark.parametrize("name", GUIDE if KEEP in os.environ else sample(GUIDE, 2))
def test_picture_of_the_user_guide(opened: Window, shots: Path, name: str) -> None:
    screen, part_of = GUIDE[name]
    opened.appearance.choose(Scheme.LIGHT)
    opened.resize(*SIZES.get(name, (1280, 800)))
    with opened_screen(opened, screen):
        whole, part = picture(opened), part_of(opened)
        area = QRect(part.mapTo(opened, QPoint()), part.size()) if part is not None else floating(opened) + _ROOM
        image = whole.copy(area & opened.rect()).toImage()
    if image.width() > WIDEST:
        image = image.scaledToWidth(WIDEST, Qt.TransformationMode.SmoothTransformation)
    path = shots / f"{name}.png"
    assert with_few_colors(image, opened.appearance.theme).save(str(path))
    assert path.stat().st_size < 120_000


def floating(window: Window) -> QRect:
    """Return the bounding rectangle of the popups above the window."""
    found = QRect()
    for one in QApplication.topLevelWidgets():
        if one.isVisible() and one is not window:
            found |= QRect(place_in(window, one), one.size())
    return found


def test_empty_window(real: Window, shot: Shot) -> None:
    assert QImage(str(shot(real, "empty"))).width() == real.width() * real.devicePixelRatioF()


@pytest.mark.parametrize("count", [0, 500])
def test_no_problem_and_many(qtbot: QtBot, real: Window, shot: Shot, count: int) -> None:
    with qtbot.waitSignal(real.session.plan_changed):
        real.session.new(many_problems(count) if count else "heat_template_version: 2021-04-16\nresources: {}\n")
    assert (len(bench(real).problems.diagnostics()) >= count) is True
    shot(real, f"problems-{count}")


@pytest.mark.parametrize("size", [(1280, 800), (900, 600)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_long_names(qtbot: QtBot, real: Window, shot: Shot, tmp_path: Path, size: tuple[int, int]) -> None:
    real.resize(*size)
    old = "heat_template_version: 2021-04-16\nresources:\n"
    new = f"{old}  {LONG}:\n    type: OS::Nova::Server\n    properties:\n      {LONG}: {{get_resource: {LONG}2}}\n"
    file = tmp_path / f"{LONG}.yaml"
    file.write_text(old)
    real.files.open([str(file)])
    with qtbot.waitSignal(real.session.plan_changed):
        assert real.area.editor
        real.area.editor.replace_text(new)
    bench(real).outline.view.expandAll()
    shot(real, f"long-names-{size[0]}x{size[1]}")


ALL_LOOKS = [(scheme, size) for scheme in list(Scheme)[1:] for size in ((1280, 800), (900, 600))]
LOOKS = ALL_LOOKS if KEEP in os.environ else sample(ALL_LOOKS, 1)


@pytest.mark.parametrize(("scheme", "size"), LOOKS, ids=[f"{scheme}-{size[0]}x{size[1]}" for scheme, size in LOOKS])
def test_every_screen(opened: Window, shots: Path, scheme: Scheme, size: tuple[int, int]) -> None:
    """No screen enlarges the window, and each screen looks different from all others."""
    opened.appearance.choose(scheme)
    opened.resize(*size)
    seen: dict[bytes, str] = {}
    for name in SCREENS if KEEP in os.environ else sample(SCREENS, 12):
        with opened_screen(opened, name):
            shown = picture(opened)
            if KEEP in os.environ:
                assert shown.save(str(shots / f"{name}-{scheme}-{size[0]}x{size[1]}.png"))
            assert (opened.width(), opened.height()) == size, name
            look = hashlib.sha256(bytes(shown.toImage().constBits())).digest()
            assert look not in seen, f"{name} looks like {seen.get(look)}"
            seen[look] = name
