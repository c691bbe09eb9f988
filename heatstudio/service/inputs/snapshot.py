"""A snapshot: a text with all inputs that its analysis depends on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from heatstudio.text import UTF_8

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.update.running_stack import RunningStack


class Target(NamedTuple):
    """The versions of a cloud to check for, which the user configures."""

    release: str = ""
    """The name of the OpenStack release; empty for the release of the bundled Heat."""
    client_versions: Mapping[str, str] = {}
    """The API versions by client plug-in that differ from those of the release."""


LARGE = 1_000_000
"""The number of characters above which a text is checked only on demand; Heat's default limit is 524,288 bytes."""


def is_large(text: str) -> bool:
    """Return whether a text is so large that it is checked only on demand."""
    return len(text) > LARGE


class Snapshot(NamedTuple):
    """An immutable state of a document, which can be passed to another thread."""

    text: str
    path: Path | None = None
    """The path of the text's file; relative names of files refer to its folder."""
    environments: tuple[Path, ...] = ()
    """The environment files; later files take precedence."""
    root: Path | None = None
    """The folder that references may not leave; the template's own folder if there is none."""
    open_texts: Mapping[Path, str] = {}
    """The unsaved texts of other editors, by paths without links."""
    commit: str = ""
    """The git commit from which the files next to the template are read; empty for files on disk."""
    parameter_values: Mapping[str, object] = {}
    """The values of parameters, for example from the parameter form."""
    stack: RunningStack | None = None
    """The running stack, if the text is its template."""
    parameter_defaults: Mapping[str, object] = {}
    """The values from the parameter form for parameters of nested templates."""
    owner: Snapshot | None = None
    """The template that is checked with the text, if the text is an environment."""
    target: Target = Target()
    """The cloud that the text is checked for."""
    encoding: str = UTF_8
    """The encoding of the text on disk."""
    shows_hidden: bool = False
    """Whether messages and previews show the values of hidden parameters."""
    uses_project: bool = True
    """Whether the environments of the project file apply if there are no others."""
