"""Maps that look like calls of functions; Heat treats them as data."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from heatstudio.analysis.scope.calls import Call, PlacedMap
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.functions.function import Broken, parse
from heatstudio.stack.functions.language import Language
from heatstudio.template import TreePath
from heatstudio.template.dialect import DIALECTS

SIGNS = ("_", "::")
"""Character sequences that rarely occur in keys other than function names."""
SHORTEST = 6


class StrayCall(Struct, frozen=True):
    """A map with a key that resembles, or is, the name of a function."""

    name: str
    path: TreePath
    """The path of the key."""
    meant: tuple[str, ...] = ()
    """The functions of this version with a similar name."""
    since: str = ""
    """The template version that has a function with exactly this name."""
    arguments: tuple[object, ...] = ()
    """The arguments of a call whose brackets are missing, so that the others became keys without a value."""
    is_key: bool = False
    """Whether the function is a key among others."""


def stray_calls(found: Iterable[Call], language: Language, knowledge: Knowledge) -> Iterator[StrayCall]:
    """Yield the maps that are very probably meant as calls."""
    for name, arguments, path in found:
        if name in language.functions or name in language.condition_functions:
            continue
        version = _version_with(name, language, knowledge)
        if version is not None:
            dialect = DIALECTS[version]
            if not isinstance(parse({name: arguments}, knowledge.language(dialect), ()), Broken):
                yield StrayCall(name, path, since=f"{dialect.version_key}: {dialect.version}")
        elif names := _alike(name, language):
            yield StrayCall(name, path, names)


def among_keys(found: Iterable[PlacedMap], language: Language) -> Iterator[StrayCall]:
    """Yield the maps with the name of a function beside other keys.

    In `{get_param: a, b}` the brackets around the arguments are missing.
    """
    for value, path in found:
        if len(value) == 1 or language.functions.keys().isdisjoint(value):
            continue
        name = next((key for key in value if key in language.functions and is_clear(key)), None)
        if name is not None:
            first, others = value[name], [key for key in value if key != name]
            is_plain = isinstance(first, (str, int, list)) and next(iter(value)) == name
            is_list = is_plain and all(value[other] is None for other in others)
            given = first if isinstance(first, list) else [first]
            yield StrayCall(str(name), (*path, str(name)), arguments=(*given, *others) if is_list else (), is_key=True)


def is_clear(name: object) -> bool:
    """Return whether a name is distinctive, so that it is rarely anything but a function."""
    return isinstance(name, str) and any(sign in name for sign in SIGNS)


@lru_cache(maxsize=4096)
def _version_with(name: str, language: Language, knowledge: Knowledge) -> int | None:
    """Return the index of the first version of the same language with the function, else of any language."""
    having = [index for index, dialect in enumerate(DIALECTS) if knowledge.language(dialect).state(name) == "function"]
    own = language.dialect.version_key
    return min(having, key=lambda index: (DIALECTS[index].version_key != own, index), default=None)


@lru_cache(maxsize=4096)
def _alike(name: str, language: Language) -> tuple[str, ...]:
    """Return the functions with a distinctive name that differ from this name in one or two letters."""
    if len(name) < SHORTEST:
        return ()
    clear = [other for other in language.functions if is_clear(other)]
    return nearest(name, clear, 0.84)
