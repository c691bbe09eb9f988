"""The graph as Mermaid text: https://mermaid.js.org/syntax/flowchart.html."""

from collections.abc import Mapping

from heatstudio.analysis.resource_graph import EdgeKind, ResourceGraph
from heatstudio.text.markup import Markup


class Mermaid(Markup):
    """Text of a diagram, in which everything but letters, digits and a few safe signs is a numeric entity."""

    __slots__ = ()

    @classmethod
    def _escape(cls, text: str) -> str:
        safe = " :_-./,\N{MULTIPLICATION SIGN}"
        return "".join(one if one.isalnum() or one in safe else f"#{ord(one)};" for one in text)


def mermaid(graph: ResourceGraph, outcomes: Mapping[str, str]) -> Mermaid:
    """Return a flowchart of names, types and outcomes; arrows lead to dependencies, and are dotted if implied."""
    numbers = {name: f"r{number}" for number, name in enumerate(graph.nodes)}
    lines = [Mermaid("flowchart BT")]
    for name, node in graph.nodes.items():
        title = f"{node.label} \N{MULTIPLICATION SIGN} {len(node.covers):,}" if node.covers else " / ".join(node.names)
        words = Mermaid("<br/>").join(filter(None, (title, node.type, outcomes.get(name, ""))))
        lines.append(Mermaid('    {}["{}"]').fill(numbers[name], words))
    for edge in graph.edges:
        arrow = Mermaid("-.->" if edge.kind is EdgeKind.IMPLICIT else "-->")
        lines.append(Mermaid("    {} {} {}").fill(numbers[edge.source], arrow, numbers[edge.target]))
    return Mermaid("\n").join((*lines, Mermaid("")))
