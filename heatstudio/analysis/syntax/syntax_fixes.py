"""Fixes of syntax errors."""

import re
from collections.abc import Iterator
from itertools import count, pairwise

from heatstudio.template import Part, SyntaxProblem, Template, TreePath, is_environment, meant_section, parse_template
from heatstudio.template.dialect import misspelled_version
from heatstudio.text import Applicability, Fix, Span, TextEdit, apply_edits
from heatstudio.text.yaml_lexer import INITIAL, LineState, lex_line

_TABS = re.compile(r"^[ ]*\t[ \t]*", re.MULTILINE)
_OPENS = re.compile(r":[ \t]*(?:#.*)?\r?$")
_NOTHING = re.compile(r"[ \t]*:(?=[ \t]*(?:#.*)?\r?$)", re.MULTILINE)
LARGEST = 200_000
"""The maximum length of a text that is parsed again to try a fix."""
_WIDTHS = (2, 4, 8)


def syntax_fixes(template: Template, problem: SyntaxProblem) -> tuple[Fix, ...]:
    """Return the fixes of one problem; empty if the intention is unclear."""
    match problem.code:
        case "no-version":
            return tuple(_version(template, problem.span))
        case "yaml-syntax" if template.text[problem.span.start : problem.span.end] == "\t":
            return tuple(_spaces(template.text))
        case "client-syntax" if template.text[problem.span.start : problem.span.end] == ",":
            return (Fix("Remove the comma", (TextEdit(problem.span, ""),), Applicability.SAFE, preferred=True),)
        case "duplicate-key":
            return tuple(_one_of_two(template, problem.span))
        case "empty-section":
            return tuple(_empty_map(template.text, problem.span.end))
        case "unknown-section":
            return tuple(_section(template, problem.span))
    return ()


def _version(template: Template, span: Span) -> Iterator[Fix]:
    if (misspelled := misspelled_version(template.data)) is not None:
        quote = template.text[span.start] if template.text[span.start] in "\"'" else ""
        edit = TextEdit(span, f"{quote}{misspelled[1]}{quote}")
        yield Fix(f"Rename to `{misspelled[1]}`", (edit,), Applicability.UNSAFE, preferred=True)
        return
    if template.is_json or not template.sections:
        return
    words = template.dialect
    version = words.version if words.is_hot else f'"{words.version}"'
    at = template.text.rfind("\n", 0, min(one.start for one in template.sections.values())) + 1
    line = f"{words.version_key}: {version}"
    line_end = "\r\n" if "\r\n" in template.text else "\n"
    edit = TextEdit(Span(at, at), f"{line}{line_end}")
    yield Fix(f"Write `{line}`", (edit,), Applicability.UNSAFE, preferred=True)


def _empty_map(text: str, at: int) -> Iterator[Fix]:
    colon = _NOTHING.match(text, at)
    if colon is not None:
        edit = TextEdit(Span(colon.end(), colon.end()), " {}")
        yield Fix("Write `{}`", (edit,), Applicability.SAFE, preferred=True)


def _section(template: Template, span: Span) -> Iterator[Fix]:
    """Yield the fix that renames a section of an environment, unless the correct section exists already."""
    meant = meant_section(template.text[span.start : span.end].strip("\"'"))
    if meant is not None and meant not in template.sections:
        yield Fix(f"Rename to `{meant}`", (TextEdit(span, meant),), Applicability.UNSAFE, preferred=True)


def _spaces(text: str) -> Iterator[Fix]:
    """Yield the fix that replaces indenting tabs with enough spaces to keep children deeper than their key."""
    if len(text) > LARGEST:
        return
    places = list(_indenting_tabs(text))
    for width in _WIDTHS:
        edits = tuple(TextEdit(span, text[span.start : span.end].expandtabs(width)) for span in places)
        fixed = apply_edits(text, edits)
        if _is_nested(text, fixed) and parse_template(fixed).complete:
            yield Fix("Indent with spaces", edits, Applicability.UNSAFE, preferred=True)
            return


