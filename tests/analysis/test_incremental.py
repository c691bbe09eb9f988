"""Incremental analysis: after any sequence of edits, all results equal those of a fresh analysis."""

from __future__ import annotations

import json
from collections.abc import Hashable
from pathlib import Path
from random import Random, SystemRandom

import pytest

from heatstudio.analysis.scope import Options, ResourceScope, TemplateScope
from heatstudio.stack.definition.reads import QUERIES, Read, ReadKind, Recorder, StackReader, recording
from heatstudio.stack.definition.source import Source, define
from heatstudio.stack.definition.stack_definition import StackDefinition
from heatstudio.template import Template, parse_template
from tests.analysis.cold_start import MAIN, Editor, State, corpus, differences, knowledge, run, shortened
from tests.analysis.incremental_samples import SAMPLES, Sample
from tests.analysis.random_edits import RandomEdits

EDITS = 400
"""The number of random edits per test; `python -m tests.analysis.cold_start` makes more."""


def _edited(text: str, *replacements: tuple[str, str], **files: str) -> list[State]:
    """Return versions of a template, each with one more replacement; the names in `files` omit `.yaml`."""
    texts = [text]
    for old, new in replacements:
        assert old in texts[-1]
        texts.append(texts[-1].replace(old, new))
    return [{MAIN: one, **{f"{name}.yaml": content for name, content in files.items()}} for one in texts]


_TWO = "heat_template_version: rocky\nresources:\n  a:\n    type: OS::Heat::None\n    metadata:\n      b: 1\n  c:\n"
_OWNER = "heat_template_version: rocky\nparameters:\n  size: {type: number}\nresources:\n  a: {type: child.yaml}\n"
_CHILD = "heat_template_version: rocky\nparameters:\n  size: {type: number}\n"
_OLD = """heat_template_version: 2013-05-23
resources:
  a: {type: OS::Heat::None, metadata: {b: {"Fn::Join": ["", [a]]}}}
  c: {type: OS::Heat::None, metadata: {d: {yaql: {expression: "1", data: 2}}}}
"""
_VALUE = """heat_template_version: rocky
parameters: {length: {type: string}}
resources:
  a: {type: OS::Heat::RandomString, properties: {length: {get_param: length}}}
"""
_LIMITS = {MAIN: _VALUE, "env.yaml": "parameters: {length: 8}\n"}
_RING = "heat_template_version: rocky\nresources:\n  x: {type: a.yaml}\n  y: {type: b.yaml}\n"
_RING_FILE = "heat_template_version: rocky\nresources: {z: {type: b.yaml}}\n"
_ODD_KEY = "heat_template_version: rocky\nresources:\n  ~: {type: OS::Heat::None}\n  ? complex\n"
KEPT: dict[str, list[State]] = {
    "an alias without its anchor, then an edit elsewhere": _edited(_TWO, ("b: 1", "b: *a"), ("c:", "d:")),
    "an alias for a key, then an edit elsewhere": _edited(_TWO, ("b: 1", "*a : 1"), ("c:", "d:")),
    "an anchor that goes": _edited(_TWO, ("  c:", "  c: *a"), ("b: 1", "b: &a 1"), ("&a ", ""), ("rocky", "pike")),
    "a parameter that a nested template needs": _edited(_OWNER, ("  size:", "  siz:"), child=_CHILD),
    "a function that a newer version lacks": _edited(_OLD, ("Fn::Join", "Fn::Jo")),
    "a version that does not exist": _edited(_OLD.replace("2013-05-23", "2021-04-16"), ("2021-04-16", "2021-04-17")),
    "another number in the environment": [_LIMITS, {**_LIMITS, "env.yaml": "parameters: {length: 8.0}\n"}],
    "files that name each other": _edited(
        _RING, ("  x: {type: a.yaml}\n", ""), a=_RING_FILE, b=_RING_FILE.replace("b.", "a.")
    ),
    "a key whose value ends behind its piece": _edited(_ODD_KEY, ("~: {t", "~: t")),
}


