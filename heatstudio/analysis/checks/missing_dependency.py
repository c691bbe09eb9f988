"""A resource that does not wait for another one that it needs."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import reduce
from operator import or_

from heatstudio.analysis.scope import Finding, Place, TemplateScope, template_check
from heatstudio.analysis.scope.calls import referenced
from heatstudio.catalog.rules.suspicion import CLOUD_CONFIG, Need
from heatstudio.stack.definition.dependency_graph import needed_graph
from heatstudio.stack.functions.examine import dependencies
from heatstudio.stack.groups.group_truth import at
from heatstudio.stack.order import Graph, visiting_order
from heatstudio.template import AddEntry, AddItem, Change, DataFix, Part, SetValue, TreePath
from heatstudio.template.syntax.construct import construct
from heatstudio.template.syntax.yaml_reader import read_yaml
from heatstudio.text import CheckFamily

_Sets = Mapping[str, int]
"""A set of other resources for each resource, as bits of a number: sets of names would grow quadratically."""


@template_check(family=CheckFamily.SUSPICIOUS)
def check(scope: TemplateScope) -> Iterator[Finding]:
    """Yield the resources that nothing makes wait for a resource that they need."""
    by_type = scope.enabled_by_type
    for need in scope.knowledge.suspicions.needs:
        if need.on in by_type and need.through in by_type and need.by.keys() & by_type.keys():
            yield from _unmet(scope, need, by_type)


def _unmet(scope: TemplateScope, need: Need, by_type: Mapping[str, list[str]]) -> Iterator[Finding]:
    stack, needed = scope.stack, by_type[need.on]
    references = {name: [one.resource for one in stack.references(name)] for name in stack.all_resource_names}
    shared = _reached(references, by_type[need.through])
    users: dict[int, int] = {}
    for index, name in enumerate(needed):
        for one in _members(_led(scope, name, need.theirs, shared)):
            users[one] = users.get(one, 0) | 1 << index
    fitting = {
        name: (_union(users.get(one, 0) for one in _members(_led(scope, name, rule.mine, shared))), rule.why)
        for kind, rule in need.by.items()
        for name in by_type.get(kind, ())
        if not rule.given
        or _uses_network(scope, scope.data_at((scope.words.resources, name, scope.words.properties, rule.given)))
    }
    written = _reached({name: stack.required_resource_names(name) for name in references}, needed)
    waiting = [name for name, (others, _) in fitting.items() if others and not others & written[name]]
    if not waiting:
        return
    graph = needed_graph(stack, scope.types, (*waiting, *needed))
    reached, reaching = _reached(graph, needed), _reached(graph, waiting)
    for index, name in enumerate(waiting):
        others, why = fitting[name]
        if not others & reached[name]:
            other = needed[next(_members(others))]
            place = Place((scope.words.resources, name), Part.KEY)
            related = (("the resource to wait for", Place((scope.words.resources, other), Part.KEY)),)
            fixes = () if reaching[other] >> index & 1 else (_fix(scope, name, other),)
            message = f"`{name}` does not wait for `{other}`; {why}."
            yield Finding(message, place, resource=name, related=related, fixes=fixes)


def _uses_network(scope: TemplateScope, text: object) -> bool:
    """Return whether the text for a server may use the network; a cloud-config that only adds users does not."""
    rules, words = scope.knowledge.suspicions, scope.words
    config, name = None, referenced(text)
    if isinstance(text, str) and text.lstrip().lower().startswith(CLOUD_CONFIG):
        config = construct(read_yaml(text)).data
    elif scope.view.names_resource(name):
        kind = scope.types.find(scope.view.resource_type(name), name).target
        config = scope.data_at((words.resources, name, words.properties, rules.cloud_configs.get(kind, "")))
    return text is not None and not (isinstance(config, Mapping) and config.keys() <= rules.offline_keys)


def _reached(graph: Graph, targets: Collection[str]) -> _Sets:
    """Return the targets that each resource is or reaches."""
    own = {name: 1 << index for index, name in enumerate(targets)}
    reached: dict[str, int] = {}
    for name in visiting_order(graph):
        reached[name] = own.get(name, 0) | _union(reached.get(need, 0) for need in graph[name])
    return reached


def _led(scope: TemplateScope, name: str, properties: Iterable[str], shared: _Sets) -> int:
    """Return the shared resources to which the properties of a resource lead."""
    parsed = scope.stack.resource_definition(name).properties
    references = dependencies([at(parsed, (one,)) for one in properties], scope.stack)
    return _union(shared.get(reference.resource, 0) for reference in references)


def _union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)


def _members(numbers: int) -> Iterator[int]:
    """Yield the numbers in a set."""
    while numbers:
        least = numbers & -numbers
        yield least.bit_length() - 1
        numbers ^= least


def _fix(scope: TemplateScope, name: str, other: str) -> DataFix:
    path: TreePath = (scope.words.resources, name, scope.words.depends_on)
    written = scope.data_at(path)
    change: Change = AddEntry(path[:-1], scope.words.depends_on, other)
    if isinstance(written, list):
        change = AddItem(path, other)
    elif written is not None:
        change = SetValue(path, [written, other])
    return DataFix(f"Add `{other}` to `{scope.words.depends_on}`", (change,), preferred=True)
