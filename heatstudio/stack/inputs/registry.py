"""Resolution of resource types by the resource registry of an environment (heat/engine/environment.py)."""

from collections.abc import Collection, Container, Iterator, Mapping
from fnmatch import fnmatchcase

from msgspec import Struct

from heatstudio.stack.problem import ProblemKind, StackProblem

TEMPLATE_ENDINGS = (".yaml", ".template")
RESOURCES = "resources"
HOOKS = "hooks"
RESTRICTED_ACTIONS = "restricted_actions"
SETTINGS = (HOOKS, RESTRICTED_ACTIONS)
BASE_URL = "base_url"
"""The key of python-heatclient's base for template names; Heat stores it like an unused type, so it may be empty."""
HOOK_TYPES = ("pre-create", "pre-update", "pre-delete", "post-create", "post-update", "post-delete")
ACTIONS = ("update", "replace")
LONGEST_CHAIN, LONGEST_NAME = 300, 10_000
"""The maximum length of a chain of mapped types, and of their names, which patterns may extend without limit."""
MOST_DEAD_ENDS = 100
"""Maximum number of unresolved types per lookup: patterns may double the number of candidates at each step."""

MORE = "…"
"""Placeholder for further types."""


class _CircleError(Exception):
    """An error for types mapped in a cycle, with which Heat fails, or to more types than the lookup tries."""

    def __init__(self, chain: tuple[str, ...]) -> None:
        super().__init__()
        self.chain = chain


class RegistryEntry(Struct, frozen=True):
    """One mapping of a type name to another type or to a template."""

    path: tuple[str, ...]
    target: str
    by_user: bool

    @property
    def template(self) -> str | None:
        """The template that implements the type, or None; a type named like a template is its own template."""
        return next((name for name in (self.path[-1], self.target) if name.endswith(TEMPLATE_ENDINGS)), None)

    @property
    def order(self) -> tuple[bool, int, tuple[str, ...]]:
        """The sort key: the user's mappings first, then more specific mappings."""
        return (not self.by_user, -len(self.path), self.path)

    def covers(self, type_name: str) -> bool:
        """Return whether the entry is a pattern that matches a type."""
        pattern = self.path[-1]
        is_pattern = pattern.endswith("*") and self.template is None
        return is_pattern and type_name != self.target and type_name.startswith(pattern[:-1])

    def next_type(self, type_name: str) -> str:
        """Return the type to which this entry maps a type."""
        pattern = self.path[-1]
        if pattern.endswith("*") and self.target.endswith("*"):
            return self.target[:-1] + type_name[len(pattern) - 1 :]
        return self.target


