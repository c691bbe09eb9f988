"""Ready-made groups of resources, kept as templates in `resources/snippets`."""

from __future__ import annotations

from collections.abc import Iterator

from heatstudio.analysis.assistance.proposal import Proposal
from heatstudio.template import Template


def named_snippets(template: Template) -> Iterator[Proposal]:
    yield from ()
