"""Comparison of the program's verdicts with those of the Heat engine: a table, and every difference with its reason.

`python -m tests.analysis.agreement` prints the table, based on the engine's results in the folder `../shared`. The exit
status is 0 if the program rejects nothing that the engine accepts, and every other difference has a reason.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from heatstudio.analysis import Analysis, Diagnostic, Options, analyze
from heatstudio.analysis.analyze import DEFAULT_SETTINGS
from heatstudio.catalog.load import load_catalog
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import DocumentError, Severity
from tests.load import load_source
from tests.sampling import sample
from tests.stack.function_cases import Cases, is_right
from tests.stack.group_cases import NOT_OF_PROPERTIES, judge, library, read_cases, references

SHARED = Path(__file__).parents[3] / "shared"
LEVEL = "full"
"""The key of the verdict on a stack create in the engine's results."""
FALSE_ALARM = "a false alarm"
PLUGIN = "a type of somebody's plug-in, which may be there in the user's cloud"
NOT_GIVEN = "rests on a value that nobody gave; told as soon as it is given"
STUBBED = "OS::Heat::Stack"
UNSEEN = "a Heat validates the template and its parameters, of which the engine's stub accepts all"
ONLY_A_CLOUD_KNOWS = ("Provided neutron_subnet does not belong to provided neutron_network.",)
OTHER_FUNCTIONS = {
    "custom.unknown": "a custom constraint of somebody's plug-in, which may be there in the user's cloud"
}


