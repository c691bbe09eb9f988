"""`heatstudio docs`: document a template in Markdown."""

from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from heatstudio.analysis.assist.sentences import constraint_words, sentence
from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, note, say_markup
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.stack.definition.source import define
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.load import read_written
from heatstudio.stack.parameter_form import FormField, FormGroup, parameter_form
from heatstudio.text import DocumentError, read_document, save_document
from heatstudio.text.markup import Markdown

_MARK = "<!-- {} heatstudio docs {} -->"


def run(options: Namespace) -> int:
    """Return 0 for current or written documentation, 1 if it is out of date. Raise DocumentError."""
    page = _page(options.template)
    if options.into is None:
        say_markup(page)
        return EXIT_FINE
    return _replace(options.into, options.template.name, page, checks=options.check)


def _page(path: Path) -> Markdown:
    """Return the documentation of a template. Raise DocumentError if it cannot be read."""
    engine, snapshot = Engine(), Snapshot(read_written(path), path, uses_project=False)
    source = engine.source_of(snapshot)
    if not source.template.complete or source.template.version_message is not None:
        raise DocumentError("no-template", f"{path} is not a valid template; run `heatstudio check` for details.")
    stack, _types = define(source, engine.knowledge_of(snapshot))
    return template_page(stack)


def _replace(path: Path, name: str, page: Markdown, *, checks: bool) -> int:
    """Replace the documentation of a template in a file. Raise DocumentError."""
    document = read_document(path)
    begin, end = (_MARK.format(word, name) for word in ("begin", "end"))
    before, found, rest = document.text.partition(begin)
    _old, closed, after = rest.partition(end)
    if not (found and closed):
        raise DocumentError("no-markers", f"{path} has no lines `{begin}` and `{end}`; add them.")
    text = f"{before}{begin}\n\n{page}\n\n{end}{after}"
    if text == document.text:
        return EXIT_FINE
    if checks:
        note(f"{path} is out of date; run `heatstudio docs {name} --into {path}`.")
        return EXIT_FOUND
    save_document(document.with_text(text))
    return EXIT_FINE


def template_page(stack: StackDefinition) -> Markdown:
    """Return the documentation of a valid template; sections that the template does not have are left out."""
    return Markdown("\n\n").join(_parts(stack))


def _parts(stack: StackDefinition) -> Iterator[Markdown]:
    words = stack.language.dialect
    description = stack.data.get(words.description)
    if isinstance(description, str) and description.strip():
        yield Markdown("\n\n").join(map(Markdown.sentence, description.strip().split("\n\n")))
    groups = parameter_form(stack).groups
    if groups:
        yield Markdown("## Parameters")
    for group in groups:
        yield from _group(group)
    yield from _section("Outputs", ("Name", "Description"), (_output(stack, name) for name in stack.output_names))
    yield from _section("Resources", ("Name", "Type", "Condition"), _resources(stack))


def _group(group: FormGroup) -> Iterator[Markdown]:
    if group.label:
        yield Markdown("### {}").fill(Markdown.sentence(group.label))
    if group.description:
        yield Markdown.sentence(group.description)
    yield Markdown.table(("Name", "Type", "Default", "Description"), map(_parameter, group.fields))


def _parameter(field: FormField) -> tuple[Markdown, ...]:
    schema = field.schema
    if schema is None:
        return Markdown.code(field.name), Markdown(""), Markdown(""), Markdown("")
    kind = f"{schema.type_word}{', hidden' if schema.hidden else ''}{', immutable' if schema.immutable else ''}"
    default = Markdown.code(field.fallback_text) if field.fallback_text else Markdown("")
    rules = "; ".join(one.description or constraint_words(one) for one in schema.constraints)
    lines = map(sentence, filter(None, (schema.label, schema.description, rules)))
    return Markdown.code(field.name), Markdown.escape(kind), default, Markdown.sentence(" ".join(lines))


def _output(stack: StackDefinition, name: str) -> tuple[Markdown, ...]:
    words = stack.language.dialect
    description = at(stack.data, (words.outputs, name, words.description))
    return Markdown.code(name), Markdown.sentence(description if isinstance(description, str) else "")


def _resources(stack: StackDefinition) -> Iterator[tuple[Markdown, ...]]:
    for name in stack.all_resource_names:
        condition = stack.resource_condition(name)
        shown = Markdown.code(condition) if isinstance(condition, str) else Markdown("")
        yield Markdown.code(name), Markdown.code(stack.resource_definition(name).type), shown


def _section(title: str, columns: Sequence[str], rows: Iterable[Sequence[Markdown]]) -> Iterator[Markdown]:
    """Yield a heading and a table; nothing without rows."""
    if cells := tuple(rows):
        yield Markdown("## {}").fill(title)
        yield Markdown.table(columns, cells)
