"""Editing features: completion, hover, outline, navigation, rename, snippets.

Every function takes a `SemanticModel`, and accepts any text and any offset.
"""

from heatstudio.analysis.assist.completion import Completion, complete
from heatstudio.analysis.assist.environment import complete_environment, environment_definition, environment_hover
from heatstudio.analysis.assist.extract import extract_parameter
from heatstudio.analysis.assist.hover import hover
from heatstudio.analysis.assist.outline import OutlineItem, outline
from heatstudio.analysis.assist.reference_index import Location
from heatstudio.analysis.assist.references import catalog_type_at, definition_at, is_seen_outside, references_at
from heatstudio.analysis.assist.rename import FileEdit, RenameResult, renamable_at, rename
from heatstudio.analysis.assist.semantic_model import SemanticModel, semantic_model

__all__ = [
    "Completion",
    "FileEdit",
    "Location",
    "OutlineItem",
    "RenameResult",
    "SemanticModel",
    "catalog_type_at",
    "complete",
    "complete_environment",
    "definition_at",
    "environment_definition",
    "environment_hover",
    "extract_parameter",
    "hover",
    "is_seen_outside",
    "outline",
    "references_at",
    "renamable_at",
    "rename",
    "semantic_model",
]
