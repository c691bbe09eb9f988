"""The engine of the window: what is known of Heat, and what is said about texts with it."""

from __future__ import annotations

from heatstudio.analysis import Analysis, analyze
from heatstudio.catalog import Catalog, PropertySchema, PropertyType, ResourceType, Status
from heatstudio.catalog.facts import Facts
from heatstudio.catalog.load_groups import GroupLibrary
from heatstudio.stack.knowledge import load_knowledge
from heatstudio.stack.plan_update import plan_update
from heatstudio.stack.source import Source
from heatstudio.stack.update_plan import UpdatePlan
from heatstudio.template import Template, parse_template
from heatstudio.template.change import AddEntry, Remedy, render_fix
from heatstudio.text import Applicability, Fix, TextEdit

_PLACEHOLDERS: dict[PropertyType, object] = {
    PropertyType.STRING: "",
    PropertyType.INTEGER: 0,
    PropertyType.NUMBER: 0,
    PropertyType.BOOLEAN: False,
    PropertyType.MAP: {},
    PropertyType.LIST: [],
    PropertyType.ANY: "",
}


class HeatEngine:
    """Loads what is known of Heat once; everything else is asked of the rooms below."""

    def __init__(self) -> None:
        self._knowledge = load_knowledge()
        self._old: Template | None = None

    @property
    def catalog(self) -> Catalog:
        """The resource types of the Heat that this program was made for."""
        return self._knowledge.catalog

    def overlay(self, words: Facts) -> None:
        """Speaks in Heat's own words from now on."""
        self._knowledge = self._knowledge.with_prose(words)

    @property
    def groups(self) -> GroupLibrary:
        """The property groups of those types."""
        return self._knowledge.group_library

    def analyze(self, text: str, previous: Analysis | None) -> Analysis:
        """What is to be said of a text."""
        template = parse_template(text, previous.template if previous else None)
        return analyze(Source(template), self._knowledge, previous=previous)

    def plan_update(self, old_text: str, analysis: Analysis) -> UpdatePlan:
        """What a stack update from the old text to the analyzed one would do; nothing where one cannot be read."""
        new = analysis.template
        if self._old is None or self._old.text != old_text:
            self._old = parse_template(old_text, new)
        if not (self._old.complete and new.complete):
            return UpdatePlan()
        return plan_update(Source(self._old), Source(new), self._knowledge)

    def insert_resource(self, analysis: Analysis, type_name: str, caret: int) -> Fix | None:
        """A new resource with its required properties, behind the one that the caret is in."""
        found = self.catalog.get(type_name)
        if found is None:
            return None
        template = analysis.template
        words = template.dialect
        path = template.path_at(caret).path
        after = str(path[1]) if len(path) > 1 and path[0] == words.resources else None
        taken = {str(name) for name in template.entries(words.resources)}
        value: dict[str, object] = {words.type: type_name}
        required = _required(found)
        if required:
            value[words.properties] = required
        entry = AddEntry((words.resources,), _unused_name(found, taken, words.is_hot), value, after)
        return render_fix(template, Remedy(f"Insert {type_name}", (entry,)))

    def fix_all(self, analysis: Analysis) -> Fix | None:
        """The safe fixes that need no choice and do not touch each other, as one."""
        chosen: list[TextEdit] = []
        for diagnostic in analysis.diagnostics:
            safe = [fix for fix in analysis.fixes(diagnostic) if fix.applicability is Applicability.SAFE]
            best = next((fix for fix in safe if fix.preferred), safe[0] if len(safe) == 1 else None)
            if best is not None and not _touches(best, chosen):
                chosen += best.edits
        return Fix("Apply all safe fixes", tuple(chosen)) if chosen else None


def _touches(fix: Fix, chosen: list[TextEdit]) -> bool:
    return any(
        one.span.start <= other.span.end and other.span.start <= one.span.end for one in fix.edits for other in chosen
    )


def _required(found: ResourceType) -> dict[str, object]:
    usable = (one for one in found.properties.values() if one.support_status.status is Status.SUPPORTED)
    return {one.name: _placeholder(one) for one in usable if one.required}


def _placeholder(schema: PropertySchema) -> object:
    return schema.default if schema.default is not None else _PLACEHOLDERS[schema.type]


def _unused_name(found: ResourceType, taken: set[str], hot: bool) -> str:
    """The last part of the type's name, in the manner of the language, numbered if it is taken."""
    last = found.name.rpartition("::")[2]
    name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in last).strip("_") if hot else last
    numbered = (name if number == 1 else f"{name}{'_' if hot else ''}{number}" for number in range(1, len(taken) + 2))
    return next(one for one in numbered if one not in taken)
