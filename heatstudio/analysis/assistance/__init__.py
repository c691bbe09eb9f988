"""What helps to write: completion, hover, outline, places to go to, renaming, snippets.

Every function takes a `Desk`, which an `Analysis` is, and answers for any text and any offset.
"""

from heatstudio.analysis.assistance.completion import Completion, complete
from heatstudio.analysis.assistance.desk import Desk, PlainDesk
from heatstudio.analysis.assistance.environment_completion import complete_environment
from heatstudio.analysis.assistance.environment_words import environment_definition, environment_hover
from heatstudio.analysis.assistance.extract import Extraction, extract_parameter
from heatstudio.analysis.assistance.hover import Hover, hover
from heatstudio.analysis.assistance.location import Location
from heatstudio.analysis.assistance.outline import OutlineItem, outline
from heatstudio.analysis.assistance.references import (
    catalog_type_at,
    definition_at,
    is_seen_outside,
    references_at,
)
from heatstudio.analysis.assistance.rename import FileEdit, RenameResult, renamable_at, rename
from heatstudio.analysis.assistance.snippets import (
    full_snippet,
    insertion_for,
    minimal_snippet,
    snippet_insertion_for,
    snippet_text,
    unique_name,
)

__all__ = [
    "Completion",
    "Desk",
    "Extraction",
    "FileEdit",
    "Hover",
    "Location",
    "OutlineItem",
    "PlainDesk",
    "RenameResult",
    "catalog_type_at",
    "complete",
    "complete_environment",
    "definition_at",
    "environment_definition",
    "environment_hover",
    "extract_parameter",
    "full_snippet",
    "hover",
    "insertion_for",
    "is_seen_outside",
    "minimal_snippet",
    "outline",
    "references_at",
    "renamable_at",
    "rename",
    "snippet_insertion_for",
    "snippet_text",
    "unique_name",
]
