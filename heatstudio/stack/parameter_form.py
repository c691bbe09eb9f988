"""The parameters of a stack as a form: groups of fields with value, origin and Heat's reason to reject the value."""

import json
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.catalog.headlines import headline
from heatstudio.catalog.schema import AllowedValues, Constraint
from heatstudio.stack.definition.secrets import secrets_of
from heatstudio.stack.definition.source import Source
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.stack.inputs.environment import PARAMETER_DEFAULTS, PARAMETERS, EnvironmentFile
from heatstudio.stack.inputs.parameter_schema import ParameterSchema, ParameterType
from heatstudio.stack.inputs.parameters import GROUPS, Parameters, refusal, schema_faults
from heatstudio.stack.numeric import FALSE_WORDS, TRUE_WORDS, number
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.stack.unknown import has_unknown
from heatstudio.template import AddEntry, Change, SetValue, TreePath, parse_environment, render
from heatstudio.text import apply_edits
from heatstudio.text.invisible import visible

_LINE = 60
"""Maximum length of a JSON value on one line."""
MASK = "••••••"
"""The text shown instead of a hidden value."""
UNGROUPED = "Other parameters"
WITHOUT_VALUE = "Without a value"


class ValueOrigin(StrEnum):
    """The origin of the value of a parameter."""

    ENVIRONMENT = "environment"
    ENVIRONMENT_DEFAULT = "environment default"
    DEFAULT = "default"
    PROPERTY = "property"
    """A property of the resource that owns the nested stack."""
    MISSING = "missing"


class Fallback(Struct, frozen=True):
    """The value of a parameter that the form does not set."""

    origin: ValueOrigin
    value: object = None
    file: str | None = None
    """The environment file with the value."""
    path: TreePath = ()


class NestedUse(Struct, frozen=True):
    """A nested template that declares a parameter, and the resource that owns its stack."""

    file: str
    owner: tuple[str, ...]
    """The names of the owners, from the outermost stack inwards."""
    set_by_property: bool
    """Whether the owner sets the value, so that defaults have no effect."""

    @property
    def place(self) -> str:
        """The owner for display."""
        return " / ".join(self.owner)


class FormField(Struct, frozen=True):
    """One parameter in the form."""

    name: str
    schema: ParameterSchema | None
    """None if the declaration is invalid; `fault` has the reason."""
    fallback: Fallback
    fault: str | None = None
    uses: tuple[NestedUse, ...] = ()
    """The nested templates that declare the parameter; empty for a parameter of the template itself."""
    is_shared: bool = False
    """Whether the template itself has a parameter of the same name, which uses the same default."""

    @property
    def is_settable(self) -> bool:
        """Whether a value in this field has an effect."""
        settable = not self.uses or any(not use.set_by_property for use in self.uses)
        return self.schema is not None and settable

    @property
    def is_missing(self) -> bool:
        """Whether the parameter has no value unless the form sets one."""
        return self.fallback.origin is ValueOrigin.MISSING

    @property
    def title(self) -> str:
        """The label, or the name if there is none, for display."""
        return visible((self.schema.label if self.schema is not None else None) or self.name)

    @property
    def choices(self) -> tuple[object, ...]:
        """The values to choose from, for a boolean or a scalar with allowed values; otherwise empty."""
        if self.schema is None or self.schema.type in (ParameterType.LIST, ParameterType.MAP):
            return ()
        if self.schema.type is ParameterType.BOOLEAN:
            return (True, False)
        return next((c.values for c in self.schema.constraints if isinstance(c, AllowedValues)), ())

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints except for the choices."""
        if self.schema is None:
            return ()
        return tuple(c for c in self.schema.constraints if not (self.choices and isinstance(c, AllowedValues)))

    @property
    def fallback_text(self) -> str:
        """The fallback for display."""
        if self.fallback.origin is ValueOrigin.MISSING or has_unknown(self.fallback.value):
            return ""
        hidden = self.schema is not None and self.schema.hidden
        return MASK if hidden else value_text(self.fallback.value)

    def verdict(self, value: object) -> str | None:
        """Return the reason why Heat rejects a value, or the fallback for None; None if Heat accepts the value."""
        message = self.heat_verdict(value)
        if message is not None and self.schema is not None and self.schema.hidden:
            message = secrets_of(value, self.fallback.value).mask(message)
        return headline(message) if message is not None else None

    def heat_verdict(self, value: object) -> str | None:
        """Return Heat's own message for `verdict`."""
        if self.schema is None or not self.is_settable:
            return self.fault
        if value is None:
            if self.fallback.origin is ValueOrigin.MISSING:
                return f"The Parameter ({self.name}) was not provided."
            value = self.fallback.value
        return self.fault or refusal(self.schema, value)


