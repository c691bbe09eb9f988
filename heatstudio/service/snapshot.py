"""A snapshot: a text with everything that determines its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from heatstudio.text import UTF_8

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.update.running_stack import RunningStack


class Target(NamedTuple):
    """The facts about a cloud that are known without a connection."""

    release: str = ""
    """The name of its OpenStack release; empty for the one whose Heat this program knows."""
    client_versions: Mapping[str, str] = {}
    """Its API versions by client plug-in, where they are not those of that release."""


LARGE = 1_000_000
"""Characters from which a text is not checked while it is typed; Heat takes 524,288 bytes unless configured
otherwise."""


def is_large(text: str) -> bool:
    """Whether a text is checked only on demand."""
    return len(text) > LARGE


class Snapshot(NamedTuple):
    """A document at one moment, which can be passed to another thread."""

    text: str
    path: Path | None = None
    """The folder of the template: the base of the files that it nests and reads."""
    environments: tuple[Path, ...] = ()
    """In their order: the later ones win."""
    root: Path | None = None
    """The folder that references may not leave; the template's own folder if there is none."""
    open_texts: Mapping[Path, str] = {}
    """What other editors have and the disk has not yet, by paths without links."""
    commit: str = ""
    """The git commit from which the files next to the template are read; empty for files on disk."""
    parameter_values: Mapping[str, object] = {}
    """What was typed into the form of parameters."""
    stack: RunningStack | None = None
    """The running stack that the text is of."""
    parameter_defaults: Mapping[str, object] = {}
    """What was typed there for parameters of nested templates."""
    owner: Snapshot | None = None
    """A template that is checked with the text, if that is an environment."""
    target: Target = Target()
    """What it is checked for."""
    encoding: str = UTF_8
    """What the text is encoded in on the disk."""
