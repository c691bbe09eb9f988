"""The engine as the session sees it: texts go in, values come out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis import Analysis
    from heatstudio.catalog import Catalog
    from heatstudio.catalog.facts import Facts
    from heatstudio.catalog.load_groups import GroupLibrary
    from heatstudio.stack.update_plan import UpdatePlan
    from heatstudio.text import Fix


class Engine(Protocol):
    """All that the window asks; every method is pure and answers for any text."""

    @property
    def catalog(self) -> Catalog:
        """The resource types that the engine knows."""

    def overlay(self, words: Facts) -> None:
        """Speaks in Heat's own words from now on."""

    @property
    def groups(self) -> GroupLibrary:
        """The property groups of those types."""

    def analyze(self, text: str, previous: Analysis | None) -> Analysis:
        """What is to be said of a text; `previous` makes it quick where little changed."""

    def plan_update(self, old_text: str, analysis: Analysis) -> UpdatePlan:
        """What a stack update from the old text to the analyzed one would do."""

    def insert_resource(self, analysis: Analysis, type_name: str, caret: int) -> Fix | None:
        """A new resource of a type with its required properties; None where there is no place for it."""

    def fix_all(self, analysis: Analysis) -> Fix | None:
        """All safe fixes that fit together, as one; None if there is none."""
