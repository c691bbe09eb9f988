"""Where long work can be held up, or ended: it breathes now and then, and never learns whether anybody listens.

The rooms below the window are pure and know neither threads nor users. Their few loops that may run for long call
`checkpoint`; the caller of such work can wait there for something more urgent, or raise an exception to end it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_listener: ContextVar[Callable[[], object] | None] = ContextVar("listener", default=None)


def checkpoint() -> None:
    """To be called about once in a millisecond of work."""
    listener = _listener.get()
    if listener is not None:
        listener()


@contextmanager
def cancellation_scope(listener: Callable[[], object]) -> Iterator[None]:
    """Calls the listener at every breath of the work in the block; other threads are left alone."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
