"""The functions of each template version, from the names of Heat's implementations."""

from collections.abc import Iterable, Mapping
from typing import Literal

from heatstudio.catalog.load import TemplateVersion
from heatstudio.stack.functions import (
    cfn_functions,
    collection_functions,
    condition_functions,
    hot_functions,
    text_functions,
    yaql_function,
)
from heatstudio.stack.functions.budget import HEAT_LIMITS, YaqlLimits
from heatstudio.stack.functions.function import Function, Vocabulary
from heatstudio.template import Dialect

_MODULES = (hot_functions, text_functions, collection_functions, condition_functions, yaql_function, cfn_functions)
_CFN: Mapping[str, type[Function]] = {
    "Fn::GetAtt": cfn_functions.CfnGetAtt,
    "Fn::Replace": cfn_functions.CfnReplace,
    "Fn::ResourceFacade": cfn_functions.CfnResourceFacade,
    "Fn::Not": cfn_functions.CfnNot,
}
"""The functions whose implementations in Heat have the class names of HOT functions but take other arguments."""
_INTERNAL = (hot_functions.RemovedInCondition, hot_functions.Forbidden, *_CFN.values())
_BY_IMPLEMENTATION: Mapping[str, type[Function]] = {
    kind.__name__: kind
    for module in _MODULES
    for kind in vars(module).values()
    if isinstance(kind, type) and kind.__module__ == module.__name__ and issubclass(kind, Function)
}
"""The classes of functions by the name of Heat's class."""

FunctionState = Literal["function", "removed", "unknown"]


class Language(Vocabulary, frozen=True, eq=False):
    """One version of a template language: its keywords and functions."""

    dialect: Dialect
    parameter_constraints: tuple[str, ...] = ()
    """The keys of a parameter's `constraints`."""
    pseudo_parameters: tuple[str, ...] = ()
    """The parameters that every template of the version has without a declaration."""
    yaql_limits: YaqlLimits = HEAT_LIMITS
    recognized_resource_keys: tuple[str, ...] = ()
    """The resource keys that Heat's first check accepts; it rejects some of them later with another message."""

    @property
    def is_hot(self) -> bool:
        """Whether this is a HOT version."""
        return self.dialect.is_hot

    def state(self, name: str) -> FunctionState:
        """Return the state of a name outside conditions: a function, a removed function or unknown."""
        kind = self.functions.get(name)
        if kind is None:
            return "unknown"
        return "removed" if kind is hot_functions.Removed else "function"


def make_language(dialect: Dialect, version: TemplateVersion, yaql_limits: YaqlLimits = HEAT_LIMITS) -> Language:
    """Return the language of a dialect with the functions of the version."""
    functions = {name: _implementation(name, kind) for name, kind in version.functions.items()}
    allowed = {name: _implementation(name, kind) for name, kind in version.condition_functions.items()}
    others = {
        name: hot_functions.RemovedInCondition if kind is hot_functions.Removed else hot_functions.Forbidden
        for name, kind in functions.items()
    }
    return Language(
        functions,
        others | allowed,
        dialect,
        version.parameter_constraints,
        version.pseudo_parameters,
        yaql_limits,
        version.recognized_resource_keys,
    )


def check_implementations(versions: Iterable[TemplateVersion]) -> None:
    """Raise ValueError for a class that no template version names: its function would silently not exist."""
    named = {kind for one in versions for kinds in (one.functions, one.condition_functions) for kind in kinds.values()}
    unknown = {name for name, kind in _BY_IMPLEMENTATION.items() if kind not in _INTERNAL} - named
    if unknown:
        raise ValueError(f"no version in `template_versions` of resources/catalog/heat.json has {sorted(unknown)}")


def _implementation(name: str, kind: str) -> type[Function]:
    if kind == hot_functions.Removed.__name__:
        return hot_functions.Removed
    return _CFN.get(name) or _BY_IMPLEMENTATION.get(kind, Function)
