"""A variable of a text that is not replaced as meant."""

import re
from collections.abc import Iterator, Mapping, Sequence

from heatstudio.analysis.scope import Finding, Place, ResourceScope, Scope, call_check
from heatstudio.analysis.scope.calls import GET_FILE, calls, values
from heatstudio.stack.functions.function import FunctionError, parse, resolve
from heatstudio.template import Part, TreePath
from heatstudio.text import CheckFamily
from heatstudio.text.words import occurrences

_STRICT = ("str_replace_strict", "str_replace_vstrict")
"""The functions for which Heat rejects a variable that does not occur."""
_REPLACE = ("str_replace", *_STRICT, "Fn::Replace")
_NAMING = ("get_file", "get_resource", "Ref")
_JOINING = ("if", "Fn::If", "list_join", "Fn::Join", "list_concat", "list_concat_unique", "map_merge", "repeat")
_TRANSPARENT = frozenset((*_REPLACE, *_NAMING, *_JOINING))
"""The functions whose result still has the variable, or whose argument Heat rejects with the variable."""
_WORD = re.compile(r"\w+")
_MOST_STEPS = 10_000_000
"""Maximum product of the length of a text and the number of its variables."""
_MOST_VARIABLES = 50
"""Maximum number of variables of a `repeat` that are compared with each other."""


@call_check(in_members=False, family=CheckFamily.SUSPICIOUS)
def check(scope: Scope) -> Iterator[Finding]:
    """Yield the variables of replacing functions and of groups that are not replaced as meant."""
    for name, arguments, path in scope.calls:
        match name, arguments:
            case ("Fn::Replace", [params, text]):
                yield from _replaced(scope, text, params, (*path, 0), is_strict=False)
            case (_, {"template": text, "params": params}) if name in _REPLACE:
                yield from _replaced(scope, text, params, (*path, "params"), is_strict=name in _STRICT)
            case ("repeat", {"template": template, "for_each": dict() as lists}):
                yield from _repeated(scope, lists, (*path, "for_each"))
                yield from _inside_functions(scope, [str(one) for one in lists], template, (*path, "template"))
    rule = scope.member_rule if isinstance(scope, ResourceScope) else None
    if isinstance(scope, ResourceScope) and scope.properties is not None and rule is not None and rule.index:
        index = scope.properties.value(rule.index)
        path = (*scope.properties_path, rule.definition)
        if isinstance(index, str) and index:
            yield from _inside_functions(scope, [index], scope.data_at(path), path)


def _replaced(scope: Scope, text: object, params: object, path: TreePath, *, is_strict: bool) -> Iterator[Finding]:
    """Yield the variables of a text that do not occur in it, or that occur as a word and inside longer words."""
    text = scope.view.file(str(text[GET_FILE])) if isinstance(text, Mapping) and [*text] == [GET_FILE] else text
    variables = [*params] if isinstance(params, Mapping) else []
    is_function = len(variables) == 1 and variables[0] in scope.view.language.functions
    if is_function or not isinstance(text, str) or len(text) * len(variables) > _MOST_STEPS:
        return
    for variable in sorted(filter(None, map(str, variables)), key=len, reverse=True):
        place = Place((*path, variable), Part.KEY)
        if variable not in text:
            if not is_strict:
                yield Finding(f"`{variable}` does not occur in the text.", place)
        elif word := _longer_word(text, variable):
            yield Finding(f"`{variable}` also replaces a part of `{word}`.", place)
        text = text.replace(variable, "\0")


def _longer_word(text: str, variable: str) -> str:
    """Return a longer word that begins with a variable which also occurs as a word; an empty string if there is none.

    The next sign of the word is a letter: `$name_1` and `$name1` are usual.
    """
    is_word, longer = False, ""
    for start in occurrences(text, variable, whole=False):
        end = _WORD.match(text, start + len(variable))
        word = end[0] if end is not None else ""
        is_word = is_word or not (word or _WORD.match(text[max(start - 1, 0) : start]))
        longer = longer or (variable + word if word[:1].isalpha() and variable[-1].isalpha() else "")
    return longer if is_word else ""


def _repeated(scope: Scope, lists: Mapping[object, object], path: TreePath) -> Iterator[Finding]:
    """Yield the variables that replace a part of a later one, or of its values: Heat replaces one after the other."""
    variables = [str(one) for one in lists][:_MOST_VARIABLES]
    for index, variable in enumerate(variables):
        longer = next((one for one in variables[index + 1 :] if variable and variable in one), None)
        if longer is not None:
            message = f"`{variable}` also replaces a part of `{longer}`."
            yield Finding(message, Place((*path, variable), Part.KEY))
            continue
        values = _known(scope, lists.get(variable))
        texts = [one for one in values if isinstance(one, str)] if isinstance(values, list) else []
        for later in variables[index + 1 :]:
            value = next((one for one in texts if later and later in one), None)
            if value is not None:
                message = f"`{later}` also replaces a part of `{value}`, a value of `{variable}`."
                yield Finding(message, Place((*path, later), Part.KEY))


def _inside_functions(scope: Scope, variables: Sequence[str], data: object, path: TreePath) -> Iterator[Finding]:
    """Yield the calls that Heat resolves with a variable instead of its values."""
    language, reported = scope.view.language, set[TreePath]()
    for name, arguments, at in calls(data, path):
        is_function = name in language.functions or name in language.condition_functions
        if not is_function or name in _TRANSPARENT or any(at[:length] in reported for length in range(len(at))):
            continue
        texts = (text for text, _ in values(arguments, ()) if isinstance(text, str))
        used = next((one for text in texts for one in variables if one in text), None)
        if used is not None:
            reported.add(at)
            message = f"`{name}` gets the text `{used}`: functions are resolved before variables."
            yield Finding(message, Place(at, Part.KEY))


def _known(scope: Scope, data: object) -> object:
    """Return the current value of written data, which may be unknown."""
    if not isinstance(data, (dict, list)):
        return data
    try:
        return resolve(parse(data, scope.view.language, ()), scope.view)
    except FunctionError:
        return None
