"""The result of a check: a finding at a path with its fixes, and a diagnostic with its position in a text."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.headlines import headline
from heatstudio.template import DataFix, Part, TreePath
from heatstudio.text import Applicability, CheckFamily, Fix, OtherFileSpan, Severity, Span, preferred_fix

LATE = "Would fail when Heat creates it."


class Place(Struct, frozen=True):
    """The key, the value or both at a path."""

    path: TreePath
    part: Part = Part.VALUE


class EnvironmentPlace(Struct, frozen=True):
    """A position in an environment file that is checked with the template."""

    file: str
    place: Place


class Finding(Struct, frozen=True):
    """A problem of a template at a path, which stays valid while other text moves."""

    message: str
    place: Place
    severity: Severity = Severity.ERROR
    """The check lowers it to that of its family."""
    code: str = ""
    """The code of the check, which sets it."""
    resource: str | None = None
    property: str | None = None
    """The dotted path of the property without list positions, as in Heat's messages."""
    also: tuple[Place, ...] = ()
    """Further places of the same problem, which are also marked."""
    related: tuple[tuple[str, Place], ...] = ()
    """Related positions, with the reason."""
    fixes: tuple[DataFix, ...] = ()
    heat: str = ""
    """Heat's message, if it differs from the message."""
    inside: str = ""
    """The part of the value at the place that the message is about, in words."""
    meant: str = ""
    """The name that is probably meant."""
    environment: EnvironmentPlace | None = None
    """The position of the problem if it is in an environment file."""
    is_late: bool = False
    """Whether Heat accepts the stack, but fails to create it."""
    family: CheckFamily = CheckFamily.PROBLEM
    """The family of the check, which sets it."""

    def reworded(self, message: str, *fixes: DataFix) -> Finding:
        """Return the finding with our message instead of Heat's, and with fixes."""
        return replace(self, message=message, heat=self.message, fixes=fixes)

    def late(self) -> Finding:
        """Return the finding as a warning about a problem that Heat only finds when it creates the resource."""
        return replace(self, severity=max(self.severity, Severity.WARNING), is_late=True)

    def in_plain_words(self) -> Finding:
        """Return the finding with a headline, Heat's message and the suggested name; families never quote Heat."""
        message = self.message if self.heat or self.family else headline(self.message)
        heat = self.heat or self.message * (message != self.message)
        message = f"{self.inside}: {message}" if self.inside else message
        if self.meant and f"`{self.meant}`" not in message.partition("; use ")[2]:
            message += f"{'' if message.endswith(('.', '?')) else '.'} Did you mean `{self.meant}`?"
        if self.is_late and not message.endswith(LATE):
            message += f"{'' if message.endswith(('.', '?')) else '.'} {LATE}"
        return replace(self, message=message, heat=heat, inside="", meant="")

    def masked(self, mask: Callable[[str], str]) -> Finding:
        """Return the finding with a function applied to all texts."""
        related = tuple((mask(message), place) for message, place in self.related)
        fixes = tuple(replace(fix, title=mask(fix.title)) for fix in self.fixes)
        return replace(self, message=mask(self.message), heat=mask(self.heat), related=related, fixes=fixes)


class Diagnostic(Struct, frozen=True):
    """A finding with its position in one version of the text."""

    finding: Finding | None
    code: str
    severity: Severity
    message: str
    span: Span
    also: tuple[Span, ...] = ()
    related: tuple[tuple[str, Span], ...] = ()
    ready_fixes: tuple[Fix, ...] = ()
    """The fixes of problems of the text itself, such as comments."""
    elsewhere: OtherFileSpan | None = None
    """The position in another file; `span` is then the affected position in the template."""

    def masked(self, mask: Callable[[str], str]) -> Diagnostic:
        """Return the diagnostic with a function applied to all texts."""
        related = tuple((mask(message), span) for message, span in self.related)
        finding = self.finding.masked(mask) if self.finding is not None else None
        return replace(self, message=mask(self.message), related=related, finding=finding)

    @property
    def _offered(self) -> tuple[Fix | DataFix, ...]:
        return (*self.ready_fixes, *self.fixes)

    @property
    def has_fixes(self) -> bool:
        """Whether there may be a fix."""
        return bool(self._offered)

    @property
    def has_safe_fix(self) -> bool:
        """Whether there may be a fix that needs no review."""
        return any(fix.applicability is Applicability.SAFE for fix in self._offered)

    @property
    def has_preferred_fix(self) -> bool:
        """Whether there may be a fix that needs no choice."""
        return preferred_fix(self._offered) is not None

    @property
    def heat(self) -> str:
        """Heat's message, if it differs from the message."""
        return self.finding.heat if self.finding else ""

    @property
    def family(self) -> CheckFamily:
        """The family of the check."""
        return self.finding.family if self.finding else CheckFamily.PROBLEM

    @property
    def resource(self) -> str | None:
        """The resource that the finding is about."""
        return self.finding.resource if self.finding else None

    @property
    def fixes(self) -> tuple[DataFix, ...]:
        """The fixes, not yet rendered to edits."""
        return self.finding.fixes if self.finding else ()

    @property
    def property(self) -> str | None:
        """The property that the finding is about."""
        return self.finding.property if self.finding else None
