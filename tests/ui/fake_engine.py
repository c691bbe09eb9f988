"""A simulated engine with the real parser and the real catalog."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from msgspec.structs import replace

from heatstudio.analysis import Analysis, Diagnostic, Finding
from heatstudio.analysis.migrations.fix_all import Migration, Step
from heatstudio.analysis.scope import Place
from heatstudio.service.engine import Engine
from heatstudio.service.inputs.snapshot import Snapshot
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.template import parse_template
from heatstudio.text import Fix, Severity, Span, TextEdit, apply_edits
from heatstudio.update.plan.update_plan import Action, Cause, Reason, ResourceChange, UpdatePlan


def said(
    code: str,
    severity: Severity,
    message: str,
    span: Span,
    resource: str | None = None,
    property_name: str | None = None,
    fixes: tuple[Fix, ...] = (),
) -> Diagnostic:
    """Return a diagnostic as an analysis creates it."""
    finding = Finding(message, Place(()), severity, code, resource, property_name)
    return Diagnostic(finding, code, severity, message, span, ready_fixes=fixes)


Diagnose = Callable[[str], Sequence[Diagnostic]]
Plan = Callable[[str, str], UpdatePlan]


def rename_fix(text: str, old: str, new: str, at: int, preferred: bool = True) -> Fix:
    return Fix(f"Replace `{old}` with `{new}`", (TextEdit(Span(at, at + len(old)), new),), preferred=preferred)


def diagnose_old_names(text: str) -> list[Diagnostic]:
    """Return warnings for the old names `*_id:` of the sample template, and an error for its volume."""
    found = []
    for old in ("network_id", "router_id", "subnet_id", "port_id"):
        at = text.find(f" {old}:")
        if at >= 0:
            start, new = at + 1, old.removesuffix("_id")
            fixes = (
                rename_fix(text, old, new, start),
                Fix(f"Delete `{old}`", (TextEdit(Span(start, text.index("\n", start)), ""),)),
            )
            message = f"`{old}` is HIDDEN since 5.0.0; use `{new}`."
            span = Span(start, start + len(old))
            found.append(said("hidden-property", Severity.WARNING, message, span, "subnet", old, fixes))
    at = text.find("  volume:\n")
    if at >= 0:
        message = "Exactly one of `size`, `image`, `source_volid`, `snapshot_id` or `backup_id` is required."
        span = Span(at + 2, at + 8)
        found.append(said("property-group", Severity.ERROR, message, span, "volume"))
    return found


def no_plan(_old: str, _new: str) -> UpdatePlan:
    return UpdatePlan()


def sample_plan(_old: str, _new: str) -> UpdatePlan:
    """Return a plan with at least one change of each kind."""
    fails = "Updates are not supported. Resource update will fail on any attempt to update this property."
    return UpdatePlan(
        (
            ResourceChange(
                "server",
                "OS::Nova::Server",
                Action.UPDATED,
                causes=(
                    Cause("flavor", "m1.small", "m1.large", Action.UPDATED, "Can be updated without replacement."),
                ),
                because=(Reason("parameter `flavor` changed"),),
            ),
            ResourceChange(
                "data",
                "AWS::EC2::Volume",
                Action.NOT_SUPPORTED,
                causes=(Cause("Size", 10, 11, Action.NOT_SUPPORTED, fails),),
            ),
            ResourceChange(
                "network",
                "OS::Neutron::Net",
                Action.REPLACED,
                causes=(Cause("tenant_id", None, "web", Action.REPLACED, "Updates cause replacement."),),
            ),
            ResourceChange(
                "port",
                "OS::Neutron::Port",
                Action.REPLACED,
                certain=False,
                because=(Reason("`network` is replaced, and `network` of `port` follows it"),),
            ),
            ResourceChange("old_volume", "OS::Cinder::Volume", Action.DELETED),
            ResourceChange("volume", "OS::Cinder::Volume", Action.ADDED),
            *(ResourceChange(name, "OS::Neutron::Router", Action.UNCHANGED) for name in ("router", "subnet")),
        )
    )


class FakeEngine(Engine):
    """An engine with diagnostics and plans that the test sets."""

    def __init__(self) -> None:
        super().__init__(knowledge())
        self.diagnose: Diagnose = diagnose_old_names
        self.plan: Plan = no_plan
        self.asked: list[Snapshot] = []

    def analyze(self, snapshot: Snapshot, previous: Analysis | None) -> Analysis:
        self.asked.append(snapshot)
        return replace(super().analyze(snapshot, previous), diagnostics=tuple(self.diagnose(snapshot.text)))

    def plan_update(self, old: Snapshot, analysis: Analysis, *, keeps_values: bool = False) -> UpdatePlan:
        return self.plan(old.text, analysis.template.text)

    def insertion(self, analysis: Analysis, type_name: str, _caret: int) -> TextEdit:
        end = len(analysis.template.text)
        return TextEdit(Span(end, end), f"  ${{1:new}}:\n    type: {type_name}\n")

    def fix_all(self, analysis: Analysis, codes: frozenset[str] | None = None) -> Migration:
        wanted = [one for one in analysis.diagnostics if one.has_fixes and (codes is None or one.code in codes)]
        edits = tuple(one.ready_fixes[0].edits[0] for one in wanted)
        reported = tuple(Step(("resources",), edit.text, f"`{edit.text}` replaces `network_id`.") for edit in edits)
        return Migration(parse_template(apply_edits(analysis.template.text, edits)), reported, ())

    def is_neutral(self, _analysis: Analysis, fix: Fix) -> bool:
        return "Delete" not in fix.title

    def revert(self, _analysis: Analysis, _old: Snapshot, change: ResourceChange, _cause: Cause | None) -> Fix:
        return Fix(f"Revert {change.name}", (TextEdit(Span(0, 0), f"# {change.name} reverted\n"),))


@cache
def knowledge() -> Knowledge:
    return load_knowledge()
