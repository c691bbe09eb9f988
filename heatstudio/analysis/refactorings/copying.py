"""Copying of resources and other entries between templates, with their comments."""

from heatstudio.template import (
    AddEntry,
    CannotEditError,
    Change,
    DeleteEntry,
    Part,
    Template,
    TreePath,
    parse_template,
    render,
    restored,
)
from heatstudio.template.editing.editor import comments_within
from heatstudio.template.editing.rendering_plan import data_at
from heatstudio.text import apply_edits


def changed(template: Template, changes: list[Change]) -> Template:
    """Return a template after changes; raise CannotEditError."""
    return parse_template(apply_edits(template.text, render(template, changes)), template)


def copied(old: Template, new: Template, path: TreePath, place: TreePath | None = None) -> Template:
    """Return a template with an entry of another one, in place of the entry at `place` if there is one.

    The entry is copied byte for byte with its comments, or from its data if it has none. Raise CannotEditError.
    """
    found = restored(old, new, path, place or path)
    if found is not None:
        return found
    located, span = old.find(path), old.locate(path)
    line_above = old.text[: old.locate(path, Part.KEY).start].rstrip().rpartition("\n")[2]
    is_below_comment = line_above.lstrip().startswith("#")
    if located is not None and (is_below_comment or any(comments_within(old.text, span, located))):
        raise CannotEditError(f"The comments of `{path[-1]}` cannot be kept, because of its format or its anchors.")
    changes: list[Change] = [AddEntry(path[:-1], str(path[-1]), data_at(old.data, path))]
    if place is not None and place != path:
        changes.append(DeleteEntry(place))
    return changed(new, changes)


def removed(template: Template, path: TreePath) -> Template:
    """Return a template without an entry and the comments above it; raise CannotEditError."""
    words = template.dialect
    empty = parse_template(f"{words.version_key}: {words.version}\n{path[0]}:\n")
    found, tree = restored(empty, template, path, path), template.reading.tree
    try:
        return found or changed(template, [DeleteEntry(path)])
    except CannotEditError as error:
        if tree is None or not tree.shared:
            raise
        raise CannotEditError(f"`{path[-1]}` has an anchor that other parts use. Edit it by hand.") from error
