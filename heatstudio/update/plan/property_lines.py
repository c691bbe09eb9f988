"""The differences of a changed property, leaf by leaf, and each of them on one line."""

import json
from collections.abc import Hashable, Iterator, Mapping
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.stack.definition.secrets import MASK
from heatstudio.stack.path import dotted, step
from heatstudio.stack.unknown import NewKey, PartialText, Unknown, unknowns
from heatstudio.text.line_diff import align_lines, changed_runs
from heatstudio.text.shortened import shortened
from heatstudio.text.span import LineChange, shared_ends
from heatstudio.update.difference import compare, referred_resource
from heatstudio.update.plan.outcome import Outcome, outcome_of_action
from heatstudio.update.plan.update_plan import Cause, Reason, ResourceChange

UNKNOWN = "(not known yet)"
NOT_SET = "(not set)"
INVALID = "(invalid)"
LONGEST_VALUES = 400
"""Maximum number of characters of both values of a line."""


class PropertyLine(Struct, frozen=True):
    """One difference on one line: `name: before → after`, or `name: words`."""

    cause: Cause
    """The cause, narrowed to this difference."""
    outcome: Outcome
    certain: bool
    name: str
    before: str = ""
    """Empty if the new value says it all, such as a new ID of the same resource."""
    after: str = ""
    words: str = ""
    """The description of the difference if the values are hidden, not known, or too many."""

    @property
    def tag(self) -> str:
        """The effect in a word or two."""
        return self.outcome.tag(certain=self.certain)

    @property
    def is_multiline(self) -> bool:
        """Whether the difference is in a text of several lines, which can be compared line by line."""
        before, after = self.cause.before, self.cause.after
        is_text = isinstance(before, str) and isinstance(after, str) and not self.cause.secret
        return is_text and not self.words and ("\n" in str(before) or "\n" in str(after))

    def text(self, room: int = LONGEST_VALUES, arrow: str = "→") -> str:
        """Return the line without the tag; both values together have about `room` characters."""
        before, after = shortened(self.before, self.after, room)
        return f"{self.name}: {self.words or f'{before} {arrow} {after}'.removeprefix(f' {arrow} ')}"


def property_lines(change: ResourceChange) -> Iterator[tuple[Cause, list[PropertyLine]]]:
    """Yield each cause of a change, and a line for each of its differences."""
    for cause in change.causes:
        yield cause, [_line(change, cause, leaf) for leaf in leaves(cause)]


def leaves(cause: Cause) -> list[Cause]:
    """Return a cause for each difference inside the values of a cause.

    Return the cause itself if its values are secret, or differ only in null entries.
    """
    return [cause] if cause.secret else list(_leaves(cause)) or [cause]


def _leaves(cause: Cause) -> Iterator[Cause]:
    """Compare maps by key, and items of lists by position, as Heat does, but omit equal ends if the lengths differ."""
    old, new = cause.before, cause.after
    if isinstance(old, list) and isinstance(new, list):
        start, end = shared_ends(old, new) if len(old) != len(new) else (0, 0)
        old, new = (dict(enumerate(side[start : len(side) - end], start)) for side in (old, new))
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys(chain(old, new)):
            yield from _leaves(replace(cause, path=(*cause.path, step(key)), before=old.get(key), after=new.get(key)))
    elif compare(old, new) is not True:
        yield cause


def _line(change: ResourceChange, cause: Cause, leaf: Cause) -> PropertyLine:
    is_same = compare(leaf.before, leaf.after)
    certain = is_same is not None and (change.certain or cause.effect is not change.action)
    name = dotted((cause.property, *leaf.path[len(cause.path) :]))
    line = PropertyLine(leaf, outcome_of_action(cause.effect), certain, name)
    if cause.secret:
        return replace(line, words=f"{MASK} changes")
    before, after = _texts(leaf.before, leaf.after)
    if before == after:
        verb = "changes" if is_same is False else "may change"
        same = "mapped to another type" if leaf.path == ("type",) else "differs only in empty values"
        return replace(line, words=same if is_same else f"{verb} with {_origins(leaf)}")
    if isinstance(leaf.after, Unknown) and isinstance(leaf.after.key, NewKey) and before == after.removeprefix("new "):
        before = ""
    before, after = shortened(before, after, LONGEST_VALUES)
    return replace(line, before=before, after=after)