@dataclass(frozen=True, slots=True)
class Difference:
    """A case with another verdict than the engine's, and the reason; without a reason, the difference is a defect."""

    case: str
    reason: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table."""

    name: str
    cases: int
    differences: tuple[Difference, ...]

    @property
    def false_alarms(self) -> int:
        """The number of cases that the engine accepts and the program rejects."""
        return sum(difference.reason == FALSE_ALARM for difference in self.differences)

    def __str__(self) -> str:
        """Return the row as aligned columns."""
        same = 100 * (1 - len(self.differences) / self.cases)
        silent = len(self.differences) - self.false_alarms
        return f"{self.name:36} {self.cases:6} {same:7.2f} % {self.false_alarms:4} false alarms {silent:4} silent"


@cache
def knowledge() -> Knowledge:
    """Return the knowledge of Heat, which is loaded once."""
    return load_knowledge()


def cases(shared: Path, name: str) -> Iterator[tuple[dict[str, object], dict[str, str] | None]]:
    """Yield each case that depends only on the template, with Heat's error; None if Heat accepts the template."""
    for line in (shared / "cases" / f"{name}.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if is_certain(case) and not case.get("client"):
            yield case, refusal(case)


def refusal(answer: dict[str, object]) -> dict[str, str] | None:
    """Return Heat's error for a template; None if Heat accepts it."""
    found, parse = answer[LEVEL], answer["parse"]
    refused = parse if found == "not reached" and isinstance(parse, dict) else found
    return None if refused == "ok" else cast("dict[str, str]", refused)


def is_certain(answer: dict[str, object]) -> bool:
    """Return whether a result depends only on the template, and not on the stub of a cloud."""
    found = refusal(answer)
    return found is None or not any(found.get(key) for key in ("noise", "dummy_suspect", "offline"))


def look(
    shared: Path,
    case: dict[str, object],
    values: Mapping[str, object] | None = None,
    settings: Options = DEFAULT_SETTINGS,
) -> Analysis:
    """Return the analysis of a case with parameter values."""
    corpus = shared / "corpus"
    file, environments = str(case["file"]), case.get("env") or []
    assert isinstance(environments, list)
    root = root_of(shared, case)
    environment_files = [corpus / name for name in environments]
    source = load_source(corpus / file, environment_files, root=root, parameter_values=values)
    return analyze(source, knowledge(), settings)


def root_of(shared: Path, case: dict[str, object]) -> Path:
    """Return the folder below which a case may read files."""
    files = shared / "corpus" / "files"
    return files if "id" in case else files / str(case["file"]).split("/")[1]


def errors(analysis: Analysis) -> list[Diagnostic]:
    """Return the diagnostics with the severity error."""
    return [each for each in analysis.diagnostics if each.severity is Severity.ERROR]


def is_refused(
    shared: Path,
    case: dict[str, object],
    values: Mapping[str, object] | None = None,
    settings: Options = DEFAULT_SETTINGS,
) -> bool:
    """Return whether the program rejects a case."""
    try:
        return bool(errors(look(shared, case, values, settings)))
    except DocumentError:
        return True


def templates(shared: Path, name: str, most: int) -> Row:
    """Return the row for whole templates, a sample of at most `most`."""
    asked = sample(cases(shared, name), most)
    differences = []
    for case, answer in asked:
        refused = is_refused(shared, case)
        if refused and answer is None:
            differences.append(Difference(str(case["file"]), FALSE_ALARM))
        elif answer is not None and not refused:
            differences.append(Difference(str(case["file"]), reason_of(shared, case, answer["message"])))
    return Row(f"templates: {name}", len(asked), tuple(differences))


def reason_of(shared: Path, case: dict[str, object], message: str, settings: Options = DEFAULT_SETTINGS) -> str:
    """Return the reason why the program accepts a template that Heat rejects; empty if there is none."""
    _, separator, rest = message.partition("The Resource Type (")
    namespace, named, _ = rest.partition(")")[0].rpartition("::")
    of_heat = {name.rpartition("::")[0] for name in load_catalog().names()}
    if separator and named and not (rest.startswith("AWS::") or namespace in of_heat):
        return PLUGIN
    if message in ONLY_A_CLOUD_KNOWS:
        return "only a cloud knows"
    made_up = case.get("dummy")
    if isinstance(made_up, dict) and made_up and is_refused(shared, case, made_up, settings):
        return NOT_GIVEN
    return ""


def groups(shared: Path, most: int) -> Row:
    """Return the row for combinations of properties that plug-ins check themselves."""
    catalog, known = load_catalog(), library()
    asked = sample(read_cases(shared / "cases" / "group_cases.jsonl"), most)
    differences = []
    for case in asked:
        kind, given = str(case["type"]), case["properties"]
        assert isinstance(given, dict)
        whole = kind in NOT_OF_PROPERTIES
        found = _codes_as_a_whole(kind, given) if whole else {str(one) for one in judge(catalog, known, kind, given)}
        if bool(found) is case["valid"]:
            is_unseen = kind == STUBBED and found == {"nested-template"}
            reason = NOT_OF_PROPERTIES.get(kind, "") if not found else UNSEEN if is_unseen else FALSE_ALARM
            differences.append(Difference(f"{kind} {json.dumps(given)}", reason))
    return Row("property groups", len(asked), tuple(differences))


def _codes_as_a_whole(kind: str, properties: dict[str, object]) -> set[str]:
    """Return the codes of the errors of a stack with such a resource and the resources that it refers to."""
    others = {name: {"type": "OS::Heat::RandomString"} for name in references(properties)}
    resources = {**others, "res": {"type": kind, "properties": properties}}
    template = {"heat_template_version": "2018-08-31", "resources": resources}
    return {one.code for one in errors(analyze(Source(parse_template(json.dumps(template))), knowledge()))}


def functions(shared: Path, most: int) -> Row:
    """Return the row for function calls, parameter values, and the availability of functions in versions."""
    recorded = Cases(shared / "cases", load_catalog())
    asked = sample(recorded.cases, most)
    differences = []
    for case in asked:
        if not is_right(case, recorded.answer(case)):
            name = str(case.get("id") or case.get("function"))
            reason = FALSE_ALARM if "error" not in case else OTHER_FUNCTIONS.get(name, "")
            differences.append(Difference(f"{name} {case['version']}", reason))
    return Row("functions, parameters, availability", len(asked), tuple(differences))


ROWS: tuple[Callable[[Path, int], Row], ...] = (
    lambda shared, most: templates(shared, "validate", most),
    lambda shared, most: templates(shared, "mutants", most),
    groups,
    functions,
)


def main() -> int:
    """Print the table, and return the exit status."""
    if not SHARED.is_dir():
        sys.stderr.write("The folder ../shared with the engine's answers is not here.\n")
        return 2
    unexplained = False
    for row in ROWS:
        result = row(SHARED, sys.maxsize)
        sys.stdout.write(f"{result}\n")
        for difference in result.differences:
            sys.stdout.write(f"    {difference.case}: {difference.reason or 'NO REASON'}\n")
        sys.stdout.flush()
        unexplained |= any(difference.reason in ("", FALSE_ALARM) for difference in result.differences)
    return int(unexplained)


if __name__ == "__main__":
    sys.exit(main())