def _indenting_tabs(text: str) -> Iterator[Span]:
    """Yield the indentation of each line that has a tab in it, except for tabs in the text of block scalars."""
    state, at = INITIAL.encode(), 0
    for line in text.splitlines(keepends=True):
        found = _TABS.match(line)
        if found is not None and line.strip() and not LineState.decode(state).is_script(line):
            yield Span(at, at + found.end())
        _, state = lex_line(line.expandtabs().rstrip("\r\n"), state)
        at += len(line)


def _is_nested(text: str, fixed: str) -> bool:
    """Return whether every fixed line below a key without a value is deeper than the key."""
    lines = zip(text.splitlines(), fixed.splitlines(), strict=True)
    pairs = [pair for pair in lines if pair[1].strip() and not pair[1].lstrip().startswith("#")]
    return all(
        before == below or not _OPENS.search(above) or _indent(below) > _indent(above)
        for (_, above), (before, below) in pairwise(pairs)
    )


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _one_of_two(template: Template, span: Span) -> Iterator[Fix]:
    """Yield the fixes that rename the second of two pairs with the same key, or remove one; Heat uses the last pair."""
    place = template.path_at(span.start)
    if place.part is not Part.KEY:
        return
    last, first = (None, None) if template.is_json else (_pair(template, place.span), _earlier(template, place.span))
    are_same = last is not None and first is not None and _words(template.text, first) == _words(template.text, last)
    key = template.text[span.start : span.end]
    name = _free_name(template, place.path)
    if name:
        edit = TextEdit(span, key.replace(str(place.path[-1]), name))
        yield Fix(f"Rename the second `{key}` to `{name}`", (edit,), Applicability.DECISION)
    if last is None or first is None:
        return
    applicability = Applicability.SAFE if are_same else Applicability.DECISION
    title = f"Remove the first `{key}`, which Heat ignores"
    yield Fix(title, (TextEdit(first, ""),), applicability, preferred=are_same)
    if not are_same:
        yield Fix(f"Remove the second `{key}`", (TextEdit(last, ""),), Applicability.DECISION)


def _free_name(template: Template, path: TreePath) -> str:
    """Return a name with a number for an entry of a section whose entries the author names; empty for others."""
    words = template.dialect
    named = (words.resources, words.parameters, words.outputs, words.conditions, words.mappings)
    if len(path) != 2 or path[0] not in named or is_environment(template.data):
        return ""
    taken = {name for section in named for name in template.entries(section)}
    names = (f"{path[1]}{'_' if words.is_hot else ''}{number}" for number in count(2))
    return next(name for name in names if name not in taken)


def _words(text: str, span: Span) -> str:
    return text[span.start : span.end].strip()


def _earlier(template: Template, key: Span) -> Span | None:
    """Return the nearest pair above with the same key in the same map; None if there is none."""
    text = template.text
    start = text.rfind("\n", 0, key.start) + 1
    written = f"{text[start : key.end]}:"
    column = key.start - start
    while start > 0:
        end, start = start, text.rfind("\n", 0, start - 1) + 1
        line = text[start:end]
        if line.startswith(written):
            return _pair(template, Span(start + column, start + column + key.end - key.start))
        if line.strip() and not line.lstrip().startswith("#") and _indent(line) < column:
            return None
    return None


def _pair(template: Template, key: Span) -> Span | None:
    """Return the lines of a pair whose key starts a line; None for any other key."""
    text = template.text
    start = text.rfind("\n", 0, key.start) + 1
    column = key.start - start
    if text[start : key.start].strip():
        return None
    end = _next_line(text, key.end)
    while end < len(text):
        after = _next_line(text, end)
        line = text[end:after]
        is_item = line.lstrip().startswith("- ") and _indent(line) == column
        if line.strip() and _indent(line) <= column and not is_item:
            break
        end = after
    return Span(start, end)


def _next_line(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1
