"""`heatstudio resolve`: evaluate the functions of a template offline."""

from argparse import Namespace
from pathlib import Path

import msgspec
from msgspec import UNSET, Struct

from heatstudio.cli.report import EXIT_FINE, EXIT_FOUND, EXIT_UNREADABLE, complain, say_json
from heatstudio.cli.snapshot import snapshot_of
from heatstudio.service.engine import Engine
from heatstudio.service.resolved_values import resolved
from heatstudio.stack.load import read_written
from heatstudio.stack.resource_proxy import NodeData
from heatstudio.text import DATA_LIMIT, DocumentError, read_text


def run(options: Namespace) -> int:
    """Return 0 if all values are resolved, 1 otherwise, 2 for syntax errors. Raise DocumentError."""
    engine = Engine()
    snapshot = snapshot_of(engine, options, options.template, read_written(options.template))
    data = _resource_data(options.resource_data)
    source = engine.source_of(snapshot)
    if not source.template.complete:
        for problem in source.template.problems:
            complain(f"{options.template}: {problem.message}")
        return EXIT_UNREADABLE
    answer = resolved(source, engine.knowledge_of(snapshot), data, shows_hidden=options.show_hidden)
    say_json(answer)
    return EXIT_FOUND if answer["errors"] else EXIT_FINE


def _resource_data(path: Path | None) -> dict[str, NodeData]:
    """Read the data of existing resources. Raise DocumentError."""
    if path is None:
        return {}
    try:
        found = msgspec.json.decode(read_text(path, limit=DATA_LIMIT), type=dict[str, _Resource])
    except (msgspec.DecodeError, RecursionError) as error:
        raise DocumentError("resource-data", f"{path} is not valid resource data: {error}.") from error
    return {
        name: NodeData(
            name if one.reference_id is UNSET else one.reference_id, one.attributes or {}, one.action, one.status
        )
        for name, one in found.items()
    }


class _Resource(Struct, forbid_unknown_fields=True):
    reference_id: object = UNSET
    attributes: dict[str, object] | None = None
    action: str = "CREATE"
    status: str = "COMPLETE"
