"""The descriptions of the keys of the template language, from `resources/keywords.json`."""

import re
from collections.abc import Mapping
from functools import cache

from heatstudio.analysis.assist.expectation import Role
from heatstudio.analysis.assist.sentences import rich_text
from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@cache
def _sentences() -> Mapping[Role, Mapping[str, str]]:
    return read_data(resource_path("keywords.json"), dict[Role, dict[str, str]])


def keyword_sentence(role: Role, name: str) -> str:
    """What a key of a map of this role means; empty if the language has no such word."""
    return _sentences().get(role, {}).get(_HUMP.sub("_", name).lower(), "")


def keyword_text(role: Role, name: str) -> str:
    """Return the same as rich text under the word."""
    sentence = keyword_sentence(role, name)
    return rich_text(name, (sentence,)) if sentence else ""
