"""An engine that says what a test wants, with the real reader of templates and the real catalog."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from heatstudio.assets import resource_path
from heatstudio.catalog import Catalog, load_catalog
from heatstudio.catalog.load_groups import GroupLibrary, load_groups
from heatstudio.stack.update_plan import Action, Cause, ResourceChange, UpdatePlan
from heatstudio.template import Template, parse_template
from heatstudio.text import Fix, Severity, Span, TextEdit


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


@dataclass
class FakeAnalysis:
    template: Template
    diagnostics: tuple[FakeDiagnostic, ...]
    version: int = 0

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
    groups: GroupLibrary = field(default_factory=lambda: load_groups(resource_path("groups")))

    def analyze(self, text: str, previous: FakeAnalysis | None) -> FakeAnalysis:
        template = parse_template(text, previous.template if previous else None)
        return FakeAnalysis(template, tuple(self.diagnose(text)))

    def plan_update(self, old_text: str, analysis: FakeAnalysis) -> UpdatePlan:
        return self.plan(old_text, analysis.template.text)

    def insert_resource(self, analysis: FakeAnalysis, type_name: str, caret: int) -> Fix | None:
        end = len(analysis.template.text)
        return Fix(f"Insert {type_name}", (TextEdit(Span(end, end), f"  new:\n    type: {type_name}\n"),))

    def fix_all(self, analysis: FakeAnalysis) -> Fix | None:
        edits = [diagnostic.remedies[0].edits[0] for diagnostic in analysis.diagnostics if diagnostic.remedies]
        return Fix("Apply all safe fixes", tuple(edits)) if edits else None
