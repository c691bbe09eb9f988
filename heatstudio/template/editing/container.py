"""Maps and lists with the spans of their children, for editing."""

from msgspec import Struct

from heatstudio.template.editing.rendering_plan import CannotEditError
from heatstudio.template.syntax.construct import key_data
from heatstudio.template.syntax.lookup import Located, Part, whole_section
from heatstudio.template.syntax.nodes import AliasNode, Key, MappingNode, Node, SequenceNode, TreePath
from heatstudio.template.template import Template


class Child(Struct, frozen=True):
    """A map entry or a list item, from its key or dash to the end of its value."""

    name: Key
    start: int
    end: int


class Container(Struct, frozen=True):
    """A map or list and its children, in text order."""

    children: tuple[Child, ...]
    start: int
    flow: bool
    is_map: bool


def reach(template: Template, path: TreePath) -> Located:
    """Return the value at a path; raise CannotEditError if it is missing or shared, or its key is written with `?`."""
    _refuse_shared(template, path)
    located = template.find(path)
    if located is None:
        raise CannotEditError("This element no longer exists.")
    if located.key is not None:
        start = located.span(Part.KEY).start
        if template.text[template.text.rfind("\n", 0, start) + 1 : start].rstrip().endswith("?"):
            raise CannotEditError("A key written with `?` cannot be changed automatically. Edit it by hand.")
    return located


def container_at(template: Template, path: TreePath) -> Container:
    """Return the map or list at a path; raise CannotEditError."""
    return container_in(template, path, reach(template, path))


def container_in(template: Template, path: TreePath, located: Located) -> Container:
    """Return a located map or list as a container, shared or not; raise CannotEditError if it is neither."""
    node, shift = located.node, located.shift
    start = node.start + shift
    if not path:
        sections = template.reading.sections
        flow = isinstance(node, MappingNode) and node.flow
        return Container(tuple(Child(s.name, s.start, s.end) for s in sections), start, flow, is_map=True)
    section = template.sections.get(path[0])
    if len(path) == 1 and section is not None and section.value is None:
        children = tuple(Child(item.entry.name, item.start, item.end) for item in section.placed)
        return Container(children, whole_section(section).span().start, flow=False, is_map=True)
    if isinstance(node, MappingNode):
        children = tuple(
            Child(key_data(key), key.start + shift, max(key.end, value.end) + shift) for key, value in node.pairs
        )
        return Container(children, start, node.flow, is_map=True)
    if isinstance(node, SequenceNode):
        children = tuple(_item(template.text, node, index, shift) for index in range(len(node.items)))
        return Container(children, start, node.flow, is_map=False)
    raise CannotEditError("This is neither a map nor a list.")


def _item(text: str, node: SequenceNode, index: int, shift: int) -> Child:
    item = node.items[index]
    start, end = item.start + shift, item.end + shift
    if node.flow:
        return Child(index, start, end)
    least = node.items[index - 1].end + shift if index else node.start + shift
    dash = text.rfind("-", least, max(start, least + 1))
    if dash < 0 or text[dash + 1 : start].strip():
        raise CannotEditError("This list has an unusual format. Edit it by hand.")
    return Child(index, dash, max(end, dash + 1))


def _refuse_shared(template: Template, path: TreePath) -> None:
    """Raise CannotEditError for shared values: anchors, aliases, merged maps."""
    tree = template.reading.tree
    if tree is None or not tree.shared or tree.root is None:
        return
    anchored = {id(node) for node in tree.anchors.values()}
    node: Node | None = tree.root
    for name in (None, *path):
        node = node if name is None else _own_child(node, name)
        if node is None:
            raise CannotEditError("This entry comes from a merge key. Edit it by hand where it is defined.")
        if isinstance(node, AliasNode) or id(node) in anchored:
            raise CannotEditError("This value is shared through an anchor. Edit it by hand.")


def _own_child(node: Node | None, name: str | int) -> Node | None:
    if isinstance(node, MappingNode):
        return next((value for key, value in reversed(node.pairs) if key_data(key) == name), None)
    if isinstance(node, SequenceNode) and isinstance(name, int) and name < len(node.items):
        return node.items[name]
    return None
