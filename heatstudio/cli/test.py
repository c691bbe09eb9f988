"""`heatstudio test`: run the tests of templates."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from stat import S_IFDIR
from typing import NamedTuple

from heatstudio.analysis import Analysis
from heatstudio.cli.check_formats import junit, junit_suite
from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, EXIT_UNREADABLE, add_format, complain, note, say, say_markup
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.folder_files import walk
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.service.inputs.template_tests import SUFFIX, names_of_tests, number_of_test
from heatstudio.template import CannotEditError, render
from heatstudio.text import DocumentError, LineIndex, apply_edits, counted, is_file, read_document, save_document
from heatstudio.text.markup import Xml

HELP = f"run the tests in files that end with `{SUFFIX}`"


class _TestedFile(NamedTuple):
    path: Path
    names: tuple[str, ...]
    analysis: Analysis

    def failures(self, number: int | None) -> list[str]:
        """Return the failures of a test, or of the file as a whole, with their lines."""
        lines = LineIndex(self.analysis.template.text)
        found = (one for one in self.analysis.diagnostics if (number_of_test(one) if self.names else None) == number)
        return [f"{self.path}:{lines.position(one.span.start).line + 1}: {one.message}" for one in found]


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("paths", nargs="*", metavar="PATH", type=Path, help="a file with tests, or a folder")
    parser.add_argument("--root", type=Path, metavar="FOLDER", help="the folder that tests may not leave")
    parser.add_argument("--update", action="store_true", help="expect what the templates do now")
    add_format(parser, "text", "junit")


def run(options: Namespace) -> int:
    """Return 0 if all tests pass, 1 if one fails, 2 if a file cannot be read or written, or there is no test."""
    paths = options.paths or [Path()]
    files = [(file, path) for path in paths if is_file(path, S_IFDIR) for file in walk(path, (SUFFIX,))]
    files += [(path, Path()) for path in paths if not is_file(path, S_IFDIR)]
    if not files:
        complain(f"no file ends with {SUFFIX} in {', '.join(map(str, paths))}.")
        return EXIT_UNREADABLE
    try:
        found = [_tested(path, options.root or folder, updates=options.update) for path, folder in files]
    except DocumentError as error:
        complain(error.message)
        return EXIT_UNREADABLE
    failed = sum(bool(failures) for file in found for _, failures in _results(file))
    if options.format == "junit":
        say_markup(junit(map(_suite, found)))
    else:
        for file in found:
            for name, failures in _results(file):
                say(f"{'failed' if failures else 'passed'}: {name}")
                for failure in failures:
                    say(f"  {failure}")
    note(f"{counted(sum(len(file.names) for file in found), 'test')}, {failed:,} failed.")
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
    return _TestedFile(path, names_of_tests(analysis.template), analysis)


def _results(file: _TestedFile) -> Iterator[tuple[str, list[str]]]:
    """Yield each test with its failures; a file that is not valid counts as a failed test."""
    whole = file.failures(None)
    if whole:
        yield str(file.path), whole
    yield from ((name, file.failures(number)) for number, name in enumerate(file.names))


def _suite(file: _TestedFile) -> Xml:
    results = list(_results(file))
    failed = sum(bool(failures) for _, failures in results)
    return junit_suite(str(file.path), [_case(file.path, *result) for result in results], failed)


def _case(path: Path, name: str, failures: list[str]) -> Xml:
    failure = Xml('<failure message="{}" type="failed-test" />')
    inner = Xml("").join(failure.fill(one) for one in failures)
    return Xml('    <testcase classname="{}" name="{}">{}</testcase>\n').fill(path, name, inner)
