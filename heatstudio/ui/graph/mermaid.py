"""The graph as Mermaid text: https://mermaid.js.org/syntax/flowchart.html."""

from collections.abc import Mapping

from heatstudio.analysis.resource_graph import EdgeKind, ResourceGraph


def mermaid(graph: ResourceGraph, outcomes: Mapping[str, str]) -> str:
    """Return a flowchart of names, types and outcomes; arrows lead to dependencies, and are dotted if implied."""
    numbers = {name: f"r{number}" for number, name in enumerate(graph.nodes)}
    lines = ["flowchart BT"]
    for name, node in graph.nodes.items():
        title = f"{node.label} \N{MULTIPLICATION SIGN} {len(node.covers):,}" if node.covers else " / ".join(node.names)
        words = "<br/>".join(_plain(part) for part in (title, node.type, outcomes.get(name, "")) if part)
        lines.append(f'    {numbers[name]}["{words}"]')
    for edge in graph.edges:
        arrow = "-.->" if edge.kind is EdgeKind.IMPLICIT else "-->"
        lines.append(f"    {numbers[edge.source]} {arrow} {numbers[edge.target]}")
    return "\n".join([*lines, ""])


def _plain(text: str) -> str:
    """Return a text with all characters as numeric entities, except letters, digits and a few safe signs."""
    return "".join(one if one.isalnum() or one in " :_-./,\N{MULTIPLICATION SIGN}" else f"#{ord(one)};" for one in text)
