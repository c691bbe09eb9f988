"""Choose the target of the checks: the release of the cloud and the versions of its APIs."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QDialog, QFormLayout, QMenu, QWidget

from heatstudio.catalog.release import Release, find_release
from heatstudio.service.inputs.snapshot import Snapshot, Target
from heatstudio.stack.groups.group_context import read_api_version
from heatstudio.ui.widgets import EDGE, GAP, PlainLabel, in_column
from heatstudio.ui.widgets.announcer import AnnouncingLabel
from heatstudio.ui.widgets.dialogs import close_button
from heatstudio.ui.widgets.text_keys import LineEdit
from heatstudio.ui.workspace.session import Session

_WIDTH = 460
_WORDS = (
    "The API versions of your cloud determine which properties Heat accepts. "
    "An empty field means the default; changes apply immediately."
)


class ClientVersionsDialog(QDialog):
    """A field for each client plug-in, in a non-modal dialog."""

    changed = Signal(dict)
    """The explicit versions by client plug-in."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Cloud API versions")
        self.setAccessibleName("Cloud API versions")
        self.setMinimumWidth(_WIDTH)
        self._chosen: dict[str, str] = {}
        self.fields: dict[str, LineEdit] = {}
        self._form = QFormLayout()
        self.complaint = AnnouncingLabel("Error", wraps=True)
        words = PlainLabel(_WORDS, wraps=True)
        rows = (words, self._form, self.complaint, 1, close_button(self))
        in_column(*rows, of=self, edges=(EDGE, EDGE, EDGE, EDGE), gap=GAP)

    def choose(self, chosen: Mapping[str, str], defaults: Mapping[str, str]) -> None:
        """Show the dialog with the chosen versions; an empty default is unknown."""
        self._chosen = dict(chosen)
        for name in sorted(defaults.keys() - self.fields.keys()):
            self.fields[name] = field = LineEdit(f"API version of {name}")
            field.editingFinished.connect(partial(self._take, name))
            self._form.addRow(name, field)
        self.offer(defaults)
        for name, field in self.fields.items():
            field.setText(self._chosen.get(name, ""))
        self.complaint.setText("")
        self.show()
        self.raise_()
        for field in list(self.fields.values())[:1]:
            field.setFocus()

    def offer(self, defaults: Mapping[str, str]) -> None:
        """Show the default versions in empty fields, as after another release is chosen."""
        for name, field in self.fields.items():
            field.setPlaceholderText(f"default {defaults.get(name) or 'not known'}")

    def _take(self, name: str) -> None:
        written = self.fields[name].text().strip()
        version = read_api_version(written)
        is_wrong = bool(written) and version is None
        self.complaint.setText(f"“{written}” is not an API version. Example: 2.79." if is_wrong else "")
        if not is_wrong:
            self._choose(name, version)
        self.fields[name].setText(self._chosen.get(name, ""))

    def _choose(self, name: str, version: str | None) -> None:
        chosen = {other: one for other, one in self._chosen.items() if other != name}
        if version is not None:
            chosen[name] = version
        if chosen != self._chosen:
            self._chosen = chosen
            self.changed.emit(dict(chosen))


class ReleaseMenu(QMenu):
    """A menu of the bundled Heat and all releases, newest first; the current one is checked."""

    chosen = Signal(str)
    """The name of a release; empty for the bundled Heat."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("Target &Release", parent)
        self.setAccessibleName("Target release")
        self._group = QActionGroup(self)
        self._own_words = ""
        self.offer((), "")

    def offer(self, releases: Sequence[Release], heat_version: str) -> None:
        """List releases, which are given oldest first."""
        self.clear()
        for action in self._group.actions():
            self._group.removeAction(action)
        self._own_words = f"Bundled Heat ({heat_version})" if heat_version else "Bundled Heat"
        self._add("", self._own_words)
        self.addSeparator()
        for release in reversed(releases):
            self._add(release.name, f"{release.name} (Heat {release.heat})")

    def name_default(self, release: Release | None) -> None:
        """Name the default release in the first entry; None is the bundled Heat."""
        own = self._group.actions()[0]
        own.setText(f"heatstudio.toml: {release.name} (Heat {release.heat})" if release else self._own_words)

    def mark(self, release: str) -> None:
        """Check the entry of the current release."""
        for action in self._group.actions():
            action.setChecked(action.data() == release)

    def _add(self, name: str, words: str) -> None:
        action = self.addAction(words)
        action.setData(name)
        action.setCheckable(True)
        action.triggered.connect(partial(self.chosen.emit, name))
        self._group.addAction(action)


class TargetController(QObject):
    """The target commands; a selected target takes effect immediately, for all documents."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._parent = parent
        self.dialog: ClientVersionsDialog | None = None
        self.releases = ReleaseMenu(parent)
        self.releases.chosen.connect(self._choose)
        self.releases.aboutToShow.connect(self._name_default)
        session.catalog_loaded.connect(self._offer)
        session.target_changed.connect(self._mark)
        self._offer()

    def _choose(self, release: str) -> None:
        self._session.set_target(self._session.target._replace(release=release))

    def command_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the target commands."""
        return {"client-versions": self.show_client_versions}

    def show_client_versions(self) -> None:
        """Show the non-modal dialog with the API versions of the cloud."""
        if self._session.engine is None:
            return
        if self.dialog is None:
            self.dialog = ClientVersionsDialog(self._parent)
            self.dialog.changed.connect(
                lambda versions: self._session.set_target(self._session.target._replace(client_versions=versions))
            )
        target = self._session.target
        self.dialog.choose(target.client_versions, self._session.engine.client_versions(target))

    def _offer(self) -> None:
        engine = self._session.engine
        if engine is not None:
            self.releases.offer(engine.releases, engine.catalog.heat_version)
        self._mark(self._session.target)

    def _name_default(self) -> None:
        """Name the default release, which the project file of the current document may set."""
        engine, document = self._session.engine, self._session.current
        if engine is not None:
            empty = Snapshot(
                "", document.path if document else None, open_texts=self._session.workspace.unsaved_texts()
            )
            self.releases.name_default(find_release(engine.releases, engine.applied(empty).target.release))

    def _mark(self, target: Target) -> None:
        self.releases.mark(target.release)
        if self.dialog is not None and self.dialog.isVisible() and self._session.engine is not None:
            self.dialog.offer(self._session.engine.client_versions(target))
