"""Size and depth of a text after alias expansion, computed without expanding."""

from collections.abc import Mapping

from heatstudio.template.syntax.nodes import AliasNode, Node, SyntaxProblem, children
from heatstudio.template.syntax.yaml_reader import DEPTH_LIMIT
from heatstudio.text import Span

NODE_BUDGET = 200_000
"""The maximum number of expanded nodes, ten times the number in the largest real templates."""


def expanded_size(root: Node, anchors: Mapping[str, Node]) -> int | SyntaxProblem:
    """Return the number of expanded nodes, or the problem of a recursive alias or of too many nodes or levels."""
    measured: dict[int, tuple[int, int]] = {}
    opened: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting[-1]
        if id(node) in measured:
            waiting.pop()
            continue
        below = _below(node, anchors)
        missing = [child for child in below if id(child) not in measured]
        if missing:
            if id(node) in opened:
                # A child is also open, so the node contains itself.
                return _problem(node, "This alias contains itself.")
            opened.add(id(node))
            looping = next((child for child in missing if id(child) in opened), None)
            if looping is not None:
                return _problem(node, "This value contains itself through an alias.")
            waiting.extend(missing)
            continue
        waiting.pop()
        size = 1 + sum(measured[id(child)][0] for child in below)
        depth = 1 + max((measured[id(child)][1] for child in below), default=0)
        if size > NODE_BUDGET:
            return _problem(node, f"Expanding the aliases gives more than {NODE_BUDGET} values.")
        if depth > DEPTH_LIMIT + 1:
            return _problem(node, f"The expanded aliases nest more than {DEPTH_LIMIT} levels deep.")
        measured[id(node)] = size, depth
    return measured[id(root)][0]


def _below(node: Node, anchors: Mapping[str, Node]) -> list[Node]:
    if isinstance(node, AliasNode):
        return [anchors[node.target]] if node.target in anchors else []
    return list(children(node))


def _problem(node: Node, message: str) -> SyntaxProblem:
    return SyntaxProblem("too-large", message, Span(node.start, node.end))
