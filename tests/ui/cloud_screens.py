"""Screens of the cloud, with a fake connection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from heatstudio.cloud.adoption import RenameStage
from heatstudio.cloud.clouds import CloudChoices
from heatstudio.cloud.events import OperationProgress
from heatstudio.cloud.stacks import summary_of
from heatstudio.ui.cloud.confirmations import ActionDialog, DeployDialog
from heatstudio.ui.cloud.rename_controller import RenameGuide
from heatstudio.ui.window.window import Window
from tests.ui.bench import bench
from tests.ui.fake_cloud import STACKS, FakeConnection, events_of, stack_facts

Screen = Callable[[Window], Iterator[None]]
PATIENCE = 3000
"""The maximum number of polls, at intervals of 20 milliseconds."""


def wait_until(is_so: Callable[[], object]) -> None:
    for _ in range(PATIENCE):
        if is_so():
            return
        QTest.qWait(20)
    raise AssertionError("the screen does not come")


@contextmanager
def connected(window: Window) -> Iterator[None]:
    """Connect to the first of three clouds and select its first stack; restore the previous state at the end."""
    link, document = bench(window).cloud.link, window.session.current
    assert document
    wait_until(lambda: document.current_analysis is not None)
    before = document.baseline
    link.choices = CloudChoices(("lab", "production", "a-cloud-with-quite-a-long-name"))
    link.connection = FakeConnection("lab", document.old_text or document.text)
    link.stacks = tuple(summary_of(stack_facts(name)) for name, *_ in STACKS)
    link.changed.emit()
    window.sides.show_pane("Cloud")  # creates the pane
    QTest.qWait(20)
    pane = bench(window).cloud.stacks
    pane.view.setCurrentIndex(pane.model.index(0, 0))
    try:
        yield
    finally:
        for one in window.findChildren(QDialog):
            one.close()
        link.choices = None
        link.disconnect_cloud()
        if document.baseline is not before:
            window.session.set_baseline(document, before)
            QTest.qWait(400)
        window.area.banner.hide()
        window.sides.show_pane("Types")
        window.sides.show_pane("Problems")
        window.sides.show_pane("Preview")
        QTest.qWait(60)


def is_said(window: Window, words: str) -> bool:
    """Return whether the pane of Heat is visible and its headline contains the words."""
    return window.sides.is_seen("Heat") and words in bench(window).cloud.heat.headline.text()


def choices(window: Window) -> Iterator[None]:
    window.sides.show_pane("Cloud")
    bench(window).cloud.link.choices = CloudChoices(("lab", "production", "a-cloud-with-quite-a-long-name"))
    bench(window).cloud.link.changed.emit()
    QTest.qWait(60)
    yield
    bench(window).cloud.link.choices = None
    bench(window).cloud.link.changed.emit()
    window.sides.show_pane("Types")


def nothing(window: Window) -> Iterator[None]:
    window.actions_by_name["show-cloud"].trigger()
    QTest.qWait(60)
    yield
    window.sides.show_pane("Types")


def stacks(window: Window) -> Iterator[None]:
    with connected(window):
        bench(window).cloud.stacks.view.setFocus()
        QTest.qWait(60)
        yield


def opinion(window: Window) -> Iterator[None]:
    with connected(window):
        window.actions_by_name["cloud-opinion"].trigger()
        wait_until(lambda: is_said(window, "rejects"))
        QTest.qWait(60)
        yield


def dry_run(window: Window) -> Iterator[None]:
    with connected(window):
        window.actions_by_name["cloud-preview"].trigger()
        wait_until(lambda: is_said(window, "dry run"))
        QTest.qWait(60)
        yield


def events(window: Window) -> Iterator[None]:
    with connected(window):
        window.sides.show_pane("Heat")
        stack = bench(window).cloud.link.stacks[0]
        found = events_of(stack.name)
        bench(window).cloud.events.happened.emit(stack, OperationProgress().after(found), found, 10)
        QTest.qWait(60)
        yield


def deploying(command: str) -> Screen:
    def show(window: Window) -> Iterator[None]:
        with connected(window):
            window.actions_by_name[command].trigger()
            wait_until(lambda: any(dialog.isVisible() for dialog in window.findChildren(DeployDialog)))
            QTest.qWait(100)
            yield

    return show


def page(window: Window) -> Iterator[None]:
    with connected(window):
        bench(window).cloud.link.failed.emit("Heat in `lab` is unavailable (HTTP 503). Try again in a minute.")
        window.actions_by_name["cloud-show"].trigger()
        wait_until(lambda: is_said(window, "web-tier in lab"))
        QTest.qWait(60)
        yield


def deleting(window: Window) -> Iterator[None]:
    with connected(window):
        window.actions_by_name["cloud-delete"].trigger()
        wait_until(lambda: any(dialog.isVisible() for dialog in window.findChildren(ActionDialog)))
        QTest.qWait(100)
        yield


def renaming(window: Window) -> Iterator[None]:
    with connected(window):
        window.actions_by_name["cloud-rename"].trigger()
        wait_until(lambda: any(dialog.isVisible() for dialog in window.findChildren(RenameGuide)))
        guide = window.findChildren(RenameGuide)[-1]
        guide.name.setText("another-name")
        guide.lines = ("- old", "+ new")
        guide.show_stage(RenameStage.FAILED, "")
        QTest.qWait(100)
        yield


CLOUD_SCREENS: dict[str, Screen] = {
    "cloud": nothing,
    "cloud-choices": choices,
    "cloud-stacks": stacks,
    "heat-opinion": opinion,
    "heat-dry-run": dry_run,
    "heat-events": events,
    "stack-page": page,
    "delete-stack": deleting,
    "rename-guide": renaming,
    "create-stack": deploying("cloud-create"),
    "update-stack": deploying("cloud-update"),
}