def _origins(leaf: Cause) -> str:
    """Return the names of the elements on which two unknown values depend."""
    origins = chain.from_iterable(value.origins for value in unknowns([leaf.before, leaf.after]))
    names = [origin_words(origin) for origin in sorted({*origins}) if not isinstance(origin, Reason)]
    names = names or [f"{reason.subject.kind} `{reason.subject.name}`" for reason in leaf.because if reason.subject]
    return ", ".join(dict.fromkeys(names)) or "values that are not known yet"


def origin_words(origin: str) -> str:
    """Return an origin of an unknown value in words."""
    kind, _, name = origin.partition(":")
    return f"{kind} `{name}`" if name else kind.rstrip(":")


def _texts(before: object, after: object) -> tuple[str, str]:
    """Return both values on one line; strings are quoted if they could be mistaken for other values."""
    is_quoted = not all(value is None or isinstance(value, str | Unknown) for value in (before, after))
    texts = [_one_line(_given(value), is_quoted=is_quoted) for value in (before, after)]
    if texts[0] == texts[1]:  # the values differ only in null entries, or in their types
        texts = [_one_line(value, is_quoted=True) for value in (before, after)]
    return texts[0], texts[1]


def _one_line(value: object, *, is_quoted: bool) -> str:
    if value is None:
        return NOT_SET
    if isinstance(value, Unknown) and not isinstance(value.key, PartialText):
        return _described(value.key)
    found = shown(value)
    if isinstance(value, Unknown) and isinstance(value.key, PartialText):
        found = "".join(
            one if isinstance(one, str) else f"({_described(one.key).strip('()')})" for one in value.key.pieces
        )
    text = json.dumps(found, ensure_ascii=False)
    is_plain = isinstance(found, str) and found.strip() and not is_quoted
    return text[1:-1].replace('\\"', '"') if is_plain else text


def shown(value: object, *, secret: bool = False) -> object:
    """Return a value as plain data for display, with secrets masked and placeholders for unknown values."""
    if value is None or isinstance(value, (bool, int)):
        return MASK if secret and value is not None else value
    if secret:
        return MASK
    if isinstance(value, Unknown):
        if not isinstance(value.key, PartialText):
            return UNKNOWN
        return "".join(piece if isinstance(piece, str) else UNKNOWN for piece in value.key.pieces)
    if isinstance(value, Mapping):
        return {str(key): shown(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    return value if isinstance(value, (str, float)) else str(value)


def _given(value: object) -> object:
    """Return a value without the null entries of maps, which schemas add."""
    if isinstance(value, Mapping):
        return {key: _given(item) for key, item in value.items() if item is not None}
    return [_given(item) for item in value] if isinstance(value, list) else value


def _described(key: Hashable) -> str:
    """Return the description of an unknown value with this key, or the placeholder."""
    if isinstance(key, NewKey):
        name = referred_resource(Unknown(key.instead_of))
        return f"new ID of {name}" if name is not None else UNKNOWN
    if isinstance(key, tuple) and key[:1] in (("invalid",), ("failed",)):
        return INVALID
    name = referred_resource(Unknown(key))
    return f"ID of {name}" if name is not None else UNKNOWN


def line_diff(cause: Cause) -> Iterator[str]:
    """Yield the lines that differ between two texts, each after `-` or `+`, and one equal line around them."""
    old, new = (str(value).split("\n") for value in (cause.before, cause.after))
    rows = align_lines(old, new)
    seen = 0
    for run in changed_runs(rows):
        around = range(max(run.start - 1, seen), min(run.stop + 1, len(rows)))
        for row in (rows[at] for at in around):
            if row.old is not None and row.change is not LineChange.KEPT:
                yield f"- {old[row.old]}"
            if row.new is not None:
                yield f"{' ' if row.change is LineChange.KEPT else '+'} {new[row.new]}"
        seen = around.stop
