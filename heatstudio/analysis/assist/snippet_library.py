"""The snippet library, whose snippets are templates with parameters as tab stops."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import takewhile

from heatstudio.analysis.assist.available import Available, constraints_of, resource_to_wait_for
from heatstudio.analysis.assist.expectation import expectation_at
from heatstudio.analysis.assist.layout import escaped
from heatstudio.analysis.assist.reference_index import ReferenceIndex, Symbol, SymbolKind, reference_index
from heatstudio.analysis.assist.snippets import entry_before, unique_name
from heatstudio.analysis.assist.suggestion import Raw, Suggestion
from heatstudio.analysis.scope.calls import GET_RESOURCE
from heatstudio.analysis.scope.semantic_model import SemanticModel
from heatstudio.assets import resource_path, user_path
from heatstudio.catalog.schema import CustomConstraint, PropertySchema, PropertyType
from heatstudio.stack.groups.group_truth import at
from heatstudio.template import AddEntry, CannotEditError, Part, Template, TreePath, parse_template, render
from heatstudio.text import DocumentError, TextEdit, apply_edits, read_text

FOLDER = "snippets"
"""The folder of the user's own snippets, each a template."""
_MARK = re.compile("\ue000([^\ue000\ue001]*)\ue001")
"""The mark of a tab stop in YAML text; no template contains these characters."""


@cache
def _texts() -> tuple[str, ...]:
    """Return the bundled snippets. Raise OSError if they are missing."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted(resource_path("snippets").glob("*.yaml")))


def _own_texts() -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the user's snippets; unreadable ones are skipped."""
    for path in sorted(user_path(FOLDER).glob("*.yaml")):
        try:
            yield path.stem, read_text(path)
        except DocumentError:
            continue


@lru_cache(maxsize=64)
def _read(text: str) -> Template:
    return parse_template(text)


def snippet_templates() -> tuple[Template, ...]:
    """Return the bundled snippets as templates."""
    return tuple(map(_read, _texts()))


def named_snippets(model: SemanticModel, offset: int) -> Iterator[Suggestion]:
    """Yield the snippets as suggestions for a template's resources."""
    template = model.template
    if not template.dialect.is_hot or template.is_json:
        return
    own = ((name, _read(text)) for name, text in _own_texts())
    usable = [(name, library) for name, library in own if not why_no_snippet(library)]
    available = Available.at(model, entry_before(template, offset) or "", is_below=True)
    for order, (name, library) in enumerate([*usable, *(("", library) for library in snippet_templates())]):
        label = str(library.data.get(library.dialect.description) or name).strip()
        source = resources_snippet(library, model, available)
        count = len(library.entries(library.dialect.resources))
        detail = ", ".join([f"{count} resources"] * (count > 1) + ["your own"] * bool(name))
        yield Suggestion(label, Raw(source), "resource", detail, 3, order)


def why_no_snippet(library: Template) -> str:
    """Return why a template cannot be used as a snippet; empty if it can."""
    words = library.dialect
    if not library.complete or not words.is_hot or library.is_json or not library.entries(words.resources):
        return "Only a HOT template in YAML, with resources and without syntax errors, can be saved as a snippet."
    lines = library.text.splitlines()
    named = [line for line in lines if line.startswith("  ") and not line.startswith("   ") and line.strip()[:1] != "#"]
    if f"{words.resources}:" not in lines or not named or "\t" in library.text:
        return "To save a snippet, write `resources:` on its own line, indent resources by two spaces, and use no tabs."
    return ""


def resources_snippet(library: Template, model: SemanticModel, available: Available) -> str:
    """Return the resources of a library template as a snippet, renamed to be unique in a template.

    What is available replaces parameters, of which the others are tab stops.
    """
    index = reference_index(library, model.language)
    references = dict(_references(library, model, index, available))
    stops = [TextEdit(library.locate(path, Part.VALUE), text) for path, (text, _) in references.items()]
    named = [name for _, name in references.values() if name]
    edits = [*_free_names(library, model.template, index), *stops, *_waits(library, model, named)]
    lines = apply_edits(library.text, edits).splitlines()
    words = library.dialect
    first = lines.index(f"{words.resources}:") + 1
    body = [line.removeprefix("  ") for line in takewhile(lambda line: not line or line[0] in " #", lines[first:])]
    numbers = iter(range(1, len(edits) + 1))
    text = escaped("\n".join(body).rstrip())
    return _MARK.sub(lambda found: f"${{{next(numbers)}:{found[1].replace('}', chr(92) + '}')}}}", text)


def _free_names(library: Template, template: Template, index: ReferenceIndex) -> Iterator[TextEdit]:
    for name in library.entries(library.dialect.resources):
        free = unique_name(template, str(name))
        if free != name:
            for mention in index.of(Symbol(SymbolKind.RESOURCE, str(name))):
                yield TextEdit(library.locate(mention.path, mention.part), free)


def _waits(library: Template, model: SemanticModel, named: Sequence[str]) -> Iterator[TextEdit]:
    """Yield the edits that make resources wait for others of the template, given those to which the snippet refers."""
    words = library.dialect
    for name, kind in library.section(words.resources).items():
        properties, is_free = at(kind, (words.properties,)), at(kind, (words.depends_on,)) is None
        written = properties if isinstance(properties, Mapping) else {}
        other = resource_to_wait_for(model, str(at(kind, (words.type,))), written, named) if named and is_free else ""
        if other:
            change = AddEntry((words.resources, str(name)), words.depends_on, other, after=words.type)
            with suppress(CannotEditError):
                yield from render(library, (change,))


def _references(
    library: Template, model: SemanticModel, index: ReferenceIndex, available: Available
) -> Iterator[tuple[TreePath, tuple[str, str]]]:
    """Yield the path of each call that reads a parameter, what replaces it, and the resource to which that refers."""
    words, inside = library.dialect, model.with_template(library)
    for mention in index.mentions:
        is_use = mention.symbol.kind is SymbolKind.PARAMETER and not mention.is_definition
        is_whole = is_use and mention.path[0] == words.resources and isinstance(mention.path[-1], str)
        if is_whole and index.definition(mention.symbol) is not None:
            declared, path = at(library.data, (words.parameters, mention.symbol.name)), mention.path[:-1]
            default = at(declared, (words.default,))
            shown = default if isinstance(default, str | int | float) else mention.symbol.name
            text, resource = f"\ue000{shown}\ue001", ""
            here = expectation_at(inside, path)
            schema, owner = here.schema, here.owner.type.name if here.owner is not None else ""
            if schema is None or not (schema.entities or schema.refers or schema.external):
                constraints = tuple(map(CustomConstraint, sorted(constraints_of(declared))))
                schema = PropertySchema(mention.symbol.name, PropertyType.STRING, constraints=constraints)
            for call, name in (available.reference(schema, owner) or {}).items():
                text, resource = f"{{{call}: \ue000{name}\ue001}}", str(name) if call == GET_RESOURCE else ""
            yield path, (text, resource)
