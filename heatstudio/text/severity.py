"""The severity of a diagnostic, and the family of its check."""

from enum import IntEnum, StrEnum


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


class CheckFamily(StrEnum):
    """The families of checks that a project file can raise, lower or switch off as a whole."""

    PROBLEM = ""
    """No family: what Heat rejects, or what the target does not support."""
    SUSPICIOUS = "suspicious"
    """Heat accepts it, but surely not as the author means it: at most a warning."""
    ADVICE = "advice"
    """What a colleague would mention: at most information, and calm in the window."""

    @property
    def most_severe(self) -> Severity:
        """The severity that no check of the family exceeds."""
        return _MOST_SEVERE[self]


_MOST_SEVERE = {
    CheckFamily.PROBLEM: Severity.ERROR,
    CheckFamily.SUSPICIOUS: Severity.WARNING,
    CheckFamily.ADVICE: Severity.INFORMATION,
}
FAMILIES = (CheckFamily.SUSPICIOUS, CheckFamily.ADVICE)
"""The families that have a name."""
