"""A text for a server that Nova rejects or cloud-init ignores."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from heatstudio.analysis.scope import Finding, Place, ResourceScope, TemplateScope, resource_check, template_check
from heatstudio.analysis.scope.missing_name import meaning
from heatstudio.analysis.scope.nearest import nearest
from heatstudio.catalog.rules.suspicion import CLOUD_CONFIG, UserData
from heatstudio.stack.functions.examine import dependencies
from heatstudio.stack.functions.hot_functions import GetResource
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.unknown import text_pieces
from heatstudio.template import AddEntry, Change, DataFix, Part, RenameKey, SetValue, TreePath
from heatstudio.template.syntax.construct import construct
from heatstudio.template.syntax.yaml_reader import read_yaml
from heatstudio.text import CheckFamily

_ALMOST_HEADER = re.compile(r"#?[ \t]*cloud[-_ ]?config[ \t]*\n", re.IGNORECASE)
_UNKNOWN_KEY = "cloud-init ignores the key `{}`."
_KEY = re.compile(r"([\w-]+):(?:\s|$)")


@resource_check(family=CheckFamily.SUSPICIOUS)
def check(scope: ResourceScope) -> Iterator[Finding]:
    """Yield what is wrong with a cloud-config, or with the text of a server."""
    rules, properties, kind = scope.knowledge.suspicions, scope.properties, scope.type
    if properties is None or kind is None:
        return
    if (name := rules.cloud_configs.get(kind.name)) is not None:
        path = (*scope.properties_path, name)
        for key, names in _unknown_keys(properties.value(name), rules.cloud_config_keys):
            finding = scope.finding(_UNKNOWN_KEY.format(key), (*path, key), Part.KEY)
            yield meaning(finding, names, "Rename to `{}`", partial(RenameKey, (*path, key)))
    if (rule := rules.user_data.get(kind.name)) is not None and rule.property in properties.given:
        pieces = text_pieces(properties.value(rule.property)) or []
        size = (sum(len(one.encode(errors="replace")) for one in pieces if isinstance(one, str)) + 2) // 3 * 4
        path = (*scope.properties_path, rule.property)
        if size > rule.most:
            message = f"`{rule.property}` has {size:,} bytes in base64; Nova accepts at most {rule.most:,}."
            yield replace(scope.finding(message, path), is_late=True)
        if rule.format and properties.value(rule.format) == rule.as_script:
            yield from _run_as_script(scope, rule, path, pieces)
        else:
            yield from _ignored(scope, path, pieces)


@template_check(family=CheckFamily.SUSPICIOUS)
def check_deployments(scope: TemplateScope) -> Iterator[Finding]:
    """Yield the servers with deployments that their format does not support."""
    rules, reported, words = scope.knowledge.suspicions, set[str](), scope.words
    servers = {name: rule for kind, rule in rules.user_data.items() for name in scope.enabled_by_type.get(kind, ())}
    pairs = [(kind, name) for kind in rules.deployments for name in scope.enabled_by_type.get(kind, ())]
    for kind, name in pairs:
        parsed = at(scope.stack.resource_definition(name).properties, (rules.deployments[kind],))
        for server in (reference.resource for reference in dependencies(parsed, scope.stack)):
            rule, path = servers.get(server), (words.resources, server, words.properties)
            written = at(scope.data_at(path), (rule.format,)) if rule is not None else None
            is_wrong = rule is not None and rule.deployed and (written is None or isinstance(written, str))
            if rule is None or not is_wrong or written == rule.deployed or server in reported:
                continue
            reported.add(server)
            place = Place((words.resources, server), Part.KEY) if written is None else Place((*path, rule.format))
            message = f"`{server}` has software deployments; its `{rule.format}` must be {rule.deployed}."
            fix = _format_fix(path, scope.data_at(path), rule, rule.deployed)
            yield Finding(message, place, resource=server, fixes=(fix,))


def _format_fix(path: TreePath, written: object, rule: UserData, value: str) -> DataFix:
    change: Change = AddEntry(path, rule.format, value)
    if at(written, (rule.format,)) is not None:
        change = SetValue((*path, rule.format), value)
    return DataFix.likely(f"Set `{rule.format}` to {value}", change)


def _run_as_script(scope: ResourceScope, rule: UserData, path: TreePath, pieces: Sequence[object]) -> Iterator[Finding]:
    parsed = scope.definition.properties
    value = parsed.get(rule.property) if isinstance(parsed, dict) else None
    if isinstance(value, GetResource):
        message = f"With {rule.as_script}, the server gets the ID of the config, not its text."
    elif _text(pieces).lower().startswith(CLOUD_CONFIG):
        message = f"With {rule.as_script}, the text runs as a script; cloud-init ignores the cloud-config."
    else:
        return
    fix = _format_fix(scope.properties_path, scope.raw_properties, rule, rule.unchanged)
    yield scope.finding(message, path, fixes=(fix,))


def _ignored(scope: ResourceScope, path: TreePath, pieces: Sequence[object]) -> Iterator[Finding]:
    """Yield what cloud-init ignores of a text."""
    text, known = _text(pieces), scope.knowledge.suspicions.cloud_config_keys
    key = _KEY.match(text)
    if text.lower().partition("\n")[0].rstrip() != CLOUD_CONFIG:
        if _ALMOST_HEADER.match(text) or (key is not None and key[1] in known):
            yield scope.finding(f"cloud-init ignores the text: its first line must be `{CLOUD_CONFIG}`.", path)
        return
    tree = read_yaml(text)
    if tree.problem is None:
        for name, names in _unknown_keys(construct(tree).data, known):
            yield replace(scope.finding(_UNKNOWN_KEY.format(name), path), meant="".join(names[:1]))
    elif all(isinstance(one, str) for one in pieces):
        line = text.count("\n", 0, tree.problem.span.start) + 1
        message = f"cloud-init ignores the text: line {line} is not valid YAML. {tree.problem.message}"
        yield scope.finding(message, path)


def _text(pieces: Sequence[object]) -> str:
    """Return a text in which `x` stands for unknown parts, without blanks in front, which cloud-init ignores."""
    return "".join(one if isinstance(one, str) else "x" for one in pieces).lstrip()


def _unknown_keys(config: object, known: Collection[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the unknown keys at the top of a cloud-config, each with the similar known ones."""
    for key in config if isinstance(config, Mapping) else ():
        if isinstance(key, str) and key not in known:
            yield key, nearest(key, known)
