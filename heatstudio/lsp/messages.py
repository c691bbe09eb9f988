"""The messages of the client and the server on standard input and output, whatever the client writes."""

import json
import os
import re
from collections.abc import Iterator
from typing import BinaryIO

_HEADER = re.compile(rb"content-length:[ \t]*(\d{1,12})[ \t]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n", re.IGNORECASE)
_LONGEST_HEADER = 1024
_LONGEST = 64 * 2**20
"""The maximum size of a message in bytes."""


def read_messages(stream: int) -> Iterator[object]:
    """Yield the messages of a file descriptor until it ends; None for a message that is too long or not JSON.

    Bytes that are no message are skipped up to the next header, which may also lie in a message with a wrong length.
    """
    read = bytearray()
    while True:
        header = _HEADER.search(read)
        if header is None:
            del read[:-_LONGEST_HEADER]
        else:
            start, end = header.end(), header.end() + int(header[1])
            if end - start > _LONGEST or len(read) >= end:
                message = _message(bytes(read[start:end])) if end - start <= _LONGEST else None
                del read[: start if message is None else end]
                yield message
                continue
        try:
            more = os.read(stream, 2**16)
        except OSError:  # the stream is closed
            return
        if not more:
            return
        read += more


def _message(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


class ClientOutput:
    """The stream to the client, as pygls writes it; a client that no longer reads is no error."""

    def __init__(self, stream: BinaryIO) -> None:
        self.is_lost = False
        self._stream = stream

    def write(self, data: bytes) -> None:
        """Write a message."""
        try:
            self._stream.write(data)
            self._stream.flush()
        except OSError:
            self.is_lost = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())

    def close(self) -> None:
        """Close the stream."""
        self._stream.close()

    def reject(self, number: object, code: int, message: str) -> None:
        """Answer a request with an error."""
        body = json.dumps({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}).encode()
        self.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
