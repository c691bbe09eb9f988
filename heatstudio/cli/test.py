"""`heatstudio test`: run the tests of templates."""

from argparse import Namespace
from pathlib import Path
from stat import S_IFDIR
from typing import NamedTuple

from heatstudio.analysis import Analysis
from heatstudio.cli.check_formats import junit, junit_suite
from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, EXIT_UNREADABLE, complain, note, say, say_markup
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.folder_files import walk
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.service.inputs.template_tests import SUFFIX, results_of_tests
from heatstudio.template import CannotEditError, render
from heatstudio.text import DocumentError, LineIndex, apply_edits, counted, is_file, read_document, save_document
from heatstudio.text.markup import Xml

_Result = tuple[str, list[str]]
"""A name and the failures with their lines."""


class _TestedFile(NamedTuple):
    path: Path
    results: list[_Result]


def run(options: Namespace) -> int:
    """Return 0 if all tests pass, 1 if one fails, 2 if there is no test. Raise DocumentError."""
    paths = options.paths or [Path()]
    files = [(file, path) for path in paths if is_file(path, S_IFDIR) for file in walk(path, (SUFFIX,))]
    files += [(path, Path()) for path in paths if not is_file(path, S_IFDIR)]
    if not files:
        complain(f"no file ends with {SUFFIX} in {', '.join(map(str, paths))}.")
        return EXIT_UNREADABLE
    found = [_tested(path, options.root or folder, updates=options.update) for path, folder in files]
    failed = sum(bool(failures) for file in found for _, failures in file.results)
    if options.format == "junit":
        say_markup(junit(map(_suite, found)))
    else:
        for file in found:
            for name, failures in file.results:
                say(f"{'failed' if failures else 'passed'}: {name}")
                for failure in failures:
                    say(f"  {failure}")
    note(f"{counted(sum(len(file.results) for file in found), 'test')}, {failed:,} failed.")
    return EXIT_FOUND if failed else EXIT_FINE


def _tested(path: Path, root: Path, *, updates: bool) -> _TestedFile:
    """Return a file with its tests, after its expectations are updated if wanted. Raise DocumentError."""
    engine, document = Engine(), read_document(path)
    snapshot = Snapshot(document.text, path, root=root)
    analysis = engine.analyze(snapshot, None)
    changes = [change for one in analysis.diagnostics for fix in one.fixes[:1] for change in fix.changes]
    if updates and changes:
        try:
            text = apply_edits(document.text, render(analysis.template, changes))
        except CannotEditError as error:
            raise DocumentError("update", f"{path} cannot be updated: {error}") from error
        save_document(document.with_text(text))
        analysis = engine.analyze(snapshot._replace(text=text), None)
    return _TestedFile(path, _results(path, analysis))


def _results(path: Path, analysis: Analysis) -> list[_Result]:
    """Return the result of each test; a file that is not valid counts as a failed test."""
    lines, results = LineIndex(analysis.template.text), results_of_tests(analysis)
    failed = [(one.name, one.failures) for one in results] or [(str(path), analysis.diagnostics)]
    return [
        (name, [f"{path}:{lines.position(one.span.start).line + 1}: {one.message}" for one in failures])
        for name, failures in failed
    ]


def _suite(file: _TestedFile) -> Xml:
    cases = [_case(file.path, *result) for result in file.results]
    return junit_suite(str(file.path), cases, sum(bool(failures) for _, failures in file.results))


def _case(path: Path, name: str, failures: list[str]) -> Xml:
    failure = Xml('<failure message="{}" type="failed-test" />')
    inner = Xml("").join(failure.fill(one) for one in failures)
    return Xml('    <testcase classname="{}" name="{}">{}</testcase>\n').fill(path, name, inner)
