"""The life cycle of a resource type: its statuses with their icons, the oldest first."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QMargins
from PySide6.QtWidgets import QWidget

from heatstudio.catalog.release import Release, Status, SupportStatus, release_of
from heatstudio.ui.widgets import GAP, Appearance, Color, ElidedLabel, Flow, PlainLabel, icon_size, in_row, plain

STATUS_ICONS = {
    Status.SUPPORTED: ("status-supported", Color.ADDED),
    Status.DEPRECATED: ("status-deprecated", Color.WARNING),
    Status.HIDDEN: ("status-hidden", Color.ERROR),
    Status.UNSUPPORTED: ("status-unsupported", Color.NOT_SUPPORTED),
}


class LifeState(Struct, frozen=True):
    """One status in the life cycle of a resource type."""

    status: Status
    since: str
    """The first Heat version with this status, such as `since 13.0.0`."""
    release: str
    """The OpenStack release of that Heat version, such as `Train`; empty if it is unknown."""

    def __str__(self) -> str:
        return f"{self.status} {self.since}" + (f" ({self.release})" if self.release else "")


def life(status: SupportStatus, releases: Sequence[Release]) -> tuple[LifeState, ...]:
    """Return the statuses of a support history, the oldest first."""
    return tuple(_life_state(state, releases) for state in reversed(list(status.chain())))


def _life_state(state: SupportStatus, releases: Sequence[Release]) -> LifeState:
    if not state.version:
        return LifeState(state.status, "since the first release", "")
    release = release_of(releases, state.version)
    return LifeState(state.status, f"since {state.version}", release.name if release is not None else "")


class LifeLine(Flow):
    """The statuses of a type with their icons, first Heat versions and releases, one after the other."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__("Life cycle", QMargins(), GAP)
        self._appearance = appearance
        self._states: Sequence[LifeState] = ()
        appearance.theme_changed.connect(self._show)
        appearance.scale_changed.connect(self._show)

    def show_states(self, states: Sequence[LifeState]) -> None:
        """Show the statuses of a type, the oldest first."""
        self._states = states
        words = ", then ".join(str(state) for state in states)
        self.setAccessibleDescription(words)
        self.setToolTip(plain(words))
        self._show()

    def _show(self) -> None:
        self.clear()
        for state in self._states:
            icon, color = STATUS_ICONS[state.status]
            sign, words, part = PlainLabel(), ElidedLabel(), QWidget()
            sign.setPixmap(self._appearance.icon(icon, color).pixmap(icon_size()))
            words.setText(str(state))
            words.set_size(11)
            words.set_color(self._appearance.theme.color(color))
            in_row(sign, (words, 1), of=part, gap=4)
            self.add(part)
            part.show()
        self.refit()
