"""Comparison of the problems of random stacks with what becomes of the stacks on a real Heat.

`HEATSTUDIO_CASES` is the number of stacks; `HEATSTUDIO_SEED` is the seed of the first one, by default a random one.
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter

import pytest

from heatstudio.analysis import analyze
from heatstudio.catalog.cloud.known_cloud import KnownCloud
from heatstudio.cloud.changes import create_stack
from heatstudio.cloud.cloud_error import CloudError
from heatstudio.cloud.connection import Connection
from heatstudio.cloud.read_catalog import read_catalog
from heatstudio.cloud.stacks import StackSummary
from heatstudio.cloud.submission import submission_of
from heatstudio.stack.definition.knowledge import Knowledge, load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.text import Severity
from tests.cloud.real_updates import settled
from tests.generated.stacks import Stacks

pytestmark = pytest.mark.loopback
STACKS = int(os.environ.get("HEATSTUDIO_CASES") or 10)
REFUSED, FAILS, COMPLETE = "refused", "CREATE_FAILED", "CREATE_COMPLETE"
OPEN = ("not assigned", "was not provided")
"""Parts of Heat's messages about values that an environment may still set, of which the program only warns."""


@pytest.fixture
def knowledge(demo: Connection) -> Knowledge:
    """Return the knowledge of Heat with the types that only this cloud has."""
    return load_knowledge().with_cloud(KnownCloud(demo.name, read_catalog(demo, lambda _done, _total: None)))


def expected(source: Source, knowledge: Knowledge) -> tuple[str, list[str]]:
    """Return what should become of a stack, and the messages that say so."""
    found = analyze(source, knowledge).diagnostics
    errors = [one.message for one in found if one.severity is Severity.ERROR]
    late = [one.message for one in found if one.finding is not None and one.finding.is_late]
    return REFUSED if errors else FAILS if late else COMPLETE, errors or late


def begun(connection: Connection, name: str, source: Source) -> StackSummary | str:
    """Start the creation of a stack; return Heat's message if it refuses."""
    try:
        return create_stack(connection, name, submission_of(source))
    except CloudError as error:
        return error.message


def test_stacks_become_what_their_problems_say(demo: Connection, knowledge: Knowledge) -> None:
    first = int(os.environ.get("HEATSTUDIO_SEED") or random.SystemRandom().randrange(10**9))
    sys.stdout.write(f"HEATSTUDIO_SEED={first} HEATSTUDIO_CASES={STACKS}\n")
    sources = {seed: Stacks(random.Random(seed)).source() for seed in range(first, first + STACKS)}
    stacks = {seed: begun(demo, f"created-{seed}", source) for seed, source in sources.items()}
    wrong: list[int] = []
    outcomes: Counter[str] = Counter()
    for seed, stack in stacks.items():
        ended = settled(demo, stack, "CREATE") if isinstance(stack, StackSummary) else None
        outcome, reason = (ended.status, ended.reason) if ended is not None else (REFUSED, str(stack))
        said, messages = expected(sources[seed], knowledge)
        outcomes[outcome] += 1
        if said != outcome and not (said == FAILS and any(one in reason for one in OPEN)):
            wrong.append(seed)
            sys.stdout.write(f"{seed}: {said} {messages} for {outcome} {reason}\n")
        if ended is not None:
            demo.ask("DELETE", ended.path)
    sys.stdout.write(f"{dict(outcomes)}\n")
    assert wrong == []
