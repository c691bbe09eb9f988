"""Loading of a template file with its environments and the files next to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from heatstudio.stack.definition.source import Source
from heatstudio.stack.load import FolderFiles, load_environment, read_written
from heatstudio.template import Template, parse_template


def load_source(
    path: Path,
    environments: Iterable[Path] = (),
    *,
    parameter_values: Mapping[str, object] | None = None,
    root: Path | None = None,
    previous: Template | None = None,
) -> Source:
    """Return the source of a template file and its environment files; raise DocumentError if one cannot be read.

    `root` is the folder that references may not leave; by default the template's own folder.
    """
    folder = path.parent.resolve()
    return Source(
        parse_template(read_written(path), previous),
        tuple(map(load_environment, environments)),
        FolderFiles(folder, (root or folder).resolve()),
        dict(parameter_values or {}),
        file=path.name,
    )