class FormGroup(Struct, frozen=True):
    """A parameter group, or the parameters without a group."""

    label: str
    description: str = ""
    fields: tuple[FormField, ...] = ()


class ParameterForm(Struct, frozen=True):
    """All parameters of one template."""

    groups: tuple[FormGroup, ...] = ()
    unknown: tuple[StackProblem, ...] = ()
    """The values in an environment for parameters that the template does not have."""
    nested: tuple[FormGroup, ...] = ()
    """The parameters of nested templates, in a group for each file."""

    @property
    def fields(self) -> dict[str, FormField]:
        """The fields of the template itself by name."""
        return {field.name: field for group in self.groups for field in group.fields}

    @property
    def nested_fields(self) -> dict[str, FormField]:
        """The fields of nested templates by name."""
        return {field.name: field for group in self.nested for field in group.fields}


def parameter_form(stack: StackDefinition) -> ParameterForm:
    """Return the form of a stack: the groups in their order, then the parameters without a group."""
    words = stack.language.dialect
    bare = Parameters(stack.data.get(words.parameters), stack.language, stack.environment, previous=stack.parameters)
    fields = {name: form_field(bare, name, words.default) for name in bare.names}
    groups = list(_groups(stack.data.get(GROUPS), fields)) if stack.language.is_hot else []
    grouped = {field.name for group in groups for field in group.fields}
    ungrouped = tuple(field for field in fields.values() if field.name not in grouped)
    if ungrouped:
        groups.append(FormGroup(UNGROUPED if groups else "", "", ungrouped))
    undefined = (problem for problem in bare.problems() if problem.kind is ProblemKind.UNDEFINED)
    unknown = (replace(problem, message=headline(problem.message)) for problem in undefined)
    return ParameterForm(tuple(groups), tuple(unknown))


def missing_first(groups: tuple[FormGroup, ...]) -> tuple[FormGroup, ...]:
    """Return the groups after a group of all parameters without a value, if there are any."""
    missing = tuple(field for group in groups for field in group.fields if field.is_missing)
    if not missing:
        return groups
    others = _with_fields(groups, lambda field: not field.is_missing)
    labelled = (replace(group, label=group.label or UNGROUPED) for group in others)
    return (FormGroup(WITHOUT_VALUE, "", missing), *labelled)


def matching(groups: tuple[FormGroup, ...], query: str) -> tuple[FormGroup, ...]:
    """Return the groups with the parameters that have each word of a query in name, label, description or origin."""
    words = query.casefold().split()
    return tuple(_with_fields(groups, lambda field: _matches(field, words)))


def _with_fields(groups: tuple[FormGroup, ...], is_wanted: Callable[[FormField], bool]) -> Iterator[FormGroup]:
    """Yield the groups with only some of their fields; groups without such fields are left out."""
    for group in groups:
        fields = tuple(filter(is_wanted, group.fields))
        if fields:
            yield replace(group, fields=fields)


def _matches(field: FormField, words: list[str]) -> bool:
    about = field.schema.description if field.schema is not None else ""
    text = f"{field.name} {field.title} {about} {field.fallback.origin} {field.fallback.file or ''}".casefold()
    return all(word in text for word in words)


def form_field(parameters: Parameters, name: str, default_key: str) -> FormField:
    """Return the field of a parameter with its value; `default_key` is the language's key for a default."""
    schema, given = parameters.schema(name), parameters.given(name)
    shown = str(name)  # YAML allows names that are not strings
    if schema is None:
        return FormField(shown, None, Fallback(ValueOrigin.MISSING), str(parameters.declared(name)))
    fault = next((words for words, _ in schema_faults(schema)), None)
    if given is None:
        fallback = Fallback(ValueOrigin.MISSING)
    elif given.path[-1:] == (default_key,) and given.path[1:2] == (name,) and given.file is None:
        fallback = Fallback(ValueOrigin.DEFAULT, given.value, None, given.path)
    elif given.file is None:
        fallback = Fallback(ValueOrigin.PROPERTY, given.value)
    else:
        origin = ValueOrigin.ENVIRONMENT_DEFAULT if given.is_default else ValueOrigin.ENVIRONMENT
        fallback = Fallback(origin, given.value, given.file, given.path)
    return FormField(shown, schema, fallback, fault)


