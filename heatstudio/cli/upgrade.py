"""`heatstudio upgrade`: report the changes that templates need for another OpenStack release."""

from argparse import Namespace
from collections.abc import Iterator, Sequence

from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, EXIT_UNREADABLE, say, say_markup
from heatstudio.cli.template_files import TemplateFile, handle_files
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot, Target
from heatstudio.service.safe_fixes import Upgrade, decisions_of, safe_fixes, upgrade_markdown, upgrade_summary
from heatstudio.template.environment_file import TextKind, kind_of_text
from heatstudio.text import read_document, save_document
from heatstudio.text.markup import Markdown


def run(options: Namespace) -> int:
    """Return 0 without remaining errors, 1 with errors, 2 if a file is unreadable."""
    engine = Engine()
    found: list[Upgrade] = []
    is_complete = handle_files(options.paths, lambda file: found.extend(_upgrade(engine, file, options)))
    if options.format == "markdown":
        say_markup(Markdown("\n").join(upgrade_markdown(found, str(options.to), applied=options.apply)))
    else:
        for line in _text(found, str(options.to), applied=options.apply):
            say(line)
    if not is_complete:
        return EXIT_UNREADABLE
    return EXIT_FOUND if any(one.errors for one in found) else EXIT_FINE


def _upgrade(engine: Engine, file: TemplateFile, options: Namespace) -> Iterator[Upgrade]:
    """Yield the upgrade of a file if the file is a template, and save it as requested. Raise DocumentError."""
    document = read_document(file.path)
    if kind_of_text(document.text, file.path.name) is not TextKind.TEMPLATE:
        return
    target = Target(options.to.name)
    snapshot = engine.readable(Snapshot(document.text, file.path, root=file.folder, target=target))
    found = safe_fixes(engine, snapshot, engine.analyze(snapshot, None))
    if options.apply and found.text != document.text:
        save_document(document.with_text(found.text))
    yield Upgrade(str(file.path), found.done, decisions_of(found.analysis))


def _text(found: Sequence[Upgrade], release: str, *, applied: bool) -> Iterator[str]:
    for one in found:
        for line, sentence in one.fixes:
            yield f"{one.name}:{line}: {'fixed' if applied else 'safe fix'}: {sentence}"
        for decision in one.decisions:
            yield f"{one.name}:{decision.line}: {decision.severity.word}: {decision.message} [{decision.code}]"
    yield upgrade_summary(found, release, applied=applied)
