"""The documentation of a template: its description, parameters, outputs and resources in Markdown."""

from collections.abc import Iterable, Iterator, Sequence

from heatstudio.analysis.assist.sentences import constraint_words, sentence
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.parameter_form import FormField, FormGroup, parameter_form
from heatstudio.text.markup import Markdown


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
