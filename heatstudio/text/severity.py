"""The severity of a diagnostic."""

from enum import IntEnum


class Severity(IntEnum):
    """Ordered from the gravest to the lightest."""

    ERROR = 0
    """Heat refuses the template, or will when this part is reached."""
    WARNING = 1
    """Heat accepts it, but it does hardly what its author means, or it is on its way out."""
    INFORMATION = 2
    """Worth knowing; nothing needs to be done."""
    HINT = 3
    """A matter of style."""

    @property
    def word(self) -> str:
        """The word that reports use."""
        return self.name.lower()
