"""The severity of a diagnostic."""

from enum import IntEnum


class Severity(IntEnum):
    """Severities, the most severe first."""

    ERROR = 0
    """Heat rejects the template, or will when it reaches this part."""
    WARNING = 1
    """Heat accepts it, but it is probably not what the author intends, or it is deprecated."""
    INFORMATION = 2
    """Worth knowing; nothing needs to be done."""
    HINT = 3
    """A matter of style."""

    @property
    def word(self) -> str:
        """The name used in reports."""
        return self.name.lower()
