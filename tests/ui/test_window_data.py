"""The data that the window reads before its first paint, without the strict decoder, follow strict forms."""

from __future__ import annotations

from typing import Any, NamedTuple, get_type_hints

import pytest
from msgspec import defstruct

from heatstudio.assets import resource_path
from heatstudio.bundled_data import read_data
from heatstudio.text.yaml_lexer import TokenRole
from heatstudio.ui.commands.actions import Command
from heatstudio.ui.widgets.theme import Theme


def form_of(kind: type[NamedTuple]) -> Any:
    """Return the strict form of a named tuple that is written as a map."""
    hints, defaults = get_type_hints(kind), kind._field_defaults
    fields = [(name, hints[name], defaults[name]) if name in defaults else (name, hints[name]) for name in kind._fields]
    return defstruct(kind.__name__, fields, forbid_unknown_fields=True)


COMMAND: Any = form_of(Command)
MENU: Any = defstruct("Menu", [("title", str), ("commands", list[COMMAND | str | None])], forbid_unknown_fields=True)
COMMANDS: Any = defstruct(
    "Commands",
    [
        ("menus", list[MENU]),
        ("text_keys", list[COMMAND]),
        *((name, list[str | None]) for name in ("tool_bar", "text_menu", "stack_menu")),
        *((name, dict[str, bool]) for name in ("switches", "remembered")),
    ],
    forbid_unknown_fields=True,
)


def test_commands_are_well_formed() -> None:
    assert read_data(resource_path("commands.json"), COMMANDS).menus


@pytest.mark.parametrize("name", ["dark", "light", "high-contrast"])
def test_themes_are_well_formed(name: str) -> None:
    assert read_data(resource_path("themes", f"{name}.json"), form_of(Theme)).name == name


def test_token_roles_exist() -> None:
    roles = read_data(resource_path("token_roles.json"), dict[str, str])
    assert set(roles.values()) <= set(TokenRole.__members__)
