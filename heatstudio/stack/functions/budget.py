"""Bounds on evaluation: a template cannot make the editor slow or large."""

from __future__ import annotations

from msgspec import Struct

LARGEST = 2_000_000
"""Characters and items that one evaluation may produce."""


class BudgetExceededError(Exception):
    """An evaluation produces more than anybody can look at; its value counts as unknown."""


class Budget(Struct):
    """What an evaluation may still produce."""

    remaining: int = LARGEST

    def spend(self, amount: int) -> None:
        """Take characters or items from the budget. Raises BudgetExceededError when it is used up."""
        self.remaining -= amount
        if self.remaining < 0:
            raise BudgetExceededError
