"""A template on the disk with its environments and the files beside it."""

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
    """A template file with its environment files; raises DocumentError if one of them cannot be read.

    `root` is the folder that references may not leave; it is the template's own folder otherwise.
    """
    folder = path.parent.resolve()
    return Source(
        parse_template(read_written(path), previous),
        tuple(map(load_environment, environments)),
        FolderFiles(folder, (root or folder).resolve()),
        dict(parameter_values or {}),
    )
