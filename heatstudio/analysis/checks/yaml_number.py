"""A text that YAML reads as a number or boolean."""

import re
from collections.abc import Callable, Iterator, Sequence

from heatstudio.analysis.scope.check import template_check
from heatstudio.analysis.scope.finding import Finding, Place
from heatstudio.analysis.scope.scope import TemplateScope
from heatstudio.catalog.schema import PropertyType, property_at
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.inputs.parameter_schema import ParameterSchema, ParameterType
from heatstudio.stack.path import Path
from heatstudio.template import DataFix, Part, SetValue, Template
from heatstudio.template.syntax.construct import loaded_key
from heatstudio.template.syntax.nodes import BLOCK_STYLES, ScalarNode
from heatstudio.text import Applicability, CheckFamily, Severity

CODE = "yaml-number"
_CANDIDATE = re.compile(
    r"[\s\[{,](?=[-+0-9YyNnOo])(?:[-+]?[0-9][0-9a-fA-FxX_:.]*(?![^\s\]},#])"
    r"|(?:[Yy]es|YES|[Nn]o|NO|[Oo]n|ON|[Oo]ff|OFF)(?=[ \t]*(?:[\]},#\r\n]|\Z)))"
)
_SEXAGESIMAL = re.compile(r"[-+]?[0-9_]+(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_OCTAL = re.compile(r"[-+]?0[0_]*[1-7][0-7_]+")
_LOSSY = re.compile(r"[0-9]+\.[0-9]*0|0[0-7]|0x[0-9a-fA-F]+|[A-Za-z]+")
"""Numbers and booleans that are written in another way when they become a string: `1.10`, `01`, `0x1af4`, `yes`."""
_REPLACE = ("str_replace", "str_replace_strict", "str_replace_vstrict")
VALUE = 2
"""The length of the path of a parameter's value in an environment."""


@template_check(family=CheckFamily.SUSPICIOUS)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield every unquoted text that YAML reads as a number or boolean, written in another way."""
    return _yaml_numbers(scope.template, lambda path: _is_text_wanted(scope, path))


def check_environment(template: Template, stack: StackDefinition) -> Iterator[Finding]:
    """Yield the same values of an environment, for the parameters of the stack that uses it."""
    return _yaml_numbers(template, lambda path: len(path) == VALUE and _is_string(stack.schema(str(path[1]))))


def _yaml_numbers(template: Template, is_text_wanted: Callable[[Path], bool]) -> Iterator[Finding]:
    """Yield the values; those that only change their writing if a text is wanted at their path."""
    text, at = template.text, 0
    found: dict[Path, list[tuple[Path, str, object]]] = {}
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
        if node is None or part is not Part.VALUE or not is_plain or not (is_certain or is_text_wanted(path)):
            continue
        value = loaded_key(node)
        if not isinstance(value, str) and str(value) != written:
            owner = path[:2] if path[:1] == (template.dialect.parameters,) else path
            found.setdefault(owner, []).append((path, written, value))
    yield from map(_finding, found.values())


def _finding(values: Sequence[tuple[Path, str, object]]) -> Finding:
    """Return the finding about a value, or about the values of one parameter, which are quoted together."""
    (path, written, value), *others = values
    what = f"a boolean; the text is `{value}`" if isinstance(value, bool) else f"the number {value}"
    message = f"YAML reads `{written}` as {what}. Quote the text."
    changes = tuple(SetValue(place, text) for place, text, _ in values)
    title = "Quote the values" if others else "Quote the value"
    fix = DataFix(title, changes, Applicability.UNSAFE, preferred=True)
    also = tuple(Place(place) for place, _, _ in others)
    family = CheckFamily.SUSPICIOUS
    return Finding(CODE, Severity.WARNING, message, Place(path), also=also, fixes=(fix,), family=family)


def _is_text_wanted(scope: TemplateScope, path: Path) -> bool:
    words = scope.words
    match path:
        case (words.parameters, str(name), words.default) | (words.parameters, str(name), *_, int()):
            return _is_string(scope.view.schema(name))
        case (*_, name, "params", _) if name in _REPLACE:
            return True
        case (words.resources, str(name), words.properties, *steps) if scope.view.names_resource(name):
            kind = scope.types.find(scope.view.resource_type(name), name).type
            found = property_at(kind.properties, steps) if kind is not None else None
            return found is not None and found.type is PropertyType.STRING
        case _:
            return False


def _is_string(schema: ParameterSchema | None) -> bool:
    return schema is not None and schema.type is ParameterType.STRING
