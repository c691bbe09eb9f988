"""Fixes that raise the template version to one that has a function, a section or a key."""

from collections.abc import Callable, Sequence

from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.reads import StackReader
from heatstudio.stack.functions.language import Language
from heatstudio.template import Change, DataFix, Dialect, SetValue
from heatstudio.template.dialect import DIALECTS
from heatstudio.text import Applicability


def newer_version(own: Dialect, has: Callable[[Dialect], bool]) -> Dialect | None:
    """Return the oldest newer version of the same language that has what is needed; None if there is none."""
    newer = (one for one in DIALECTS if one.version_key == own.version_key and one.version > own.version)
    return next((one for one in newer if has(one)), None)


def version_fix(
    stack: StackReader,
    knowledge: Knowledge,
    dialect: Dialect,
    reasons: Sequence[str] = (),
    *,
    title: str = "",
    changes: Sequence[Change] = (),
    without: str = "",
) -> DataFix:
    """Return the fix that raises the version; it names the functions, except `without`, that the template loses."""
    lost = sorted(_lost(stack, knowledge.language(dialect)) - {without})
    more = [f"that version has no {', '.join(f'`{name}`' for name in lost)}"] if lost else []
    why = "; ".join([*reasons[:1], *more, *reasons[1:]])
    title = title or f"Raise the template version to {dialect.version}"
    change = SetValue((dialect.version_key,), dialect.version)
    applicability = Applicability.DECISION if lost else Applicability.UNSAFE
    return DataFix(f"{title} ({why})" if why else title, (change, *changes), applicability)


def _lost(stack: StackReader, language: Language) -> set[str]:
    """Return the functions that the template calls and another version has removed."""
    kept = {name for name in stack.called_functions if stack.language.state(name) == "function"}
    return {name for name in kept if language.state(name) == "removed"}
