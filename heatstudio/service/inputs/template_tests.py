"""Tests of templates: what a template becomes with some environments and parameters, as its authors expect it.

A file `NAME.test.yaml` tests `NAME.yaml`; the page `resources/pages/failed-test.md` describes its keys.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, ValidationError, convert, field

from heatstudio.analysis import Analysis, Diagnostic, Finding
from heatstudio.analysis.analyze import located, not_analyzed, of_syntax
from heatstudio.analysis.scope import Place
from heatstudio.service.inputs.project_file import in_plain_words
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.stack.load import read_written
from heatstudio.stack.parameter_form import value_text
from heatstudio.stack.path import dotted
from heatstudio.stack.unknown import has_unknown
from heatstudio.template import AddEntry, Change, DataFix, SetValue, Template, TreePath, parse_template
from heatstudio.template.editing.rendering_plan import same_data
from heatstudio.text import DocumentError, Severity, Span, real_path
from heatstudio.update.plan.update_plan import Action, UpdatePlan

CODE = "failed-test"
SUFFIX = ".test.yaml"
_TESTS = "tests"
_MOST_TESTS = 200
_SHOWN = 60
"""Maximum number of characters of a value in a message."""


class _Update(Struct, frozen=True, forbid_unknown_fields=True):
    """The expected outcomes of an update to the tested template; None for outcomes that are not tested."""

    old: str = field(default="", name="from")
    """The template before the update; by default, the tested template."""
    environments: tuple[str, ...] | None = None
    parameters: dict[str, object] | None = None
    not_supported: tuple[str, ...] | None = field(default=None, name="not-supported")
    replaced: tuple[str, ...] | None = None
    deleted: tuple[str, ...] | None = None
    added: tuple[str, ...] | None = None
    updated: tuple[str, ...] | None = None


class _Test(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    environments: tuple[str, ...] = ()
    parameters: dict[str, object] = {}
    errors: tuple[str, ...] = ()
    """The codes of the expected errors."""
    conditions: dict[str, object] = {}
    resources: dict[str, dict[str, object] | None] = {}
    """Some properties of some resources; None for a resource that is not created."""
    outputs: dict[str, object] = {}
    update: _Update | None = None


class _Content(Struct, frozen=True, forbid_unknown_fields=True):
    tests: tuple[_Test, ...]
    template: str = ""


class TestedTemplate(NamedTuple):
    """What the engine says about a template."""

    analysis: Analysis
    values: Mapping[str, object]
    """The computed conditions, resources and outputs."""
    plan: UpdatePlan | None


class TestResult(NamedTuple):
    """The result of a test."""

    name: str
    span: Span
    """The span of the test."""
    failures: Sequence[Diagnostic]


Run = Callable[[Snapshot, Snapshot | None], TestedTemplate]
"""A function that returns the outcome of a template and of an update from the other template to it.

