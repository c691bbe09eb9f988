"""The severity of a diagnostic."""

from enum import IntEnum


class Severity(IntEnum):
    """The severities, most severe first."""

    ERROR = 0
    """Heat rejects the template, or will when it reaches this part."""
    WARNING = 1
    """Heat accepts the template, but this part is deprecated or probably not what the author intends."""
    INFORMATION = 2
    """Worth knowing; nothing needs to be done."""
    HINT = 3
    """A matter of style."""

    @property
    def word(self) -> str:
        """The name used in reports."""
        return self.name.lower()
