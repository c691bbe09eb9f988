"""Parts of a stack that conditions disable: branches of `if`, and resources and outputs with a condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from heatstudio.stack.definition.reads import StackReader
from heatstudio.stack.functions.condition_functions import If
from heatstudio.stack.functions.conditions import Clause, Supposition, described, suppose
from heatstudio.stack.functions.examine import Reference
from heatstudio.stack.functions.function import OMITTED, Evaluation, Function, FunctionError, StackView
from heatstudio.stack.path import BranchIndex
from heatstudio.stack.unknown import Unknown
from heatstudio.template import TreePath
from heatstudio.text import Severity

MOST_CASES = 24
"""Maximum number of cases checked for one resource."""
MOST_BRANCHES = 6_000
"""Maximum number of branches checked for one resource in all cases; each case checks every branch."""


class Case(NamedTuple):
    """The condition values under which a part of a template is active."""

    clauses: tuple[Clause, ...] = ()
    limit: Severity = Severity.ERROR
    """The highest severity of a finding: an error only if the condition itself is invalid, or without conditions."""
    given: tuple[Clause, ...] = ()
    """The assumptions that hold now."""

    def with_clause(self, condition: object, truth: bool, now: object) -> Case:
        """Return the case with a condition set to `truth`; `now` is its current value, Unknown or an error."""
        limit = Severity.INFORMATION if isinstance(now, bool) else Severity.ERROR
        limit = Severity.WARNING if isinstance(now, Unknown) else limit
        return Case((*self.clauses, (condition, truth)), max(self.limit, limit), self.given)

    def within(self, outer: Case) -> Case:
        """Return the case combined with an outer case."""
        return Case((*outer.clauses, *self.clauses), max(outer.limit, self.limit), outer.given)


ALWAYS = Case()


def untaken(parsed: object, view: StackView, above: Case = ALWAYS) -> Iterator[tuple[TreePath, Case]]:
    """Yield the path and the case of each branch of `if` that is not certainly taken, even if it is omitted."""
    if isinstance(parsed, If) and isinstance(parsed.arguments, list):
        condition, *values = parsed.arguments
        now = _decided(parsed, view)
        for index, value in enumerate((values[0], *(values[1:] or [OMITTED])), 1):
            case = above
            if now is not (index == 1):
                case = above.with_clause(condition, index == 1, now)
                yield (*parsed.name_path, BranchIndex(index)), case
            if isinstance(value, (Function, list, dict)):
                yield from untaken(value, view, case)
    elif isinstance(parsed, Function):
        yield from untaken(parsed.arguments, view, above)
    elif isinstance(parsed, (list, dict)):
        for item in parsed.values() if isinstance(parsed, dict) else parsed:
            if isinstance(item, (Function, list, dict)):
                yield from untaken(item, view, above)


def inactive(found: Mapping[TreePath, Case]) -> Iterator[tuple[TreePath, str]]:
    """Yield the outermost parts that are inactive with the current values, with the reasons."""
    reported: set[TreePath] = set()
    for path, case in found.items():
        if case.limit is Severity.INFORMATION and not any(path[:length] in reported for length in range(len(path))):
            reported.add(path)
            condition, truth = case.clauses[-1]
            yield path, switched_off(condition, truth=not truth)


def switched_off(condition: object, *, truth: bool) -> str:
    """Return the message why a part of a template is inactive."""
    return f"Disabled: {described(condition, truth=truth)}."


def taken(parsed: object, view: StackView, path: TreePath) -> tuple[TreePath, object]:
    """Return the path and the parsed value, or those of the taken branch if the value is an `if`."""
    while isinstance(parsed, If) and isinstance(parsed.arguments, list):
        now = _decided(parsed, view)
        index = 1 if now is True else 2
        if not isinstance(now, bool) or index >= len(parsed.arguments):
            break
        path, parsed = (*parsed.name_path, BranchIndex(index)), parsed.arguments[index]
    return path, parsed


def _decided(call: If, view: StackView) -> bool | Unknown | FunctionError:
    try:
        return call.decided(Evaluation(view))
    except FunctionError as error:
        return error
    except ValueError as error:
        return FunctionError(str(error))


def without_references(references: Iterable[Reference], stack: StackReader, own: Case) -> Iterator[Case]:
    """Yield the cases in which a referenced resource is disabled and the referrer, with its `own` case, is enabled."""
    names = (reference.resource for reference in references if reference.message is None)
    for name in dict.fromkeys(names):
        condition = stack.resource_condition(name)
        if condition is not None and (stack.is_enabled(name) is True or stack.is_uncertain(name)):
            yield Case(((condition, False),), Severity.INFORMATION).within(own)


def suppositions(cases: Iterable[Case], view: StackView, branches: int = 1) -> Iterator[tuple[Supposition, Severity]]:
    """Yield the supposition and the highest severity for each case, for fewer cases if there are many branches."""
    tried: set[frozenset[tuple[str, bool]]] = set()
    most = min(MOST_CASES, max(1, MOST_BRANCHES // max(1, branches)))
    for case in cases:
        if len(tried) == most:
            return
        found = suppose(case.clauses, view.condition_definition, case.given)
        if found is not None and found.facts not in tried:
            tried.add(found.facts)
            yield found, case.limit
