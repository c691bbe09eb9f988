"""Random edits of a template as an author makes them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from heatstudio.template import Part, SetValue, Template, render
from heatstudio.template.editing.container import container_at
from heatstudio.template.editing.rendering_plan import CannotEditError
from heatstudio.text import Span, apply_edits

Path = tuple[str, ...]
Edit = Callable[[Template, Path, random.Random], str]


def edits() -> tuple[Edit, ...]:
    """Return all kinds of edits of a resource or of one of its properties."""
    return (delete_lines, delete_with_comments, change_scalar, write_anew, add_before, add_behind)


def places(template: Template) -> Iterator[Path]:
    """Yield the paths of the resources and of their properties."""
    words = template.dialect
    for name, entry in template.entries(words.resources).items():
        if not isinstance(name, str):
            continue
        yield words.resources, name
        resource = template.data.get(words.resources)
        definition = resource.get(name) if isinstance(resource, dict) else None
        properties = definition.get(words.properties) if isinstance(definition, dict) else None
        if entry and isinstance(properties, dict):
            yield from ((words.resources, name, words.properties, key) for key in properties if isinstance(key, str))


def lines_of(template: Template, path: Path) -> Span:
    """Return the span of the lines of a pair."""
    text, span = template.text, template.locate(path, Part.PAIR)
    end = text.find("\n", span.end)
    return Span(text.rfind("\n", 0, span.start) + 1, len(text) if end < 0 else end + 1)


def delete_lines(template: Template, path: Path, _random: random.Random) -> str:
    """Return the text without a pair; comments around the pair stay."""
    lines = lines_of(template, path)
    return template.text[: lines.start] + template.text[lines.end :]


def delete_with_comments(template: Template, path: Path, _random: random.Random) -> str:
    """Return the text without a pair and the comments above it."""
    text, lines = template.text, lines_of(template, path)
    start = lines.start
    while start:
        above = text.rfind("\n", 0, start - 1) + 1
        if text[above:start].strip() and not text[above:start].lstrip().startswith("#"):
            break
        start = above
    return text[:start] + text[lines.end :]


def change_scalar(template: Template, path: Path, chosen: random.Random) -> str:
    """Return the text with one more character in the value of a pair."""
    text, span = template.text, template.locate(path)
    places = [at for at in range(span.start, span.end) if text[at].isalnum()]
    if not places:
        return text
    at = chosen.choice(places)
    return text[:at] + "7" + text[at:]


def write_anew(template: Template, path: Path, _random: random.Random) -> str:
    """Return the text with a value that a program has rewritten, without its comments and layout."""
    value: object = template.data
    for name in path:
        value = value[name] if isinstance(value, dict) else None
    try:
        found = render(template, [SetValue(path, [value, {"more": 1}])])
    except CannotEditError:
        return template.text
    return apply_edits(template.text, found)


def add_before(template: Template, path: Path, chosen: random.Random) -> str:
    """Return the text with a new pair before another one, sometimes with a comment."""
    return _with_pair(template, path, chosen, lines_of(template, path).start)


def add_behind(template: Template, path: Path, chosen: random.Random) -> str:
    """Return the text with a new pair after another one, sometimes with a comment."""
    return _with_pair(template, path, chosen, lines_of(template, path).end)


def _with_pair(template: Template, path: Path, chosen: random.Random, at: int) -> str:
    text = template.text
    try:
        flow = container_at(template, path[:-1]).flow
    except CannotEditError:
        return text
    start = template.locate(path, Part.PAIR).start
    value = "{type: OS::Heat::RandomString}" if len(path) == 2 else "added"
    if flow:
        return f"{text[:start]}zz_added: {value}, {text[start:]}"
    margin = " " * (start - text.rfind("\n", 0, start) - 1)
    comment = f"{margin}# a word on it\n" if chosen.random() < 0.5 else ""
    newline = "" if not at or text[at - 1] == "\n" else "\n"
    return f"{text[:at]}{newline}{comment}{margin}zz_added: {value}  # new\n{text[at:]}"
