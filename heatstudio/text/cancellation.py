"""Cooperative cancellation: long computations call `checkpoint`, and their caller may pause or end them there.

The packages below `ui` are pure and know neither threads nor users. A caller that wraps their work in a
`cancellation_scope` can do something more urgent at each checkpoint, or raise an exception to end the work.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_listener: ContextVar[Callable[[], object] | None] = ContextVar("listener", default=None)


def checkpoint() -> None:
    """Call the listener of the current scope; long computations call it about once per millisecond."""
    listener = _listener.get()
    if listener is not None:
        listener()


@contextmanager
def cancellation_scope(listener: Callable[[], object]) -> Iterator[None]:
    """Call the listener at every checkpoint of the work in the block; other threads are not affected."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
