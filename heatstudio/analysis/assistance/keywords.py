"""What the words of the template language mean; the sentences are in `resources/keywords.json`."""

from __future__ import annotations

import json
import re
from functools import cache

from heatstudio.analysis.assistance.expectation import Role
from heatstudio.analysis.assistance.sentences import rich_text
from heatstudio.assets import resource_path
from heatstudio.catalog.facts import Facts, mapping, part, text

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@cache
def _facts() -> Facts:
    return mapping(json.loads(resource_path("keywords.json").read_text(encoding="utf-8")))


def keyword_sentence(role: Role, name: str) -> str:
    """What a key of a map of this role means; empty if the language has no such word."""
    return text(part(_facts(), role), _HUMP.sub("_", name).lower())


def keyword_text(role: Role, name: str) -> str:
    """The same as rich text under the word."""
    sentence = keyword_sentence(role, name)
    return rich_text(name, (sentence,)) if sentence else ""
