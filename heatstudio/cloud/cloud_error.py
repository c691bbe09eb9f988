"""Errors of the communication with a cloud."""

from enum import StrEnum, auto


class CloudErrorKind(StrEnum):
    """The kinds of errors that require a different reaction."""

    NOT_INSTALLED = auto()
    NO_SUCH_CLOUD = auto()
    BAD_CONFIGURATION = auto()
    UNREACHABLE = auto()
    SLOW = auto()
    TLS = auto()
    LOGIN_REFUSED = auto()
    """The password, the token or the application credential is wrong."""
    SECOND_FACTOR = auto()
    LOGIN_EXPIRED = auto()
    FORBIDDEN = auto()
    NOT_FOUND = auto()
    CONFLICT = auto()
    REFUSED = "rejected"
    """Heat rejected the request: its message is about the template or its values."""
    REDIRECTED = auto()
    """A response redirects to another host, scheme or port, where nothing is sent."""
    NO_HEAT = auto()
    SERVER_FAILED = auto()
    GATEWAY_FAILED = auto()
    """A proxy or load balancer in front of Heat got no response from Heat."""
    TOO_MANY_REQUESTS = auto()
    GARBAGE = auto()
    """The response does not come from Heat."""


class CloudError(Exception):
    """An error with a message for the user, which never contains a password, a token, or a URL with one of them."""

    def __init__(self, trouble: CloudErrorKind, message: str) -> None:
        super().__init__(message)
        self.trouble = trouble
        self.message = message
