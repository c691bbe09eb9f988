"""How Heat's own loader reads a text: the oracle of these tests."""

from __future__ import annotations

import json

import yaml


class _Loader(yaml.CSafeLoader):
    def construct_text(self, node: yaml.ScalarNode) -> object:
        return self.construct_scalar(node)


for _tag in ("str", "timestamp"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_tag}", _Loader.construct_text)


def heat_reads(text: str) -> tuple[bool, object]:
    """Whether Heat or its client, which cuts off blanks at the start, accepts a text, and what it makes of it."""
    accepted, data = _loaded(text)
    return (accepted, data) if accepted else _loaded(text.lstrip())


def _loaded(text: str) -> tuple[bool, object]:
    try:
        return True, json.loads(text)
    except ValueError:
        pass
    try:
        loader = _Loader(text)
        try:
            return True, loader.get_single_data()
        finally:
            loader.dispose()
    except (yaml.YAMLError, ValueError, IndexError, KeyError):
        return False, None


def same(first: object, second: object) -> bool:
    """Whether two values are equal in types too."""
    return repr(first) == repr(second)
