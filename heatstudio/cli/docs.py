"""`heatstudio docs`: document a template in Markdown."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from heatstudio.analysis.assist.template_page import template_page
from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, note, say_markup
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.stack.definition.source import define
from heatstudio.stack.load import read_written
from heatstudio.text import DocumentError, read_document, save_document
from heatstudio.text.markup import Markdown

HELP = "document the parameters, outputs and resources of a template in Markdown"
_MARK = "<!-- {} heatstudio docs {} -->"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("template", metavar="TEMPLATE", type=Path)
    parser.add_argument("--into", metavar="FILE", type=Path, help="replace the lines between the markers in FILE")
    parser.add_argument(
        "--check", action="store_true", help="write nothing, and exit with status 1 if FILE is out of date"
    )


def run(options: Namespace) -> int:
    """Return 0 for current or written documentation, 1 if it is out of date. Raise DocumentError."""
    page = _page(options.template)
    if options.into is None:
        say_markup(page)
        return EXIT_FINE
    return _replace(options.into, options.template.name, page, checks=options.check)


def _page(path: Path) -> Markdown:
    """Return the documentation of a template. Raise DocumentError if it cannot be read."""
    engine, snapshot = Engine(), Snapshot(read_written(path), path, uses_project=False)
    source = engine.source_of(snapshot)
    if not source.template.complete or source.template.version_message is not None:
        raise DocumentError("no-template", f"{path} is not a valid template; run `heatstudio check` for details.")
    stack, _types = define(source, engine.knowledge_of(snapshot))
    return template_page(stack)


def _replace(path: Path, name: str, page: Markdown, *, checks: bool) -> int:
    """Replace the documentation of a template in a file. Raise DocumentError."""
    document = read_document(path)
    begin, end = (_MARK.format(word, name) for word in ("begin", "end"))
    before, found, rest = document.text.partition(begin)
    _old, closed, after = rest.partition(end)
    if not (found and closed):
        raise DocumentError("no-markers", f"{path} has no lines `{begin}` and `{end}`; add them.")
    text = f"{before}{begin}\n\n{page}\n\n{end}{after}"
    if text == document.text:
        return EXIT_FINE
    if checks:
        note(f"{path} is out of date; run `heatstudio docs {name} --into {path}`.")
        return EXIT_FOUND
    save_document(document.with_text(text))
    return EXIT_FINE