class ResourceRegistry:
    """The user's type mappings, which precede Heat's mappings; without `known_types`, every type may exist."""

    def __init__(
        self,
        data: Mapping[str, object],
        known_types: Container[str] | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self._known = known_types
        self._general: dict[str, RegistryEntry] = {}
        self._of_resource: dict[str, dict[str, RegistryEntry]] = {}
        self._settings: dict[tuple[str, str], tuple[str, ...]] = {}
        """The hooks and restricted actions, by the kind of the setting and the pattern of resource names."""
        self.problems: tuple[StackProblem, ...] = tuple(self._load(data, ()))
        self._global = {name: RegistryEntry((name,), target, by_user=False) for name, target in (aliases or {}).items()}
        self._found: dict[tuple[str, str | None], tuple[str | None, tuple[str, ...]]] = {}
        self._lengths = {len(name) - 1 for name in (*self._general, *self._global) if name.endswith("*")}

    def _load(self, data: Mapping[str, object], path: tuple[str, ...]) -> Iterator[StackProblem]:
        for raw_name, value in data.items():
            name = str(raw_name)
            if (*path, name) == (RESOURCES,) and not isinstance(value, Mapping):
                yield _problem((name,), "`resources` must be a map of resource names to their settings.")
            elif value is None:
                self._remove(path, name)
            elif name in SETTINGS:
                yield from self._load_rule(path, name, value)
            elif isinstance(value, Mapping):
                yield from self._load(value, (*path, name))
            elif path == (RESOURCES,):
                yield _problem((*path, name), f"The settings of resource `{name}` must be a map.")
            elif not isinstance(value, str) or not (value or name == BASE_URL):
                yield _problem((*path, name), not_a_target(name, value))
            else:
                self._level(path)[name] = RegistryEntry((*path, name), value, by_user=True)

    def _level(self, path: tuple[str, ...]) -> dict[str, RegistryEntry]:
        """Return the mappings at a path of the registry; Heat reads only the top level and single resources."""
        if not path:
            return self._general
        if len(path) == 2 and path[0] == RESOURCES:
            return self._of_resource.setdefault(path[1], {})
        return {}

    def _remove(self, path: tuple[str, ...], name: str) -> None:
        level = self._level(path)
        removed = [key for key in level if key.startswith(name[:-1])] if name.endswith("*") else [name]
        for key in removed:
            level.pop(key, None)

    def _load_rule(self, path: tuple[str, ...], name: str, value: object) -> Iterator[StackProblem]:
        words = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else (None,)
        allowed = HOOK_TYPES if name == HOOKS else ACTIONS
        if all(word in allowed for word in words):
            if len(path) == 2 and path[0] == RESOURCES:
                self._settings[name, path[1]] = tuple(map(str, words))
            return
        message = (
            f'Invalid hook type "{value}" for resource breakpoint, acceptable hook types are: {HOOK_TYPES}'
            if name == HOOKS
            else f'Invalid restricted_action type "{value}" for resource, '
            f"acceptable restricted_action types are: {ACTIONS}"
        )
        yield _problem((*path, name), message)

    def target(self, type_name: str, resource_name: str | None = None) -> str | None:
        """Return the type or the template file that implements a resource; None if there is none."""
        return self._find(type_name, resource_name)[0]

    def circle(self, type_name: str, resource_name: str | None = None) -> tuple[str, ...]:
        """Return the types of a mapping cycle, or the first types and "…" if there are too many; empty if resolved."""
        return self._find(type_name, resource_name)[1]

    def _find(self, type_name: str, resource_name: str | None) -> tuple[str | None, tuple[str, ...]]:
        key = (type_name, resource_name if resource_name in self._of_resource else None)
        if key not in self._found:
            try:
                self._found[key] = self._target(*key, (), set(), globally=False), ()
            except _CircleError as error:
                self._found[key] = None, error.chain
        return self._found[key]

    def mapped_to(self, type_name: str, resource_name: str | None = None) -> str:
        """Return the target of the first mapping, which may not exist; without a mapping, return the type itself."""
        entries = sorted(self._candidates(type_name, resource_name, globally=False), key=lambda entry: entry.order)
        return entries[0].next_type(type_name) if entries else type_name

    def _target(
        self,
        type_name: str,
        resource_name: str | None,
        above: tuple[tuple[str, bool], ...],
        unresolved: set[tuple[str, bool]],
        *,
        globally: bool,
    ) -> str | None:
        """Return the target; `above` is the chain of mapped types so far, `unresolved` the types without a target."""
        key = (type_name, globally)
        if key in unresolved:
            return None
        chain = (*above, key)
        if key in above:
            raise _CircleError(tuple(name for name, _ in chain))
        is_long = bool(above) and len(type_name) > LONGEST_NAME
        if is_long or len(chain) > LONGEST_CHAIN or len(unresolved) > MOST_DEAD_ENDS:
            raise _CircleError((*(name for name, _ in chain[:3]), MORE))
        for entry in sorted(self._candidates(type_name, resource_name, globally), key=lambda entry: entry.order):
            if entry.template is not None:
                return entry.template
            beyond_user = globally or not entry.by_user
            target = self._target(entry.next_type(type_name), resource_name, chain, unresolved, globally=beyond_user)
            if target is not None:
                return target
        if self._known is None or type_name in self._known:
            return type_name
        unresolved.add(key)
        return None

    def _candidates(self, type_name: str, resource_name: str | None, globally: bool) -> Iterator[RegistryEntry]:
        if not globally and type_name.endswith(TEMPLATE_ENDINGS):
            yield RegistryEntry((type_name,), type_name, by_user=True)
        if not globally:
            specific = self._of_resource.get(resource_name or "", {})
            if type_name in specific:
                yield specific[type_name]
            yield from _matching(self._general, self._lengths, type_name)
        if self._known is None or type_name not in self._known:
            yield from _matching(self._global, self._lengths, type_name)

    def restricted_actions(self, resource_name: str) -> frozenset[str]:
        """Return the actions forbidden for a resource: `update`, `replace` or both."""
        return self._settings_of(resource_name, RESTRICTED_ACTIONS)

    def hooks(self, resource_name: str) -> frozenset[str]:
        """Return the hooks of a resource, at which Heat waits."""
        return self._settings_of(resource_name, HOOKS)

    def _settings_of(self, resource_name: str, kind: str) -> frozenset[str]:
        settings = ((pattern, words) for (name, pattern), words in self._settings.items() if name == kind)
        return frozenset(word for pattern, words in settings if fnmatchcase(resource_name, pattern) for word in words)


def not_a_target(name: object, value: object) -> str:
    """Return the message for a mapping to a value that is not a name."""
    return f'"{value}" is neither a type nor a template; `{name}` cannot be mapped to it.'


def _problem(path: tuple[str, ...], message: str) -> StackProblem:
    return StackProblem(ProblemKind.ENVIRONMENT, ("resource_registry", *path), message)


def _matching(level: Mapping[str, RegistryEntry], lengths: Collection[int], type_name: str) -> Iterator[RegistryEntry]:
    if type_name in level:
        yield level[type_name]
    names = (f"{type_name[:length]}*" for length in lengths if length <= len(type_name))
    yield from (level[name] for name in names if name in level and level[name].covers(type_name))
