"""Strict decoding of bundled JSON data: an unknown key or a wrong value is an error."""

from pathlib import Path
from typing import TypeVar

from msgspec import Raw, ValidationError, json

_Form = TypeVar("_Form")


def read_data(path: Path, form: type[_Form]) -> _Form:
    """Return a decoded JSON file. Raise OSError, or ValueError naming the file and the position of the error."""
    return decoded(path.read_bytes(), form, path.name)


def decoded(content: bytes | Raw, form: type[_Form], origin: str) -> _Form:
    """Return decoded JSON. Raise ValueError naming the origin and the position of the error."""
    try:
        return json.decode(content, type=form)
    except ValueError as error:
        raise ValidationError(f"{origin}: {error}") from None
