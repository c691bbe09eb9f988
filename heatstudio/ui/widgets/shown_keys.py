"""The keys that sentences and tool tips name, which follow those that the user gives to commands."""

import re
from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

_KEY = re.compile(r"(?:(?:Ctrl|Alt|Shift)\+)*F\d+\b|(?:(?:Ctrl|Alt|Shift)\+)+(?:\w+|[^\w\s])")
_CHANGED = "changed-keys"
"""The property of the application with the keys, or the titles of commands without a key, by the default keys."""


def with_keys(sentence: str) -> str:
    """Return a sentence that names default keys with those of the user; widgets repeat it at a LanguageChange."""
    application = QCoreApplication.instance()
    changed = application.property(_CHANGED) if application is not None else None
    return _KEY.sub(lambda found: changed.get(found[0], found[0]), sentence) if changed else sentence


def show_keys(changed: Mapping[str, str]) -> None:
    """Name other keys in all sentences, by the default ones."""
    application = QCoreApplication.instance()
    if application is not None and (application.property(_CHANGED) or {}) != changed:
        application.setProperty(_CHANGED, dict(changed))
        for widget in QApplication.allWidgets():
            QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.LanguageChange))
