"""Validation and dry run by the real Heat; neither changes anything in the cloud."""

import re
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct, field

from heatstudio.catalog.facts import items, mapping, part, text
from heatstudio.cloud.cloud_error import CloudError, CloudErrorKind
from heatstudio.cloud.connection import LONG_PATIENCE, Connection
from heatstudio.cloud.stacks import StackSummary
from heatstudio.cloud.submission import Submission
from heatstudio.template import TreePath
from heatstudio.update.plan.update_plan import Action

_TRIAL_NAME = "heatstudio_trial"
_PATH = re.compile(r"\b(resources|outputs|parameters|conditions)((?:\.[\w-]+(?:\[\d+\])?)+)")
_PARAMETER = re.compile(r"[Pp]arameter \(?['\"]?([\w.-]+)['\"]?\)? (?:is invalid|was not)")
_IN_RESOURCE = re.compile(r"\(in ([\w.-]+?)\.|of ([\w-]+) \([\w:]+\)|resource \"?([\w-]+)\"?")


class HeatVerdict(Struct, frozen=True):
    """Heat's verdict on a template, with its position."""

    message: str = ""
    """Heat's error message; empty if Heat accepts the template."""
    path: TreePath = ()
    """The path in the template, if the message contains one: the section as in HOT, then names."""

    @property
    def accepts(self) -> bool:
        """Whether Heat accepts the template."""
        return not self.message


def validate(connection: Connection, submission: Submission) -> HeatVerdict:
    """Return Heat's verdict on a template with its nested templates and values. Raise CloudError without a verdict.

    The function sends two requests: a validation, which ignores property values, and a preview of a stack creation.
    """
    try:
        query = {"show_nested": "true"}
        connection.ask("POST", "/validate", submission.body(), query=query, patience=LONG_PATIENCE)
        body = submission.body(stack_name=_TRIAL_NAME)
        connection.ask("POST", "/stacks/preview", body, patience=LONG_PATIENCE)
    except CloudError as error:
        if error.trouble not in (CloudErrorKind.REFUSED, CloudErrorKind.NOT_FOUND):
            raise
        return opinion_of(error.message)
    return HeatVerdict()


def opinion_of(message: str) -> HeatVerdict:
    """Return the opinion for an error message of Heat."""
    return HeatVerdict(message, _path_in(message))


def _path_in(message: str) -> TreePath:
    found = _PATH.search(message)
    if found:
        return found.group(1), *_steps(found.group(2))
    for pattern, section in ((_PARAMETER, "parameters"), (_IN_RESOURCE, "resources")):
        found = pattern.search(message)
        if found:
            return section, next(name for name in found.groups() if name)
    return ()


def _steps(path: str) -> Iterator[str | int]:
    """Yield the steps of a path, such as `a`, `networks` and 0 for `.a.networks[0]`."""
    for step in filter(None, path.split(".")):
        name, *positions = step.replace("]", "").split("[")
        yield name
        yield from map(int, positions)


class DryRun(Struct, frozen=True):
    """Heat's dry run of an update: one outcome for each resource, or the reason of a rejection."""

    actions: Mapping[str, Action] = field(default_factory=dict)
    refusal: HeatVerdict = field(default_factory=HeatVerdict)


def preview_update(
    connection: Connection, stack: StackSummary, submission: Submission | None, *, keep_values: bool = True
) -> DryRun:
    """Return Heat's dry run of an update. Raise CloudError if Heat neither runs nor rejects it.

    Without a submission, Heat previews the stack's own template: the changes that it reports then are false alarms.
    """
    method = "PATCH" if keep_values or submission is None else "PUT"
    body = submission.body() if submission is not None else {"environment": {}}
    try:
        answer = mapping(connection.ask(method, f"{stack.path}/preview", body, patience=LONG_PATIENCE))
    except CloudError as error:
        if error.trouble is not CloudErrorKind.REFUSED:
            raise
        return DryRun(refusal=opinion_of(error.message))
    lists = part(answer, "resource_changes")
    words = {"unchanged", "updated", "replaced", "added", "deleted"} & lists.keys()
    return DryRun(
        {text(mapping(one), "resource_name"): Action(word) for word in sorted(words) for one in items(lists, word)}
    )


class OutcomeComparison(Struct, frozen=True):
    """Our outcome and the outcome of Heat's dry run for one resource."""

    resource: str
    ours: Action
    theirs: Action | None
    """None if Heat does not mention the resource."""
    explanation: str = ""
    """The reason for a difference; empty if the outcomes agree."""

    @property
    def agrees(self) -> bool:
        """Whether both outcomes agree."""
        return self.ours is self.theirs


def compare(
    plan: Mapping[str, tuple[Action, bool]], theirs: DryRun, baseline: DryRun, hidden: Collection[str] = ()
) -> tuple[OutcomeComparison, ...]:
    """Compare our plan with Heat's dry run, resource by resource.

    `plan` has our action for each resource, and whether it follows from another resource. `baseline` is Heat's dry
    run of the stack's current template, whose changes are false alarms. `hidden` has the resources whose preview
    depends on values that Heat hides.
    """
    found: list[OutcomeComparison] = []
    for name, (ours, follows) in plan.items():
        said = theirs.actions.get(name)
        if said is ours:
            words = ""
        elif not theirs.refusal.accepts:
            words = "Heat's dry run stops at the first error."
        elif name in hidden:
            words = "Depends on a hidden parameter of the stack; only Heat can compare its value."
        else:
            words = _explanation(ours, said, baseline.actions.get(name), follows=follows)
        found.append(OutcomeComparison(name, ours, said, words))
    return tuple(found)


def _explanation(ours: Action, said: Action | None, before: Action | None, *, follows: bool) -> str:
    """Return why Heat's dry run differs (heat/engine/update.py, preview; heat/engine/resource.py, preview_update)."""
    if said is before and said not in (None, Action.UNCHANGED) and ours in (Action.UNCHANGED, Action.UPDATED):
        return (
            "False alarm: Heat's dry run reports the same change for the unchanged template, because it does not "
            "resolve references or translate properties."
        )
    if follows:
        return "Heat's dry run does not follow the effects of replacing another resource."
    if ours is Action.NOT_SUPPORTED:
        return "Heat's dry run ignores restricted actions and external IDs; the update does not."
    if ours is Action.REPLACED and said is Action.UPDATED:
        return "Heat's dry run does not know what a plug-in decides during the update."
    if ours is Action.UNCHANGED and said is Action.UPDATED:
        return "Heat's dry run reports every nested stack and every external resource as updated."
    return "Heat's dry run does not resolve references to other resources or translate properties."
