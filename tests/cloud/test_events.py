"""Progress of an action on a stack, determined from its events."""

from __future__ import annotations

from heatstudio.cloud.events import OperationProgress, StackEvent


def event(resource: str, status: str, *, about_stack: bool = False, inside: str = "") -> StackEvent:
    return StackEvent(f"{resource}-{status}", "", resource, status, "", (inside,) if inside else (), about_stack)


CREATED = (
    event("stack", "CREATE_IN_PROGRESS", about_stack=True),
    event("a", "CREATE_COMPLETE"),
    event("b", "CREATE_FAILED"),
    event("stack", "CREATE_FAILED", about_stack=True),
)


def test_end_is_determined_by_the_events_of_the_stack_itself() -> None:
    progress = OperationProgress().after(CREATED[:2])
    assert progress.ended is None
    progress = progress.after(CREATED[2:])
    assert progress.ended is CREATED[-1]
    assert progress.finished == {"a", "b"}
    assert [one.resource for one in progress.failed] == ["b"]


def test_new_action_resets_the_progress() -> None:
    again = OperationProgress().after((*CREATED, event("stack", "UPDATE_IN_PROGRESS", about_stack=True)))
    assert again == OperationProgress()


def test_resource_of_a_nested_stack_is_not_counted_as_own() -> None:
    progress = OperationProgress().after((event("a", "CREATE_FAILED", inside="stack-sub-x"),))
    assert progress.finished == frozenset()
    assert [one.owners for one in progress.failed] == [("stack-sub-x",)]
