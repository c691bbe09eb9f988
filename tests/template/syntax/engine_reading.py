"""A reimplementation of the parsers of Heat and its client, the reference of these tests."""

from __future__ import annotations

import json

import yaml


class _Loader(yaml.CSafeLoader):
    def construct_text(self, node: yaml.ScalarNode) -> object:
        return self.construct_scalar(node)


class _Second(yaml.SafeLoader):
    """The loader for texts that the first loader rejects; it also loads dates as strings."""

    def construct_text(self, node: yaml.ScalarNode) -> object:
        return self.construct_scalar(node)


for _tag in ("str", "timestamp"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_tag}", _Loader.construct_text)
    _Second.add_constructor(f"tag:yaml.org,2002:{_tag}", _Second.construct_text)


def client_reads(text: str) -> tuple[bool, object]:
    """Return whether the client accepts a template, and its data (heatclient/common/template_format.py, parse)."""
    text = text.strip()
    if not text.startswith("{"):
        return _of_yaml(text)
    try:
        return True, json.loads(text)
    except (ValueError, RecursionError):
        return False, None


def heat_reads(text: str) -> tuple[bool, object]:
    """Return whether Heat accepts a nested template, and its data (heat/common/template_format.py)."""
    try:
        return True, json.loads(text)
    except (ValueError, RecursionError):
        return _of_yaml(text)


def _of_yaml(text: str) -> tuple[bool, object]:
    try:
        return True, _sent(_loaded(text, _Loader))
    except yaml.YAMLError:
        try:
            return True, _sent(_loaded(text, _Second))
        except (yaml.YAMLError, ValueError, IndexError, KeyError, TypeError, RecursionError):
            return False, None
    except (ValueError, IndexError, KeyError, TypeError, RecursionError):
        return False, None


def _loaded(text: str, kind: type[yaml.CSafeLoader | yaml.SafeLoader]) -> object:
    loader = kind(text)
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()


def _sent(data: object) -> object:
    """Return the data as Heat receives it (heatclient/common/http.py; oslo_serialization, to_primitive)."""
    return json.loads(json.dumps(data, default=_primitive))


def _primitive(value: object) -> object:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, (set, tuple)):
        return list(value)
    raise TypeError(type(value))


def same(first: object, second: object) -> bool:
    """Return whether two values are equal, types included."""
    return repr(first) == repr(second)
