"""Abandon and adopt stacks, each after a confirmation."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from heatstudio.catalog.facts import Facts, part, text
from heatstudio.cloud.adoption import (
    abandon_stack,
    adopt_stack,
    adoption_refusal,
    export_stack,
    has_snapshots,
    ids_of_data,
    losses,
    read_stack_data,
    try_adoption,
)
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.export import file_name
from heatstudio.cloud.stack_actions import EntryKind, stack_actions
from heatstudio.cloud.stacks import StackSummary
from heatstudio.service.workspace.job import Job
from heatstudio.text import Severity, counted
from heatstudio.ui.cloud.action_dialog import ActionDialog
from heatstudio.ui.cloud.cloud_link import CloudLink
from heatstudio.ui.cloud.stack_loader import StackLoader
from heatstudio.ui.widgets.banner import Banner

_FILES = "Data of stacks (*.json);;All files (*)"


class AdoptionController:
    """The operations that take a stack out of Heat or put it back."""

    def __init__(
        self,
        window: QWidget,
        banner: Banner,
        link: CloudLink,
        reader: StackLoader,
        begun: Callable[[StackSummary, str, int], object],
    ) -> None:
        """`begun` follows an operation that has begun, from an event, with the expected number of resources."""
        self._window, self._banner, self._link, self._reader, self._begun = window, banner, link, reader, begun

    def abandon(self, stack: StackSummary) -> None:
        """Write the data of a stack to a file, and take the stack out of Heat."""
        action, cloud = stack_actions()["abandon"], self._reader.cloud

        def read(connection: Connection, _job: Job) -> tuple[str, str, bool]:
            data = export_stack(connection, stack)
            return _count(data), losses(connection, stack, data), has_snapshots(connection, stack)

        def ask(found: tuple[str, str, bool]) -> None:
            count, refusal, loses_snapshots = found
            suggested = str(Path.home() / f"{file_name(stack.name)}.json")
            name, _ = QFileDialog.getSaveFileName(self._window, "Write the data of the stack", suggested, _FILES)
            if not name or self._reader.cloud != cloud:
                return
            words = (
                action.sentence.format(stack=stack.name, cloud=cloud, resources=count),
                f"The data go to {name}, which only you can read: they hold secret values.",
                "The snapshots of the stack are deleted." if loses_snapshots else "",
                f"Heat could not adopt the stack again as it is. {refusal}" if refusal else "",
                self._link.caution,
            )
            sentence = " ".join(filter(None, words))
            ActionDialog(self._window, action.button, sentence, lambda *_: go(Path(name)), typed=stack.name).open()

        def go(path: Path) -> None:
            name = f"{action.doing} {stack.name}"
            self._link.change(
                name, lambda connection, _job: abandon_stack(connection, stack, path), lambda _data: done(path)
            )

        def done(path: Path) -> None:
            self._link.refresh()
            words = f"Abandoned {stack.name}: its resources run on. The data are in {path}."
            self._banner.say(words, ("Adopt Again", partial(self._adopt_from, path)), severity=Severity.INFORMATION)

        self._link.ask(f"Reading {stack.name}", read, ask)

    def adopt(self) -> None:
        """Choose a file with the data of an abandoned stack, and adopt its resources."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Data of an abandoned stack", str(Path.home()), _FILES)
        if name:
            self._adopt_from(Path(name))

    def _adopt_from(self, path: Path) -> None:
        def read(connection: Connection, _job: Job) -> tuple[Facts, str]:
            data = read_stack_data(path)
            try_adoption(connection, data)
            refusal = adoption_refusal(data)
            words = (
                f"Adopt {_count(data)} from {path.name} as a new stack in {connection.name}. Heat changes no resource.",
                "Rollback on failure is off until an update turns it on.",
                f"The adoption will be incomplete. {refusal}" if refusal else "",
                connection.caution,
            )
            return data, " ".join(filter(None, words))

        def ask(found: tuple[Facts, str]) -> None:
            data, sentence = found
            confirmed = partial(go, data)
            name = text(data, "name")
            dialog = ActionDialog(self._window, "Adopt the Stack", sentence, confirmed, asks=EntryKind.NAME, text=name)
            dialog.open()

        def go(data: Facts, _target: object, name: str) -> None:
            size = len(part(data, "resources"))
            self._link.change(
                f"Adopting {name}",
                lambda connection, _job: adopt_stack(connection, name, data),
                lambda stack: self._begun(stack, "", size),
            )

        self._link.ask(f"Reading {path.name}", read, ask)


def _count(data: Facts) -> str:
    return counted(len(ids_of_data(data)), "resource")
