import pytest

from heatstudio.stack.groups.group_context import read_api_version


@pytest.mark.parametrize(("text", "version"), [("2.79", "2.79"), (" v2.1 ", "2.1"), ("2", "2"), ("1.2.3", "1.2.3")])
def test_accepted_versions(text: str, version: str) -> None:
    assert read_api_version(text) == version


@pytest.mark.parametrize("text", ["", "latest", "2.", ".79", "2,79", "2.x", "-2.1", "v", "2 79", "٢.٧٩", "9" * 5000])
def test_rejected_versions(text: str) -> None:
    assert read_api_version(text) is None
