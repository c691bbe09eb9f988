"""Explanations of the template language's keywords, from `resources/keywords.json`."""

import re
from collections.abc import Mapping
from functools import cache

from heatstudio.analysis.assist.expectation import Role
from heatstudio.analysis.assist.sentences import Documentation
from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@cache
def _sentences() -> Mapping[Role, Mapping[str, str]]:
    return read_data(resource_path("keywords.json"), dict[Role, dict[str, str]])


def keyword_sentence(role: Role, name: str) -> str:
    """Return the explanation of a key in a map of a role; empty if it is not a keyword."""
    return _sentences().get(role, {}).get(_HUMP.sub("_", name).lower(), "")


def keyword_documentation(role: Role, name: str) -> Documentation | None:
    """Return the documentation of a key; None if it is not a keyword."""
    sentence = keyword_sentence(role, name)
    return Documentation(name, (sentence,)) if sentence else None
