"""The effect of the update on a resource, as the gutter shows it."""

from enum import Enum

from heatstudio.ui.widgets.theme import Color


class ChangeKind(Enum):
    """An outcome with its icon, its color and its sentence; color is never the only sign."""

    ADDED = ("update-added", Color.ADDED, "Added by the update")
    IN_PLACE = ("update-in-place", Color.UPDATED, "Updated in place by the update")
    REPLACED = ("update-replaced", Color.REPLACED, "Replaced by the update")
    DELETED = ("update-deleted", Color.DELETED, "Deleted by the update")
    NOT_SUPPORTED = ("update-not-supported", Color.NOT_SUPPORTED, "Update not supported: the update fails")
    MAY = ("update-may", Color.MUTED, "May be changed by the update")

    def __init__(self, icon: str, color: Color, sentence: str) -> None:
        self.icon = icon
        self.color = color
        self.sentence = sentence
