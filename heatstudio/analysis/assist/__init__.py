"""Editing features: completion, hover, outline, navigation, rename, snippets.

Every function takes a `SemanticModel`, and accepts any text and any offset. The package exports what the window and
the language server show.
"""

from heatstudio.analysis.assist.outline import OutlineItem, outline
from heatstudio.analysis.assist.reference_index import Location
from heatstudio.analysis.assist.rename import FileEdit, RenameResult
from heatstudio.analysis.assist.suggestion import Completion

__all__ = ["Completion", "FileEdit", "Location", "OutlineItem", "RenameResult", "outline"]
