"""Environments: parameter values and type mappings, merged from several files (heat/engine/environment.py)."""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from heatstudio.stack.inputs.parameter_schema import ParameterType
from heatstudio.stack.inputs.registry import ResourceRegistry
from heatstudio.stack.path import dotted, step
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import TreePath
from heatstudio.template.environment_file import SECTIONS

TYPE = "type"
PARAMETERS = "parameters"
PARAMETER_DEFAULTS = "parameter_defaults"
RESOURCE_REGISTRY = "resource_registry"
MERGE_STRATEGIES = "parameter_merge_strategies"
EVENT_SINKS = "event_sinks"
OVERWRITE, MERGE, DEEP_MERGE = "overwrite", "merge", "deep_merge"
STRATEGIES = (OVERWRITE, MERGE, DEEP_MERGE)


class MergeError(Exception):
    """An error for two values that cannot be merged, with Heat's message."""


class ClashError(Exception):
    """An error for a map in one file and another value in an earlier file, which python-heatclient cannot merge."""

    def __init__(self, path: TreePath) -> None:
        super().__init__(
            f"`{dotted(path)}` is a map here but not in an earlier environment; python-heatclient cannot merge the two."
        )
        self.path = path


def sent_together(
    old: Mapping[object, object], new: Mapping[object, object], above: TreePath = ()
) -> Mapping[object, object]:
    """Return two files merged as python-heatclient merges them before sending. Raise ClashError if the client fails.

    heatclient/common/template_utils.py, deep_update.
    """
    merged = dict(old)
    for key, value in new.items():
        before = merged.get(key)
        if isinstance(value, Mapping):
            path = (*above, step(key))
            before = {} if before is None else before
            if value and not isinstance(before, Mapping):
                raise ClashError(path)
            merged[key] = sent_together(before, value, path) if isinstance(before, Mapping) else before
        elif value is not None or not isinstance(before, Mapping):
            merged[key] = value
    return merged


def agreed_strategy(agreed: dict[str, object], name: str, wanted: object, file: str) -> object:
    """Return the merge strategy of a parameter after one more file; `agreed` are those of earlier files.

    Raise MergeError if the files disagree.
    """
    if wanted is not None and not isinstance(wanted, Mapping):
        raise MergeError("`parameter_merge_strategies` must be a map of parameters to strategies.")
    strategies = wanted if isinstance(wanted, Mapping) else {}
    usual = strategies.get("default", OVERWRITE)
    strategy = strategies.get(name, agreed.get(name, usual))
    strategy = strategy if strategy in STRATEGIES else usual
    if strategy != agreed.setdefault(name, strategy):
        raise MergeError(f"Conflicting merge strategy '{strategy}' for parameter '{name}' in file '{file}'.")
    return strategy


def merge_value(name: str, kind: ParameterType, old: Mapping[str, object], new: object, *, deep: bool) -> object:
    """Return the value merged into that of earlier files, if they have one. Raise MergeError if it is impossible."""
    if name in old and old[name] is None and kind in (ParameterType.STRING, ParameterType.NUMBER):
        raise MergeError(f"Heat cannot merge `{name}` into the null of an earlier environment.")
    try:
        return _merged(name, kind, old.get(name), _readable(new, kind), deep=deep)
    except (TypeError, ValueError, AttributeError) as error:
        raise MergeError(str(error)) from error


def _readable(value: object, kind: ParameterType) -> object:
    if kind is not ParameterType.MAP:
        if not isinstance(value, (str, list)):
            raise MergeError("Invalid parameter in environment .")
        return value
    try:
        text = value if isinstance(value, str) else json.dumps(value)
        loaded: object = json.loads(text) if text else value
    except (ValueError, TypeError) as error:
        raise MergeError(f"Invalid parameter in environment {error}.") from error
    return loaded


def _merged(name: str, kind: ParameterType, old: object, new: object, *, deep: bool) -> object:
    if kind is ParameterType.MAP:
        return merge_map(old if isinstance(old, Mapping) else {}, new, deep=deep)
    if kind is ParameterType.LIST:
        return _merge_list(old, new)
    if kind is ParameterType.STRING:
        return "".join([_text(old or ""), _text(new)])
    if kind is ParameterType.NUMBER:
        if isinstance(old, str) and isinstance(new, str):
            return old + new  # as in Heat, which concatenates the strings
        if isinstance(old, list) and isinstance(new, list):
            return [*old, *new]
        raise MergeError(f"unsupported operand type(s) for +: '{_type_name(old)}' and '{type(new).__name__}'")
    raise MergeError(f"Invalid merge strategy '{MERGE}' for parameter '{name}'.")


def _type_name(old: object) -> str:
    """Return the name of the type of the earlier value; Heat's initial value is 0."""
    return "int" if old is None else type(old).__name__


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"sequence item 1: expected str instance, {type(value).__name__} found")
    return value


