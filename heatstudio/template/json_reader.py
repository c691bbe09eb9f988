"""Reads JSON into the same nodes as YAML; Heat tries JSON first (heat/common/template_format.py)."""

from __future__ import annotations

import json
import re

from heatstudio.template.nodes import JSON_LITERAL, MappingNode, Node, ScalarNode, SequenceNode, Tree
from heatstudio.template.problem import SyntaxProblem
from heatstudio.template.yaml_reader import DEPTH_LIMIT, TOO_DEEP
from heatstudio.text import Span

_TOKEN = re.compile(r'[ \t\n\r]*(?:("(?:[^"\\]|\\.)*")|([{}\[\],:])|([^ \t\n\r{}\[\],:"]+))', re.DOTALL)


def read_json(text: str) -> Tree | None:
    """The nodes of a text that is valid JSON; None if it is not."""
    try:
        json.loads(text)
    except ValueError:
        return None
    except RecursionError:
        return Tree(None, {}, SyntaxProblem("too-deep", TOO_DEEP, Span(0, len(text))))
    return _read(text)


def _read(text: str) -> Tree:
    top: list[Node] = []
    frames: list[tuple[int, str, list[Node]]] = [(0, "", top)]
    at = 0
    while (found := _TOKEN.match(text, at)) is not None:
        string, sign, literal = found.groups()
        start, at = found.start(found.lastindex or 0), found.end()
        nodes = frames[-1][2]
        if string is not None:
            value = string[1:-1] if "\\" not in string else str(json.loads(string))
            nodes.append(ScalarNode(start, at, value, '"'))
        elif literal is not None:
            nodes.append(ScalarNode(start, at, literal, JSON_LITERAL))
        elif sign in "{[":
            if len(frames) > DEPTH_LIMIT:
                return Tree(None, {}, SyntaxProblem("too-deep", TOO_DEEP, Span(start, at)))
            frames.append((start, sign, []))
        elif sign in "}]":
            opened, bracket, nodes = frames.pop()
            if bracket == "{":
                pairs = list(zip(nodes[::2], nodes[1::2], strict=True))
                frames[-1][2].append(MappingNode(opened, at, pairs, flow=True))
            else:
                frames[-1][2].append(SequenceNode(opened, at, nodes, flow=True))
    return Tree(top[0] if top else None)
