"""Plain text: spans, edits, documents, diffs, and reading and writing of files."""

from heatstudio.text.cancellation import cancellation_scope, checkpoint
from heatstudio.text.document import ENCODING_WORDS, UTF_8, DocumentError, FileDocument, Stamp
from heatstudio.text.edit import (
    Applicability,
    Fix,
    OverlappingEditsError,
    TextEdit,
    apply_edits,
    ordered_edits,
    preferred_fix,
)
from heatstudio.text.line_ends import editable
from heatstudio.text.load import (
    DATA_LIMIT,
    TEXT_LIMIT,
    changed_on_disk,
    encoding_of,
    is_file,
    read_bytes,
    read_document,
    read_text,
    real_path,
    save_document,
    stamp_of,
)
from heatstudio.text.severity import FAMILIES, CheckFamily, Severity
from heatstudio.text.span import LineIndex, OtherFileSpan, Position, Span
from heatstudio.text.words import counted, natural_key

__all__ = [
    "DATA_LIMIT",
    "ENCODING_WORDS",
    "FAMILIES",
    "TEXT_LIMIT",
    "UTF_8",
    "Applicability",
    "CheckFamily",
    "DocumentError",
    "FileDocument",
    "Fix",
    "LineIndex",
    "OtherFileSpan",
    "OverlappingEditsError",
    "Position",
    "Severity",
    "Span",
    "Stamp",
    "TextEdit",
    "apply_edits",
    "cancellation_scope",
    "changed_on_disk",
    "checkpoint",
    "counted",
    "editable",
    "encoding_of",
    "is_file",
    "natural_key",
    "ordered_edits",
    "preferred_fix",
    "read_bytes",
    "read_document",
    "read_text",
    "real_path",
    "save_document",
    "stamp_of",
]
