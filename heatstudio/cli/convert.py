"""`heatstudio convert`: a template in the other language."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, EXIT_UNREADABLE, complain, note, say
from heatstudio.stack.conversion import convert
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.template import parse_template
from heatstudio.text import DocumentError, LineIndex, read_document

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction


def add_arguments(verbs: _SubParsersAction[ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser("convert", help="convert a CloudFormation template to HOT, or HOT to CloudFormation")
    parser.add_argument("file", metavar="FILE", type=Path, help="a template")
    parser.set_defaults(verb=run)


def run(options: Namespace) -> int:
    """Exit code 0: all of it; 1: something has no equivalent and is reported; 2: the file cannot be read."""
    try:
        text = read_document(options.file).text
    except DocumentError as error:
        complain(error.message)
        return EXIT_UNREADABLE
    template = parse_template(text)
    conversion = convert(template, load_knowledge())
    if conversion is None:
        complain(f"{options.file}: not a valid template; run `heatstudio check` for details.")
        return EXIT_UNREADABLE
    say(conversion.text.rstrip("\n"))
    lines = LineIndex(text)
    for remark in conversion.remarks:
        line = lines.position(template.locate(remark.path).start).line + 1
        kind = "not converted" if remark.lost else "differs"
        note(f"{options.file}:{line}: {remark.construct}: {kind}. {remark.message}")
    return EXIT_FOUND if any(remark.lost for remark in conversion.remarks) else EXIT_FINE
