from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heatstudio.template import context_at

HEAD = "heat_template_version: rocky\nresources:\n  a:\n    type: OS::Nova::Server\n    properties:\n"
P = ("resources", "a", "properties")


@pytest.mark.parametrize(
    ("text", "path", "prefix", "kind"),
    [
        ("|", (), "", "key"),
        ("her|", (), "her", "key"),
        ("resources:\n  a:\n    type: OS::No|", ("resources", "a", "type"), "OS::No", "value"),
        ("resources:\n  a:\n    |", ("resources", "a"), "", "both"),
        (HEAD + "      na|me: x\n", P, "na", "key"),
        (HEAD + "      name: x\n      |", P, "", "key"),
        (HEAD + "      |", P, "", "both"),
        (HEAD + "      x: {get_re|", (*P, "x"), "get_re", "key"),
        (HEAD + "      x: {get_resource: |", (*P, "x", "get_resource"), "", "value"),
        (HEAD + "      x: {get_attr: [a, |", (*P, "x", "get_attr", 1), "", "value"),
        (HEAD + "      x: {get_attr: [a,\n        b|", (*P, "x", "get_attr", 1), "b", "value"),
        (HEAD + "      networks:\n        - port: p\n        - net|", (*P, "networks", 1), "net", "both"),
        (HEAD + "      networks:\n        - port: p\n          ta|", (*P, "networks", 0), "ta", "key"),
        (HEAD + "      networks:\n      - port: p\n      - |", (*P, "networks", 1), "", "both"),
        (HEAD + "      user_data: |\n        a: b¦".replace("|", "\0"), (*P, "user_data"), "a: b", "value"),
        (HEAD + "      'a b': \"x y|", (*P, "a b"), "x y", "value"),
        (HEAD + '      broken: "\n  b:\n    typ|', ("resources", "b"), "typ", "both"),
        ('{"resources": {"a": {"type": "OS::|', ("resources", "a", "type"), "OS::", "value"),
        ('{"resources": {"a": {"type": "x", "|', ("resources", "a"), "", "key"),
        ('{"a": ["b", |', ("a", 1), "", "value"),
    ],
)
def test_context_at_the_cursor(text: str, path: tuple[str | int, ...], prefix: str, kind: str) -> None:
    caret = "¦" if "¦" in text else "|"
    offset = text.index(caret)
    context = context_at(text.replace(caret, "", 1).replace("\0", "|"), offset)
    assert (context.path, context.prefix) == (path, prefix)
    assert context.is_key == (kind in {"key", "both"})
    assert context.is_value == (kind in {"value", "both"})


@given(st.text(alphabet="ab:-{}[]\n \"'|#,\t", max_size=60), st.integers(-1, 61))
def test_any_text_is_accepted(text: str, offset: int) -> None:
    context = context_at(text, offset)
    assert isinstance(context.path, tuple)