@pytest.mark.parametrize("name", KEPT)
def test_edits_that_once_caused_differences(name: str) -> None:
    history = KEPT[name]
    for length in range(1, len(history) + 1):
        assert differences(history[:length]) == []


def _assert_equal(samples: tuple[Sample, ...]) -> None:
    seed = SystemRandom().getrandbits(48)
    found = run(seed, EDITS, samples)
    if found is not None:
        history, target = shortened(*found), found[1]
        what = differences(history, target)
        pytest.fail(f"seed {seed}, target {target}: {what} after {json.dumps(history, indent=1)}")


def test_random_edits_have_the_results_of_a_fresh_analysis() -> None:
    _assert_equal(SAMPLES)


@pytest.mark.usefixtures("shared")
def test_random_edits_of_real_templates_have_the_results_of_a_fresh_analysis() -> None:
    _assert_equal(corpus())


def test_the_same_seed_makes_the_same_edits() -> None:
    one, other = (RandomEdits(Random(5), SAMPLES[0][MAIN]) for _ in range(2))
    texts = [one.step() for _ in range(50)]
    assert texts == [other.step() for _ in range(50)]
    assert len(set(texts)) > 30


def _scope(text: str) -> ResourceScope:
    source = Source(parse_template(text))
    stack, types = define(source, knowledge(), not_created=True)
    return ResourceScope(TemplateScope(source, stack, types, knowledge(), Options()), "a")


def test_checks_of_resources_access_the_stack_only_through_the_recorder() -> None:
    scope = _scope(_VALUE)
    names = [name for name in dir(scope) if not name.startswith("_")]
    seen = [getattr(scope, name) for name in names]
    assert not [value for value in seen if isinstance(value, (StackDefinition, TemplateScope, Source, Template))]
    assert isinstance(scope.view, Recorder)


CONSTANT = {"language", "availability_zones", "supposition", "supposed", "yaql_limits"}
"""Members of StackReader that are constant while results are reused, so that their reads are not recorded."""
LOOKS: dict[str, tuple[Hashable, ...]] = {
    "called_functions": (),
    "names_by_type": (),
    "parent_resource": (),
    "names": ("resources",),
    "is_enabled": ("a",),
    "resource": ("a",),
    "is_uncertain": ("a",),
    "resource_type": ("a",),
    "resource_condition": ("a",),
    "loaded_attributes": ("a",),
    "resource_definition": ("a",),
    "names_resource": ("a",),
    "parameter": ("length",),
    "declaration": ("length",),
    "schema": ("length",),
    "condition": (True,),
    "condition_definition": ("c",),
    "file": ("x",),
    "file_fault": ("x",),
    "mapping": ("x",),
}


def test_every_read_of_the_stack_is_recorded() -> None:
    assert {name for name in dir(StackReader) if not name.startswith("_")} == {"read"} | CONSTANT | LOOKS.keys()
    assert QUERIES.keys() | {"called_functions", "names_by_type", "parent_resource"} == LOOKS.keys()
    stack, _ = define(Source(parse_template(_VALUE)), knowledge(), not_created=True)
    for name, arguments in LOOKS.items():
        reads: set[Read] = set()
        view = recording(stack, reads)
        try:
            getattr(view, name)(*arguments) if arguments else getattr(view, name)
        except KeyError:
            assert name in {"mapping", "condition_definition"}
        assert len(reads) == 1, name
    assert {kind for kind in ReadKind if not isinstance(stack.read(kind, "a"), Read)} == set()


def test_changed_file_keeps_results_of_resources_that_do_not_read_it() -> None:
    owner, editor = f"{_OWNER}  b: {{type: OS::Heat::None}}\n", Editor()
    before = editor.show({MAIN: owner, "child.yaml": _CHILD}).examined
    after = editor.show({MAIN: owner, "child.yaml": _CHILD.replace("size", "length")}).examined
    assert [name for name in after if after[name] is before[name]] == ["b"]


def test_corpus_is_used_if_it_exists(shared: Path) -> None:
    assert (shared / "corpus").is_dir()
    assert len(corpus()) > 1000
