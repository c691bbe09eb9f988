"""Search for the templates that nest a template."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from heatstudio.catalog.facts import maps_in
from heatstudio.stack.inputs.environment import Environment, EnvironmentFile
from heatstudio.stack.inputs.registry import TEMPLATE_ENDINGS
from heatstudio.stack.load import load_environment
from heatstudio.template import Template, parse_template
from heatstudio.text import DocumentError, read_text, real_path

_TYPE = "type"


class ParentTemplate(Struct, frozen=True):
    """A template that nests another template."""

    path: Path
    template: Template
    types: frozenset[str]
    """The names of the types that resolve to the nested template."""
    environments: tuple[EnvironmentFile, ...] = ()
    """The environments of the parent, whose `parameter_defaults` also apply to the nested template."""


def load_parents(
    nested: Path,
    candidates: Iterable[Path],
    environments_of: Callable[[Path], Iterable[Path]],
    open_texts: Mapping[Path, str],
) -> Iterator[ParentTemplate]:
    """Yield the candidates that nest a template; `open_texts` take precedence over the files on disk."""
    nested = real_path(nested)
    for path in candidates:
        environment = Environment([*_environments(environments_of(path), open_texts)])
        text = open_texts.get(path)
        text = _text(path) if text is None else text
        if real_path(path) == nested or not (nested.name in text or _mentions(environment, nested)):
            continue
        template = parse_template(text)
        used = frozenset(type_names(template.data))
        types = frozenset(name for name in used if _template_of_type(name, path.parent, environment) == nested)
        if types:
            yield ParentTemplate(path, template, types, environment.files)


def _text(path: Path) -> str:
    try:
        return read_text(path)
    except DocumentError:
        return ""


def _environments(paths: Iterable[Path], open_texts: Mapping[Path, str]) -> Iterator[EnvironmentFile]:
    for path in paths:
        try:
            yield load_environment(path, open_texts.get(path))
        except DocumentError:
            continue


def _mentions(environment: Environment, nested: Path) -> bool:
    return any(nested.name in str(file.data) for file in environment.files)


def _template_of_type(name: str, folder: Path, environment: Environment) -> Path | None:
    target = environment.registry.target(name)
    if target is None or not target.endswith(TEMPLATE_ENDINGS) or "://" in target:
        return None
    return real_path(folder / target)


def type_names(data: object) -> Iterator[str]:
    """Yield every resource type in a template, including the types in definitions of group members."""
    for one in maps_in(data):
        yield from (value for key, value in one.items() if str(key).lower() == _TYPE and isinstance(value, str))