def _merge_list(old: object, new: object) -> object:
    if not old:
        return new
    if isinstance(new, list):
        if not isinstance(old, list):
            raise AttributeError(f"'{type(old).__name__}' object has no attribute 'extend'")
        return [*old, *new]
    return ",".join([_text(old), _text(new)])


def merge_map(old: Mapping[object, object], new: object, *, deep: bool = False) -> object:
    """Return two maps merged; ignore nulls, and merge inner maps, lists and strings only if `deep`.

    Raise TypeError or AttributeError for values that cannot be merged.
    """
    if not old:
        return new
    if not isinstance(new, Mapping):
        raise AttributeError(f"'{type(new).__name__}' object has no attribute 'items'")
    merged = dict(old)
    for key, value in new.items():
        if value is None:
            continue
        before = merged.get(key)
        if deep and isinstance(value, Mapping) and before:
            merged[key] = merge_map(before, value, deep=True) if isinstance(before, Mapping) else value
        elif deep and isinstance(value, list) and before:
            merged[key] = _merge_list(before, value)
        elif deep and isinstance(value, str):
            merged[key] = "".join([_text(merged.get(key, "")), value])
        else:
            merged[key] = value
    return merged


class EventSink(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of an event sink besides its type, from Heat's entry points `heat.event_sinks`."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


def sink_problems(sinks: object, known: Mapping[str, EventSink] | None) -> Iterator[tuple[TreePath, str]]:
    """Yield the path below the section and the message of each problem; without `known`, every sink type is valid."""
    if not isinstance(sinks, list):
        yield (), "`event_sinks` must be a list of maps, each with a `type`."
        return
    for index, sink in enumerate(sinks):
        if not isinstance(sink, Mapping) or TYPE not in sink:
            yield (index,), "An event sink must be a map with a `type`."
        elif known is not None:
            kind = sink[TYPE]
            if isinstance(kind, str) and kind in known:
                yield from _problems(index, sink, known[kind])
            else:
                yield (index, TYPE), f"Unknown event sink type `{kind}`; use {_listed(known)}."


def _problems(index: int, sink: Mapping[object, object], wanted: EventSink) -> Iterator[tuple[TreePath, str]]:
    missing = [name for name in wanted.required if name not in sink]
    if missing:
        yield (index,), f"This event sink requires {_listed(missing)}."
    for name in sink:
        if name not in (TYPE, *wanted.required, *wanted.optional):
            known = _listed((*wanted.required, *wanted.optional))
            yield (index, step(name)), f"This event sink does not accept `{name}`, only {known}."


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


class EnvironmentFile(Struct, frozen=True):
    """One environment file: its plain data and its name for messages."""

    name: str
    data: object
    text: str | None = None
    """The content of the file, for positions; None if the environment is not a file."""


class EnvironmentOrigin(Struct, frozen=True):
    """The file and path of a value in an environment."""

    file: str
    path: TreePath


class Environment:
    """The merge of several environment files; later files take precedence.

    `parameter_types` are the types of the parameters of the template and its nested templates: from the second file on,
    Heat ignores undeclared parameters. The resource registry uses `known_types` and `aliases` of the catalog.
    `event_sinks` are the sinks that Heat supports.
    """

    def __init__(
        self,
        files: Sequence[EnvironmentFile] = (),
        *,
        parameter_types: Mapping[str, ParameterType] | None = None,
        known_types: Container[str] | None = None,
        aliases: Mapping[str, str] | None = None,
        event_sinks: Mapping[str, EventSink] | None = None,
    ) -> None:
        self.parameter_types = parameter_types
        self._event_sinks = event_sinks
        self._lists: dict[str, object] = {}
        self._sent: Mapping[object, object] = {}
        self._origins: dict[tuple[str, ...], EnvironmentOrigin] = {}
        self._agreed: dict[str, object] = {}
        merged: dict[str, dict[str, object]] = {PARAMETERS: {}, PARAMETER_DEFAULTS: {}, RESOURCE_REGISTRY: {}}
        self.files = tuple(files)
        problems = [problem for file in files for problem in self._merge(file, merged)]
        self.parameters: Mapping[str, object] = merged[PARAMETERS]
        self.parameter_defaults: Mapping[str, object] = merged[PARAMETER_DEFAULTS]
        self.registry = ResourceRegistry(merged[RESOURCE_REGISTRY], known_types, aliases)
        self.problems: tuple[StackProblem, ...] = (*problems, *map(self._located, self.registry.problems))

    def origin(self, *path: str) -> EnvironmentOrigin | None:
        """Return the file and path of the value at a merged path, such as `origin("parameters", "flavor")`."""
        for length in range(len(path), 1, -1):
            found = self._origins.get(path[:length])
            if found is not None:
                return EnvironmentOrigin(found.file, (*found.path, *path[length:]))
        return None

    def _located(self, problem: StackProblem) -> StackProblem:
        origin = self.origin(*map(str, problem.path))
        if origin is None:
            return problem
        return StackProblem(problem.kind, origin.path, problem.message, origin.file)

    def _merge(self, file: EnvironmentFile, merged: dict[str, dict[str, object]]) -> Iterator[StackProblem]:
        if file.data is None:
            return
        if not isinstance(file.data, Mapping):
            yield _problem(file, (), "The environment is not a valid YAML mapping data type.")
            return
        try:
            self._sent = sent_together(self._sent, file.data)
        except ClashError as error:
            yield _problem(file, error.path, str(error))
        for name, section in file.data.items():
            if name not in SECTIONS:
                yield _problem(file, (step(name),), f'environment has wrong section "{name}"')
            elif section is None:
                yield _problem(file, (name,), f'environment has empty section "{name}"')
            elif name == RESOURCE_REGISTRY and not isinstance(section, Mapping):
                yield _problem(file, (name,), "`resource_registry` must be a map of types to types or templates.")
            elif name in merged and section:
                yield from self._merge_section(file, name, section, merged)
            elif name not in merged and section:
                yield from self._merge_other(file, name, section)

    def _merge_section(
        self, file: EnvironmentFile, name: str, section: object, merged: dict[str, dict[str, object]]
    ) -> Iterator[StackProblem]:
        if not isinstance(section, Mapping):
            yield _problem(file, (name,), f"'{type(section).__name__}' object has no attribute 'items'")
        elif name == RESOURCE_REGISTRY:
            self._merge_registry(file, section, merged[name])
        else:
            yield from self._merge_parameters(file, name, section, merged[name])

    def _merge_other(self, file: EnvironmentFile, name: str, section: object) -> Iterator[StackProblem]:
        """Yield the problems of strategies, or of a list: Heat merges the lists of several files as maps, and fails."""
        if name == MERGE_STRATEGIES:
            for key, word in section.items() if isinstance(section, Mapping) else ():
                if word not in (*STRATEGIES, None):
                    message = f"Unknown merge strategy `{word}`, which Heat ignores; use {_listed(STRATEGIES)}."
                    yield StackProblem(ProblemKind.IGNORED, (name, step(key)), message, file.name)
            return
        before = self._lists.setdefault(name, section)
        if before is not section and not (isinstance(before, Mapping) and isinstance(section, Mapping)):
            yield _problem(file, (name,), f"Heat cannot merge `{name}` of several environments; set it in only one.")
        if name == EVENT_SINKS:
            for path, message in sink_problems(section, self._event_sinks):
                yield _problem(file, (name, *path), message)

    def _merge_registry(self, file: EnvironmentFile, section: Mapping[object, object], old: dict[str, object]) -> None:
        first = not old
        for key, value in section.items():
            if value is not None or first:
                old[str(key)] = value
                self._note(file, (RESOURCE_REGISTRY, str(key)))

    def _merge_parameters(
        self, file: EnvironmentFile, section: str, values: Mapping[object, object], old: dict[str, object]
    ) -> Iterator[StackProblem]:
        wanted = file.data.get(MERGE_STRATEGIES) if isinstance(file.data, Mapping) else None
        first = not old
        for key, value in values.items():
            name = str(key)
            kind = self._type(name, value)
            if value is None or kind is None:
                if first:
                    old[name] = value
                    self._note(file, (section, name))
                continue
            try:
                strategy = agreed_strategy(self._agreed, name, wanted, file.name)
                if first or strategy not in (MERGE, DEEP_MERGE):
                    old[name] = value
                else:
                    old[name] = merge_value(name, kind, old, value, deep=strategy == DEEP_MERGE)
            except MergeError as error:
                yield _problem(file, (section, step(key)), str(error))
            else:
                self._note(file, (section, name))

    def _type(self, name: str, value: object) -> ParameterType | None:
        """Return the declared type of a parameter, or None; without known types, guess the type from a value."""
        if self.parameter_types is not None:
            return self.parameter_types.get(name)
        if isinstance(value, Mapping):
            return ParameterType.MAP
        return ParameterType.LIST if isinstance(value, list) else ParameterType.STRING

    def _note(self, file: EnvironmentFile, path: tuple[str, ...]) -> None:
        self._origins[path] = EnvironmentOrigin(file.name, path)


def _problem(file: EnvironmentFile, path: TreePath, message: str) -> StackProblem:
    return StackProblem(ProblemKind.ENVIRONMENT, path, message, file.name)


NO_ENVIRONMENT = Environment()
"""The empty environment."""