def _groups(data: object, fields: Mapping[str, FormField]) -> Iterator[FormGroup]:
    grouped: set[str] = set()
    for group in data if isinstance(data, list) else ():
        members = group.get(PARAMETERS) if isinstance(group, Mapping) else None
        if isinstance(group, Mapping) and isinstance(members, list):
            names = [name for name in members if isinstance(name, str) and name in fields and name not in grouped]
            grouped.update(names)
            label, description = str(group.get("label") or ""), str(group.get("description") or "")
            if names:
                yield FormGroup(label, description, tuple(fields[name] for name in dict.fromkeys(names)))


def value_text(value: object) -> str:
    """Return a value as the text of a form field."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list) and all(isinstance(item, str | int | float) and "," not in str(item) for item in value):
        return ",".join(map(str, value))
    if isinstance(value, list | dict) and not has_unknown(value):
        try:
            line = json.dumps(value, ensure_ascii=False, default=str)
            return line if len(line) <= _LINE else json.dumps(value, indent=2, ensure_ascii=False, default=str)
        except (ValueError, TypeError, RecursionError):
            return str(value)
    return "" if value is None else str(value)


def value_of_text(kind: ParameterType, text: str) -> object:
    """Return the text of a form field as plain data of the parameter's type, or as a string if that fails."""
    try:
        if kind is ParameterType.NUMBER:
            return number(text.strip())
        if kind is ParameterType.MAP or (kind is ParameterType.LIST and text.lstrip().startswith("[")):
            loaded: object = json.loads(text)
            return loaded if isinstance(loaded, dict | list) else text
    except (ValueError, TypeError, RecursionError):
        return text
    word = text.strip().lower()
    if kind is ParameterType.BOOLEAN and word in TRUE_WORDS | FALSE_WORDS:
        return word in TRUE_WORDS
    return text


TYPED_DEFAULTS = "Parameters pane"
"""The name of the environment with the form's values for nested templates."""


def typed_defaults(values: Mapping[str, object]) -> tuple[EnvironmentFile, ...]:
    """Return the form's values for nested templates as an environment; an empty tuple if there are none."""
    return (EnvironmentFile(TYPED_DEFAULTS, {PARAMETER_DEFAULTS: dict(values)}),) if values else ()


def values_of_missing(values: Mapping[str, object], source: Source) -> dict[str, object]:
    """Return the values of the form for parameters without any other value.

    The old side of an update preview also uses these values, because entering a missing value is not a change.
    """
    words = source.template.dialect
    declared = source.template.section(words.parameters)
    found: dict[str, object] = {}
    for name, value in values.items():
        entry = declared.get(name)
        has_default = isinstance(entry, Mapping) and entry.get(words.default) is not None
        if not has_default and not any(_gives(file.data, name) for file in source.environments):
            found[name] = value
    return found


def _gives(data: object, name: str) -> bool:
    sections = [data.get(key) for key in (PARAMETERS, PARAMETER_DEFAULTS)] if isinstance(data, Mapping) else []
    return any(isinstance(section, Mapping) and section.get(name) is not None for section in sections)


def with_values(text: str, values: Mapping[str, object], section: str = PARAMETERS) -> str:
    """Return the text of an environment file with new values of parameters. Raise CannotEditError if it is impossible.

    `section` is `parameters`, or `parameter_defaults` for the parameters of nested templates.
    """
    environment = parse_environment(text)
    if environment.complete and not environment.data:
        text = f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{section}: {{}}\n"
        environment = parse_environment(text)
    written = environment.data.get(section)
    changes: list[Change] = [
        SetValue((section, name), value)
        if isinstance(written, Mapping) and name in written
        else AddEntry((section,), name, value)
        for name, value in values.items()
    ]
    return apply_edits(text, render(environment, changes))
