"""Fixes of functions that the template version lacks: another function or another version."""

from heatstudio.analysis.migrations.newer_version import newer_version, version_fix
from heatstudio.analysis.migrations.rewritings import Call, Rewriting, rewritings
from heatstudio.stack.definition.knowledge import Knowledge
from heatstudio.stack.definition.reads import StackReader
from heatstudio.stack.functions.function import Broken, parse
from heatstudio.stack.functions.language import Language
from heatstudio.template import DataFix, Dialect, TreePath
from heatstudio.text import Applicability

PLAIN_DATA = "Heat currently treats the call as data"


def function_fixes(stack: StackReader, knowledge: Knowledge, path: TreePath, arguments: object) -> tuple[DataFix, ...]:
    """Return the fixes of a call whose function or arguments belong to another version.

    `path` ends with the name of the function, as in FunctionProblem.
    """
    language = stack.language
    if len(path) < 2:
        return ()
    call = Call(stack, path, arguments)
    if _has(language, call, call.name):
        newer = version_of_arguments(stack, knowledge, path, arguments)
        return (version_fix(stack, knowledge, newer),) if newer is not None else ()
    fixes = [_fix(call, knowledge, rewriting) for rewriting in rewritings(call)]
    if call.name not in language.functions:
        fixes.append(_newer(call, knowledge, Rewriting("", (), call.name, PLAIN_DATA)))
    return tuple(fix for fix in fixes if fix is not None)


def version_of_arguments(stack: StackReader, knowledge: Knowledge, path: TreePath, arguments: object) -> Dialect | None:
    """Return the oldest newer version that accepts the invalid arguments of a call; None if there is none."""
    call = Call(stack, path, arguments)
    written = {call.name: arguments}

    def accepts(language: Language) -> bool:
        return not isinstance(parse(written, language, ()), Broken)

    if call.in_conditions or not _has(call.language, call, call.name) or accepts(call.language):
        return None
    return newer_version(call.language.dialect, lambda dialect: accepts(knowledge.language(dialect)))


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
    function = rewriting.function
    if function is None:
        return None
    dialect = newer_version(call.language.dialect, lambda one: _has(knowledge.language(one), call, function))
    if dialect is None:
        return None
    reasons = [f"`{function}` was added in {dialect.version}, {dialect.release}"]
    reasons += [rewriting.doubt] if rewriting.doubt else []
    title, changes = rewriting.title, rewriting.changes
    return version_fix(call.stack, knowledge, dialect, reasons, title=title, changes=changes, without=call.name)
