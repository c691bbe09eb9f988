"""The copying of resources to another template, with their comments, and the conditions and mappings that they need."""

from collections.abc import Iterable, Mapping, Sequence

from heatstudio.analysis.assist.reference_index import SymbolKind, index_of
from heatstudio.analysis.scope.semantic_model import SemanticModel, value_at
from heatstudio.template import (
    AddEntry,
    CannotEditError,
    Change,
    DeleteEntry,
    Part,
    RenameKey,
    SetValue,
    Template,
    TreePath,
    parse_template,
    render,
    restored,
)
from heatstudio.template.editing.editor import comments_within
from heatstudio.template.editing.rendering_plan import data_at, same_data
from heatstudio.text import apply_edits


class Transplant:
    """Entries of a template and the conditions and mappings that they need, which another template is to get."""

    def __init__(self, model: SemanticModel, source: Template, paths: Iterable[TreePath]) -> None:
        words = source.dialect
        kinds = {
            SymbolKind.RESOURCE: words.resources,
            SymbolKind.CONDITION: words.conditions,
            SymbolKind.MAPPING: words.mappings,
        }
        self._source = source
        self._sections = (words.mappings, words.conditions, words.resources, words.outputs)
        self._copied_as_text = (words.resources, words.outputs)
        self._there: set[TreePath] = set()
        """The conditions and mappings that the other template has already."""
        self._links: dict[TreePath, TreePath] = {}
        """The entries to which names refer, by the paths of the names."""
        needs: dict[TreePath, list[TreePath]] = {}
        uses = [one for one in index_of(model, source).mentions if not one.is_definition]
        for one in uses:
            entry: TreePath = (kinds.get(one.symbol.kind, ""), one.symbol.name)
            if entry[1] in source.section(entry[0]):
                self._links[one.path] = entry
                if entry[0] != words.resources:
                    needs.setdefault(one.path[:2], []).append(entry)
        found = dict.fromkeys(paths)
        waiting: list[TreePath] = [*found]
        for path in waiting:
            new = [entry for entry in needs.get(path, ()) if entry not in found]
            found |= dict.fromkeys(new)
            waiting += new
        ordered: Iterable[TreePath] = ((part, str(name)) for part in self._sections for name in source.section(part))
        self.entries = {path: str(path[1]) for path in ordered if path in found}
        """The paths of what is copied, with the names in the other template."""
        self.mentions = [one for one in uses if one.path[:2] in self.entries]
        """The uses of names in what is copied."""

    @property
    def resources(self) -> dict[str, str]:
        """The names of the resources, with those in the other template, in the order of the source."""
        section = self._source.dialect.resources
        return {str(path[1]): name for path, name in self.entries.items() if path[0] == section}

    def find_names(self, target: Template, values: Mapping[TreePath, object], prefix: str = "") -> None:
        """Find the names in another template, where the `values` replace others: the same ones if they are free.

        Names that are not free get a prefix; without one, raise CannotEditError.
        """
        words = target.dialect
        in_conditions = [SetValue(path, value) for path, value in values.items() if path[0] == words.conditions]
        adapted = changed(self._source, in_conditions)
        users: dict[TreePath, list[TreePath]] = {}
        for path, entry in self._links.items():
            users.setdefault(entry, []).append(path[:2])
        there = {
            path
            for path in self.entries
            if path[0] != words.resources
            and path[1] in target.section(path[0])
            and same_data(value_at(adapted, path), value_at(target, path))
        }
        new = [path for path in self.entries if path not in there]
        for path in new:  # what needs something else than in the other template is something else
            again = [user for user in users.get(path, ()) if user in there]
            there.difference_update(again)
            new += again
        taken: dict[object, set[str]] = {}
        for path in new:
            section = path[0]
            if section not in taken:
                parts = (section, words.parameters) if section == words.resources else (section,)
                taken[section] = {str(name) for part in parts for name in target.section(part)}
                taken[section].discard(prefix)  # that resource is replaced
            name, separator = str(path[1]), "_" if words.is_hot else ""
            while name in taken[section]:
                if not prefix:
                    raise CannotEditError(f"The other template has another `{name}`. Rename one of them first.")
                name = f"{prefix}{separator}{name}"
            self.entries[path] = name
            taken[section].add(name)
        self._there = there

    def adapted(self, values: Mapping[TreePath, object], more: Iterable[Change]) -> Template:
        """Return the source with the names in the other template, replaced values and more changes."""
        words = self._source.dialect
        changes: list[Change] = [SetValue(path, value) for path, value in values.items()]
        changes += (RenameKey(path, name) for path, name in self.entries.items() if path[1] != name)
        for path, entry in self._links.items():
            name = self.entries.get(entry, entry[1])
            if name != entry[1] and path[2:3] != (words.depends_on,):
                changes.append(SetValue(path, name))
        return changed(self._source, [*changes, *more])

    def copied(self, adapted: Template, target: Template, place: TreePath | None = None) -> Template:
        """Return a template with the entries of the adapted source, the first resource in place of one at `place`."""
        new = [(path[0], name) for path, name in self.entries.items() if path not in self._there]
        for path in new:
            if path[0] in self._copied_as_text:
                if path[0] not in target.data and not target.is_json:
                    target = parse_template(f"{target.text.rstrip()}\n\n{path[0]}:\n")
                target, place = _copied(adapted, target, path, place), None
        as_data = [path for path in new if path[0] not in self._copied_as_text]  # the source may keep their comments
        return changed(target, [AddEntry(path[:1], path[1], data_at(adapted.data, path)) for path in as_data])


def changed(template: Template, changes: Sequence[Change]) -> Template:
    """Return a template after changes; raise CannotEditError."""
    return parse_template(apply_edits(template.text, render(template, changes)), template) if changes else template


def _copied(old: Template, new: Template, path: TreePath, place: TreePath | None) -> Template:
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
        found = found or changed(template, [DeleteEntry(path)])
        is_empty = path[0] == words.outputs and not found.data.get(words.outputs)
        return changed(found, [DeleteEntry(path[:1])]) if is_empty else found
    except CannotEditError as error:
        if tree is None or not tree.shared:
            raise
        raise CannotEditError(f"`{path[-1]}` has an anchor that other parts use. Edit it by hand.") from error
