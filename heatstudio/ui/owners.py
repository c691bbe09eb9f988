"""The templates that nest a document's template: looked for in a thread, when somebody asks about its names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from heatstudio.ui.document import Document
from heatstudio.ui.jobs import Finish, Job
from heatstudio.ui.session import Session

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis.assistance import Desk
    from heatstudio.stack.load_owners import Owner
    from heatstudio.ui.engine import Engine


def with_owners(
    session: Session, document: Document, desk: Desk, offset: int, take: Callable[[tuple[Owner, ...]], object]
) -> None:
    """Gives the templates that nest this one, where they may name what is at an offset; at once if none can."""
    from heatstudio.analysis.assistance import is_seen_outside

    if document.path is None or not is_seen_outside(desk, offset):
        take(())
        return
    path = document.path
    texts = {one.path: one.text for one in session.documents if one.path is not None}
    known = {place: one.environments for one in session.documents if (place := one.path) is not None}

    def work(_engine: Engine, _job: Job) -> Finish:
        from heatstudio.stack.load_owners import load_owners

        files = (Path(name) for name in session.files_near(path))
        candidates = dict.fromkeys((*texts, *files))
        found = tuple(
            load_owners(path, candidates, lambda file: known.get(file) or session.settings.environments_of(file), texts)
        )
        return lambda: take(found)

    session.run("Looking for templates that nest this one", work)
