"""A text that YAML reads as a number or boolean."""

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.analysis.scope import EnvironmentPlace, Finding, Place, TemplateScope, template_check
from heatstudio.analysis.scope.calls import EQUALS, IF, is_condition
from heatstudio.catalog.schema import PropertyType, property_at
from heatstudio.stack.inputs.parameter_schema import ParameterType
from heatstudio.template import DataFix, Part, SetValue, Template, TreePath, parse_environment
from heatstudio.template.syntax.construct import loaded_key
from heatstudio.template.syntax.nodes import BLOCK_STYLES, ScalarNode
from heatstudio.text import CheckFamily

_CANDIDATE = re.compile(
    r"[\s\[{,](?=[-+0-9YyNnOo])(?:[-+]?[0-9][0-9a-fA-FxX_:.]*(?![^\s\]},#])"
    r"|(?:[Yy]es|YES|[Nn]o|NO|[Oo]n|ON|[Oo]ff|OFF)(?=[ \t]*(?:[\]},#\r\n]|\Z)))"
)
_SEXAGESIMAL = re.compile(r"[-+]?[0-9_]+(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_OCTAL = re.compile(r"[-+]?0[0_]*[1-7][0-7_]+")
_LOSSY = re.compile(r"[0-9]+\.[0-9]*0|0[0-7]|0x[0-9a-fA-F]+|[A-Za-z]+")
"""Numbers and booleans that are written in another way when they become a string: `1.10`, `01`, `0x1af4`, `yes`."""
_REPLACE = ("str_replace", "str_replace_strict", "str_replace_vstrict")
_VALUE = 2
"""The length of the path of a parameter's value in an environment."""
_NUMBERS = frozenset({PropertyType.INTEGER, PropertyType.NUMBER})
_CONVERTED = _NUMBERS | {PropertyType.BOOLEAN}
"""The types of properties whose values Heat converts from a text."""
_Kinds = frozenset[PropertyType]
"""The types that are wanted at a path: several if a parameter has several readers, none if the type is unknown."""
_TEXT: _Kinds = frozenset({PropertyType.STRING})


class _Number(Struct, frozen=True):
    """A value that YAML reads as a number or boolean."""

    path: TreePath
    written: str
    value: object
    wanted: _Kinds


@template_check(family=CheckFamily.SUSPICIOUS)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every unquoted text that YAML reads as a number or boolean, written in another way."""
    found = _yaml_numbers(scope.template, lambda path, text: _wanted(scope, path, text))
    yield from (one for one in found if not _is_file_mode(scope, one.place.path))
    for file in scope.source.environments:
        if file.text and _CANDIDATE.search(file.text):
            for finding in check_environment(parse_environment(file.text), scope):
                path = finding.place.path[:_VALUE]
                given = scope.stack.parameters.given(str(path[-1]))
                if given is not None and (given.file, given.path) == (file.name, path):
                    place = Place((scope.words.parameters, str(path[-1])), Part.KEY)
                    where = EnvironmentPlace(file.name, finding.place)
                    yield replace(finding, place=place, also=(), fixes=(), environment=where)


def check_environment(template: Template, scope: TemplateScope) -> Iterator[Finding]:
    """Yield the same values of an environment, for the parameters of the template that uses it."""

    def wanted(path: TreePath, text: str) -> _Kinds:
        return _wanted_by_readers(scope, str(path[1]), text) if len(path) == _VALUE else frozenset()

    return _yaml_numbers(template, wanted)


def _yaml_numbers(template: Template, wanted: Callable[[TreePath, str], _Kinds]) -> Iterator[Finding]:
    """Yield the values; those that only change their writing if a text is wanted.

    `wanted` returns the types that are wanted at a path, at which Heat makes a text of the value.
    """
    text, at = template.text, 0
    found: dict[TreePath, list[_Number]] = {}
    while (candidate := _CANDIDATE.search(text, at)) is not None:
        at = candidate.end()
        written = candidate[0][1:]
        is_certain = _SEXAGESIMAL.fullmatch(written) or _OCTAL.fullmatch(written)
        if not is_certain and not _LOSSY.fullmatch(written):
            continue
        path, part, node, span = template.path_at(candidate.start() + 1)
        if isinstance(node, ScalarNode) and node.style in BLOCK_STYLES:
            at = max(at, span.end)
        is_plain = isinstance(node, ScalarNode) and (node.style, node.tag, node.value) == ("", None, written)
        if not isinstance(node, ScalarNode) or part is not Part.VALUE or not is_plain:
            continue
        value = loaded_key(node)
        if isinstance(value, str) or str(value) == written:
            continue
        kinds = wanted(path, str(value))
        if is_certain or kinds >= _TEXT:
            owner = path[:2] if path[:1] == (template.dialect.parameters,) else path
            found.setdefault(owner, []).append(_Number(path, written, value, kinds))
    yield from map(_finding, found.values())


def _finding(values: Sequence[_Number]) -> Finding:
    """Return the finding about a value, or about the values of one parameter, which are changed together."""
    first, *others = values
    what = f"a boolean; the text is `{first.value}`" if isinstance(first.value, bool) else f"the number {first.value}"
    title = "Quote the values" if others else "Quote the value"
    is_text = not first.wanted & _CONVERTED
    if is_number := not first.wanted.isdisjoint(_NUMBERS) and not first.wanted >= _TEXT:
        title = "Write the numbers" if others else f"Write `{first.value}`"
    changes = tuple(SetValue(one.path, one.value if is_number else one.written) for one in values)
    fixes = (DataFix.likely(title, *changes),) if is_text or is_number else ()
    message = f"YAML reads `{first.written}` as {what}.{' Quote the text.' if is_text else ''}"
    return Finding(message, Place(first.path), also=tuple(Place(one.path) for one in others), fixes=fixes)


def _wanted(scope: TemplateScope, path: TreePath, text: str) -> _Kinds:
    words = scope.words
    match path:
        case (words.parameters, str(name), words.default) | (words.parameters, str(name), *_, int()):
            return _wanted_by_readers(scope, name, text)
        case (*_, name, "params", _) if name in _REPLACE:
            return _TEXT
        case (words.resources, str(name), words.properties, *steps) if scope.view.names_resource(name):
            kind = scope.types.find(scope.view.resource_type(name), name).type
            found = property_at(kind.properties, _without_branches(steps)) if kind is not None else None
            return frozenset({found.type} if found is not None else ())
        case _:
            return frozenset()


def _is_file_mode(scope: TemplateScope, path: TreePath) -> bool:
    """Return whether a value is the mode of a file in a cloud-config: cloud-init expects the number."""
    words, rules = scope.words, scope.knowledge.suspicions
    match path:
        case (words.resources, str(name), words.properties, config, *_, key) if scope.view.names_resource(name):
            kind = scope.types.find(scope.view.resource_type(name), name).target
            return key in rules.file_modes and rules.cloud_configs.get(kind) == config
        case _:
            return False


def _without_branches(steps: Sequence[str | int]) -> list[str | int]:
    """Return a path without the branches of `if`."""
    return [one for at, one in enumerate(steps) if one not in IF and (at == 0 or steps[at - 1] not in IF)]


def _wanted_by_readers(scope: TemplateScope, name: str, text: str) -> _Kinds:
    """Return the type of a parameter; for a string, a text and the types to which its readers convert the text."""
    schema = scope.view.schema(name)
    if schema is None or schema.type is not ParameterType.STRING:
        return frozenset({schema.type.property_type} if schema is not None else ())
    kinds = [_wanted_by_reader(scope, path, text) for path in scope.readers.get(name, ())] or [_TEXT]
    return frozenset().union(*(one if one and one <= _CONVERTED else _TEXT for one in kinds))


def _wanted_by_reader(scope: TemplateScope, path: TreePath, text: str) -> _Kinds:
    """Return the types that a reader wants; a comparison with the text that Heat gets wants the boolean or number."""
    if path[-2:-1] and path[-2] in EQUALS:
        compared = scope.data_at(path[:-1])
        return _CONVERTED if isinstance(compared, list) and text in compared else _TEXT
    return _CONVERTED if is_condition(path, scope.words) else _wanted(scope, path, text)
