"""The engine as the session sees it: snapshots go in, values come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # the engine is imported after the first paint
    from heatstudio.analysis import Analysis
    from heatstudio.analysis.change_place import ChangePlace
    from heatstudio.analysis.successors import Migration
    from heatstudio.catalog import Catalog, KnownCloud, Release, ResourceType
    from heatstudio.catalog.facts import Facts
    from heatstudio.catalog.load_groups import GroupLibrary
    from heatstudio.stack.update.update_plan import Cause, ResourceChange, UpdatePlan
    from heatstudio.text import Fix, TextEdit
    from heatstudio.ui.snapshot import Snapshot


class Engine(Protocol):
    """All that the window asks; every method answers for any text."""

    @property
    def catalog(self) -> Catalog:
        """The resource types that the engine knows."""

    def overlay(self, words: Facts) -> None:
        """Speaks in Heat's own words from now on."""

    def set_cloud(self, cloud: KnownCloud | None) -> None:
        """Takes into account what a cloud has, from now on; None for no cloud."""

    def cloud_word(self, type_: ResourceType) -> str:
        """Whether only the connected cloud has a type, or does not have it; empty if nothing is to be said."""

    @property
    def groups(self) -> GroupLibrary:
        """The property groups of those types."""

    @property
    def releases(self) -> tuple[Release, ...]:
        """The releases that templates can be checked for, oldest first."""

    @property
    def client_versions(self) -> Mapping[str, str]:
        """The API versions that are taken for granted, by client plug-in; empty where nobody knows one."""

    def analyze(self, snapshot: Snapshot, previous: Analysis | None) -> Analysis:
        """What is to be said of a text; `previous` makes it quick where little changed."""

    def complaints(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Which files that belong to the template cannot be read, and why."""

    def plan_update(self, old: Snapshot, analysis: Analysis, *, keeps_values: bool = False) -> UpdatePlan:
        """What a stack update from the old side to the analyzed one would do.

        `keeps_values` leaves to parameters the values that they have in the stack, as far as no other is given.
        """

    def insertion(self, analysis: Analysis, type_name: str, caret: int) -> TextEdit | None:
        """A new resource of a type, as an edit whose text is a snippet; None where there is no place for it."""

    def fix_all(self, analysis: Analysis, codes: frozenset[str] | None = None) -> Migration:
        """All safe fixes, of all findings or of those with one of the codes."""

    def is_neutral(self, analysis: Analysis, fix: Fix) -> bool:
        """Whether a stack update with nothing but this fix would change nothing."""

    def revert(self, analysis: Analysis, old: Snapshot, change: ResourceChange, cause: Cause | None) -> Fix | None:
        """Puts back what a resource, or one part of it, was on the old side; None where it cannot be done."""

    def place_before(
        self, old: Snapshot, analysis: Analysis, trail: Sequence[ResourceChange], cause: Cause | None
    ) -> ChangePlace:
        """Where the old side of an update to the analyzed one says what a row of the plan speaks of."""
