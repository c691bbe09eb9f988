"""Fixes of functions that the template version lacks: another function or another version."""

from heatstudio.analysis.migrations.call import Call, Rewriting
from heatstudio.analysis.migrations.rewritings import rewritings
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.reads import StackReader
from heatstudio.stack.functions.language import Language
from heatstudio.stack.path import Path
from heatstudio.template import DataFix, SetValue
from heatstudio.template.dialect import DIALECTS
from heatstudio.text import Applicability

PLAIN_DATA = "Heat currently treats the call as data"


def function_fixes(stack: StackReader, knowledge: Knowledge, path: Path, arguments: object) -> tuple[DataFix, ...]:
    """Return the fixes of a call whose function was removed from the version, or belongs to another version.

    `path` ends with the name of the function, as in FunctionProblem. Return nothing if the version has the function.
    """
    language = stack.language
    if len(path) < 2:
        return ()
    call = Call(stack, path, arguments)
    if _has(language, call, call.name):
        return ()
    fixes = [_fix(call, knowledge, rewriting) for rewriting in rewritings(call)]
    if call.name not in language.functions:
        fixes.append(_newer(call, knowledge, Rewriting("", (), call.name, PLAIN_DATA)))
    return tuple(fix for fix in fixes if fix is not None)


def _has(language: Language, call: Call, name: str) -> bool:
    if call.in_conditions:
        return name in language.condition_functions and language.state(name) != "removed"
    return language.state(name) == "function"


def _fix(call: Call, knowledge: Knowledge, rewriting: Rewriting) -> DataFix | None:
    if rewriting.function is not None and not _has(call.language, call, rewriting.function):
        return _newer(call, knowledge, rewriting)
    doubt = rewriting.doubt or (PLAIN_DATA if call.language.state(call.name) == "unknown" else "")
    if doubt:
        return DataFix(f"{rewriting.title} ({doubt})", rewriting.changes, Applicability.UNSAFE)
    return DataFix(rewriting.title, rewriting.changes, Applicability.SAFE, preferred=True)


def _newer(call: Call, knowledge: Knowledge, rewriting: Rewriting) -> DataFix | None:
    """Return the fix that raises the template version to the oldest newer version with the function, or None."""
    own = call.language.dialect
    for dialect in DIALECTS:
        if dialect.version_key != own.version_key or dialect.version <= own.version:
            continue
        language = knowledge.language(dialect)
        if rewriting.function is None or not _has(language, call, rewriting.function):
            continue
        lost = sorted(_lost(call, language) - {call.name})
        reasons = [f"`{rewriting.function}` was added in {dialect.version}, {dialect.release}"]
        reasons += [f"that version has no {', '.join(f'`{name}`' for name in lost)}"] if lost else []
        reasons += [rewriting.doubt] if rewriting.doubt else []
        title = rewriting.title or f"Raise the template version to {dialect.version}"
        change = SetValue((dialect.version_key,), dialect.version)
        applicability = Applicability.DECISION if lost else Applicability.UNSAFE
        return DataFix(f"{title} ({'; '.join(reasons)})", (change, *rewriting.changes), applicability)
    return None


def _lost(call: Call, language: Language) -> set[str]:
    """Return the functions that the template calls and another version has removed."""
    kept = {name for name in call.stack.called_functions if call.language.state(name) == "function"}
    return {name for name in kept if language.state(name) == "removed"}
