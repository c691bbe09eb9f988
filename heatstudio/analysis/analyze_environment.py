"""What there is to say about an environment file: by itself, and by a template that is checked with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.analysis.analyze import DEFAULT_SETTINGS, Analysis, analyze, of_syntax
from heatstudio.analysis.checks import invalid_environment
from heatstudio.analysis.finding import Diagnostic
from heatstudio.analysis.nearest import nearest
from heatstudio.analysis.scope import Settings
from heatstudio.stack.definition_problems import parameter_problems
from heatstudio.stack.inputs.environment import Environment, EnvironmentFile
from heatstudio.stack.knowledge import Knowledge
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.stack.source import Source, define
from heatstudio.template import (
    Part,
    Remedy,
    RenameKey,
    Template,
    is_environment,
    parse_environment,
    parse_template,
    render_fix,
)
from heatstudio.text import Applicability, Severity

_NO_TEMPLATE = "heat_template_version: 2021-04-16\n"
_OWN_NAME = "this environment"


class EnvironmentAnalysis(Analysis, frozen=True, eq=False, kw_only=True):
    """What is known of one version of an environment file; the stack in it is empty."""

    owner: Analysis
    """A template that is checked with it, as it is defined; an empty one if nobody knows which."""


class OwnerOf(Struct, frozen=True):
    """A template that is checked with an environment file, which has the name `file` among its environments."""

    source: Source
    file: str


def analyze_file(
    source: Source,
    knowledge: Knowledge,
    settings: Settings = DEFAULT_SETTINGS,
    previous: Analysis | None = None,
    owner: OwnerOf | None = None,
) -> Analysis:
    """Look at a text, be it a template or an environment; `owner` is asked for what an environment means."""
    if not is_environment(source.template.data):
        is_other = isinstance(previous, EnvironmentAnalysis)
        return analyze(source, knowledge, settings, None if is_other else previous)
    return _analyze_environment(source, knowledge, settings, owner)


def _analyze_environment(
    source: Source, knowledge: Knowledge, settings: Settings, owner: OwnerOf | None
) -> EnvironmentAnalysis:
    environment = parse_environment(source.template.text)
    empty = replace(source, template=parse_template(_NO_TEMPLATE), environments=())
    stack, types = define(empty, knowledge)
    desk = Analysis(empty, stack, types, knowledge, settings, (), {})
    problems = list(_own_problems(environment.data, knowledge))
    if owner is not None:
        own_stack, own_types = define(owner.source, knowledge, not_created=True)
        desk = Analysis(owner.source, own_stack, own_types, knowledge, settings, (), {})
        told = (one for one in parameter_problems(own_stack) if one.kind is not ProblemKind.MISSING)
        problems = [one for one in told if one.file == owner.file]
    syntax = [of_syntax(environment.written, one) for one in environment.problems]
    sections = {one.path for one in problems if len(one.path) < 2} if syntax else set()  # the reader told of these
    known = desk.stack.parameters.names
    found = [_located(environment.written, problem, known) for problem in problems if problem.path not in sections]
    diagnostics = (*syntax, *found)
    ordered = tuple(sorted(diagnostics, key=lambda one: (one.span.start, one.severity, one.message)))
    source = replace(source, template=environment.written)
    return EnvironmentAnalysis(source, stack, types, knowledge, settings, ordered, {}, owner=desk)


def _own_problems(data: Mapping[object, object], knowledge: Knowledge) -> Iterator[StackProblem]:
    """What is wrong whatever the template is."""
    yield from Environment(
        [EnvironmentFile(_OWN_NAME, data)],
        known_types=knowledge.type_names,
        aliases=knowledge.catalog.aliases,
        event_sinks=knowledge.event_sinks,
    ).problems


def _located(template: Template, problem: StackProblem, known: Sequence[str]) -> Diagnostic:
    code, error = invalid_environment.CODE, Severity.ERROR
    if problem.kind is not ProblemKind.UNDEFINED:
        return Diagnostic(None, code, error, problem.message, template.locate(problem.path, Part.VALUE))
    names = nearest(str(problem.path[-1]), known)
    hint = f" Did you mean `{names[0]}`?" if names else ""
    remedies = (
        Remedy(f"Use `{other}`", (RenameKey(problem.path, other),), Applicability.UNSAFE, preferred=other == names[0])
        for other in names
    )
    fixes = tuple(fix for fix in (render_fix(template, remedy) for remedy in remedies) if fix is not None)
    span = template.locate(problem.path, Part.KEY)
    return Diagnostic(None, code, error, problem.message + hint, span, ready_fixes=fixes)
