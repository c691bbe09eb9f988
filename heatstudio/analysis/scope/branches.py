"""Parts of a stack that other values enable: branches of `if`, and resources and outputs with a condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from heatstudio.stack.definition.reading import StackReader
from heatstudio.stack.functions.condition_functions import If
from heatstudio.stack.functions.examine import Reference
from heatstudio.stack.functions.function import OMITTED, Evaluation, Function, FunctionError
from heatstudio.stack.functions.stack_view import StackView
from heatstudio.stack.functions.supposition import Clause, Supposition, described, suppose
from heatstudio.stack.path import BranchIndex, Path
from heatstudio.stack.unknown import Unknown
from heatstudio.text import Severity

MOST_CASES = 24
"""How many other values are tried for one resource."""
MOST_BRANCHES = 6_000
"""How many branches are looked at in all cases of one resource: each case looks at all of them."""


class Case(NamedTuple):
    """The condition value under which a part of a template is used."""

    clauses: tuple[Clause, ...] = ()
    limit: Severity = Severity.ERROR
    """How grave a finding can be: an error only where the condition itself is an error, which is reported as such."""
    given: tuple[Clause, ...] = ()
    """The additional assumptions."""

    def with_clause(self, condition: object, truth: bool, now: object) -> Case:
        """The case in which a condition holds, or does not, that is `now` otherwise, unknown or an error."""
        limit = Severity.INFORMATION if isinstance(now, bool) else Severity.ERROR
        limit = Severity.WARNING if isinstance(now, Unknown) else limit
        return Case((*self.clauses, (condition, truth)), max(self.limit, limit), self.given)

    def within(self, outer: Case) -> Case:
        """The case in which another one holds too."""
        return Case((*outer.clauses, *self.clauses), max(outer.limit, self.limit), outer.given)


ALWAYS = Case()


def untaken(parsed: object, view: StackView, above: Case = ALWAYS) -> Iterator[tuple[Path, Case]]:
    """Every branch of `if` that is not taken for certain, by the path of its value, which may be left out."""
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


def inactive(found: Mapping[Path, Case]) -> Iterator[tuple[Path, str]]:
    """The outermost parts that do not count with the present values, and why."""
    reported: set[Path] = set()
    for path, case in found.items():
        if case.limit is Severity.INFORMATION and not any(path[:length] in reported for length in range(len(path))):
            reported.add(path)
            condition, truth = case.clauses[-1]
            yield path, switched_off(condition, truth=not truth)


def switched_off(condition: object, *, truth: bool) -> str:
    """Why a part of a template does not count."""
    return f"Disabled: {described(condition, truth=truth)}."


def taken(parsed: object, view: StackView, path: Path) -> tuple[Path, object]:
    """A parsed value and its path, or the branch of `if` that is taken there."""
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


def without_references(references: Iterable[Reference], stack: StackReader, own: object) -> Iterator[Case]:
    """The cases in which a resource is switched off that something refers to, whose `own` condition holds."""
    names = (reference.resource for reference in references if reference.message is None)
    for name in dict.fromkeys(names):
        condition = stack.resource_condition(name)
        if condition is not None and (stack.is_enabled(name) is True or stack.is_uncertain(name)):
            given = ((own, True),) if own is not None else ()
            yield Case(((condition, False),), Severity.INFORMATION, given)


def suppositions(cases: Iterable[Case], view: StackView, branches: int = 1) -> Iterator[tuple[Supposition, Severity]]:
    """What to suppose in each case, and how grave a finding can be then; fewer cases where there are many branches."""
    tried: set[frozenset[tuple[str, bool]]] = set()
    most = min(MOST_CASES, max(1, MOST_BRANCHES // max(1, branches)))
    for case in cases:
        if len(tried) == most:
            return
        found = suppose(case.clauses, view.condition_definition, case.given)
        if found is not None and found.facts not in tried:
            tried.add(found.facts)
            yield found, case.limit
