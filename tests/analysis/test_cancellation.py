"""Checkpoints, at which long work can be paused and canceled."""

from __future__ import annotations

import threading

import pytest

from heatstudio.analysis import analyze
from heatstudio.stack.definition.knowledge import load_knowledge
from heatstudio.stack.definition.source import Source
from heatstudio.template import parse_template
from heatstudio.text import cancellation_scope, checkpoint
from heatstudio.update.plan_update import plan_update

TEXT = "heat_template_version: 2021-04-16\nresources:\n" + "".join(
    f"  value_{at}: {{type: OS::Heat::Value, properties: {{value: {at}}}}}\n" for at in range(50)
)


class EnoughError(Exception):
    """An error that cancels the work."""


def test_checkpoints_call_the_listener_of_their_own_thread_only() -> None:
    heard: list[int] = []
    with cancellation_scope(lambda: heard.append(1)):
        checkpoint()
        other = threading.Thread(target=checkpoint)
        other.start()
        other.join()
    checkpoint()
    assert heard == [1]


def test_parsing_analysis_and_preview_call_checkpoints_for_every_resource() -> None:
    knowledge = load_knowledge()
    counts: list[int] = []
    heard: list[int] = []
    with cancellation_scope(lambda: heard.append(1)):
        template = parse_template(TEXT)
        counts.append(len(heard))
        source = Source(template)
        analyze(source, knowledge)
        counts.append(len(heard))
        plan_update(source, source, knowledge)
        counts.append(len(heard))
    assert counts[0] >= 50
    assert counts[1] - counts[0] >= 50
    assert counts[2] - counts[1] >= 50


def test_canceled_work_ends_at_its_next_checkpoint() -> None:
    def lose_patience() -> None:
        raise EnoughError

    with cancellation_scope(lose_patience), pytest.raises(EnoughError):
        parse_template(TEXT)
