"""A resource that breaks a rule of the project file."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from msgspec.structs import replace

from heatstudio.analysis.scope import Finding, ResourceScope, resource_check
from heatstudio.analysis.scope.semantic_model import Rule
from heatstudio.stack.functions.budget import BudgetExceededError
from heatstudio.stack.functions.function import EVALUATION_ERRORS
from heatstudio.stack.functions.yaql_function import evaluate
from heatstudio.stack.unknown import has_unknown
from heatstudio.template import Part
from heatstudio.text import Severity

_NAME = re.compile(r"\$\.([A-Za-z_]\w*)(?!\w*\()")


@resource_check(refuses=False)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield every rule that the resource breaks; unknown values that a condition may read silence it."""
    for rule in scope.settings.rules:
        if fnmatchcase(scope.definition.type, rule.type) and (message := _broken(rule, scope)):
            named = [name for name in _NAME.findall(rule.condition) if name in scope.raw_properties]
            path = (*scope.properties_path, named[0]) if named else scope.path
            severity = next(one for one in Severity if one.word == rule.severity)
            yield replace(scope.finding(message, path, Part.KEY, severity), code=rule.code)


def _broken(rule: Rule, scope: ResourceScope) -> str:
    """Return the message of a broken rule, or that it was stopped; empty if the resource keeps it."""
    names = _NAME.findall(rule.condition)
    written = scope.raw_properties
    if len(names) < rule.condition.count("$"):  # the whole map is read
        names += written
    data = {name: scope.value_now(written[name]) if name in written else None for name in names}
    if has_unknown(data):
        return ""
    try:
        return "" if evaluate(rule.condition, data, scope.view.yaql_limits) else rule.message
    except BudgetExceededError:
        return f"The rule `{rule.code}` was stopped: its condition takes too long."
    except EVALUATION_ERRORS as error:
        return f"{rule.message} The condition fails: {error}."
