"""Ready-made groups of resources: each is a template of which the parameters become tab stops."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from heatstudio.analysis.assistance.layout import escaped
from heatstudio.analysis.assistance.proposal import Proposal, Raw
from heatstudio.analysis.assistance.reference_index import ReferenceIndex, Symbol, SymbolKind, reference_index
from heatstudio.analysis.assistance.snippets import unique_name
from heatstudio.assets import resource_path
from heatstudio.stack.functions.language import Language
from heatstudio.stack.groups.group_places import at
from heatstudio.template import Part, Template, parse_template
from heatstudio.text import TextEdit, apply_edits

_MARK = re.compile("\ue000(.*?)\ue001")
"""A tab stop while the text is still one of YAML; no template has these signs."""


@cache
def _texts() -> tuple[str, ...]:
    """Raises OSError if the program's data is not there."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted(resource_path("snippets").glob("*.yaml")))


@lru_cache(maxsize=64)
def _read(text: str) -> Template:
    return parse_template(text)


def snippet_templates() -> tuple[Template, ...]:
    """The ready-made groups as templates."""
    return tuple(map(_read, _texts()))


def named_snippets(template: Template, language: Language) -> Iterator[Proposal]:
    """Proposals for the section of resources of a template."""
    if not template.dialect.is_hot or template.is_json:
        return
    for order, library in enumerate(snippet_templates()):
        label = str(library.data.get(library.dialect.description, "")).strip()
        source = resources_snippet(library, template, language)
        count = len(library.entries(library.dialect.resources))
        yield Proposal(label, Raw(source), "resource", f"{count} resources" if count > 1 else "", 3, order)


def resources_snippet(library: Template, template: Template, language: Language) -> str:
    """The resources of a library template as a snippet, under names that are free in a template."""
    index = reference_index(library, language)
    edits = [*_free_names(library, template, index), *_stops(library, index)]
    lines = apply_edits(library.text, edits).split("\n")
    words = library.dialect
    first = lines.index(f"{words.resources}:") + 1
    body = [line[2:] for line in lines[first:]]
    numbers = iter(range(1, len(edits) + 1))
    text = escaped("\n".join(body).rstrip())
    return _MARK.sub(lambda found: f"${{{next(numbers)}:{found[1].replace('}', chr(92) + '}')}}}", text)


def _free_names(library: Template, template: Template, index: ReferenceIndex) -> Iterator[TextEdit]:
    for name in library.entries(library.dialect.resources):
        free = unique_name(template, str(name))
        if free != name:
            for mention in index.of(Symbol(SymbolKind.RESOURCE, str(name))):
                yield TextEdit(library.locate(mention.path, mention.part), free)


def _stops(library: Template, index: ReferenceIndex) -> Iterator[TextEdit]:
    words = library.dialect
    for mention in index.mentions:
        if mention.symbol.kind is SymbolKind.PARAMETER and not mention.is_definition:
            default = at(library.data, (words.parameters, mention.symbol.name, words.default))
            yield TextEdit(library.locate(mention.path[:-1], Part.VALUE), f"\ue000{default}\ue001")
