"""`heatstudio format`: normalize indentation and blanks of YAML files."""

from argparse import Namespace
from pathlib import Path

from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, EXIT_UNREADABLE, complain, note, say
from heatstudio.cli.template_files import TemplateFile, template_files
from heatstudio.service.inputs.project_file import PROJECT_FILE
from heatstudio.template.environment_file import TextKind, kind_of_text
from heatstudio.template.formatting import format_text
from heatstudio.text import DocumentError, apply_edits, counted, read_document, save_document


def run(options: Namespace) -> int:
    """Return 1 if `--check` finds a file to format, 2 if a file cannot be read, formatted or written, else 0."""
    files, is_complete = template_files(options.files)
    changed = 0
    for file in files:
        try:
            refusal, is_changed = _format(file, check=options.check)
        except DocumentError as error:
            refusal, is_changed = str(error), False
        if refusal:
            complain(refusal)
            is_complete = False
        if is_changed:
            say(str(file.path))
        changed += is_changed
    note(f"{counted(changed, 'file')} {'to format' if options.check else 'formatted'}.")
    if not is_complete:
        return EXIT_UNREADABLE
    return EXIT_FOUND if options.check and changed else EXIT_FINE


def _format(file: TemplateFile, *, check: bool) -> tuple[str, bool]:
    """Format a file; return why it is left alone, and whether it changes. Raise DocumentError.

    A file in a folder that is neither template nor environment is left alone.
    """
    path: Path = file.path
    document = read_document(path)
    kind = kind_of_text(document.text, path.name)
    is_json = document.text.lstrip().startswith("{")
    if path.name == PROJECT_FILE or (not file.is_named and (kind is TextKind.OTHER or is_json)):
        return "", False
    found = format_text(document.text)
    if found.refusal:
        return f"{path}: not formatted: {found.refusal}", False
    if found.edits and not check:
        save_document(document.with_text(apply_edits(document.text, found.edits)))
    return "", bool(found.edits)
