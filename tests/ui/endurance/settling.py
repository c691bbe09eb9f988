"""The end of a step on an X server: all events of the server and the window manager are handled."""

from __future__ import annotations

import ctypes
import struct
from itertools import chain

from PySide6.QtCore import QAbstractNativeEventFilter, QByteArray, QCoreApplication
from PySide6.QtGui import QCursor, QWindow
from PySide6.QtWidgets import QPlainTextEdit

from heatstudio.ui.highlight.highlighter import Highlighter
from tests.ui.endurance.hand import Hand
from tests.ui.fresh_paint import are_on_screen, shown_windows

_PROPERTY_NOTIFY, _CLIENT_MESSAGE = 28, 33
_TO_WINDOW_MANAGER = 1 << 20 | 1 << 19
"""The event mask of messages to the window manager: substructure redirect and notify."""
_BITS = 32
_EVENT_BYTES = 32


class Settling:
    """Whether a step is over: a round trip by the window manager began after its events, and no other event arrived."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self._trip = RoundTrip()
        self._windows: object = None
        """The windows when the round trip began, if it began after the events of the hand."""

    def is_over(self) -> bool:
        """Return whether a round trip without other events has ended; otherwise begin the next one."""
        if not self._hand.is_done() or not are_on_screen():
            self._windows = None
            return False
        if not self._trip.has_ended:
            return False
        before, self._windows = self._windows, [(id(one), one.geometry().getRect()) for one in shown_windows()]
        if self._windows == before and not self._trip.other_events and are_texts_highlighted():
            self._windows = None
            return True
        self._trip.begin()
        return False


def are_texts_highlighted() -> bool:
    """Return whether all shown texts are highlighted; on a busy machine a paint leaves lines pending."""
    texts = chain.from_iterable(window.findChildren(QPlainTextEdit) for window in shown_windows())
    documents = (text.document() for text in texts if text.isVisible())
    return all(one.is_complete for document in documents for one in document.findChildren(Highlighter))


class RoundTrip(QAbstractNativeEventFilter):
    """A question to the window manager, whose answer arrives after all events that earlier requests caused.

    The question is the size of a frame, which a window manager answers for any window, in the order of its events, by
    a property of that window (`_NET_REQUEST_FRAME_EXTENTS` of the Extended Window Manager Hints).
    """

    def __init__(self) -> None:
        super().__init__()
        self.other_events = 0
        """The number of events of the X server since the question."""
        self.has_ended = True
        self._asked = QWindow()
        self._asked.create()
        self._library = _x_library()
        self._display = self._library.XOpenDisplay(None)
        self._question, self._answer = (
            self._library.XInternAtom(self._display, name, False)
            for name in (b"_NET_REQUEST_FRAME_EXTENTS", b"_NET_FRAME_EXTENTS")
        )
        application = QCoreApplication.instance()
        assert application
        application.installNativeEventFilter(self)

    def begin(self) -> None:
        """Send the question as soon as the server has all requests of Qt."""
        QCursor.pos()  # asks the server, after those requests
        self.has_ended, self.other_events = False, 0
        asked, question = self._asked.winId(), self._question
        message = _ClientMessage(type=_CLIENT_MESSAGE, window=asked, message_type=question, format=_BITS)
        root = self._library.XDefaultRootWindow(self._display)
        self._library.XSendEvent(self._display, root, False, _TO_WINDOW_MANAGER, ctypes.byref(message))
        self._library.XFlush(self._display)

    def nativeEventFilter(self, _kind: QByteArray | bytes | bytearray | memoryview, message: int) -> object:
        """Recognize the answer, and count other events."""
        kind, window, atom = struct.unpack_from("=B3xII", ctypes.string_at(int(message), _EVENT_BYTES))
        if window != self._asked.winId():
            self.other_events += 1
        elif kind == _PROPERTY_NOTIFY and atom == self._answer:
            self.has_ended = True
        return False, 0


class _ClientMessage(ctypes.Structure):
    """`XClientMessageEvent`, in the size of `XEvent`."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("unused", ctypes.c_long * 24),
    )


def _x_library() -> ctypes.CDLL:
    """Return Xlib, which xdotool needs too, with the types of the functions that are used here."""
    library = ctypes.CDLL("libX11.so.6")
    library.XOpenDisplay.restype = ctypes.c_void_p
    display, window = ctypes.c_void_p, ctypes.c_ulong
    library.XInternAtom.argtypes, library.XInternAtom.restype = [display, ctypes.c_char_p, ctypes.c_int], ctypes.c_ulong
    library.XDefaultRootWindow.argtypes, library.XDefaultRootWindow.restype = [display], window
    library.XSendEvent.argtypes = [display, window, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
    library.XFlush.argtypes = [display]
    return library
