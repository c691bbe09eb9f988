"""The diagnostics of an environment file, alone or with a template that uses it."""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from heatstudio.analysis.analyze import DEFAULT_SETTINGS, EMPTY_TEMPLATE, Analysis, analyze, located, of_syntax
from heatstudio.analysis.checks import invisible_character, not_checked, yaml_number
from heatstudio.analysis.environment_problems import finding_in_environment
from heatstudio.analysis.problem_limit import ProblemLimit
from heatstudio.analysis.scope import Diagnostic, Options
from heatstudio.stack.definition.client_files import ClientFiles
from heatstudio.stack.definition.definition_problems import (
    environment_problems,
    parameter_problems,
    registry_problems,
    unused_defaults,
)
from heatstudio.stack.definition.files import Files
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.secrets import Secrets
from heatstudio.stack.definition.source import Source, define
from heatstudio.stack.inputs.environment import Environment, EnvironmentFile
from heatstudio.stack.problem import ProblemKind, StackProblem
from heatstudio.template import is_environment, parse_environment, parse_template
from heatstudio.template.dialect import VERSION_KEYS
from heatstudio.text import ENCODING_WORDS, Severity, Span

_OWN_NAME = "this environment"


class EnvironmentAnalysis(Analysis, frozen=True, eq=False, kw_only=True):
    """The analysis of one version of an environment file; its stack is empty."""

    owner: Analysis
    """The defined template that is checked with the environment; an empty template if unknown."""
    owner_file: str = ""
    """The path of the owner's file; empty if unknown."""

    @property
    def secrets(self) -> Secrets:
        """The hidden texts of the owner."""
        return self.owner.secrets


class Consumer(Struct, frozen=True):
    """The template to check with an environment file, which is named `file` among the template's environments."""

    source: Source
    file: str
    template_file: str = ""


def analyze_file(
    source: Source,
    knowledge: Knowledge,
    settings: Options = DEFAULT_SETTINGS,
    previous: Analysis | None = None,
    owner: Consumer | None = None,
) -> Analysis:
    """Analyze a template or an environment; `owner` supplies the template that uses an environment."""
    data = source.template.data
    is_used = owner is not None and not any(key in data for key in VERSION_KEYS)
    if is_used or is_environment(data, source.file):
        return _graded(_masked(_analyze_environment(source, knowledge.at(settings.release), settings, owner)))
    is_other = isinstance(previous, EnvironmentAnalysis)
    return _graded(_masked(analyze(source, knowledge, settings, None if is_other else previous)))


def _masked(analysis: Analysis) -> Analysis:
    """Return the analysis with messages that do not quote the values of hidden parameters."""
    found = analysis.diagnostics, analysis.suppressed
    if not any(found) or not analysis.secrets.texts:
        return analysis
    reported, suppressed = (tuple(one.masked(analysis.secrets.mask) for one in part) for part in found)
    return replace(analysis, diagnostics=reported, suppressed=suppressed)


def _graded(analysis: Analysis) -> Analysis:
    """Return the analysis with the severities of its settings, and with ignored diagnostics suppressed."""
    ignored, severities = analysis.settings.ignored, analysis.settings.severities
    if not ignored and not severities:
        return analysis
    kept: list[Diagnostic] = []
    suppressed = list(analysis.suppressed)
    for one in analysis.diagnostics:
        severity = severities.get(one.code, severities.get(one.family, one.severity))
        if one.code in ignored or one.family in ignored:
            suppressed.append(one)
        elif severity is not None:
            kept.append(replace(one, severity=severity))
    return replace(analysis, diagnostics=tuple(kept), suppressed=tuple(suppressed))


def in_encoding(analysis: Analysis, encoding: str) -> Analysis:
    """Return the analysis with an error if Heat's client cannot read the encoding; environments may be UTF-16."""
    if isinstance(analysis, EnvironmentAnalysis) and encoding.startswith("utf-16"):
        return analysis
    message = f"This file is {ENCODING_WORDS[encoding]}, but Heat reads only UTF-8. Save it as UTF-8."
    span = Span(0, len(analysis.template.text.partition("\n")[0]))
    problem = Diagnostic(None, "client-syntax", Severity.ERROR, message, span)
    return replace(analysis, diagnostics=(problem, *analysis.diagnostics))


def _analyze_environment(
    source: Source, knowledge: Knowledge, settings: Options, owner: Consumer | None
) -> EnvironmentAnalysis:
    environment = parse_environment(source.template.text)
    empty = replace(source, template=parse_template(EMPTY_TEMPLATE), environments=())
    stack, types = define(empty, knowledge)
    model = Analysis(empty, stack, types, knowledge, settings)
    problems = list(_own_problems(environment.data, knowledge, source.files))
    if owner is not None:
        used = define(owner.source, knowledge, not_created=True)
        model = Analysis(owner.source, *used, knowledge, settings)
        values = (one for one in parameter_problems(model.stack) if one.kind is not ProblemKind.MISSING)
        unused = unused_defaults(owner.source, model.stack, knowledge)
        problems = [one for one in (*environment_problems(model.stack), *values, *unused) if one.file == owner.file]
    limit = ProblemLimit()
    syntax = [of_syntax(environment, one) for one in limit.within(environment.problems)]
    hidden = tuple(limit.within(invisible_character.check(environment)))
    sections = {one.path for one in problems if len(one.path) < 2} if syntax else set()  # reported as syntax problems
    known = model.stack.parameters.names
    source = replace(source, template=environment)
    others = (finding_in_environment(one, known).in_plain_words() for one in problems if one.path not in sections)
    numbers = map(yaml_number.check.finished, yaml_number.check_environment(environment, model.scope))
    found = list(limit.within(located(source, one) for one in (*others, *numbers)))
    if limit.is_reached:
        found.append(not_checked.further(environment.text))
    elif limit.leaves_out:
        found.append(not_checked.left_out(environment.text))
    diagnostics = (*syntax, *hidden, *found)
    ordered = tuple(sorted(diagnostics, key=lambda one: (one.span.start, one.severity, one.message)))
    owner_file = owner.template_file if owner is not None else ""
    return EnvironmentAnalysis(source, stack, types, knowledge, settings, ordered, owner=model, owner_file=owner_file)


def _own_problems(data: Mapping[object, object], knowledge: Knowledge, files: Files) -> Iterator[StackProblem]:
    """Yield the problems of an environment that do not depend on a template."""
    own = EnvironmentFile(_OWN_NAME, data)
    yield from registry_problems([own], ClientFiles(files))
    yield from Environment(
        [own], known_types=knowledge.type_names, aliases=knowledge.catalog.aliases, event_sinks=knowledge.event_sinks
    ).problems
