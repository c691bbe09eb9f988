"""Errors of the communication with a cloud, as sentences that say what to do."""

from enum import StrEnum, auto


class CloudTrouble(StrEnum):
    """The kinds of errors that require a different reaction."""

    NOT_INSTALLED = auto()
    NO_SUCH_CLOUD = auto()
    BAD_CONFIGURATION = auto()
    UNREACHABLE = auto()
    SLOW = auto()
    TLS = auto()
    LOGIN_REFUSED = auto()
    """The password, the token or the application credential is wrong."""
    LOGIN_EXPIRED = auto()
    FORBIDDEN = auto()
    NOT_FOUND = auto()
    CONFLICT = auto()
    REFUSED = auto()
    """Heat rejected the request: its message is about the template or its values."""
    REDIRECTED = auto()
    """An answer leads to another host, scheme or port, where nothing is sent."""
    NO_HEAT = auto()
    SERVER_FAILED = auto()
    GATEWAY_FAILED = auto()
    """A proxy or load balancer in front of Heat got no answer from it."""
    TOO_MANY_REQUESTS = auto()
    GARBAGE = auto()
    """Something answered that is not Heat."""


class CloudError(Exception):
    """One sentence for the user; never contains a password, a token, or an address with one in it."""

    def __init__(self, trouble: CloudTrouble, message: str) -> None:
        super().__init__(message)
        self.trouble = trouble
        self.message = message
