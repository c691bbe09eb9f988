"""The positions of values in environment files, and writing the values of the form to them."""

from collections.abc import Mapping
from pathlib import Path

from heatstudio.analysis import Analysis
from heatstudio.stack.inputs.environment import PARAMETER_DEFAULTS
from heatstudio.stack.parameter_form import with_values
from heatstudio.template import CannotEditError, Part, Template, parse_environment
from heatstudio.text import DocumentError, FileDocument, LineIndex, read_document, save_document, stamp_of


class ValueLines:
    """The lines of values in the files of an analysis, saved or not; each file is parsed once."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._read: dict[str, Template | None] = {}

    def of(self, file: str | None, path: tuple[str | int, ...]) -> int | None:
        """Return the line of a value, from 1; None if it is in no readable file."""
        if file is None:
            return None
        if file not in self._read:
            text = self._analysis.environment_text(file) or self._analysis.source.files.get(file)
            self._read[file] = _read(text)
        environment = self._read[file]
        return line_in(environment, path) if environment is not None else None


def line_in(written: Template, path: tuple[str | int, ...]) -> int | None:
    """Return the line of a key, from 1; None if there is none."""
    if written.find(path) is None:
        return None
    return LineIndex(written.text).position(written.locate(path, Part.KEY).start).line + 1


def _read(text: object) -> Template | None:
    return parse_environment(text) if isinstance(text, str) else None


def write_values(path: Path, values: Mapping[str, object], defaults: Mapping[str, object]) -> str | None:
    """Write values, and defaults for nested templates, into an environment file, which is created if necessary.

    Return an error message; None on success.
    """
    try:
        document = read_document(path) if stamp_of(path) else FileDocument("", path)
        text = with_values(document.text, values) if values else document.text
        text = with_values(text, defaults, PARAMETER_DEFAULTS) if defaults else text
        save_document(document.with_text(text))
    except DocumentError as error:
        return error.message
    except CannotEditError as error:
        return error.reason
    return None
