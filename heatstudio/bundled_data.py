"""Read the bundled data; an unknown key or an invalid value is an error."""

from pathlib import Path
from typing import TypeVar

from msgspec import Raw, ValidationError, json

_Form = TypeVar("_Form")


def read_data(path: Path, form: type[_Form]) -> _Form:
    """The JSON of a file. Raises OSError, and ValueError that names the file and the place of what is wrong."""
    return decoded(path.read_bytes(), form, path.name)


def decoded(content: bytes | Raw, form: type[_Form], origin: str) -> _Form:
    """JSON of some origin. Raises ValueError that names the origin and the place of what is wrong."""
    try:
        return json.decode(content, type=form)
    except ValueError as error:
        raise ValidationError(f"{origin}: {error}") from None