It raises DocumentError for an environment that cannot be read.
"""


def is_test_file(path: Path | None) -> bool:
    """Return whether a file has tests of a template."""
    return path is not None and path.name.endswith(SUFFIX)


def tested_template(template: Template, file: Path) -> str:
    """Return the name of the template that the tests of a file are for."""
    content = _content(template) if not template.reading.problems else None
    return _tested_name(content if isinstance(content, _Content) else _Content(()), file)


def _tested_name(content: _Content, file: Path) -> str:
    return content.template or file.name.removesuffix(SUFFIX) + ".yaml"


def results_of_tests(analysis: Analysis) -> tuple[TestResult, ...]:
    """Return the results of the tests in an analyzed file; none if the file is invalid."""
    template = analysis.template
    content = _content(template) if not template.reading.problems else None
    if not isinstance(content, _Content):
        return ()
    failures: dict[object, list[Diagnostic]] = {number: [] for number in range(len(content.tests))}
    for one in analysis.diagnostics:
        path = one.finding.place.path if one.finding is not None else ()
        if path[:1] == (_TESTS,) and len(path) > 1:
            failures[path[1]].append(one)
    return tuple(
        TestResult(test.name, template.locate((_TESTS, number)), failures[number])
        for number, test in enumerate(content.tests)
    )


def analyze_tests(snapshot: Snapshot, knowledge: Knowledge, run: Run) -> Analysis:
    """Return the analysis of a file with tests, whose problems are the failures of the tests."""
    template = parse_template(snapshot.text)
    source = Source(template)
    found = [of_syntax(template, problem) for problem in template.reading.problems]
    if template.complete:
        found += (located(source, one) for one in _failures(snapshot, template, run))
    return not_analyzed(source, knowledge, tuple(found))


def tested_snapshots(snapshot: Snapshot) -> Iterator[Snapshot]:
    """Yield the templates that the tests of a file read."""
    content = _content(parse_template(snapshot.text))
    if isinstance(content, Finding):
        return
    for test in content.tests:
        try:
            yield from filter(None, _snapshots(snapshot, content, test))
        except DocumentError:
            continue


def _content(template: Template) -> _Content | Finding:
    """Return the tests of a file, or what is wrong with them."""
    try:
        content = convert(template.data, _Content)
    except ValidationError as error:
        message, path = in_plain_words(str(error), ())
        return Finding(message, Place(path), code=CODE)
    if len(content.tests) > _MOST_TESTS:
        return Finding(f"The file has more than {_MOST_TESTS} tests.", Place((_TESTS,)), code=CODE)
    return content


def _failures(snapshot: Snapshot, template: Template, run: Run) -> Iterator[Finding]:
    content = _content(template)
    if isinstance(content, Finding):
        yield content
        return
    for number, test in enumerate(content.tests):
        path: TreePath = (_TESTS, number)
        try:
            outcome = run(*_snapshots(snapshot, content, test))
        except DocumentError as error:
            yield Finding(error.message, Place((*path, "name")), code=CODE)
            continue
        yield from _errors(test, path, outcome.analysis)
        yield from _differences((*path, "conditions"), test.conditions, outcome.values.get("conditions"))
        yield from _resources(test, (*path, "resources"), outcome.values)
        yield from _differences((*path, "outputs"), test.outputs, outcome.values.get("outputs"))
        if test.update is not None and outcome.plan is not None:
            yield from _update(test.update, (*path, "update"), outcome.plan)


def _snapshots(snapshot: Snapshot, content: _Content, test: _Test) -> tuple[Snapshot, Snapshot | None]:
    """Return the tested template, and the template before the update, if any. Raise DocumentError."""
    file = snapshot.path or Path()
    name = _tested_name(content, file)
    new = _snapshot(snapshot, name, test.environments, test.parameters)
    update = test.update
    if update is None:
        return new, None
    environments = test.environments if update.environments is None else update.environments
    parameters = test.parameters if update.parameters is None else update.parameters
    return new, _snapshot(snapshot, update.old or name, environments, parameters)


def _snapshot(snapshot: Snapshot, name: str, environments: Sequence[str], parameters: Mapping[str, object]) -> Snapshot:
    folder = (snapshot.path or Path()).parent
    root = real_path(snapshot.root or folder)

    def inside(file: str) -> Path:
        path = folder / file
        if not real_path(path).is_relative_to(root):
            raise DocumentError("outside", f"`{file}` is outside {root}.")
        return path

    path = inside(name)
    text = snapshot.open_texts.get(real_path(path))
    return snapshot._replace(
        text=read_written(path) if text is None else text,
        path=path,
        environments=tuple(map(inside, environments)),
        parameter_values=parameters,
        root=root,
        uses_project=False,
    )


def _errors(test: _Test, path: TreePath, analysis: Analysis) -> Iterator[Finding]:
    """Yield one failure if the errors of the template differ from the expected ones."""
    errors = [one for one in analysis.diagnostics if one.severity is Severity.ERROR]
    codes = list(dict.fromkeys(one.code for one in errors))
    if set(codes) == set(test.errors):
        return
    unexpected = [one for one in errors if one.code not in test.errors]
    missing = [code for code in test.errors if code not in codes]
    words = f"Unexpected error: {unexpected[0].message} [{unexpected[0].code}]" if unexpected else ""
    words = words or f"There is no error `{missing[0]}`."
    place = (*path, "errors") if test.errors else (*path, "name")
    yield _failure(words, place, SetValue(place, codes) if test.errors else AddEntry(path, "errors", codes, "name"))


def _resources(test: _Test, path: TreePath, values: Mapping[str, object]) -> Iterator[Finding]:
    made = values.get("resources")
    known = made if isinstance(made, Mapping) else {}
    for name, expected in test.resources.items():
        place = (*path, name)
        if expected is None and name in known:
            yield _failure(f"`{name}` is created.", place)
        elif expected is not None and name not in known:
            yield _failure(f"`{name}` is not created.", place, SetValue(place, None))
        elif expected is not None:
            yield from _differences(place, expected, known[name].get("properties"))


def _differences(path: TreePath, expected: object, actual: object) -> Iterator[Finding]:
    """Yield the differences between expected and actual data; keys that are not expected do not matter."""
    if isinstance(expected, dict) and isinstance(actual, Mapping):
        for key, value in expected.items():
            yield from _differences((*path, key), value, actual.get(key))
    elif has_unknown(actual):
        yield _failure(f"`{dotted(path[2:])}` is not known without a cloud.", path)
    elif not same_data(expected, actual):
        words = f"`{dotted(path[2:])}` is {_shown(actual)}, not {_shown(expected)}."
        yield _failure(words, path, SetValue(path, actual))


def _shown(value: object) -> str:
    text = "null" if value is None else value_text(value)
    return f"`{text if len(text) <= _SHOWN else f'{text[:_SHOWN]}...'}`"


def _update(expected: _Update, path: TreePath, plan: UpdatePlan) -> Iterator[Finding]:
    if plan.refusals:
        yield _failure(f"Heat would reject the update: {plan.refusals[0]}", path)
        return
    for action in Action:
        names: tuple[str, ...] | None = getattr(expected, action, None)
        if names is None:
            continue
        found = [one.name for one in plan.changes if one.action is action and one.has_effect]
        if set(found) != set(names):
            place = (*path, action.replace("_", "-"))
            shown = ", ".join(f"`{name}`" for name in found) or "nothing"
            yield _failure(f"`{place[-1]}` by the update: {shown}.", place, SetValue(place, found))


def _failure(message: str, path: TreePath, *changes: Change) -> Finding:
    fixes = (DataFix.likely("Expect this", *changes),) if changes else ()
    return Finding(message, Place(path), code=CODE, fixes=fixes)
