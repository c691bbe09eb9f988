"""An engine that says what a test wants, with the real reader of templates and the real catalog."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from heatstudio.analysis.successors import Migration, Step
from heatstudio.assets import resource_path
from heatstudio.catalog import Catalog, load_catalog
from heatstudio.catalog.facts import Facts
from heatstudio.catalog.load_groups import GroupLibrary, load_groups
from heatstudio.stack.definition import StackDefinition
from heatstudio.stack.update_plan import Action, Cause, ResourceChange, UpdatePlan
from heatstudio.template import Template, parse_template
from heatstudio.text import Fix, Severity, Span, TextEdit
from heatstudio.ui.snapshot import Snapshot


@dataclass(frozen=True)
class FakeDiagnostic:
    code: str
    severity: Severity
    message: str
    span: Span
    resource: str | None = None
    property: str | None = None
    also: tuple[Span, ...] = ()
    related: tuple[tuple[str, Span], ...] = ()
    remedies: tuple[Fix, ...] = ()
    heat: str = ""
    has_fixes: bool = True


@dataclass
class FakeAnalysis:
    template: Template
    diagnostics: tuple[FakeDiagnostic, ...]
    stack: StackDefinition | None = None

    def fixes(self, diagnostic: FakeDiagnostic) -> tuple[Fix, ...]:
        return diagnostic.remedies


Diagnose = Callable[[str], Sequence[FakeDiagnostic]]
Plan = Callable[[str, str], UpdatePlan]


def rename_fix(text: str, old: str, new: str, at: int, preferred: bool = True) -> Fix:
    return Fix(f"Replace `{old}` by `{new}`", (TextEdit(Span(at, at + len(old)), new),), preferred=preferred)


def diagnose_old_names(text: str) -> list[FakeDiagnostic]:
    """Warns of every `*_id:` that has a newer name, as the sample template uses them."""
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
            found.append(
                FakeDiagnostic("hidden-property", Severity.WARNING, message, span, "subnet", old, remedies=fixes)
            )
    at = text.find("  volume:\n")
    if at >= 0:
        message = "Exactly one of `size`, `image`, `source_volid`, `snapshot_id` or `backup_id` is needed; none is set."
        span = Span(at + 2, at + 8)
        found.append(FakeDiagnostic("property-group", Severity.ERROR, message, span, "volume"))
    return found


def no_plan(_old: str, _new: str) -> UpdatePlan:
    return UpdatePlan()


def sample_plan(_old: str, _new: str) -> UpdatePlan:
    """One change of each kind."""
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
                because=("parameter `flavor` changed",),
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
                because=("`network` is replaced, and `network` of `port` follows it",),
            ),
            ResourceChange("old_volume", "OS::Cinder::Volume", Action.DELETED),
            ResourceChange("volume", "OS::Cinder::Volume", Action.ADDED),
            *(ResourceChange(name, "OS::Neutron::Router", Action.UNCHANGED) for name in ("router", "subnet")),
        )
    )


@dataclass
class FakeEngine:
    diagnose: Diagnose = diagnose_old_names
    plan: Plan = no_plan
    catalog: Catalog = field(default_factory=load_catalog)
    asked: list[Snapshot] = field(default_factory=list)
    groups: GroupLibrary = field(default_factory=lambda: load_groups(resource_path("groups")))

    def overlay(self, words: Facts) -> None:
        self.catalog = self.catalog.with_prose(words)

    def analyze(self, snapshot: Snapshot, previous: FakeAnalysis | None) -> FakeAnalysis:
        self.asked.append(snapshot)
        template = parse_template(snapshot.text, previous.template if previous else None)
        return FakeAnalysis(template, tuple(self.diagnose(snapshot.text)))

    def complaints(self, snapshot: Snapshot) -> tuple[str, ...]:
        return tuple(f"{path} does not exist." for path in snapshot.environments if not path.exists())

    def plan_update(self, old: Snapshot, analysis: FakeAnalysis) -> UpdatePlan:
        return self.plan(old.text, analysis.template.text)

    def insertion(self, analysis: FakeAnalysis, type_name: str, _caret: int) -> TextEdit | None:
        end = len(analysis.template.text)
        return TextEdit(Span(end, end), f"  ${{1:new}}:\n    type: {type_name}\n")

    def fix_all(self, analysis: FakeAnalysis, codes: frozenset[str] | None = None) -> Migration:
        wanted = [one for one in analysis.diagnostics if one.remedies and (codes is None or one.code in codes)]
        edits = tuple(one.remedies[0].edits[0] for one in wanted)
        told = tuple(Step(("resources",), edit.text, "replace") for edit in edits)
        return Migration(analysis.template, edits, told, ())

    def is_neutral(self, _analysis: FakeAnalysis, fix: Fix) -> bool:
        return "Delete" not in fix.title

    def revert(
        self, _analysis: FakeAnalysis, _old: Snapshot, change: ResourceChange, _cause: Cause | None
    ) -> Fix | None:
        return Fix(f"Revert {change.name}", (TextEdit(Span(0, 0), f"# {change.name} reverted\n"),))

