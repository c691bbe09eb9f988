"""`heatstudio format`: normalize indentation and blanks of YAML files."""

from argparse import Namespace
from pathlib import Path

from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, EXIT_UNREADABLE, note, say
from heatstudio.cli.template_files import TemplateFile, handle_files
from heatstudio.service.inputs.project_file import PROJECT_FILE
from heatstudio.template.environment_file import TextKind, kind_of_text
from heatstudio.template.formatting import format_text
from heatstudio.text import DocumentError, apply_edits, counted, read_document, save_document


def run(options: Namespace) -> int:
    """Return 1 if `--check` finds a file to format, 2 if a file cannot be read, formatted or written, else 0."""
    changes: list[bool] = []
    is_complete = handle_files(options.files, lambda file: changes.append(_format(file, check=options.check)))
    changed = sum(changes)
    note(f"{counted(changed, 'file')} {'to format' if options.check else 'formatted'}.")
    if not is_complete:
        return EXIT_UNREADABLE
    return EXIT_FOUND if options.check and changed else EXIT_FINE


def _format(file: TemplateFile, *, check: bool) -> bool:
    """Format a file, and return whether it changes. Raise DocumentError.

    A file in a folder that is neither template nor environment is left alone.
    """
    path: Path = file.path
    document = read_document(path)
    kind = kind_of_text(document.text, path.name)
    is_json = document.text.lstrip().startswith("{")
    if path.name == PROJECT_FILE or (not file.is_named and (kind is TextKind.OTHER or is_json)):
        return False
    found = format_text(document.text)
    if found.refusal:
        raise DocumentError("format", f"{path}: not formatted: {found.refusal}")
    if found.edits and not check:
        save_document(document.with_text(apply_edits(document.text, found.edits)))
    if found.edits:
        say(str(path))
    return bool(found.edits)
