"""`heatstudio convert`: convert a template between CloudFormation and HOT."""

from argparse import Namespace

from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, note, say_source
from heatstudio.stack.conversion.convert import convert
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.template import parse_template
from heatstudio.text import DocumentError, LineIndex, read_document


def run(options: Namespace) -> int:
    """Return 0 after a complete conversion, 1 if a construct has no equivalent. Raise DocumentError."""
    text = read_document(options.file).text
    template = parse_template(text)
    conversion = convert(template, load_knowledge())
    if conversion is None:
        raise DocumentError("template", f"{options.file}: not a valid template; run `heatstudio check` for details.")
    say_source(conversion.text.rstrip("\n"))
    lines = LineIndex(text)
    for remark in conversion.remarks:
        line = lines.position(template.locate(remark.path).start).line + 1
        kind = "not converted" if remark.lost else "differs"
        note(f"{options.file}:{line}: {remark.construct}: {kind}. {remark.message}")
    return EXIT_FOUND if any(remark.lost for remark in conversion.remarks) else EXIT_FINE
